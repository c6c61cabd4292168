from pathlib import PurePosixPath

import pytest

from migrate.compose import compose
from migrate.pins import required_version
from migrate.text import Span
from tests.pairs import source
from tests.pins.pairs import check, pins

NEW = 'required_version = ">= 1.11"\n'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("net/a.tf", 'terraform {\n  required_version = ">= 1.5"\n}\n', [(None, ">= 1.5", "net", 2)]),
        ("net/a.tfvars", 'terraform {\n  required_version = ">= 1.5"\n}\n', [(None, ">= 1.5", "net", 2)]),
        *(
            (
                f"net/a.{ending}",
                'terraform {\n  required_version = ">= 1.5"\n}\n',
                [(None, ">= 1.5", "net", 2)],
            )
            for ending in ("tf.example", "tf-template", "tf_off", "tf~")
        ),
        ("a.tofu", 'terraform { required_version = "1.8.1" }\n', [("opentofu", "1.8.1", ".", 1)]),
        ("a.tf", "terraform {\n  required_version = var.v\n}\n", [(None, "? var.v", ".", 2)]),
        ("a.tf.j2", 'terraform {\n  required_version = "{{ tf }}"\n}\n', [(None, '? "{{ tf }}"', ".", 2)]),
        (
            "a.tf",
            'terraform {\n  required_version = ">= 1"\n{% if s3 %}\n  backend "s3" {}\n{% endif %}\n}\n',
            [(None, ">= 1", ".", 2)],
        ),
        (
            "a.jinja",
            '{% if tf %}\nterraform {\n  required_version = "1"\n}\n{% endif %}\n',
            [(None, "1", ".", 3)],
        ),
        (
            "a.tf.tpl",
            f"terraform {{\n%{{ if a }}\n{NEW}%{{ else }}\n{NEW.replace('11', '5')}%{{ endif }}\n}}\n",
            [(None, "? >= 1.11", ".", 3), (None, "? >= 1.5", ".", 5)],
        ),
        ("a.tf", '# required_version = ">= 1"\nlocals {\n  required_version = ">= 1.5"\n}\n', []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str | None, str, str, int]]) -> None:
    assert pins(required_version, path, text) == expected
    assert required_version.claims(PurePosixPath(path), b"")


@pytest.mark.parametrize(
    "before",
    [
        'terraform {\n  required_version = ">= 1.5" # ours\n  backend "s3" {}\n}\n',
        'terraform {\n  # ignore\n  required_version  =  ">= 1.5"\n}\nterraform {\n  backend "s3" {}\n}\n',
    ],
)
def test_changes(before: str) -> None:
    check(required_version, "a.tf", before, before.replace(">= 1.5", ">= 1.11"), ">= 1.11")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('terraform {\n  backend "s3" {}\n}\n', f'terraform {{\n  {NEW}\n  backend "s3" {{}}\n}}\n'),
        (
            'terraform { # net\n\n  backend "s3" {}\n}\n',
            f'terraform {{ # net\n  {NEW}\n  backend "s3" {{}}\n}}\n',
        ),
        ('terraform {\n \n\n  backend "s3" {}\n}\n', f'terraform {{\n  {NEW} \n\n  backend "s3" {{}}\n}}\n'),
        (
            'terraform {\n  # where it is\n  backend "s3" {}\n}\n',
            f'terraform {{\n  {NEW}\n  # where it is\n  backend "s3" {{}}\n}}\n',
        ),
        (
            'terraform {\n  a = 1\n\n  backend "s3" {}\n}\n',
            'terraform {\n  required_version = ">= 1.11"\n  a                = 1\n\n  backend "s3" {}\n}\n',
        ),
    ],
    ids=["no blank line", "one already", "two", "a comment", "an argument"],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_first_one_is_parted_from_a_block_by_one_blank_line(before: str, after: str, newline: str) -> None:
    text = before.replace("\n", newline)
    given = source("a.tf", text)
    edits = required_version.insert(given, Span(text.index("backend"), text.rindex("}")), ">= 1.11")
    assert compose(text, edits[given.path]) == after.replace("\n", newline)
