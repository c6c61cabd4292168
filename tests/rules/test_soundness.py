"""Whatever the unknowns of an estate turn out to be: no verdict on its locks is taken back by one.

Every combination of a few values, not a sample of them: for each argument what it may say, an expression
that may come to any of these, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Final

import pytest

from migrate.estate import Survey, join
from migrate.exclusion import all_exclude
from migrate.model import Scalar, Site, Stated, Unknown, World
from migrate.steps import BY_PHASE, Standing, judge, standing
from tests.estate.world import NET, TODAY, site

Said = Mapping[str, Scalar | Unknown]
Client = Mapping[str, Scalar]

MAY_BE: Final[Mapping[str, Sequence[Scalar]]] = {
    "bucket": ("b", "elsewhere"),
    "key": ("k", "env:/dev/k", "other"),
    "dynamodb_table": ("t", "u"),
    "use_lockfile": (True, False),
}
BOTH: Final[Said] = {"bucket": "b", "key": "k", "dynamodb_table": "t", "use_lockfile": True}
STATED: Final = tuple(
    Stated(gate, {"state": "*"}, "platform@acme.example", "canary run 8841", "2027-02-28")
    for gate in ("soaked", "table-known")
)


def all_that_say(*names: str, or_nothing: tuple[str, ...] = ()) -> Iterator[Said]:
    """Every configuration of these arguments; those of `or_nothing` may be missing."""
    options = [
        [*MAY_BE[name], Unknown(f"var.{name}"), *([None] if name in or_nothing else [])] for name in names
    ]
    for values in product(*options):
        yield {name: value for name, value in zip(names, values, strict=True) if value is not None}


LOCKS: Final = ("dynamodb_table", "use_lockfile")
MISSING: Final[Said] = dict.fromkeys(LOCKS)
CLIENTS: Final = list(all_that_say(*MAY_BE, or_nothing=LOCKS))


def resolved(said: Said) -> Iterator[Client]:
    """Every literal configuration that it may be."""
    known = {name: value for name, value in said.items() if not isinstance(value, Unknown)}
    unknown = [name for name in said if name not in known]
    for values in product(*(MAY_BE[name] for name in unknown)):
        yield {**known, **dict(zip(unknown, values, strict=True))}


def stores(client: Client) -> set[str]:
    table = {f"the table {client['dynamodb_table']}"} if client.get("dynamodb_table") else set()
    return table | ({"the lockfile"} if client.get("use_lockfile") else set())


OWN: Final = [
    BOTH,
    {**BOTH, "key": Unknown("var.key")},
    {**BOTH, "bucket": Unknown("var.bucket")},
    {**BOTH, "bucket": Unknown("var.bucket"), "key": Unknown("var.key")},
]
"""Writers with both locks, of a state that is known and of one that is not."""


def may_retire(own: Said, other: Site) -> bool:
    """Whether nothing holds back a writer with both locks, beside another site."""
    estate = join([Survey(NET, (site("net/main.tf", own), other))], STATED)
    (stack,) = [one for one in estate.stacks if any(b.root.name == "net" for b in one.backends)]
    return standing(judge(BY_PHASE["retire"], World(stack, estate, TODAY))) is Standing.OPEN


def meet(one: Client, other: Client) -> bool:
    """Whether both mean one object: one's own, or a workspace's of the other."""
    keys = [{client["key"], f"env:/dev/{client['key']}"} for client in (one, other)]
    return one["bucket"] == other["bucket"] and bool(keys[0] & keys[1])


@pytest.mark.parametrize("own", OWN)
def test_no_writer_of_a_state_that_may_retire_is_left_with_a_table_alone(own: Said) -> None:
    opened = [said for said in CLIENTS if may_retire(own, site("app/main.tf", said))]
    for mine, client in product(resolved(own), (one for said in opened for one in resolved(said))):
        alone = "dynamodb_table" in client and "the lockfile" not in stores(client)
        assert not (meet(mine, client) and alone), client
    assert {"bucket": "b", "key": "other", "dynamodb_table": "t", "use_lockfile": True} in opened
    assert own is not BOTH or {"bucket": "b", "key": "other", "dynamodb_table": "t"} in opened


@pytest.mark.parametrize("own", OWN)
def test_no_reader_of_a_state_that_may_retire_names_a_table(own: Said) -> None:
    opened = [said for said in CLIENTS if may_retire(own, site("app/main.tf", said, role="reader"))]
    for mine, client in product(resolved(own), (one for said in opened for one in resolved(said))):
        assert not (meet(mine, client) and "dynamodb_table" in client), client
    assert {"bucket": "b", "key": "k"} in opened


def test_what_is_said_to_exclude_does() -> None:
    words = set()
    for pair in product(all_that_say(*LOCKS, or_nothing=LOCKS), repeat=2):
        sites = tuple(site(f"r{at}/main.tf", {**BOTH, **MISSING, **said}) for at, said in enumerate(pair))
        (stack,) = join([Survey(NET, sites)]).stacks
        word = all_exclude(stack.backends)
        answers = {
            all(stores(one) & stores(other) for one, other in combinations_with_replacement(clients, 2))
            for clients in product(*map(resolved, pair))
        }
        assert word == "unknown" or answers == {word == "yes"}, pair
        words.add(word)
    assert words == {"yes", "no", "unknown"}
