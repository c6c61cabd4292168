"""What the second parser reads of files that are JSON but for comments."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate import leaves

FILE = PurePosixPath(".devcontainer/devcontainer.json")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ('{"a": "1" /* one */, // two\n "b": ["//", "/*",], }\n', '{"a": "1", "b": ["//", "/*"]}'),
        ('{"a": 1,\n // the last\n}\n', '{"a": 1}'),
        ('{"a": "https://acme.example,}"}\n', '{"a": "https://acme.example,}"}'),
    ],
)
def test_comments_and_last_commas(text: str, bare: str) -> None:
    read = leaves.read(FILE, text, {})
    assert read
    assert read == leaves.read(PurePosixPath("main.tf.json"), bare, {})


def test_other_json_has_none() -> None:
    assert not leaves.read(PurePosixPath("main.tf.json"), '{"a": 1} // no\n', {})
