"""Files of variables: what `-var-file` names, and `.tfvars` files that scripts read for themselves.

A file that is one of these and partial configuration as well is not edited: what else reads it would see the
edit too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Link, Place, Run, Source
from migrate.plug import Found
from migrate.spelling.commands import COMMAND, PROSE, file_named
from migrate.text import Lines

NAME: Final = "variables"

_SIGN: Final = r"""\$\{\{[^}\n]{0,200}\}\}|\$\{[^}\n]{0,200}\}|\$\([^)\n]{0,200}\)|[^\s"'\\,;()<>=|]"""
"""One sign of a name, or what is filled in."""
_GIVEN: Final = re.compile(rf"""--?var-file(?:=|\s+|["'],\s*["'])["']?((?>(?:{_SIGN})+))""")
_READS: Final = re.compile(
    r"(?:^|[\s|;&(`$@-])(?:awk|gawk|sed|grep|egrep|cut|cat|head|tail|source|hcl2json|tr|\.)\s[^\n|;]*|<\s*[^\n|;<]*"
)
_WORD: Final = re.compile(rf"(?>(?:{_SIGN})+)")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """Any text file but documentation, and Terraform's own."""
    return path.suffix.lower() not in PROSE | {".tf", ".tofu", ".tfvars"}


def find(source: Source, /) -> Found[Run]:
    """A link for each file that is read as variables or by a script; `-backend-config` is not meant."""
    lines = Lines(source.text)
    links = (
        Link("variables", Place(source.repo, source.path, lines.line(command.start())), target)
        for command in COMMAND.finditer(source.text)
        if not command.group().lstrip().startswith(("#", "//"))
        for target in _files(command.group(), source.text)
    )
    return Found(links=tuple(links))


def _files(command: str, text: str) -> Iterator[str]:
    named = _GIVEN.findall(command) if "-var-file" in command else []
    if ".tfvars" in command and "-backend-config" not in command:
        words = (word for part in _READS.findall(command) for word in _WORD.findall(part))
        named += [word for word in words if word.endswith(".tfvars")]
    for value in named:
        if target := file_named(value, text):
            yield target
