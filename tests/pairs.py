"""What is asked of every edit of every dialect: of the text before, and of the text after."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias, TypeVar

from migrate.compose import compose
from migrate.dialects import Dialect
from migrate.model import LockWish, Refusal, RepoId, Site, Source, Suggestion
from migrate.patch import diff
from migrate.plug import Edits, LateFinder, Plug
from migrate.proof import Proof, prove
from migrate.text import Conflict, Op

REPO = RepoId("git.acme.example/acme/net")

F = TypeVar("F")
W = TypeVar("W")

Answer: TypeAlias = str | Refusal | Suggestion


def with_crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def with_mark(text: str) -> str:
    return f"\ufeff{text}"


def without_end(text: str) -> str:
    return text.removesuffix("\n")


DRESSES: Final = (str, with_crlf, with_mark, without_end)
"""The same text as it is, with other line ends, with a byte order mark, without the last line end."""


def block(*lines: str) -> str:
    """A file with these lines in its backend block."""
    return "\n".join(["terraform {", '  backend "s3" {', *(f"    {line}" for line in lines), "  }", "}", ""])


def sides(marked: str) -> tuple[str, str]:
    """The text before and the text after: lines with `-` are of the one, with `+` of the other, those with a
    blank of both.
    """
    lines = marked.splitlines(keepends=True)
    before, after = ([line for line in lines if line[0] != sign] for sign in "+-")
    return "".join(map(_unmarked, before)), "".join(map(_unmarked, after))


def _unmarked(line: str) -> str:
    return line if line == "\n" else line[1:]


def source(path: str, text: str) -> Source:
    return Source(REPO, PurePosixPath(path), text)


def assert_found(line: LateFinder[F]) -> None:
    """A line of a registry leads to the module of that name, and says which files are worth showing to it."""
    assert line.finder.NAME == line.NAME
    assert line.TOKENS or line.FILES
    assert set(line.IN_CODE) <= set(line.TOKENS)
    assert all(line.claims(PurePosixPath(name.replace("*", "a")), b"") for name in line.FILES)
    code = [line.claims(PurePosixPath(name), b"") for name in ("main.tf", "main.tofu")]
    assert code == [line.TERRAFORM] * 2 or line.NAME == "template"  # which claims `{{name}}.tf`


def edited(plug: Plug[F, W], given: Source, wish: W) -> Answer:
    """The text after the wish was asked of everything found in it, or the first answer that is no edit."""
    found = plug.find(given).items
    return composed(given, (plug.edit({given.path: given}, one, wish) for one in found))


def composed(given: Source, answers: Iterable[Edits | Refusal | Suggestion]) -> Answer:
    """The text after all of these edits, or the first answer that is none."""
    ops: list[Op] = []
    for answer in answers:
        if isinstance(answer, Refusal | Suggestion):
            return answer
        ops += answer.get(given.path, ())
    text = compose(given.text, ops)
    assert not isinstance(text, Conflict)
    return text


def check_dressed(edited: Callable[[str], Answer], before: str, after: str) -> None:
    """`before` becomes exactly `after`, however its lines end; a second run edits nothing."""
    for dress in DRESSES:
        assert edited(dress(before)) == dress(after)
        assert edited(dress(after)) == dress(after), "a second run edits nothing"


def check_change(dialect: Dialect, path: str, before: str, after: str, wish: LockWish) -> None:
    """`before` becomes exactly `after`, however its lines end; both parsers see the wish and nothing else."""
    check_dressed(lambda text: edited(dialect, source(path, text), wish), before, after)
    for dress in DRESSES:
        given, wanted = source(path, dress(before)), dress(after)
        assert isinstance(prove(dialect, given, wanted, _concerned(dialect, given, wish), wish), Proof)
    assert undone(with_crlf(before), with_crlf(after)) == with_crlf(before)


def check_untouched(dialect: Dialect, path: str, text: str, wish: LockWish) -> None:
    """There is nothing to do."""
    check_dressed(lambda given: edited(dialect, source(path, given), wish), text, text)


def refusal(dialect: Dialect, path: str, text: str, wish: LockWish) -> tuple[int, str, str]:
    """Line, reason and remedy of the refusal."""
    answer = edited(dialect, source(path, text), wish)
    assert isinstance(answer, Refusal)
    return answer.where.line, answer.why, answer.remedy


def _concerned(dialect: Dialect, given: Source, wish: LockWish) -> list[Site]:
    sites = dialect.find(given).items
    both = wish is LockWish.ASSUME
    return [site for site in sites if both or (site.role == "reader") == (wish is LockWish.READ)]


def undone(before: str, after: str) -> str:
    """What git makes of `after` with the patch that is told as the way back."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "edited")
        file.write_bytes(after.encode())
        options = ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]
        patch = diff(after, before, "edited").encode()
        subprocess.run(["git", *options], cwd=folder, input=patch, check=True)
        return file.read_bytes().decode() if file.exists() else ""
