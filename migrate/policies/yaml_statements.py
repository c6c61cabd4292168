"""Policies in YAML that is no template: statements of Serverless, Ansible and Pulumi, JSON in texts of
manifests. Never edited: the text is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.iam.policy import Policy
from migrate.iam.read import Reading, is_policy, read_policy
from migrate.jsontree import Array, Member, Mistake, Node, Object, Text
from migrate.model import Place, Problem, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.spelling import cfn_words, written
from migrate.spelling.cfn_tree import is_template, trees
from migrate.spelling.cfn_yaml import CfnYaml
from migrate.spelling.guarded import Guards
from migrate.spelling.json_text import templated
from migrate.spelling.written import Document, PolicyWish, Written
from migrate.text import Lines, Span

NAME: Final = "yaml_statements"

_STATEMENT: Final = re.compile(r"""["']?Effect\\?["']?\s*:\s*\\?["']?(?:Allow|Deny)\b""")
_WHY: Final = "another program makes this policy: add the statement behind the one that grants the state"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yaml", ".yml")


def find(source: Source, /) -> Found[Written]:
    """Every list of statements as a policy of its own, and every policy that a text is."""
    if not _STATEMENT.search(source.text) or is_template(source.text):
        return Found()
    found = list(_policies(source))
    problems = tuple(one for one in found if isinstance(one, Problem))
    named = (("statements", one[0]) for one in found if not isinstance(one, Problem))
    return Found(written.all_of(source, NAME, named, _WHY), problems=problems)


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    for one in _policies(source):
        if not isinstance(one, Problem) and one[0].span == found.span:
            return written.edit(source, found, wish, one[1])
    return Refusal(found.place, "the policy is not there any more", "read the file again")


def _policies(source: Source) -> Iterator[tuple[Policy, Document] | Problem]:
    reading = Reading(lambda node: cfn_words.parts_of(source.text, node), written.lines_in(source))
    guards = Guards(source.text)
    for node in (node for root in trees(source.text) for node in jsontree.walk(root)):
        document = _document(node)
        if document and is_policy(document):
            policy = read_policy(document, "statements", reading)
            yield guards.of(policy, policy.span.start, reading.where), CfnYaml(source.text)
        elif isinstance(node, Text) and '"Statement"' in node.value and node.value.lstrip().startswith("{"):
            yield from _in_text(source, node)


def _document(node: Node) -> Object | None:
    """A list as the document that it would be in JSON."""
    if not isinstance(node, Array):
        return None
    return Object((Member(Text("Statement", node.span), node),), node.span)


def _in_text(source: Source, text: Text) -> Iterator[tuple[Policy, Document] | Problem]:
    """The policies of a text that is JSON; what has escapes in it is not read."""
    quoted = source.text[text.span.start] in "\"'"
    document = templated(source.text, Span(text.span.start + quoted, text.span.end - quoted))
    policies = document.policies(written.lines_in(source))
    if isinstance(policies, Mistake):
        place = Place(source.repo, source.path, Lines(source.text).line(text.span.start))
        yield Problem("template", place, f"this text is not JSON as it stands: {policies.why}", _BY_HAND)
    else:
        yield from ((policy, document) for policy in policies)


_BY_HAND: Final = "grant the lock in it by hand"
