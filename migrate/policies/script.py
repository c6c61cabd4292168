"""Policies in shell scripts, as JSON in here-documents and quotes. Never edited: the text is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.iam.policy import Policy
from migrate.jsontree import Mistake
from migrate.model import Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.spelling import written
from migrate.spelling.json_text import JsonText
from migrate.spelling.written import PolicyWish, Written
from migrate.text import Span

NAME: Final = "script"
TOKENS: Final = (b"s3:", b"dynamodb:")
FILES: Final[tuple[str, ...]] = ()

_ENDINGS: Final = (".sh", ".bash", ".zsh")
_HERE: Final = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?[^\n]*\n(?P<body>.*?)\n[ \t]*\1\b", re.DOTALL)
_QUOTED: Final = re.compile(r"'(?P<body>\s*\{[^']*\"Statement\"[^']*)'")
_FILLED: Final = re.compile(r"\$(?:\{[^{}]*\}|\w+)")
_WHY: Final = "a script makes this policy: add the statement behind the one that grants the state"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in _ENDINGS or head.startswith((b"#!/bin/sh", b"#!/bin/bash", b"#!/usr/bin/env bash"))


def find(source: Source, /) -> Found[Written]:
    named = (("policy", policy) for policy, _ in _policies(source))
    return Found(written.all_of(source, NAME, named, _WHY))


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    for policy, text in _policies(source):
        if policy.span == found.span:
            return written.edit(source, found, wish, text)
    return Refusal(found.place, "the policy is not there any more", "read the file again")


def _policies(source: Source) -> Iterator[tuple[Policy, JsonText]]:
    if '"Statement"' not in source.text:
        return
    for pattern in (_HERE, _QUOTED):
        for found in pattern.finditer(source.text):
            body = Span(*found.span("body"))
            filled = _FILLED.finditer(source.text, body.start, body.end) if pattern is _HERE else ()
            text = JsonText(source.text, body, tuple(Span(*one.span()) for one in filled))
            policies = text.policies(written.lines_in(source))
            if not isinstance(policies, Mistake):
                yield from ((policy, text) for policy in policies)
