from pathlib import Path

import pytest

from migrate import dialects
from migrate.dialects import DIALECTS, Dialect

FOLDER = Path(dialects.__file__).parent


def test_every_file_of_the_folder_is_a_dialect() -> None:
    assert sorted(dialect.NAME for dialect in DIALECTS) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.NAME)
def test_every_dialect_is_found_by_something(dialect: Dialect) -> None:
    assert dialect.TOKENS or dialect.FILES
