"""Policies in CloudFormation templates, YAML and JSON, with `Fn::Sub`, `Fn::Join` and references in them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import jsontree
from migrate.iam.glob import Hole
from migrate.iam.policy import Policy
from migrate.iam.read import Reading, is_policy, read_policy
from migrate.jsontree import Mistake, Object
from migrate.model import Place, Problem, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.sites import made_by
from migrate.spelling import cfn_words, written
from migrate.spelling.cfn_json import CfnJson
from migrate.spelling.cfn_tree import is_template, is_yaml, resources, template
from migrate.spelling.cfn_yaml import CfnYaml
from migrate.spelling.guarded import Guards
from migrate.spelling.written import BOUNDARY, ENDPOINT, ORGANIZATION, Document, PolicyWish, Written

NAME: Final = "cloudformation"

_ENDINGS: Final = (".yaml", ".yml", ".json", ".template")
_CDK: Final = "the CDK makes this file: change the program that it is made of"
_LIMITING: Final = {"AWS::Organizations::Policy": ORGANIZATION, "AWS::EC2::VPCEndpoint": ENDPOINT}
_NO_LIST: Final = "its statements are not items of a list with lines of their own"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in _ENDINGS


def find(source: Source, /) -> Found[Written]:
    """Every policy of every resource, by the resource's logical name."""
    if "Statement" not in source.text or not is_template(source.text):
        return Found()
    root = template(source.text, yaml=is_yaml(source))
    if isinstance(root, Mistake):
        why = f"this template is not JSON: {root.why}"
        return Found(problems=(Problem("unparsable", _place(source, root.line), why, "make it valid JSON"),))
    found = written.all_of(source, NAME, _policies(source, root) if root else ())
    kinds = {name: kind for name, kind, _ in resources(root)} if root else {}
    bounds = set(_boundaries(source, root)) if root else set()
    return Found(
        tuple(
            replace(one, why_not=_why_not(source, one.policy, kinds, bounds), kind=kinds[one.policy.name])
            for one in found
        )
    )


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    document: Document = CfnYaml(source.text) if is_yaml(source) else CfnJson(source.text)
    return written.edit(source, found, wish, document)


def _policies(source: Source, root: Object) -> Iterator[tuple[str, Policy]]:
    reading = Reading(lambda node: cfn_words.parts_of(source.text, node), written.lines_in(source))
    guards = Guards(source.text)
    for name, _, properties in resources(root):
        for node in jsontree.walk(properties):
            if isinstance(node, Object) and is_policy(node):
                policy = read_policy(node, name, reading)
                yield name, guards.of(policy, properties.span.start, reading.where)


def _boundaries(source: Source, root: Object) -> Iterator[str]:
    """The logical names that resources have for their boundary."""
    for _, _, properties in resources(root):
        bound = properties.get("PermissionsBoundary")
        match cfn_words.parts_of(source.text, bound) if bound else None:
            case (Hole(symbol),):
                yield symbol[2:-1].removesuffix(".Arn")
            case _:
                pass


def _why_not(source: Source, policy: Policy, kinds: Mapping[str, str], bounds: Container[str]) -> str | None:
    if "cdk.out" in source.path.parts:
        return _CDK
    limit = BOUNDARY if policy.name in bounds else _LIMITING.get(kinds[policy.name])
    if limit:
        return limit
    document = CfnYaml(source.text)
    if is_yaml(source) and not all(map(document.is_item, policy.statements)):
        return _NO_LIST
    return made_by(source)


def _place(source: Source, line: int) -> Place:
    return Place(source.repo, source.path, line)
