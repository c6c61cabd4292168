"""How many columns a text takes for `terraform fmt`: its grapheme clusters, however wide they look.

The standard library has no such property of a character. These are the rules of Unicode's annex 29, with the
general category in place of two long tables (what extends a cluster, what is a pictograph): exact for
combining accents, Hangul, flags and emoji of several parts, one off for some marks of Myanmar.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ZERO_WIDTH_JOINER: Final = 0x200D
_EXTENDING: Final = frozenset(
    {0x200C, 0x0E33, 0x0EB3, 0xFF9E, 0xFF9F, *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)}
)
_REGIONAL_INDICATORS: Final = range(0x1F1E6, 0x1F200)
_PICTOGRAPHS: Final = range(0x1F000, 0x1FB00)
_CLASSES: Final = {
    "Mn": "e",
    "Me": "e",
    "Mc": "e",
    "So": "p",
    "Sm": "p",
    "Cc": "c",
    "Cf": "c",
    "Cs": "c",
    "Zl": "c",
    "Zp": "c",
}
# Hangul: l(eading), v(owel), t(railing), and the syllables of two (w) and three (x) of them.
_HANGUL: Final = (
    ("l", range(0x1100, 0x1160)), ("l", range(0xA960, 0xA97D)),
    ("v", range(0x1160, 0x11A8)), ("v", range(0xD7B0, 0xD7C7)),
    ("t", range(0x11A8, 0x1200)), ("t", range(0xD7CB, 0xD7FC)),
    ("w", range(0xAC00, 0xD7A4, 28)), ("x", range(0xAC00, 0xD7A4)),
)  # fmt: skip
_CLUSTER: Final = re.compile(r"c|(?:rr|p(?:e*zp)*|l*(?:v+|wv*|x)t*|l+|t+|.)[ez]*")


def columns(text: str) -> int:
    """The number of grapheme clusters of `text`."""
    plain = text.replace("\r\n", "\n")
    if plain.isascii():
        return len(plain)
    return sum(1 for _ in _CLUSTER.finditer("".join(map(_class_of, plain))))


@lru_cache(maxsize=1024)
def _class_of(character: str) -> str:
    code = ord(character)
    if code == _ZERO_WIDTH_JOINER:
        return "z"
    if code in _EXTENDING:
        return "e"
    if code in _REGIONAL_INDICATORS:
        return "r"
    if code in _PICTOGRAPHS:
        return "p"
    for name, codes in _HANGUL:
        if code in codes:
            return name
    return _CLASSES.get(unicodedata.category(character), "o")
