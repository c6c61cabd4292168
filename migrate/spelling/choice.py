"""A version that stands as one token in a file: the pin it makes, and how it is written anew.

Everything around the token stays: quotes, a `v` in front, the flavour behind an image's tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from migrate.model import Fact, Known, Pin, PinKind, Refusal, Source, Unknown
from migrate.plug import Edits, Sources
from migrate.text import Lines, Replace, Span, Syntax, line_start
from migrate.versions import Malformed, Tool, chosen

_COMMENT: Final = re.compile(r"(?m)^\ufeff?[ \t]*(?:#|//|::|(?i:@?rem)[ \t]).*")

_CHECKSUM: Final = re.compile(r"(?<![\w:])[0-9a-fA-F]{64}\b")
_NAMED: Final = re.compile(
    r"(?i)\b\w*(?:TERRAFORM|TOFU|TERRAGRUNT|TF|TG)\w*(?:SHA|SUM)\w*[\"']?[:= ]+[\"']?[0-9a-f]{40,}"
)
_NEAR: Final = 400  # characters: a few lines


class Sheet(Struct, frozen=True, dict=True):
    """Makes the pins that one plug finds in one source: for the directory `root` and all below it."""

    source: Source
    plug: str
    root: PurePosixPath = PurePosixPath()
    everywhere: bool = True
    """They hold whatever stands nearer to a root; else a pin of the same plug there takes their place."""

    @classmethod
    def of_folder(cls, source: Source, plug: str) -> Self:
        """For a file that holds in its folder and below, until another of its kind stands nearer."""
        return cls(source, plug, source.path.parent, everywhere=False)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.source.text)

    @cached_property
    def code(self) -> str:
        """The text with blanks for the lines that are comments: what stands there chooses nothing."""
        return _COMMENT.sub(lambda comment: " " * len(comment[0]), self.source.text)

    def lines(self, sign: re.Pattern[str]) -> Iterator[tuple[int, int]]:
        """The lines of code that hold a sign, each once: few do, and what is sought in them costs more."""
        end = -1
        for found in sign.finditer(self.code):
            if found.start() > end:
                start, end = line_start(self.code, found.start()), self.code.find("\n", found.end())
                end = len(self.code) if end < 0 else end
                yield start, end

    def pin(self, tool: Tool, span: Span, name: str = "") -> Pin:
        """The version at `span`; Unknown where its text is none that source can tell."""
        text = span.of(self.source.text)
        meant = chosen(text)
        if isinstance(meant, Malformed):
            return self.unknown(tool, span, f"{self.source.path.name} says {meant.why}")
        after_v = Span(span.start + text.startswith("v"), span.end)
        return self._pin(tool, Known(after_v.of(self.source.text)), after_v, "exact", name)

    def unknown(self, tool: Tool | None, span: Span, why: str) -> Pin:
        """A choice that is made elsewhere, or when it runs."""
        return self._pin(tool, Unknown(why), span, "unknown")

    def asked(self, tool: Tool, span: Span, why: str, name: str) -> Pin:
        """A choice that is left to a variable which this file does not set."""
        return self._pin(tool, Unknown(why), span, "asked", name)

    def constraint(self, version: Fact[str], span: Span, engine: Tool | None, named: int) -> Pin:
        """What an engine holds its own release against; the name of the argument is at `named`."""
        pin = self._pin(engine, version, span, "constraint")
        return replace(pin, line=self._lines.line(named))

    def _pin(self, tool: Tool | None, version: Fact[str], span: Span, kind: PinKind, name: str = "") -> Pin:
        return Pin(
            repo=self.source.repo,
            path=self.source.path,
            plug=self.plug,
            kind=kind,
            engine=tool,
            version=version,
            span=span,
            line=self._lines.line(span.start),
            root=self.root,
            everywhere=self.everywhere,
            name=name,
        )


def replaced(_: Sources, found: Pin, wish: str, /) -> Edits:
    """The edit of most plugs: the version becomes `wish`; nothing else moves."""
    if found.version == Known(wish):
        return {}
    return {found.path: (Replace(found.span, wish, Syntax.PLAIN),)}


def checked(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    """As `replaced`; refused where the checksum of what is downloaded stands in the file, too."""
    text = sources[found.path].text
    beside = _CHECKSUM.search(text, max(0, found.span.start - _NEAR), found.span.end + _NEAR)
    if beside or _NAMED.search(text):
        why = "a checksum of the old release stands in this file"
        return Refusal(found.place, why, f"go to {wish} with its checksum")
    return replaced(sources, found, wish)
