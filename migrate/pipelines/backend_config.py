"""`-backend-config` on a command line, in a file of any kind: which files are partial configuration.

A command may go over several lines that end in a backslash. A value with
variables in it is a pattern of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, Link, Place, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.command_line import runner_of
from migrate.spelling.commands import COMMAND, PROSE, file_named
from migrate.text import Lines, Span

NAME: Final = "backend-config"

_VALUE: Final = re.compile(
    r"""--?backend-config(?:=|\s+|["'],\s*["'])["']?((?:\$\{\{[^}\n]*\}\}|[^\s"'\\,;])+)"""
)
_CHDIR: Final = re.compile(r"""-chdir=["']?([^\s"'\\]+)""")
_VERB: Final = re.compile(r"\b(terraform|tofu|terragrunt)\b[^\n]*?\s(init|plan|apply)\b")
_VARIABLE: Final = re.compile(r"[$<>{}%*]")
_INPUT: Final = re.compile(
    r"""(?im)^\s*[\w-]*backend[-_]config[-_]file[\w-]*\s*[:=]\s*["']?([\w./-]*\.[\w./-]+)"""
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """Any text file but documentation, which says how it could be done."""
    return path.suffix.lower() not in PROSE


def find(source: Source, /) -> Found[Run]:
    """One run for each command that has the flag, and a link for each file it names."""
    lines = Lines(source.text)
    runs, links = [], []
    for match in COMMAND.finditer(source.text):
        if "-backend-config" not in match.group():
            continue
        run = _run(source, match, lines)
        runs.append(run)
        links += list(_links(run, source.text))
    links += [
        Link("backend-config", Place(source.repo, source.path, lines.line(match.start())), match.group(1))
        for match in _INPUT.finditer(source.text)
        # What is called a backend configuration file may be the Terraform file with the block.
        if not _VARIABLE.search(match.group(1)) and not match.group(1).endswith((".tf", ".tofu"))
    ]
    return Found(tuple(runs), tuple(links))


def _run(source: Source, match: re.Match[str], lines: Lines) -> Run:
    text = match.group()
    verb = _VERB.search(text)
    values = tuple(value for value in _VALUE.findall(text))
    return Run(
        repo=source.repo,
        path=source.path,
        plug=NAME,
        engine=runner_of(verb.group(1)) if verb else None,
        command=verb.group(2) if verb else "",
        arguments=(),
        backend_config=values,
        directory=_directory(text),
        span=Span(*match.span()),
        line=lines.line(match.start()),
    )


def _directory(command: str) -> Fact[PurePosixPath]:
    chdir = _CHDIR.search(command)
    if chdir and not _VARIABLE.search(chdir.group(1)):
        return Known(PurePosixPath(chdir.group(1)))
    return Unknown("the command does not say in which directory it runs")


def _links(run: Run, text: str) -> Iterator[Link]:
    for value in run.backend_config:
        target = file_named(value, text)
        if "=" not in value and target:
            yield Link("backend-config", Place(run.repo, run.path, run.line), target)
