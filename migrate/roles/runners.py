"""Roles as those name them who run Terraform: pipelines and scripts, a backend, a provider.

A name is a role's ARN, whose parts may be expressions, or an expression alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.model import Place, Source
from migrate.text import Lines

_FILLED: Final = r"\$\{\{.*?\}\}|<<.*?>>|\$\{[^}\n]*\}|\$\([^)\n]*\)"
_VALUE: Final = rf"(?:{_FILLED}|[^\s\"'#,;|&)\\])+"
_KEYED: Final = re.compile(
    rf"(?P<key>[\w.-]*(?:role[_-]?to[_-]?assume|role[_-]?arn|assume[_-]?role))[\"']?"
    rf"(?:[ \t]*[:=][ \t]*|[ \t]+)[\"']?(?!-)(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_SESSION: Final = re.compile(
    r"(?i)(?P<key>(?:inline|managed)[-_]session[-_]polic(?:y|ies))[\"']?[ \t]*:"
    r"|\bassume-role[\w-]*\b(?:\\\n|[^\n;|&]){0,500}?(?P<flag>--policy(?:-arns)?)\b"
)
_EXPRESSION: Final = re.compile(r"\$\w|\$\{|<<|\{\{")
_ROLE: Final = re.compile(r"arn:.*:role/(?:.*/)?(?P<name>[^/]+)")
_ACCOUNT: Final = re.compile(r":(\d{12}):role/")
_NAMED: Final = re.compile(r"\$(?:\{\{\s*(?:env|vars)\.)?\{?(\w+)\s*\}{0,2}")
_VARIABLE: Final = "tf_var_"  # what Terraform's code is given is its own affair
_MOST: Final = 100
"""Names of one file that are followed."""


class RoleName(Struct, frozen=True):
    """How a role is written, and where. One that only a `provider` takes on makes resources and no lock.

    `session` says by what its session may do less than the role may, and where; empty: by nothing.
    """

    text: str
    place: Place
    locks: bool = True
    session: str = ""

    @property
    def name(self) -> str | None:
        """The name that IAM has it by in its account; None where an expression makes it."""
        found = _ROLE.fullmatch(self.text)
        return found["name"] if found and not _EXPRESSION.search(found["name"]) else None

    @property
    def account(self) -> str:
        """Its account's number; empty where that is not told."""
        found = _ACCOUNT.search(self.text)
        return found[1] if found else ""


def named_in(source: Source) -> Iterator[RoleName]:
    """Every role that a pipeline or script takes on: `role-to-assume`, `--role-arn`, `AWS_ROLE_ARN`.

    A variable is followed to what the same file sets it to, where that is one ARN. A policy of a session is
    taken for one of every role of the file.
    """
    lines, seen = Lines(source.text), set[str]()
    session = _session(source, lines)
    for found in _KEYED.finditer(source.text):
        if len(seen) >= _MOST:
            return
        text = _followed(source.text, found["value"])
        if _is_role(text) and _VARIABLE not in found["key"].lower() and text not in seen:
            seen.add(text)
            place = Place(source.repo, source.path, lines.line(found.start("key")))
            yield RoleName(text, place, session=session)


def _session(source: Source, lines: Lines) -> str:
    found = _SESSION.search(source.text)
    if found is None:
        return ""
    group = "key" if found["key"] else "flag"
    return f"{found[group]} at {Place(source.repo, source.path, lines.line(found.start(group)))}"


def of_providers(source: Source) -> Iterator[RoleName]:
    """The roles as which a module's providers of AWS make its resources; they take no lock."""
    lines = Lines(source.text)
    for block in hcl.blocks(source.text, ("provider",), ("assume_role",)).blocks:
        for inner in block.blocks if block.labels == ("aws",) else ():
            value = inner.value("role_arn") if inner.type.startswith("assume_role") else None
            if value:
                text = value.value if isinstance(value, hcl.Literal) else value.span.of(source.text)
                place = Place(source.repo, source.path, lines.line(value.span.start))
                yield RoleName(str(text).strip('"'), place, locks=False)


def _is_role(text: str) -> bool:
    return _ROLE.fullmatch(text) is not None or _EXPRESSION.match(text) is not None


def _followed(text: str, value: str) -> str:
    """What a variable is set to in the same file; itself where that is not one ARN."""
    variable = _NAMED.fullmatch(value)
    if variable is None:
        return value
    before = r"(?m)^[ \t]*(?:-[ \t]+|export[ \t]+)?[\"']?"
    set_to = rf"{before}{variable[1]}[\"']?[ \t]*[:=][ \t]*[\"']?({_VALUE})"
    found = sorted({one[1] for one in re.finditer(set_to, text)})
    return found[0] if len(found) == 1 and _ROLE.fullmatch(found[0]) else value
