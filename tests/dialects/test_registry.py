from pathlib import Path

import pytest

from migrate import dialects
from migrate.dialects import DIALECTS
from migrate.model import LockWish, Site
from migrate.plug import Late
from tests.pairs import assert_found

FOLDER = Path(dialects.__file__).parent


def test_every_file_of_the_folder_is_a_dialect() -> None:
    """A module, or a package where one kind of file takes more than one."""
    found = [*FOLDER.glob("[!_]*.py"), *(path.parent for path in FOLDER.glob("*/__init__.py"))]
    assert sorted(dialect.NAME for dialect in DIALECTS) == sorted(path.stem for path in found)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.NAME)
def test_every_dialect_is_found_by_something(dialect: Late[Site, LockWish]) -> None:
    assert_found(dialect)
