"""The reference itself: what HashiCorp's parser says of the shapes the tests rely on."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import hashicorp

pytestmark = pytest.mark.skipif(not hashicorp.MODULES.is_dir(), reason="HashiCorp's parser is not set up")

BACKENDS: list[tuple[str, list[hashicorp.Attributes]]] = [
    ('terraform {\n  backend "s3" {\n    bucket = "acme-state"\n  }\n}\n', [{"bucket": "acme-state"}]),
    ('terraform {\n  backend s3 {}\n}\nterraform {\n  backend "s3" {}\n}\n', [{}, {}]),
    ('terraform {\n  backend "s3" {\n    bucket = var.state\n  }\n}\n', [{"bucket": "${var.state}"}]),
    ('terraform {\n  backend "local" {}\n}\n', []),
    ('resource "acme" "s3" {}\n', []),
]

READERS: list[tuple[str, list[hashicorp.Tree]]] = [
    ('  backend = "s3"\n  config = {\n    bucket = "acme-state"\n  }\n', [{"bucket": "acme-state"}]),
    ('  backend = "s3"\n  config {\n    bucket = "acme-state"\n  }\n', [{"bucket": "acme-state"}]),
    ('  backend = "s3"\n  config = merge({}, var.net)\n', ["${merge({}, var.net)}"]),
    ('  backend = "gcs"\n  config = {}\n', []),
]


def answers(folder: Path, texts: Sequence[str]) -> list[hashicorp.Answer]:
    paths = [folder / f"{number} \u00e9.tf" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return hashicorp.parse(paths)


def test_backends(tmp_path: Path) -> None:
    read = answers(tmp_path, [text for text, _ in BACKENDS])
    assert [list(hashicorp.backends(answer["tree"])) for answer in read] == [wanted for _, wanted in BACKENDS]


def test_readers(tmp_path: Path) -> None:
    texts = [f'data "terraform_remote_state" "net" {{\n{body}}}\n' for body, _ in READERS]
    read = answers(tmp_path, texts)
    assert [list(hashicorp.readers(answer["tree"])) for answer in read] == [wanted for _, wanted in READERS]


def test_remote_states(tmp_path: Path) -> None:
    body = '{\n  backend = "s3"\n  config = {\n    bucket = "acme-state"\n  }\n}\n'
    read = answers(
        tmp_path, [f"remote_state {body}", f"remote_state = {body}", 'remote_state {\n  backend = "gcs"\n}\n']
    )
    assert [list(hashicorp.remote_states(answer["tree"])) for answer in read] == [
        [{"bucket": "acme-state"}],
        [{"bucket": "acme-state"}],
        [],
    ]


def test_a_file_the_parser_refuses_is_an_answer_too(tmp_path: Path) -> None:
    good, broken, again = answers(tmp_path, ["a = 1\n", "a = \n", "a = 1\n"])
    assert good == again == {"tree": {"a": 1}}
    assert "Invalid expression" in broken["error"]
