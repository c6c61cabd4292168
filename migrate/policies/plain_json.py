"""Policies in JSON files and templates of such; what others fill in are `${name}`, `{{ name }}` and choices
`%{ if … }…%{ endif }` in their strings.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.jsontree import Mistake
from migrate.model import Place, Problem, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.sites import made_by
from migrate.spelling import written
from migrate.spelling.cfn_tree import is_template
from migrate.spelling.json_text import JsonText, templated
from migrate.spelling.written import PolicyWish, Written
from migrate.text import Span

NAME: Final = "plain_json"

_ENDINGS: Final = (".json", ".json.j2", ".tpl", ".tftpl")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith(_ENDINGS) and not path.name.endswith((".tf.json", ".tofu.json"))


def find(source: Source, /) -> Found[Written]:
    """Every policy document, at the root of the file or below; other JSON is passed over, and templates of
    CloudFormation, which are read as such.
    """
    if '"Statement"' not in source.text or is_template(source.text):
        return Found()
    policies = _text(source).policies(written.lines_in(source))
    if isinstance(policies, Mistake):
        return Found(problems=(_problem(source, policies),))
    named = (("policy", policy) for policy in policies)
    return Found(written.all_of(source, NAME, named, made_by(source)))


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    return written.edit(source, found, wish, _text(source))


def _text(source: Source) -> JsonText:
    return templated(source.text, Span(0, len(source.text)))


def _problem(source: Source, mistake: Mistake) -> Problem:
    place = Place(source.repo, source.path, mistake.line)
    if _text(source).holes:
        why = f"this is a template whose expressions are more than texts: {mistake.why}"
        return Problem("template", place, why, "grant the lock in it by hand")
    return Problem("unparsable", place, f"this policy is not JSON: {mistake.why}", "make it valid JSON")
