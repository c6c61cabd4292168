"""Statements in YAML that is no template: Serverless, Ansible, Pulumi. Never edited: the text is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.iam.policy import Policy
from migrate.iam.read import Reading, is_policy, read_policy
from migrate.jsontree import Array, Member, Object, Text
from migrate.model import Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.spelling import cfn_words, written
from migrate.spelling.cfn_tree import is_template, trees
from migrate.spelling.cfn_yaml import CfnYaml
from migrate.spelling.written import PolicyWish, Written

NAME: Final = "yaml_statements"

_STATEMENT: Final = re.compile(r"""["']?Effect["']?\s*:\s*["']?(?:Allow|Deny)\b""")
_WHY: Final = "another program makes this policy: add the statement behind the one that grants the state"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yaml", ".yml")


def find(source: Source, /) -> Found[Written]:
    """Every list of statements as a policy of its own."""
    if not _STATEMENT.search(source.text) or is_template(source.text):
        return Found()
    named = (("statements", policy) for policy in _policies(source))
    return Found(written.all_of(source, NAME, named, _WHY))


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    return written.edit(source, found, wish, CfnYaml(source.text))


def _policies(source: Source) -> Iterator[Policy]:
    reading = Reading(lambda node: cfn_words.parts_of(source.text, node), written.lines_in(source))
    for root in trees(source.text):
        for node in jsontree.walk(root):
            document = _document(node) if isinstance(node, Array) else None
            if document and is_policy(document):
                yield read_policy(document, "statements", reading)


def _document(statements: Array) -> Object:
    """A list as the document that it would be in JSON."""
    return Object((Member(Text("Statement", statements.span), statements),), statements.span)
