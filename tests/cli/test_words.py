"""What is said to people fits their terminal; what goes to a log stays one line."""

import pytest

from migrate.cli.words import fitted

LINE = "gate soaked unknown (s3://acme-state/net.tfstate): nobody said how long both locks have been in use"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        (LINE, None, LINE),
        (LINE, 200, LINE),
        (
            LINE,
            60,
            LINE.replace("nobody said", "nobody\n  said"),
        ),
        ("first\nsecond line", 8, "first\nsecond\n  line"),
        ("s3://acme-state/a/long/name", 8, "s3://acme-state/a/long/name"),
    ],
)
def test_fitted(text: str, columns: int | None, shown: str) -> None:
    assert fitted(text, columns) == shown
