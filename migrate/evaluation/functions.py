"""The functions of HCL's common library that make names of names: words in, words out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

Words: TypeAlias = tuple[str, ...]
Function: TypeAlias = Callable[[Words], str | Words | None]
"""None: not with these arguments."""


def _replace(words: Words) -> str | None:
    match words:
        case (text, old, new) if not (len(old) > 1 and old[0] == old[-1] == "/"):  # `/…/` is a pattern
            return text.replace(old, new)
        case _:
            return None


def _format(words: Words) -> str | None:
    """Only `%s` and `%%`."""
    template, *rest = words or ("",)
    verbs = re.findall(r"%(.)", template)
    if set(verbs) - {"s", "%"} or verbs.count("s") != len(rest):
        return None
    values = iter(rest)
    return re.sub(r"%(.)", lambda verb: "%" if verb[1] == "%" else next(values), template)


def _one(make: Callable[[str], str]) -> Function:
    return lambda words: make(words[0]) if len(words) == 1 else None


def _two(make: Callable[[str, str], str | Words]) -> Function:
    return lambda words: make(words[0], words[1]) if len(words) == 2 else None


FUNCTIONS: Final[Mapping[str, Function]] = {
    "basename": _one(lambda path: posixpath.basename(path.rstrip("/")) or ("/" if path else ".")),
    "dirname": _one(lambda path: posixpath.normpath(posixpath.dirname(path))),
    "format": _format,
    "lower": _one(str.lower),
    "replace": _replace,
    "split": _two(lambda mark, text: tuple(text.split(mark)) if mark else tuple(text)),
    "tostring": _one(str),
    "trimprefix": _two(str.removeprefix),
    "trimspace": _one(str.strip),
    "trimsuffix": _two(str.removesuffix),
    "upper": _one(str.upper),
}
