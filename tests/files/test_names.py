"""How the name of a file is shown."""

import os

import pytest

from migrate.files import printable


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"net/backend.tf", "net/backend.tf"),
        ("größe/état.tf".encode(), "größe/état.tf"),
        (b"\x1b[31mred.tf", r"\x1b[31mred.tf"),
        (b"two\nlines.tf", r"two\x0alines.tf"),
        (b"latin-\xe9.tf", r"latin-\xe9.tf"),
        ("\u202egnp.ft".encode(), r"\u202egnp.ft"),
        ("\U000e0041.tf".encode(), r"\U000e0041.tf"),
    ],
)
def test_a_name_is_shown_without_what_a_terminal_would_obey(name: bytes, shown: str) -> None:
    assert printable(os.fsdecode(name)) == shown
