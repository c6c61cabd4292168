"""What a revocation leaves behind for people to take out: what attaches an empty policy, unused variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate.campaign.editing.texts import File, Sources, Texts
from migrate.iam.revoke import EMPTY
from migrate.model import Refusal, Source
from migrate.spelling.written import Written
from migrate.text import Lines

_VARIABLE: Final = re.compile(r"\b(?:var|local)\.\w+")
_SHOWN: Final = 5


def with_attachments(refusal: Refusal, written: Written, sources: Mapping[PurePosixPath, Source]) -> Refusal:
    """A policy of which nothing would be left goes by hand: the refusal names the places that use it."""
    if refusal.remedy != EMPTY:
        return refusal
    places = list(_uses(_name(written), sources))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return replace(refusal, remedy=f"{EMPTY}: {', '.join(places[:_SHOWN])}{more}") if places else refusal


def _name(written: Written) -> str:
    """By what others name it: its address in Terraform, else the name of its file."""
    if written.path.suffix not in (".tf", ".tofu"):
        return written.path.name
    parts = written.name.partition("#")[0].split(".")
    return ".".join(parts[: 3 if parts[0] == "data" else 2])


def _uses(name: str, sources: Mapping[PurePosixPath, Source]) -> Iterator[str]:
    used = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    for path, source in sorted(sources.items()):
        lines = Lines(source.text)
        yield from (f"{path}:{lines.line(found.start())}" for found in used.finditer(source.text))


def unused(sources: Sources, texts: Texts) -> Iterator[tuple[File, str]]:
    """For each edited file the variables and locals that its folder names no more."""
    for repo, path in sorted(texts):
        folder = {
            other: texts.get((repo, other), source.text)
            for other, source in sources[repo].items()
            if other.parent == path.parent
        }
        before = sources[repo][path].text
        for name in dict.fromkeys(_VARIABLE.findall(before)):
            if not any(re.search(rf"\b{re.escape(name)}\b", text) for text in folder.values()):
                yield (repo, path), f"{path}: {name} is used nowhere here any more: what sets it may go too"
