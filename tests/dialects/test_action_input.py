"""Steps that hand a lock setting to an action in, what they say and why they are not edited out."""

from __future__ import annotations

import pytest

from migrate.dialects import Dialect, action_input
from migrate.model import Known, LockWish, Scalar, Unknown
from tests.pairs import check_untouched, refusal, source

PLUG: Dialect = action_input
PATH = ".github/workflows/apply.yml"
STEP = """\
jobs:
  net:
    steps:
    - uses: acme/tf-init@v1
      with:
        bucket: acme-state
        dynamodb_table: acme-locks # shared
"""
LINES = """\
jobs:
  net:
    steps:
    - uses: acme/tf-plan@v1
      with:
        backend_config: |
          bucket=acme-state
          dynamodb_table=${{ vars.LOCKS }}
"""
CALLED = """\
jobs:
  net:
    uses: acme/pipelines/.github/workflows/tf.yml@v2
    with: {dynamodb_table: acme-locks}
"""
ONE_LINE = "jobs:\n  net:\n    steps:\n    - uses: acme/tf@v1\n      with:\n        backend_config: {}\n"
FILLED_IN = "${{ format('{0}-locks', 'a,b') }}"
OURS = STEP.replace("acme/tf-init@v1", "./.github/actions/init")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (STEP, Known("acme-locks")),
        (LINES, Unknown("${{ vars.LOCKS }}")),
        (CALLED, Known("acme-locks")),
        (ONE_LINE.format("dynamodb_table=acme-locks"), Known("acme-locks")),
        (ONE_LINE.format('"bucket=b, dynamodb_table = acme-locks"'), Known("acme-locks")),
        (ONE_LINE.format("dynamodb_table=acme-locks,key=k"), Known("acme-locks")),
        (ONE_LINE.format("dynamodb_table=${{ format('{0}-locks', 'a,b') }}"), Unknown(FILLED_IN)),
        (ONE_LINE.format("my_dynamodb_table=acme-locks"), None),
        (OURS, None),
        (STEP.replace("dynamodb_table", "table"), None),
    ],
)
def test_finds(text: str, value: Known[Scalar] | Unknown | None) -> None:
    found = [site.setting("dynamodb_table") for site in PLUG.find(source(PATH, text)).items]
    assert [one.value for one in found if one] == ([value] if value else [])


WHY = "`dynamodb_table: acme-locks` is an input of acme/tf-init@v1"
OR = "on the line below, if it takes that; or `use_lockfile = true` in the backend block"
DELETE = "delete this line, once no run names the table"


@pytest.mark.parametrize(
    ("text", "wish", "answer"),
    [
        (STEP, LockWish.DUAL, (7, WHY, f"write `use_lockfile: true` {OR}")),
        (STEP, LockWish.RETIRE, (7, WHY, DELETE)),
        (
            STEP.replace("acme-locks", '"acme-locks"'),
            LockWish.RETIRE,
            (7, WHY.replace("acme-locks", '"acme-locks"'), DELETE),
        ),
        (
            LINES,
            LockWish.DUAL,
            (
                8,
                "`dynamodb_table=${{ vars.LOCKS }}` is an input of acme/tf-plan@v1",
                f"write `use_lockfile=true` {OR}",
            ),
        ),
    ],
)
def test_refuses_with_what_to_write(text: str, wish: LockWish, answer: tuple[int, str, str]) -> None:
    assert refusal(PLUG, PATH, text, wish) == answer


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (STEP, LockWish.READ),
        (STEP.replace("# shared", "\n        use_lockfile: true"), LockWish.DUAL),
        (OURS, LockWish.DUAL),
    ],
)
def test_leaves_alone(text: str, wish: LockWish) -> None:
    check_untouched(PLUG, PATH, text, wish)
