"""An error says what is wrong, where, and what to try."""

import pytest

from migrate.errors import RelockError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            RelockError("the file is not UTF-8", "net/backend.tf:3:1", "save it as UTF-8"),
            "net/backend.tf:3:1: the file is not UTF-8\n  try: save it as UTF-8",
        ),
        (
            RelockError("git is not on PATH", "", "install git 2.38 or newer"),
            "git is not on PATH\n  try: install git 2.38 or newer",
        ),
    ],
)
def test_message(error: RelockError, text: str) -> None:
    assert str(error) == text
