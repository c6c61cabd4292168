"""Terragrunt: the one place from which the backends of all its units are made.

`remote_state` as a block or an argument; `generate` blocks whose contents are Terraform code with a backend.
A file without either may hold, in its `locals`, a map that others make their `remote_state` of. What a stack
copies from elsewhere, and what Terragrunt of old reads, is told and not edited.
A choice between two maps is as many sites as it has outcomes, all of one span: they are edited together or
not at all, because with different arguments in its arms HCL makes strings of the booleans.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl, wishes
from migrate.dialects.terragrunt import in_json, of_old
from migrate.dialects.terragrunt.links import links
from migrate.dialects.terragrunt.reading import Reading
from migrate.evaluation import stacks
from migrate.mentions import TOKENS as NAMED
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.sites import Sheet, Trouble
from migrate.text import Syntax

NAME: Final = "terragrunt"

_TYPES: Final = ("remote_state", "locals", "generate")
_WORDS: Final = ("remote_state", "generate", *NAMED)
"""Most files are units that hold none of these, which is told twenty times as fast as by a pattern."""
_SPEAKS: Final = re.compile(
    rf"remote_state|\b(?:{'|'.join(NAMED)})\b|\bgenerate\b[^{{]*\{{(?s:.)*\bbackend\b"
)
_BLANK: Final = r"(?>(?:[ \t\ufeff]|/\*[^*\n]*\*/)*)"
_ASSIGNED: Final = re.compile(rf"^{_BLANK}(?:generate|remote_state){_BLANK}=", re.MULTILINE)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".hcl", of_old.ENDING) or _is_json(path)


def find(source: Source, /) -> Found[Site]:
    sheet = Sheet(source, NAME)
    if _is_json(source.path):
        return in_json.find(sheet)
    if source.path.suffix == of_old.ENDING:
        return of_old.find(sheet)
    if not (any(word in source.text for word in _WORDS) and _SPEAKS.search(source.text)):
        return Found(links=tuple(links(sheet)))
    tree = _parsed(source)
    reading = Reading(sheet, tree)
    sites = list(reading.sites()) or list(reading.maps())
    return sheet.found(sites, [Trouble(at) for at in tree.errors], list(links(sheet)))


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    """All outcomes of one choice are asked: where one of them is refused, so are the others."""
    source = sources[found.path]
    if found.path.name == stacks.FILE:
        return Refusal(found.place, found.why_not or "", stacks.REMEDY)
    if _is_json(found.path):
        return wishes.edit(source, found, wish, Syntax.JSON)
    if found.path.suffix == of_old.ENDING:
        return Refusal(found.place, found.why_not or "", of_old.REMEDY)
    reading = Reading(Sheet(source, NAME), _parsed(source))
    outcomes = [site for site in find(source).items if site.span == found.span]
    answers = {site.name: _answer(source, reading, site, wish) for site in outcomes}
    refused = next((answer for answer in answers.values() if isinstance(answer, Refusal)), None)
    return refused or _uneven(outcomes, answers, wish) or answers[found.name]


def _answer(source: Source, reading: Reading, site: Site, wish: LockWish) -> Edits | Refusal:
    answer, body = wishes.edit(source, site, wish, Syntax.HCL), reading.body(site)
    if isinstance(answer, Refusal) or body is None:
        return answer
    return {path: tuple(replace(op, within=body) for op in ops) for path, ops in answer.items()}


def _uneven(
    outcomes: Sequence[Site], answers: Mapping[str, Edits | Refusal], wish: LockWish
) -> Refusal | None:
    """Why a lock that only some outcomes of a choice would have is not written."""
    adding = wish in (LockWish.DUAL, LockWish.ADOPT) and any(answers.values())
    bare = [site for site in outcomes if not answers[site.name] and not site.setting("use_lockfile")]
    if not adding or not bare:
        return None
    why = "only some outcomes of the choice name a table: the others would be left with other arguments"
    return Refusal(bare[0].place, why, "give all outcomes the same arguments, or decide inside of them")


def _is_json(path: PurePosixPath) -> bool:
    return path.name.endswith(".hcl.json")


def _parsed(source: Source) -> hcl.Tree:
    if _ASSIGNED.search(source.text):
        return hcl.parse(source.text)
    return hcl.blocks(source.text, _TYPES, _TYPES)
