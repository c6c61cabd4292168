"""Names and values → text: the only room that knows Jinja2.

What a page shows comes from repositories and is escaped unless a filter here has made it harmless: Markdown,
HTML, mentions and terminal control lose their meaning. Forgetting a filter is therefore safe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sized
from typing import Final

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from migrate.offer import Offer, delete_digest, list_workspaces, machine_block

LIMIT: Final = 60_000
"""The longest body, in characters; GitHub takes 65,536."""

_JOINER: Final = "\u2060"
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~&])")
_LINKING: Final = re.compile(r"@|#(?=\d)|(?<=:)//|\bGH-(?=\d)|\bwww\.(?=\w)", re.IGNORECASE)
_UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


class Markdown(str):
    """Text that is Markdown already: ours, or made harmless."""

    __slots__ = ()


class Pages:
    """The pages that can be made of `templates`, by name."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        self._environment = _environment(templates)

    def proposal(self, offer: Offer, *, limit: int = LIMIT) -> str:
        """The body of a proposal. Where it would be too long what is folded is cut, and that is said."""
        keep = max(1, *map(len, _lists(offer)))
        while True:
            text = self._page("proposal/frame.md.j2", {"offer": offer, "keep": keep})
            if len(text) <= limit or keep == 0:
                return text
            keep //= 2

    def paused(self, why: str) -> str:
        """The first lines of a proposal that must not be merged now."""
        return self._page("proposal/paused.md.j2", {"why": why})

    def _page(self, name: str, values: Mapping[str, object]) -> str:
        return self._environment.get_template(name).render(values)


def _lists(offer: Offer) -> Iterator[Sized]:
    """Everything in a body that may be cut."""
    yield from (offer.rows, offer.states, offer.commands, offer.callers)
    for part in offer.parts:
        yield from (part.files, part.said, part.refusals + part.programs, part.suggestions)


def _environment(templates: Mapping[str, str]) -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        loader=DictLoader(templates),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith((".html", ".html.j2")),
        finalize=_escaped,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "cell": cell,
        "code": code,
        "count": count,
        "delete_digest": delete_digest,
        "fenced": fenced,
        "list_workspaces": list_workspaces,
        "over": lambda number, most: max(0, number - most),
        "machine_block": lambda offer: Markdown(machine_block(offer)),
    }
    return environment


def _escaped(value: object) -> object:
    return value if isinstance(value, Markdown | int) else escaped(str(value))


def escaped(text: str) -> Markdown:
    """One line of text that says in Markdown just what it says: no markup, no link, nobody called."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    unlinked = _LINKING.sub(lambda found: _split(found.group()), line)
    return Markdown(_MARKDOWN.sub(r"\\\1", unlinked))


def _split(token: str) -> str:
    """A mark that stands for nothing keeps a forge from seeing a mention, a reference or an address."""
    return f"{token[:1]}{_JOINER}{token[1:]}"


def code(text: str) -> Markdown:
    """One line of text as inline code."""
    line = " ".join(_UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text).split())
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{ticks}{pad}{line}{pad}{ticks}" if line else "` `")


def cell(text: str) -> Markdown:
    """One line of text as inline code in a table, where a bar would begin the next cell."""
    return Markdown(code(text).replace("|", "\\|"))


def fenced(text: str, language: str = "") -> Markdown:
    """Lines of text as a block of code that nothing in them ends."""
    lines = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n")).rstrip("\n")
    fence = "`" * max(3, _longest_run(lines) + 1)
    return Markdown(f"{fence}{language}\n{lines}\n{fence}")


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def count(number: int, one: str, many: str = "") -> Markdown:
    """`1 state`, `2 states`."""
    return Markdown(f"{number} {one if number == 1 else many or one + 's'}")
