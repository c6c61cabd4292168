"""Package managers that solve for a set: Nix, Homebrew, conda, pkgx; packages of pip and npm that carry an
engine. Source does not show the release, and nothing is edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source, Suggestion
from migrate.plug import Sources, collected
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "package_set"

_ENGINE: Final = r"(?P<tool>terraform|opentofu|terragrunt)"
_BREW: Final = re.compile(rf"""(?m)^[ \t]*brew[ \t(]+["'](?:[\w-]+/)*{_ENGINE}(?:@[\d.]+)?["']""")
_NIX: Final = re.compile(
    rf"(?<![\w.\"-])(?:pkgs\.|languages\.|nixpkgs-)?{_ENGINE}(?:_[\d_]+)?(?![\w/-])"
    r"|(?<=[\w)]\.)(?P<of>terraform|opentofu|terragrunt)(?:_[\d_]+)?(?=[\s;)\]])"
)
_CONDA: Final = re.compile(rf"""(?m)^[ \t]*(?:-[ \t]*["']?(?:[\w-]+::)?)?{_ENGINE}(?=[\s=<>!~"'])""")
_PKGX: Final = re.compile(rf"\b{_ENGINE}\.(?:io|org|gruntwork\.io)\b")
_CARRIED: Final = re.compile(
    r"(?<![\w/@.-])(?:lib|@jahed/)(?P<tool>terraform)(?![\w.-])"
    r"|(?<![\w/@.-])(?P<of>terraform)-binary(?:-installer|-wrapper)?(?![\w.-])"
)
_LISTS: Final = re.compile(
    r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|pyproject\.toml|setup\.(?:cfg|py)|Pipfile|package\.json"
)
_NOTE: Final = re.compile(r"(?<!\S)#[^\n]*")
_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    "Brewfile": _BREW,
    "environment.yml": _CONDA,
    "environment.yaml": _CONDA,
    "pixi.toml": _CONDA,
    "pkgx.yaml": _PKGX,
    ".pkgx.yaml": _PKGX,
}


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in _KINDS or path.suffix == ".nix" or _LISTS.fullmatch(path.name) is not None


@collected
def find(source: Source, /) -> Iterator[Pin]:
    sheet = Sheet(source, NAME)
    code = _NOTE.sub(lambda note: " " * len(note[0]), source.text)
    kind = _NIX if source.path.suffix == ".nix" else _KINDS.get(source.path.name, _CARRIED)
    for match in kind.finditer(code):
        part = "tool" if match["tool"] else "of"
        why = f"{source.path.name} takes the {match[part]} of its package set"
        yield sheet.unknown(PACKAGES[match[part]], Span(*match.span(part)), why)


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(
        found.place, f"take a package set with {wish}", "the release is that of the package set"
    )
