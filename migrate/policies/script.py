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

_ENDINGS: Final = (".sh", ".bash", ".zsh")
_HERE: Final = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?[^\n]*\n(?=[ \t]*\{)")
_QUOTED: Final = re.compile(r"'(?P<body>\s*\{[^']*\"Statement\"[^']*)'")
_MOST: Final = 100  # here-documents without an end: a text made to be slow has more
_FILLED: Final = re.compile(r"\$(?:\{[^{}]*\}|\([^()\"\n]*\)|\w+)")
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
    texts = [JsonText(source.text, Span(*found.span("body"))) for found in _QUOTED.finditer(source.text)]
    for body in _here_documents(source.text):
        filled = _FILLED.finditer(source.text, body.start, body.end)
        texts.append(JsonText(source.text, body, tuple(Span(*one.span()) for one in filled)))
    for text in texts:
        policies = text.policies(written.lines_in(source))
        if not isinstance(policies, Mistake):
            yield from ((policy, text) for policy in policies)


def _here_documents(text: str) -> Iterator[Span]:
    """The bodies of here-documents that may be JSON."""
    endless = set[str]()
    for begin in _HERE.finditer(text):
        word = begin[1]
        end = None if word in endless else re.compile(rf"\n[ \t]*{word}\b").search(text, begin.end())
        if end:
            yield Span(begin.end(), end.start())
        elif len(endless) < _MOST:
            endless.add(word)
        else:
            return
