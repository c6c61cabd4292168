from pathlib import Path

import pytest

from migrate import policies
from migrate.policies import POLICIES, PolicySource
from tests.pairs import assert_found

FOLDER = Path(policies.__file__).parent


def test_every_file_of_the_folder_is_a_policy_source() -> None:
    assert sorted(plug.NAME for plug in POLICIES) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("plug", POLICIES, ids=lambda plug: plug.NAME)
def test_every_policy_source_is_found_by_something(plug: PolicySource) -> None:
    assert_found(plug)
