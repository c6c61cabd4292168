"""How we know our own commits again: by what they do, written into each as a trailer.

The mark is a hash of the operations: for each file the lines taken out and those put in their place, with the
line above and the line below, wherever they stand. A rebase keeps it; a commit that anybody amended has
another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.git.commits import Logged

TRAILER: Final = "Relock-Change"
Blobs: TypeAlias = Mapping[str, bytes]


def mark(edits: Iterable[tuple[PurePosixPath, bytes, bytes]]) -> str:
    """The sha256 of the operations that make the second bytes of the first, file by file."""
    told = [
        [str(path), [[part.decode("latin-1") for part in parts] for parts in _operations(before, after)]]
        for path, before, after in sorted(edits)
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _operations(before: bytes, after: bytes) -> Iterator[tuple[bytes, ...]]:
    """Each operation: the line above, the lines taken out, those put in, the line below."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    start = max(0, _shared(old, new) - 1)
    end = max(0, _shared(old[start + 1 :][::-1], new[start + 1 :][::-1]) - 1)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield (
                b"".join(old[max(0, i - 1) : i]),
                b"".join(old[i:j]),
                b"".join(new[k:m]),
                b"".join(old[j : j + 1]),
            )


def _shared(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines both begin with; without them a long file costs no more than a short one."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def message(subject: str, mark_: str, paragraph: str = "", trailers: Mapping[str, str] | None = None) -> str:
    """The message of a commit of ours: the operator's paragraph and trailers, and the mark."""
    lines = [f"{key}: {value}" for key, value in {**(trailers or {}), TRAILER: mark_}.items()]
    return "\n\n".join(part for part in (subject, paragraph.strip(), "\n".join(lines)) if part) + "\n"


def stray(commits: Iterable[Logged], blobs: Blobs) -> Logged | None:
    """The first commit that is not ours as we made it; None when all are."""
    return next((commit for commit in commits if not _ours(commit, blobs)), None)


def _ours(commit: Logged, blobs: Blobs) -> bool:
    files = [(file.path, file.before or "", file.after or "") for file in commit.touched]
    known = all(before in blobs and after in blobs for _, before, after in files)
    return (
        known
        and all(file.same_mode for file in commit.touched)
        and len(commit.parents) == 1
        and commit.trailer(TRAILER)
        == mark((path, blobs[before], blobs[after]) for path, before, after in files)
    )
