"""Bytes to text, strictly."""

from pathlib import PurePosixPath

import pytest

from migrate.files import Read, Unreadable, decode
from migrate.model import RepoId, Source

REPO = RepoId("github.com/acme/net")
PATH = PurePosixPath("main.tf")


@pytest.mark.parametrize(
    "text", ["", 'a = "é"\n', "no newline at the end", "a = 1\r\nb = 2\r\n", "\ufeffa = 1\n", "a\rb\n\x0cc"]
)
def test_text_keeps_every_character(text: str) -> None:
    assert decode(REPO, Read(PATH, text.encode())) == Source(REPO, PATH, text)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            b'a = 1\nb = "\xe9"\n',
            "not UTF-8: byte 0xe9 in line 2 (Latin-1 or Windows-1252?): save it as UTF-8",
        ),
        ("a = 1\n".encode("utf-16"), "UTF-16 text, not UTF-8: save it as UTF-8"),
        ("a = 1\n".encode("utf-16-le"), "UTF-16 text, not UTF-8: save it as UTF-8"),
        ("a = 1\n".encode("utf-16-be"), "UTF-16 text, not UTF-8: save it as UTF-8"),
        (b"backend\0s3", "holds NUL bytes: not a text file"),
        (b"\x80PNG\0backend", "holds NUL bytes: not a text file"),
    ],
)
def test_what_is_not_utf_8_is_named(data: bytes, why: str) -> None:
    assert decode(REPO, Read(PATH, data)) == Unreadable(PATH, why)
