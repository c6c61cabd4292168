"""A version that stands as one token in a file: the pin it makes, and how it is written anew.

Everything around the token stays: quotes, a `v` in front, the flavour behind an image's tag.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Edits
from migrate.text import Lines, Replace, Span, Syntax
from migrate.versions import Malformed, Tool, chosen


class Sheet(Struct, frozen=True, dict=True):
    """What one plug makes of one source: pins with lines."""

    source: Source
    plug: str
    everywhere: bool = True
    """Its pins hold for every root below them, whatever stands nearer to it."""

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.source.text)

    def pin(self, tool: Tool, span: Span, root: PurePosixPath) -> Pin:
        """The version at `span`; Unknown where its text is none that source can tell."""
        text = span.of(self.source.text)
        meant = chosen(text)
        if isinstance(meant, Malformed):
            return self.unknown(tool, span, f"{self.source.path.name} says {meant.why}", root)
        after_v = Span(span.start + text.startswith("v"), span.end)
        return self._pin(tool, Known(after_v.of(self.source.text)), after_v, root)

    def unknown(self, tool: Tool | None, span: Span, why: str, root: PurePosixPath) -> Pin:
        """A choice that is made elsewhere, or when it runs."""
        return self._pin(tool, Unknown(why), span, root)

    def _pin(self, tool: Tool | None, version: Fact[str], span: Span, root: PurePosixPath) -> Pin:
        return Pin(
            repo=self.source.repo,
            path=self.source.path,
            plug=self.plug,
            kind="exact" if isinstance(version, Known) else "unknown",
            engine=tool,
            version=version,
            span=span,
            line=self._lines.line(span.start),
            root=root,
            everywhere=self.everywhere,
        )


def replaced(found: Pin, wish: str) -> Edits:
    """The version becomes `wish`; nothing else moves."""
    if found.version == Known(wish):
        return {}
    return {found.path: (Replace(found.span, wish, Syntax.PLAIN),)}
