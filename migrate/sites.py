"""What a dialect makes of one source besides its own grammar: sites with lines and names, and troubles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate import jsontree
from migrate.mentions import TOKENS, looks_like
from migrate.model import Link, Place, Problem, Role, Setting, Site, Source
from migrate.plug import Found
from migrate.text import Lines, Span, line_start

_HEAD: Final = re.compile(r'\A\ufeff?(?:\s*\{\s*"//"\s*:[^}]*|(?:\s+|(?:#|//)[^\n]*|/\*(?s:.)*?\*/)*)')
_MADE: Final = re.compile(
    r"""(?ix)\bdo\ not\ (?:manually\ )?(?:edit|modify|change)
    |\b(?:auto[-\ ]?|code\ |automatically\ )generated\b
    |^\W*generated\ (?:automatically|by|from|with|using)\b
    |\b(?:file|this)\b.{0,40}\b(?:is|was|been|gets)\ (?:\w+\ )?generated\b
    |\bcookiecutter\b
    |"stackName"  # what CDKTF writes there"""
)
_NAMED: Final = re.compile(rf"\b({'|'.join(TOKENS)})\b|\bbackend\s+\\*[\"']s3\b")
_END: Final = re.compile(r"\r?(?:\n|\Z)")
_STATEMENT: Final = re.compile(r"^[ \t]*(?:\{[%{#]|<%)", re.MULTILINE)
_FILL_IN: Final = re.compile(r"\{[%{]|<%")


def made_by(source: Source) -> str | None:
    """That a generator writes the file, in the words of the line of its head comment that says so."""
    if ".terragrunt-stack" in source.path.parts:
        return "generated: a copy of what its stack names as its source"
    head = _HEAD.match(source.text)
    lines = head[0].splitlines() if head else []
    said = next((line.strip(' \t#/*\ufeff{}",:') for line in lines if _MADE.search(line)), None)
    return None if said is None else f"generated: {said}"


class Trouble(Struct, frozen=True):
    """A place that keeps a dialect from reading a file as its author meant."""

    at: Span
    why: str = "this is no HCL: a quote, bracket or heredoc without its end, or two things on one line"
    remedy: str = "run terraform fmt on the file: it names the mistake"


class Sheet:
    """One source in front of one dialect."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.source = source
        self._dialect = dialect
        self._lines = Lines(source.text)

    @cached_property
    def _made_by(self) -> str | None:
        return made_by(self.source)

    def place(self, offset: int) -> Place:
        return Place(self.source.repo, self.source.path, self._lines.line(offset))

    def link_to_module(self, at: Span, target: str) -> Link:
        return Link("module", self.place(at.start), target)

    def other_backend(self, at: Span, kind: str) -> Link:
        """A backend that is not S3: in an override file it takes the place of one that is."""
        return Link("backend", self.place(at.start), kind)

    def site(
        self, role: Role, name: str, span: Span, settings: Iterable[Setting], why_not: str | None = None
    ) -> Site:
        """A site; `why_not` is what keeps it from being read or edited for certain, besides a generator."""
        return Site(
            repo=self.source.repo,
            path=self.source.path,
            dialect=self._dialect,
            role=role,
            name=name,
            span=span,
            line=self._lines.line(span.start),
            end_line=self._lines.line(max(span.start, span.end - 1)),
            settings=tuple(settings),
            root=self.source.path.parent,
            why_not=self._made_by or why_not,
            generated=self._made_by is not None,
        )

    def made(
        self, role: Role, name: str, span: Span, settings: Iterable[Setting], why_not: str | None = None
    ) -> Site:
        """A site of a generator: a head comment in it that says "generated" speaks of what it writes."""
        return replace(self.site(role, name, span, settings), why_not=why_not, generated=False)

    def found(
        self, sites: Iterable[Site], troubles: Sequence[Trouble] = (), links: Sequence[Link] = ()
    ) -> Found[Site]:
        """The answer of a dialect. Of a template nothing is believed but that it is one."""
        if template := self.template(troubles):
            return Found(problems=(template,))
        named = _numbered(sites)
        problems = [Problem("unparsable", self.place(t.at.start), t.why, t.remedy) for t in troubles]
        problems += [_ambiguous(site) for site in named if site.why_not and not site.generated]
        return Found(named, tuple(links), tuple(problems))

    def not_json(self, mistake: jsontree.Mistake) -> Found[Site]:
        """The answer of a dialect to a text that should be JSON."""
        at = Span(mistake.offset, mistake.offset)
        return self.found([], [Trouble(at, mistake.why, "make it valid JSON")])

    def template(self, troubles: Iterable[Trouble]) -> Problem | None:
        """That the marks of a template engine are what makes a text no HCL; None where they are not."""
        return next((found for found in map(self._template, troubles) if found), None)

    def _template(self, trouble: Trouble) -> Problem | None:
        text, at = self.source.text, trouble.at.start
        line = Span(line_start(text, at), max(at, text.find("\n", at)))
        marker = _STATEMENT.search(text) or _FILL_IN.search(text, line.start, line.end)
        if marker is None:
            return None
        why = "this is a template: what it says is known only when it is rendered"
        remedy = "change the template by hand, render it, and audit what comes out"
        return Problem("template", self.place(marker.end()), why, remedy)


def unread(sheet: Sheet, read: Iterable[Span], why: str) -> Iterator[Site]:
    """One site for each line that names a lock setting or begins an S3 backend outside of what was `read`."""
    text, path, end = sheet.source.text, sheet.source.path, 0
    claimed = list(read)
    for named in _NAMED.finditer(text):
        if named.start() < end or any(span.start <= named.start() < span.end for span in claimed):
            continue
        start = line_start(text, named.start())
        if "-backend-config" in text[start : named.start()]:  # a flag
            continue
        if looks_like(path, text[start : named.start()]) not in ("comment", "documentation"):
            end = next(stop.start() for stop in _END.finditer(text, named.end()))
            yield sheet.made("generator", f"place.{named[1] or 'backend'}", Span(start, end), (), why)


def twice(names: Sequence[str]) -> str | None:
    """Why a block with these repeated arguments is not edited."""
    return f"{' and '.join(names)} stands twice in one block: Terraform rejects it" if names else None


def _ambiguous(site: Site) -> Problem:
    return Problem("ambiguous", site.place, site.why_not or "", "keep one of the two, then audit again")


def _numbered(sites: Iterable[Site]) -> tuple[Site, ...]:
    """The second site of one name is `name#2`."""
    seen: dict[str, int] = {}
    numbered = []
    for site in sites:
        again = seen[site.name] = seen.get(site.name, 0) + 1
        numbered.append(replace(site, name=f"{site.name}#{again}") if again > 1 else site)
    return tuple(numbered)
