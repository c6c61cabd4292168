"""The command line: one thin module a command group, which knows click and exit codes and little else.

`COMMANDS` is the list of what has landed. A module is imported when its command is run, never to print
`--help`; that is why the one-line summaries stand here.
"""

from typing import Final, NamedTuple


class Lazy(NamedTuple):
    """Where a command lives (`module` has a click command named `command`) and what `--help` says of it."""

    module: str
    summary: str


COMMANDS: Final[dict[str, Lazy]] = {
    "audit": Lazy("migrate.cli.audit", "List every S3 backend, reader and lock, and what must be settled."),
    "plan": Lazy("migrate.cli.plan", "Say for each state what is safe next and what holds it back."),
    "edit": Lazy("migrate.cli.edit", "Print the diff of one phase, or write it."),
    "propose": Lazy("migrate.cli.propose", "Offer what is open now to each repository's owner."),
    "campaign": Lazy("migrate.cli.campaign", "Lead many repositories through the migration over weeks."),
    "comment": Lazy(
        "migrate.cli.comment", "Put a report under a proposal as one comment, and change it later."
    ),
    "iam": Lazy("migrate.cli.iam", "Say whether a role may take and release the locks of states."),
    "reinit": Lazy(
        "migrate.cli.reinit", "Run `init -reconfigure` where a directory still knows the backend of before."
    ),
    "config": Lazy("migrate.cli.config", "Say what configuration holds, and from where."),
    "explain": Lazy("migrate.cli.explain", "Say why a rule exists and what to do about it."),
    "demo": Lazy(
        "migrate.cli.demo", "Show with real Terraform what goes wrong, and what this program does instead."
    ),
}
