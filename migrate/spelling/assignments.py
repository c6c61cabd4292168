"""Versions that a script sets: `TF_VERSION=1.9.8`, with `export`, `ARG`, `ENV` or `$` in front, or with `?=`.

A flag that is called after a version sets it, too: `--default-tf-version=1.9.8`; so does a key of a map in a
program or in JSON, and a tool's own name: `terraform = "1.9.8"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate.model import Pin
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import chooses
from migrate.text import Span

_VALUE: Final = r"(?P<quote>[\"']?)(?P<value>[^\s\"'#;,=\\]+)"
_SET: Final = re.compile(
    r"(?m)(?:(?<![\w$.{-])|^[ \t]*\$)(?P<name>\w*(?i:versions?|ver)|VERSION_\w+)[ \t]*[?:+]{0,2}=[ \t]*"
    + _VALUE
)
_ENDS: Final = re.compile(r"(?i)ver(?:sions?)?[ \t]*[?:+]{0,2}=|VERSION_")
"""Part of all that `_SET` matches: few files have it, and to look for it takes a fifth of the time."""
_FLAG: Final = re.compile(r"(?<![\w-])--(?P<name>[\w-]+-version)(?:=|[ \t]+)" + _VALUE)
_ENV: Final = re.compile(r"(?m)^[ \t]*(?:ENV|setenv|set[ \t]+-\w+)[ \t]+(?P<name>\w+_VERSION)[ \t]+" + _VALUE)
_TOOL: Final = r"(?i:terraform|opentofu|tofu|terragrunt)"
_RELEASE: Final = r"(?P<value>v?\d+\.\d+(?:\.(?:\d+|[xX*]))?)(?![\w.,-])"
_QUOTE: Final = r"[\"']?"
_OWN: Final = re.compile(rf"(?<![\w$.{{/-]){_QUOTE}(?P<name>{_TOOL}){_QUOTE}[ \t]*=[ \t]*{_QUOTE}{_RELEASE}")
_NAMED: Final = rf"(?<![\w$.{{/-]){_QUOTE}(?P<name>[\w-]*(?i:version)|{_TOOL}){_QUOTE}[ \t]*:[ \t]*"
_KEY: Final = re.compile(rf"{_NAMED}[\"']{_RELEASE}")
_KEY_OF_YAML: Final = re.compile(rf"{_NAMED}{_QUOTE}{_RELEASE}")
_TEMPLATE: Final = re.compile(r".*\.(?:sls|ya?ml\.\w+)")
"""Of YAML, and none itself."""
_NUMBERED: Final = re.compile(r"(?i)(?:version|terraform|tofu|terragrunt)[\"']?[ \t]*[:=][ \t]*[\"']?v?\d")
_YAML: Final = (".yml", ".yaml")
"""Whose keys are read as such; what a step of a pipeline writes to a file is not."""
_TF: Final = re.compile(r"(?i)(?<![a-z])tf(?![a-z])")
_TENSORFLOW: Final = re.compile(r"(?i)tensorflow")
_DEFAULT: Final = re.compile(r"\$\{\w+:?-(v?\d[\w.]*)\}")
_READS_FILE: Final = re.compile(r"\$\((?:shell\s+)?(?:cat|<)\s")
_PASSED: Final = re.compile(r"\$\((?:[A-Z0-9_]+|\w*version)\)")  # how make names a variable
_LITERAL: Final = re.compile(r"v?\d|latest\Z")
_PLURAL: Final = re.compile(r"(?i)versions\Z")
_LISTED: Final = re.compile(r"(?:\$\{\w+:?-)?[(\[{\s\"']*v?\d")
# An argument of the script: `$1`, `%1` of a batch file.
_GIVEN: Final = re.compile(r"\$\{?\d\}?|%~?\d")


def find(sheet: Sheet) -> Iterator[Pin]:
    """Every version that is set. One that is only passed on is chosen where the other variable is set."""
    for match in sorted(_matches(sheet), key=lambda match: match.start()):
        name, value, span = match["name"], match["value"], Span(*match.span("value"))
        tool, default = chooses(name, value), _DEFAULT.fullmatch(value)
        if tool is None:
            continue
        if doubt := _doubt(sheet, match):
            yield sheet.unknown(tool, span, f"{name} {doubt}")
        elif default:
            yield sheet.pin(tool, Span(*(span.start + at for at in default.span(1))), name)
        elif _LITERAL.match(value) and not _PLURAL.search(name):
            yield sheet.pin(tool, span, name)


def _doubt(sheet: Sheet, match: re.Match[str]) -> str:
    """Why a variable that is set says no release."""
    name, value, at = match["name"], match["value"], match.start("value")
    if _TF.search(name) and _TENSORFLOW.search(sheet.code):
        return "may be TensorFlow's"
    if _GIVEN.fullmatch(value):
        return "is what the script is called with"
    if _PLURAL.search(name) and _LISTED.match(sheet.code, at):
        return "are several: which of them runs is not said"
    ran = value.startswith(("$(", "`")) and not _PASSED.fullmatch(value)
    return "is what a command says when it runs" if ran and not _READS_FILE.match(sheet.code, at) else ""


def _matches(sheet: Sheet) -> Iterator[re.Match[str]]:
    """Whatever sets something that is called a version, or has a tool's own name."""
    for pattern in (_FLAG, _ENV, *([_SET] if _ENDS.search(sheet.code) else [])):
        yield from pattern.finditer(sheet.code)
    suffix = sheet.source.path.suffix
    key = _KEY_OF_YAML if _TEMPLATE.fullmatch(sheet.source.path.name) else _KEY
    named = [*([] if suffix == ".toml" else [_OWN]), *([] if suffix in _YAML else [key])]
    for line in sheet.lines(_NUMBERED):
        for pattern in named:
            yield from pattern.finditer(sheet.code, *line)
