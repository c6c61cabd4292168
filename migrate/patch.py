"""Two versions of a text to the patch between them, as `git apply` and `git apply -R` read it."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

# `str.splitlines` also ends a line at a form feed and its like; git does not.
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_TOO_LONG: Final = 10_000
_SPECIAL: Final = re.compile(r'[\x00-\x1f\x7f"\\\udc80-\udcff]')
"""What git writes as octal, among it bytes that are not UTF-8, as `os.fsdecode` gives them."""


def diff(old: str, new: str, path: str) -> str:
    """The unified diff that makes `new` of `old`; empty if they are equal.

    `path` is relative to the repository, with `/`. The patch that undoes it is `diff(new, old, path)`.
    """
    if old == new:
        return ""
    hunks = "".join(map(_ended, _hunks(_LINE.findall(old), _LINE.findall(new))))
    return (
        f"diff --git {_name('a', path)} {_name('b', path)}\n"
        f"--- {_header('a', path)}\n"
        f"+++ {_header('b', path)}\n{hunks}"
    )


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    """What `difflib.unified_diff` gives, but for its `autojunk`.

    That takes a line for noise when more than one in a hundred are the same, as closing braces are, and a
    change of one line shows as hundreds. Without it the time grows with the square of such lines.
    """
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) > _TOO_LONG)
    for group in matcher.get_grouped_opcodes(3):
        (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
        yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
        for tag, i, j, k, m in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[i:j])
            else:
                yield from (f"-{line}" for line in old[i:j])
                yield from (f"+{line}" for line in new[k:m])


def _range(start: int, end: int) -> str:
    """Lines counted from 1; an empty range is that after a line."""
    return f"{start + 1},{end - start}" if end > start else f"{start},0"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _header(side: str, path: str) -> str:
    """A tab tells git where a name with blanks ends."""
    name = _name(side, path)
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _name(side: str, path: str) -> str:
    name = f"{side}/{path}"
    if not _SPECIAL.search(name):
        return name
    return '"' + _SPECIAL.sub(lambda found: f"\\{ord(found[0]) & 0xFF:03o}", name) + '"'
