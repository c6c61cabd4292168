from pathlib import Path

import pytest

from migrate import tables
from migrate.model import Definition
from migrate.plug import LateFinder
from migrate.tables import TABLES, TableSource
from tests.pairs import assert_found, source

FOLDER = Path(tables.__file__).parent


def test_every_file_of_the_folder_is_a_kind_of_code() -> None:
    assert sorted(plug.NAME for plug in TABLES) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("plug", TABLES, ids=lambda plug: plug.NAME)
def test_every_kind_is_found_by_something(plug: LateFinder[Definition]) -> None:
    assert_found(plug)


@pytest.mark.parametrize("plug", TABLES, ids=lambda plug: plug.NAME)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        '"LockID" ' * 9,
        "LockID AWS::DynamoDB::Table {[(",
        "Table(" * 2000 + "LockID",
        "a:\n- b: [",
    ],
    ids=["nothing", "a zero", "quotes", "brackets", "calls", "broken"],
)
def test_any_text_is_read_without_a_crash(plug: TableSource, text: str) -> None:
    assert plug.find(source("a.yaml", text)).problems == ()
