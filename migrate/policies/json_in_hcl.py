"""Policies that Terraform files write as objects, as for `jsonencode`, or as JSON in a heredoc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.iam.policy import Policy
from migrate.jsontree import Mistake
from migrate.model import Place, Problem, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.sites import made_by
from migrate.spelling import written
from migrate.spelling.hcl_text import HclText
from migrate.spelling.hcl_words import values_in
from migrate.spelling.json_text import JsonText
from migrate.spelling.written import Document, PolicyWish, Written
from migrate.text import Lines, Span

NAME: Final = "json_in_hcl"

_BLOCKS: Final = ("resource", "data", "locals", "module", "output")
_HOLDING: Final = re.compile(r'(?i)"?Statement"?\s*[=:]')


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu")


def find(source: Source, /) -> Found[Written]:
    """Every policy in an argument of a block, by the block's name and the argument's."""
    found = list(_policies(source))
    problems = tuple(one for one in found if isinstance(one, Problem))
    named = ((one.name, one.policy) for one in found if isinstance(one, _Policy))
    return Found(written.all_of(source, NAME, named, made_by(source)), problems=problems)


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    for one in _policies(source):
        if isinstance(one, _Policy) and one.policy.span == found.span:
            return written.edit(source, found, wish, one.document)
    return Refusal(found.place, "the policy is not there any more", "read the file again")


class _Policy(Struct, frozen=True):
    name: str
    policy: Policy
    document: Document


def _policies(source: Source) -> Iterator[_Policy | Problem]:
    for block in hcl.blocks(source.text, _BLOCKS, _HOLDING).blocks:
        for name, argument in _arguments(block):
            for value in values_in(argument.value):
                yield from _of_value(source, name, value)


def _arguments(block: hcl.Block) -> Iterator[tuple[str, hcl.Argument]]:
    """Every argument of a block and of those in it, with its name in Terraform."""
    name = ".".join(block.labels if block.type == "resource" else (block.type, *block.labels))
    for argument in block.arguments:
        yield f"{name}.{argument.name}", argument
    for inner in block.blocks:
        yield from ((f"{name}.{inner_name}", argument) for inner_name, argument in _arguments(inner))


def _of_value(source: Source, name: str, value: hcl.Value) -> Iterator[_Policy | Problem]:
    where = written.lines_in(source)
    match value:
        case hcl.Object():
            document = HclText(source.text, value)
            policy = document.policy(where)
            if policy:
                yield _Policy(name, policy, document)
        case hcl.Heredoc(body, pieces) if '"Statement"' in body.of(source.text):
            text = JsonText(source.text, body, tuple(_gaps(body, pieces)), escaped=True)
            policies = text.policies(where)
            if isinstance(policies, Mistake):
                yield _problem(source, policies)
            else:
                yield from (_Policy(name, policy, text) for policy in policies)
        case hcl.Other(span) if span.of(source.text).startswith("<<") and '"Statement"' in span.of(
            source.text
        ):
            yield _problem(source, Mistake(_DIRECTIVES, span.start, 1))
        case _:
            pass


_DIRECTIVES: Final = "directives choose what of it is written"


def _gaps(body: Span, pieces: tuple[Span | hcl.Value, ...]) -> Iterator[Span]:
    """What of a heredoc is no literal text."""
    at = body.start
    for piece in (*(piece for piece in pieces if isinstance(piece, Span)), Span(body.end, body.end)):
        if at < piece.start:
            yield Span(at, piece.start)
        at = piece.end


def _problem(source: Source, mistake: Mistake) -> Problem:
    place = Place(source.repo, source.path, Lines(source.text).line(mistake.offset))
    why = f"this policy is not JSON before it is filled in: {mistake.why}"
    return Problem("template", place, why, "grant the lock in it by hand")
