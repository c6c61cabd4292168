"""Workflows and actions of one repository in, the names that they only hand on out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.action_inputs import handed_on
from migrate.campaign.reading.tree import Tree
from tests.pairs import source

CALLER = """\
jobs:
  net:
    steps:
    - uses: ./.github/actions/init
      with:
        dynamodb_table: acme-locks
"""
ACTION = """\
inputs:
  dynamodb_table:
    required: true
runs:
  using: composite
  steps:
  - run: terraform init -backend-config="dynamodb_table=${{ inputs.dynamodb_table }}"
"""
PROGRAM = ACTION.replace("composite", "node20")
WORKFLOW = """\
on:
  workflow_call:
    inputs:
      dynamodb_table:
        type: string
jobs:
  net:
    steps:
    - uses: ./.github/actions/init
      with:
        dynamodb_table: ${{ inputs.dynamodb_table }}
    - run: ./make.sh ${{ inputs.dynamodb_table }}
"""
CALL = "jobs:\n  net:\n    uses: ./.github/workflows/tf.yml\n    with: {dynamodb_table: acme-locks}\n"
A, W, C = ".github/actions/init/action.yml", ".github/workflows/tf.yml", ".github/workflows/ci.yml"

CASES: dict[str, tuple[str, Mapping[str, str], list[int]]] = {
    "given to an action that declares it": (C, {C: CALLER, A: ACTION}, [6]),
    "declared by an action": (A, {A: ACTION}, [2]),
    "given on by a workflow": (W, {W: WORKFLOW, A: ACTION}, [4, 11, 11]),
    "given to a workflow": (C, {C: CALL, W: WORKFLOW}, [4]),
    "given to an action that is a program": (C, {C: CALLER, A: PROGRAM}, []),
    "declared by an action that is a program": (A, {A: PROGRAM}, []),
    "given to an action that is not here": (C, {C: CALLER}, []),
    "given to an action that does not declare it": (C, {C: CALLER, A: ACTION.replace("_table:", ":")}, []),
    "given to one of elsewhere": (C, {C: CALLER.replace("./.github", "acme"), A: ACTION}, []),
    "in a file that is no workflow": ("ci.yml", {"ci.yml": CALLER, A: ACTION}, []),
}


@pytest.mark.parametrize(("path", "files", "lines"), CASES.values(), ids=CASES.keys())
def test_lines_that_hand_a_name_on(path: str, files: Mapping[str, str], lines: list[int]) -> None:
    texts = {PurePosixPath(name): text for name, text in files.items()}
    tree = Tree(texts, lambda path: None, lambda folder: [p.name for p in texts if p.parent == folder])
    text = files[path]
    spans = [span for span, _ in handed_on(source(path, text), tree)]
    assert [text.count("\n", 0, span.start) + 1 for span in spans] == lines
    assert all("dynamodb_table" in span.of(text) for span in spans)
