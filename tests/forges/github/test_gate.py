"""What the gates of a proposal say, shown beside its commit."""

from __future__ import annotations

from typing import Final

import pytest

from migrate.model import Check, Outcome, RepoId, Unknown
from tests.forge_server import Answer, Fault
from tests.github.fixtures import Host

NET: Final = RepoId("github.com/acme/net")
LONG: Final = "readers-safe: " + "x" * 200


def shown(host: Host, commit: str) -> tuple[object, object] | None:
    """What stands beside a commit now."""
    statuses = [
        status for status in host.hub.statuses.get(commit, []) if status["context"] == "tfrelock/gate"
    ]
    return (statuses[-1]["state"], statuses[-1]["description"]) if statuses else None


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (Check(Outcome.HOLDS, "every gate is open"), ("success", "every gate is open")),
        (Check(Outcome.UNKNOWN, "soaked: nobody\x1b[2J said so"), ("pending", "soaked: nobody [2J said so")),
        (
            Check(Outcome.BROKEN, LONG),
            ("failure", LONG[:139] + "…"),
        ),
    ],
)
def test_the_gate_stands_beside_the_commit_once(host: Host, check: Check, expected: tuple[str, str]) -> None:
    host.hub.create("acme/net")
    forge, tip = host.client(), "1" * 40
    assert forge.mark(NET, tip, Check(Outcome.UNKNOWN, "not yet")) is None
    assert forge.mark(NET, tip, check) is None
    assert shown(host, tip) == expected
    assert forge.mark(NET, tip, check) is None
    assert len(host.hub.statuses[tip]) == 2


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("call", ["GET /repos/acme/net/commits/", "POST /repos/acme/net/statuses"])
def test_a_token_that_may_set_no_status(host: Host, call: str, status: int) -> None:
    host.hub.create("acme/net")
    host.hub.faults.append(Fault(call, Answer(status, {"message": "No"})))
    said = host.client(checked=False).mark(NET, "0" * 40, Check(Outcome.HOLDS, "all"))
    why = "the token may not set a commit status on github.com/acme/net"
    assert said == Unknown(why, "give it statuses: write")
