"""Lines for people at terminals of any width, and for a file or a pipe."""

from __future__ import annotations

import pytest

from migrate.reports.layout import Beside, Either, Line, Prose, Rows, laid

STATE = "s3://acme-state/net/terraform.tfstate"
LONG = "a role that may not put the lock object fails its next plan, and nothing is left behind of that run"
SHORT = Either("pin  open  tfrelock propose", ("pin  open", Prose("  → ", "tfrelock propose", 4)))
TABLE = Rows([("LOCK", "STATE", "WHERE"), ("table", STATE, "net/main.tf:2"), ("both", "s3://b/k", "")])

FOLDED = """\
  → a role that may not put the lock object fails its next
    plan, and nothing is left behind of that run
"""
WIDE = f"""\
LOCK   STATE                                  WHERE
table  {STATE}  net/main.tf:2
both   s3://b/k
"""
NARROW = f"""\
LOCK   STATE
    WHERE
table  {STATE}
    net/main.tf:2
both   s3://b/k
"""
NARROWER = f"""\
LOCK
    STATE
    WHERE
table
    {STATE}
    net/main.tf:2
both
    s3://b/k
"""
LONG_NAME = f"s3://acme-state/{'x' * 300}/terraform.tfstate"
LONG_TABLE = Rows([("STATE", "READERS", "WHERE"), (LONG_NAME, "2", "a.tf:2"), ("s3://b/k", "", "b.tf:1")])
SHORTENED = f"""\
{"STATE":100}  READERS  WHERE
s3://acme-state/{"x" * 33}…{"x" * 32}/terraform.tfstate  2        a.tf:2
{"s3://b/k":100}           b.tf:1
"""
WHOLE = f"""\
{"STATE":100}  READERS  WHERE
{LONG_NAME}  2        a.tf:2
{"s3://b/k":100}           b.tf:1
"""


@pytest.mark.parametrize(
    ("line", "columns", "text"),
    [
        (STATE, 20, f"{STATE}\n"),
        (
            Prose("  → ", LONG, 4),
            60,
            FOLDED,
        ),
        (Prose("", f"see {STATE} first", 2), 40, f"see\n  {STATE}\n  first\n"),
        (SHORT, 80, "pin  open  tfrelock propose\n"),
        (Either("x" * 41, ("x", Prose("  → ", "y", 4))), 40, "x\n  → y\n"),
        (TABLE, None, WIDE),
        (TABLE, 80, WIDE),
        (TABLE, 50, NARROW),
        (Beside("  main.tf:2", LONG), None, f"  main.tf:2  {LONG}\n"),
        (Beside("  main.tf:2", "no lock"), 40, "  main.tf:2  no lock\n"),
        (Beside(f"  {LONG_NAME}", "no lock"), 60, f"  {LONG_NAME}\n    no lock\n"),
        (TABLE, 40, NARROWER),
        (LONG_TABLE, 120, SHORTENED),
        (LONG_TABLE, None, WHOLE),
    ],
)
def test_a_line_on_so_many_columns(line: Line, columns: int | None, text: str) -> None:
    assert laid([line], columns) == text


@pytest.mark.parametrize(
    ("columns", "most"), [(None, 100), (200, 100), (100, 100), (80, 80), (60, 60), (1, 40)]
)
def test_prose_takes_no_more_columns_than_there_are_and_never_more_than_a_hundred(
    columns: int | None, most: int
) -> None:
    widths = [len(line) for line in laid([Prose("", f"{LONG}; {LONG}", 2)], columns).splitlines()]
    assert most - 12 < max(widths) <= most
