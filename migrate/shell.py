"""Shell text to commands: the words of each with their places, losslessly.

It reads what scripts, recipes and the steps of pipelines hold: quotes, continued lines (those of PowerShell
and cmd, too), substitutions, heredocs, and what a runner fills in (`${{ … }}`). It never fails: what does not
end goes on to the end of the text. What a command does is not known here, but for a shell's: what that is
fed by a heredoc is commands again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.text import Span

Sink: TypeAlias = Literal["", "|", ">", "$("]
"""What takes the output of a command: nobody, a pipe, a file, or the command around it."""


class Word(Struct, frozen=True):
    """`text` is without quotes; what a shell or a runner fills in stands in it as it is written."""

    text: str
    span: Span
    quoted: bool = False


class Command(Struct, frozen=True):
    """One simple command. `depth`: how many parentheses, or heredocs for a shell, it stands in."""

    words: tuple[Word, ...]
    sink: Sink = ""
    depth: int = 0
    away: bool = False
    """It runs on another machine, or in a container."""

    @property
    def span(self) -> Span:
        return Span(self.words[0].span.start, self.words[-1].span.end)


_TOKEN: Final = re.compile(
    r"""(?P<blank>(?:[ \t\r]|\\{1,2}\r?\n|(?<=[ \t])[`^]\r?\n)+)
    |(?P<comment>(?<![^\s;&|()])\#[^\n]*)
    |<<-?[ \t]*(?P<quote>["']?)(?P<mark>\w+)(?P=quote)
    |(?P<redirect>[\d&]?>>?(?:&\d|\|)?|\d?<<<|\d?<)
    |(?P<end>\n|;+|&&|\|\|?&?|&)
    |(?P<filled>\$\{\{[^{}\n]*\}\}|\{\{[^{}\n]*\}\}|\$\$?\([\w.-]+\)|\$\{[^}\n]{0,999}\})
    |(?P<open>\$\$?\(|[()])
    |(?P<tick>`)
    |(?P<double>")
    |'(?P<single>[^'\n]*|[^']*)'
    |\\(?P<escaped>.)
    |(?P<plain>[^\s;&|<>()`'"\\${]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED: Final = re.compile(
    r"""[^"\\$`]+|(?P<joined>\\\r?\n)|\\(?P<escaped>["\\$`])|\\|\$\{\{[^{}\n]*\}\}|\$\$?\([\w.-]+\)|(?P<open>\$\$?\(|`)|.""",
    re.DOTALL,
)
_DEEPEST: Final = 8  # substitutions in substitutions: a text nested deeper is an attack
_SHELL: Final = re.compile(r"(?:\S*/)?(?:(?:ba|z|k|da|a)?sh|ssh|su)")
_AWAY: Final = frozenset({"ssh", "docker", "podman", "kubectl", "oc", "vagrant"})
_SHEBANG: Final = re.compile(r"[ \t]*#!.*sh\b")
_EMPTY: Final = re.compile(r"[ \t\r]*\n")
_TO_FILE: Final = re.compile(r"[1&]?>[^&]*")


def commands(text: str, within: Span | None = None, *, folded: bool = False) -> Sequence[Command]:
    """The commands of a text, or of a part of it, as they stand; one in `$( … )` is one of its own, too.

    `folded`: the end of a line is a blank, as in the folded scalars of YAML; an empty line ends a line there.
    """
    part = within or Span(0, len(text))
    reader = _Reader(text, part.start, part.end, folded=folded)
    reader.list_of(closer="", depth=0)
    return sorted(reader.found, key=lambda command: command.span)


class _Words(Struct):
    """The command that is being read; `pieces` are those of its last word, which `start` begins."""

    done: list[Word] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    start: int = 0
    end: int = 0
    quoted: bool = False
    sink: Sink = ""
    target: bool = False
    """The next word is where a redirection leads."""

    def add(self, text: str, start: int, end: int, *, quoted: bool) -> None:
        if not self.pieces:
            self.start, self.quoted = start, False
        self.pieces.append(text)
        self.end, self.quoted = end, self.quoted or quoted

    def part(self) -> None:
        """What comes next is another word."""
        if self.pieces and not self.target:
            self.done.append(Word("".join(self.pieces), Span(self.start, self.end), self.quoted))
        if self.pieces:
            self.target = False
        self.pieces = []


class _Reader:
    """Reads from `at` on; what it has found is in `found`."""

    def __init__(self, text: str, start: int, end: int, *, folded: bool, within: int = 0) -> None:
        self._text, self._end, self._folded = text, end, folded
        self._at, self._depth, self._within = start, 0, within
        self._marks: list[tuple[str, int]] = []
        """Heredocs that are to come, each with the count of commands before the one it is for."""
        self._endless: set[str] = set()
        """What ends no more heredocs."""
        self.found: list[Command] = []

    def list_of(self, closer: str, depth: int) -> None:
        """Commands up to `closer`: `)`, a backtick, or the end of the text."""
        words, inner = _Words(), "$(" if closer else ""
        self._depth += 1
        least = self._depth
        while self._at < self._end and (token := _TOKEN.match(self._text, self._at, self._end)):
            self._at = token.end()
            kind = token.lastgroup or ""
            if closer and token[0] == closer:
                break
            if self._parts(kind, token[0]):
                self._close(words, "|" if token[0] in ("|", "|&") else inner)
                words = _Words()
                if token[0] == "\n":
                    self._pass_heredocs()
                elif kind == "open":
                    self._depth = max(least, self._depth + (1 if token[0] == "(" else -1))
            else:
                self._take(words, token, kind, depth)
        self._close(words, inner)
        self._depth = least - 1

    def _parts(self, kind: str, sign: str) -> bool:
        """Whether a token stands between two commands."""
        if kind == "end":
            return not (sign == "\n" and self._folds())
        return kind == "open" and sign in ("(", ")")

    def _take(self, words: _Words, token: re.Match[str], kind: str, depth: int) -> None:
        """Take a token into the command that is being read."""
        match kind:
            case "mark":
                words.part()
                self._marks.append((token["mark"], len(self.found)))
            case "redirect":
                words.part()
                words.sink = ">" if _TO_FILE.fullmatch(token[0]) else words.sink
                words.target = "&" not in token[0][1:]
            case "blank" | "comment" | "end":
                words.part()
            case _:
                self._word(words, token, kind, depth)

    def _folds(self) -> bool:
        return self._folded and not _EMPTY.match(self._text, self._at, self._end)

    def _close(self, words: _Words, sink: str) -> None:
        words.part()
        if words.done:
            taken: Sink = "|" if sink == "|" else words.sink or ("$(" if sink else "")
            self.found.append(Command(tuple(words.done), taken, max(0, self._depth - 1)))

    def _word(self, words: _Words, token: re.Match[str], kind: str, depth: int) -> None:
        match kind:
            case "double":
                text = self._double(depth)
            case "open" | "tick":
                self._substituted(token[0], depth)
                text = self._text[token.start() : self._at]
            case "single" | "escaped":
                text = token[kind]
            case _:
                text = token[0]
        words.add(text, token.start(), self._at, quoted=kind in ("single", "double"))

    def _double(self, depth: int) -> str:
        said = []
        while self._at < self._end and (piece := _QUOTED.match(self._text, self._at, self._end)):
            start, self._at = self._at, piece.end()
            if piece[0] == '"':
                break
            if piece["open"]:
                self._substituted(piece[0], depth)
            text = self._text[start : self._at]
            if not piece["joined"]:
                said.append(piece["escaped"] or text)
        return "".join(said)

    def _substituted(self, sign: str, depth: int) -> None:
        if depth < _DEEPEST:
            self.list_of("`" if sign == "`" else ")", depth + 1)

    def _pass_heredocs(self) -> None:
        """What is in a heredoc is text; commands where a shell gets it, or it says that it is a script."""
        for mark, first in self._marks:
            end = re.compile(rf"(?m)^[ \t]*{mark}[ \t]*\r?$")
            ended = None if mark in self._endless else end.search(self._text, self._at, self._end)
            if ended is None:
                self._endless.add(mark)
            else:
                words = {word.text for command in self.found[first:] for word in command.words}
                if any(map(_SHELL.fullmatch, words)) or _SHEBANG.match(self._text, self._at):
                    self._fed(ended.start(), away=not words.isdisjoint(_AWAY))
                self._at = ended.end()
        self._marks = []

    def _fed(self, end: int, *, away: bool) -> None:
        """Read a heredoc that begins here, as a shell of its own."""
        if self._within < _DEEPEST:
            inner = _Reader(self._text, self._at, end, folded=False, within=self._within + 1)
            inner._depth = self._depth
            inner.list_of(closer="", depth=0)
            self.found += [replace(command, away=away or command.away) for command in inner.found]
