"""Pieces of shell in a file → the runs of engines in them, and where these run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate import shell, yamltree
from migrate.model import Fact, Known, Refusal, Run, Source, Unknown
from migrate.plug import Found
from migrate.shell import Command, Word
from migrate.spelling import command_line
from migrate.spelling.command_line import Line, values
from migrate.spelling.commands import settled, spoken
from migrate.spelling.places import ELSEWHERE, HERE, Places, below
from migrate.text import Lines, Op, Replace, Span, Syntax, line_start
from migrate.versions import Tool

YES: Final = Known(value=True)
NO: Final = Known(value=False)
CALLED: Final = Unknown("where this script is called from is not said")
"""Most are called from the top of their repository: a flag that names a directory is read from there."""


class Part(Struct, frozen=True):
    """Some text of a script. `folded`: the shell gets its lines as one. `said`: what the shell gets, where
    that is not the text at `span`, because of escapes.
    """

    span: Span
    folded: bool = False
    said: str | None = None


class Script(Struct, frozen=True):
    """What one shell runs from beginning to end, and what its file says of that."""

    parts: tuple[Part, ...]
    directory: Fact[PurePosixPath] = HERE
    job: str = ""
    automated: bool = False
    serialised: Fact[bool] = NO
    kept: Fact[bool] = YES
    captured: bool = False
    """What it prints is read."""


def moved(script: Script, directory: Fact[PurePosixPath]) -> Script:
    """The same in another directory."""
    return replace(script, directory=directory)


def part(text: str, scalar: yamltree.Scalar) -> Part:
    """A scalar of YAML as a shell gets it."""
    header = text[line_start(text, max(0, scalar.span.start - 1)) : scalar.span.start]
    literal = scalar.style == "block" and not re.search(r">[-+0-9]*[ \t]*(?:#.*)?\r?\n\Z", header)
    escaped = scalar.style == "double" and "\\" in scalar.span.of(text)
    return Part(scalar.span, folded=not literal, said=scalar.value if escaped else None)


class Sheet(Struct, frozen=True, dict=True):
    """What one plug makes of one source."""

    source: Source
    plug: str

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.source.text)

    @cached_property
    def _functions(self) -> Mapping[str, Tool]:
        return command_line.functions(self.source.text)

    def found(self, items: Iterable[Script | Run]) -> Found[Run]:
        """The runs of all scripts, those that a plug has read otherwise, and what the environment adds."""
        ambient, told = list(self._ambient()), list(items)
        runs = [run for one in told if isinstance(one, Script) for run in self._runs(one, ambient)]
        others = (one for one in told if isinstance(one, Run))
        return Found(tuple(sorted((*runs, *ambient, *others), key=lambda run: run.span)))

    def run(self, runner: Tool | None, command: str, arguments: Sequence[str], span: Span, of: Script) -> Run:
        """A run with these arguments, whatever spells it: a command line, a task, a key of a service."""
        return Run(
            repo=self.source.repo,
            path=self.source.path,
            plug=self.plug,
            engine=runner,
            command=command,
            arguments=tuple(arguments),
            backend_config=tuple(values(arguments, "backend-config")),
            directory=of.directory,
            span=span,
            line=self._lines.line(span.start),
            job=of.job,
            automated=of.automated,
            serialised=of.serialised,
            kept=of.kept,
        )

    def _runs(self, script: Script, ambient: Sequence[Run]) -> Iterator[Run]:
        places, cleared = Places(script.directory, self.source.text), False
        for one in script.parts:
            for command in self._commands(one):
                directory = places.after(command)
                goes_on = cleared and not _BRANCHES.fullmatch(command.words[0].text)
                cleared = goes_on or _clears(command, self.source.text)
                if command.away or command.words[0].text in self._functions:
                    directory = ELSEWHERE
                for line in _lines(command, self._functions):
                    run = self._run(script, command, line, directory, ambient)
                    yield replace(run, kept=NO) if cleared and run.directory == directory else run

    def _commands(self, part: Part) -> Sequence[Command]:
        """The commands of a part; those that escapes come to stand nowhere as words that could be edited."""
        if part.said is None:
            return shell.commands(self.source.text, part.span, folded=part.folded)
        return [
            replace(command, words=tuple(Word(word.text, part.span, quoted=True) for word in command.words))
            for command in shell.commands(part.said)
        ]

    def _run(
        self, script: Script, command: Command, line: Line, directory: Fact[PurePosixPath], env: Sequence[Run]
    ) -> Run:
        there = moved(script, worked_in(line, directory, self.source.text))
        arguments = [word for given in line.arguments for word in spoken(given, self.source.text)]
        ambient = [a for run in env if run.command in ("", line.command) for a in run.arguments]
        return replace(
            self.run(line.runner, line.command, arguments, command.span, there),
            backend_config=tuple(values((*ambient, *arguments), "backend-config")),
            verb=line.verb.span if line.verb else None,
            ambient=tuple(ambient),
            captured=script.captured or command.sink != "",
        )

    def _ambient(self) -> Iterator[Run]:
        """What `TF_CLI_ARGS…` adds to the runs of this file."""
        for found in _AMBIENT.finditer(self.source.text):
            value = found["value"].replace('\\"', '"')
            words = [word.text for command in shell.commands(value) for word in command.words]
            yield self.run(None, found["command"] or "", words, Span(*found.span()), Script((), ELSEWHERE))


_CLEARED: Final = re.compile(r"(?:\./)?\.terraform(?:/|/?\*|/terraform\.tfstate)?")
_BRANCHES: Final = re.compile(
    r"cd|pushd|popd|if|then|elif|else|fi|for|while|until|do|done|case|esac|function|[{}]"
)
"""What comes behind may be reached otherwise, or in another directory."""


def _clears(command: Command, text: str) -> bool:
    """Whether a command takes away what an earlier `init` left, on no condition."""
    words = [word.text for word in command.words]
    clears = words[0].lstrip("@-") == "rm" and any(map(_CLEARED.fullmatch, words[1:]))
    return clears and not text[: command.span.start].rstrip(" \t\r\n\\").endswith(("&&", "||"))


def _lines(command: Command, functions: Mapping[str, Tool]) -> Iterator[Line]:
    """The run of a command; else those in quoted words of it that a shell will run: `bash -c "tofu init"`,
    `CMD="tofu init"`.
    """
    line = command_line.read(command, functions)
    if line:
        yield line
        return
    runs = _RUNS.search(command.words[0].text) is not None
    for word in command.words:
        assigned, equals, value = word.text.partition("=")
        if word.quoted and equals and assigned.isidentifier():
            yield from _quoted(value)
        elif word.quoted and runs:
            yield from _quoted(word.text)
        runs = runs or (word.text.endswith("sh") and _SHELL.fullmatch(word.text) is not None)


_RUNS: Final = re.compile(
    r"(?i)run|exec|retry|eval|ssh|cmd|^(?:docker|find|nix-shell|parallel|script|su|sudo|trap)$"
)
_SHELL: Final = re.compile(r"(?:\S*/)?(?:ba|z|k|da|a)?sh")


_SUBSTITUTED: Final = re.compile(r"\$\([^()]*\)|`[^`]*`")
"""A command substitution: `shell` gives it as a command of its own."""


def _quoted(text: str) -> Iterator[Line]:
    for command in shell.commands(_SUBSTITUTED.sub("$_", text)):
        line = command_line.read(command)
        if line:
            yield replace(line, verb=None)


_AMBIENT: Final = re.compile(
    r"""(?m)^(?![ \t]*\#).*?\bTF_CLI_ARGS(?:_(?P<command>\w+))?["']?[ \t]*[:?+]{0,2}[:=][ \t]*
    (?P<quote>["']?)(?P<value>(?:\\.|(?!(?P=quote))[^\n\\])+|[^"'\n]+)""",
    re.VERBOSE,
)


def worked_in(line: Line, directory: Fact[PurePosixPath], text: str) -> Fact[PurePosixPath]:
    """The directory that a run works in: where it is started, or what `-chdir` or the like names."""
    flags = ("chdir", "working-dir", "terragrunt-working-dir")
    to = next((v for flag in flags for v in values((*line.before, *line.arguments), flag)), None)
    if to is None:
        return directory
    return below(HERE if directory == CALLED else directory, settled(to, text))


def reconfigured(text: str, run: Run) -> tuple[Op, ...] | Refusal:
    """The operation that adds `-reconfigure` to an `init`; refused where `init` is no word of the text."""
    if run.command != "init" or takes_changes(run.said):
        return ()
    if run.verb is None or run.verb.of(text) != "init":
        why = "what it passes to init does not stand here as a command line"
        return Refusal(run.place, why, "let it run init with -reconfigure")
    return (Replace(run.verb, "init -reconfigure", Syntax.PLAIN),)


def takes_changes(arguments: Sequence[str]) -> bool:
    """Whether an `init` with these arguments takes a changed backend, or takes none at all."""
    told = command_line.has(arguments, "reconfigure", "migrate-state", "force-copy")
    return told or "false" in values(arguments, "backend")
