"""How a group lists its commands: in the order of their use, each with its whole first sentence."""

from __future__ import annotations

import click

_WHOLE = 1_000


class Group(click.Group):
    """Click's own lists by the alphabet, and cuts sentences off."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def summary(self, name: str) -> str:
        return f"{self.commands[name].get_short_help_str(_WHOLE).rstrip('.')}."

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summary(name)) for name in self.list_commands(ctx)])
