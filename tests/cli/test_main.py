"""The entry point: what it prints and which code it exits with."""

import pytest

from migrate import __version__
from migrate.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (["--version"], 0, f"tfrelock {__version__}\n", ""),
        (["--help"], 0, "Usage: tfrelock", ""),
        (["--nonsense"], 64, "", "No such option"),
        (["nonsense"], 64, "", "No such command 'nonsense'"),
    ],
)
def test_exit_codes(
    arguments: list[str], code: int, out: str, err: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    printed = capsys.readouterr()
    assert out in printed.out
    assert err in printed.err
