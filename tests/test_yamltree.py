"""Pipelines as people write them: every value with the characters it stands in; nothing ever fails."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from types import FrameType
from typing import TypeAlias

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from migrate import yamltree
from migrate.yamltree import Alias, Mapping, Node, Scalar, Sequence
from migrate.yamlvalues import values

Plain: TypeAlias = str | list["Plain"] | dict[str, "Plain"] | None

WORKFLOW = """\
on: [push, 'pull_request']
env:
  TF_VERSION: &version "1.9.8"   # of all jobs
jobs:
  plan:
    strategy: {matrix: {root: [net, "app # 1"], tf: [1.9, 1.10.5]}}
    steps:
    - uses: hashicorp/setup-terraform@v3
      with:
        terraform_version: ${{ matrix.tf }}
    - run: |
        terraform init   # not a comment
          indented: yes

        terraform plan
    -
      name: "two
        lines"
      also: *version
    - plain text that
      goes on # until here
"""


def read(text: str) -> dict[str, str]:
    """Every scalar by its route, as it is written."""
    (document,) = yamltree.parse(text)
    return {
        "/".join(map(str, route)): node.span.of(text)
        for route, node in yamltree.walk(document)
        if isinstance(node, Scalar | Alias)
    }


def test_every_value_stands_where_it_is_written() -> None:
    assert read(WORKFLOW) == {
        "on/0": "push",
        "on/1": "pull_request",
        "env/TF_VERSION": "1.9.8",
        "jobs/plan/strategy/matrix/root/0": "net",
        "jobs/plan/strategy/matrix/root/1": "app # 1",
        "jobs/plan/strategy/matrix/tf/0": "1.9",
        "jobs/plan/strategy/matrix/tf/1": "1.10.5",
        "jobs/plan/steps/0/uses": "hashicorp/setup-terraform@v3",
        "jobs/plan/steps/0/with/terraform_version": "${{ matrix.tf }}",
        "jobs/plan/steps/1/run": "        terraform init   # not a comment\n          indented: yes\n\n"
        "        terraform plan\n",
        "jobs/plan/steps/2/name": "two\n        lines",
        "jobs/plan/steps/2/also": "*version",
        "jobs/plan/steps/3": "plain text that\n      goes on",
    }


def test_values_are_without_quotes_escapes_and_folding() -> None:
    text = "a: \"x\\ty \\u00e9\"\nb: 'it''s'\nc: one\n  two\nd: \"one\n  two\"\ne: |\n  deep\n    er\n"
    (document,) = yamltree.parse(text)
    assert plain(document) == {
        "a": "x\ty é",
        "b": "it's",
        "c": "one two",
        "d": "one two",
        "e": "deep\n  er\n",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        ("---\na: 1\n", {"a": "1"}),
        ("\ufeffa: 1\r\nb: 2\r\n", {"a": "1", "b": "2"}),
        ("\ufeff# a comment\na: 1\n", {"a": "1"}),
        (
            "a:\n{{- if .x }}\n  b: 1\n{{- end }}\n  c: {{ .Values.c }}\n",
            {"a/b": "1", "a/c": "{{ .Values.c }}"},
        ),
        ("{% if x %}\na: 1\n{% endif %}\nb: {{x}}:{{ y }}\n", {"a": "1", "b": "{{x}}:{{ y }}"}),
        ("image: hashicorp/terraform:1.9.8\n", {"image": "hashicorp/terraform:1.9.8"}),
        ("a: [1, 2\nb: 3\n", {"a": "[1, 2", "b": "3"}),
        ('a: "open\nb: 3\n', {"a": '"open', "b": "3"}),
        ("a: !Ref x\nb: !Join [',', [!Ref y]]\n", {"a": "x", "b/0": ",", "b/1/0": "y"}),
        ("- - a\n  - b\n- c: d\n  e:\n  - f\n", {"0/0": "a", "0/1": "b", "1/c": "d", "1/e/0": "f"}),
        ("a b c\n", {"": "a b c"}),
    ],
)
def test_what_else_stands_in_such_files(text: str, expected: dict[str, str]) -> None:
    assert (read(text) if yamltree.parse(text) else {}) == expected


def test_at_follows_keys_and_indexes() -> None:
    (document,) = yamltree.parse(WORKFLOW)
    found = yamltree.at(document, "jobs", "plan", "steps", 0, "uses")
    assert isinstance(found, Scalar)
    assert found.value == "hashicorp/setup-terraform@v3"
    assert yamltree.at(document, "jobs", 3) is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a: &x one\nb: *x\n", "one"),
        ("a: &x\n  - one\n  - two\nb: *x\n", ["one", "two"]),
        ("a: !t &x [one, &y two]\nb: *y\n", "two"),
        ("- &x one\n- b: *x\n", "one"),
        ("a: &x one\nc: &x two\nb: *x\n", "two"),
    ],
)
def test_an_alias_is_what_stands_at_its_anchor(text: str, meant: Plain) -> None:
    (document,) = yamltree.parse(text)
    (alias,) = [node for _, node in yamltree.walk(document) if isinstance(node, Alias)]
    assert plain(alias.node) == meant


@pytest.mark.parametrize("text", ["b: *x\na: &x one\n", "a: &x\n  b: *x\n", "b: *x\n"])
def test_an_alias_before_its_anchor_is_nothing(text: str) -> None:
    (document,) = yamltree.parse(text)
    assert [node.node for _, node in yamltree.walk(document) if isinstance(node, Alias)] == [None]


@given(st.text("ab:-#[]{},\"'*&!|> \n\r\t$%\\0", max_size=60))
def test_no_text_fails_and_nothing_stands_twice(text: str) -> None:
    spans = [
        node.span
        for document in yamltree.parse(text)
        for _, node in yamltree.walk(document)
        if isinstance(node, Scalar | Alias)
    ]
    assert all(left.end <= right.start for left, right in pairwise(spans))


def nested(depth: int) -> str:
    return "\n".join(" " * level + "a:" for level in range(depth))


def steps(text: str) -> int:
    """How many calls it takes to read a text that was not read before."""
    count = 0
    yamltree.parse.cache_clear()

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        yamltree.parse(text)
    finally:
        sys.setprofile(None)
    return count


SIGNS = [
    "[",
    "{",
    "{{",
    "- ",
    "? ",
    '"',
    "*a ",
    "a: [",
    "{a: ",
    "[a, ",
    "a: {b: ",
    "- a\n",
    "x: &a\n",
    "---\n",
]


@pytest.mark.parametrize("written", [*(sign.__mul__ for sign in SIGNS), nested], ids=[*SIGNS, "nested"])
def test_a_text_of_twice_the_length_costs_twice_as_much_at_most(written: Callable[[int], str]) -> None:
    assert steps(written(400)) <= 2.2 * steps(written(200))


words = st.text("abc 1.:#-_'\"{}[],&*", max_size=8)
trees = st.recursive(
    st.none() | words,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(words, below, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(words, trees, min_size=1, max_size=4), st.booleans())
@example({"1 :1": None}, True)
@example({"": ": 1"}, True)
def test_what_a_yaml_library_writes_is_read_back(data: dict[str, Plain], flow: bool) -> None:
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = flow
    yaml.width = 10_000
    stream = StringIO()
    yaml.dump(data, stream)
    assume(values(stream.getvalue()) is not None)  # `{a: : 1}` is not read by who wrote it
    documents = yamltree.parse(stream.getvalue())
    assert [plain(document) for document in documents] == [without_null(data)]


def plain(node: Node | None) -> Plain:
    match node:
        case Mapping(members):
            return {member.key.value: plain(member.value) for member in members}
        case Sequence(items):
            return [plain(item) for item in items]
        case Alias(name):
            return f"*{name}"
        case Scalar(value):
            return value
        case None:
            return ""


def without_null(data: Plain) -> Plain:
    match data:
        case dict():
            return {key: without_null(value) for key, value in data.items()}
        case list():
            return [without_null(value) for value in data]
        case None:
            return "null"
        case str():
            return data
