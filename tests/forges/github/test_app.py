"""A GitHub App: its key buys a token for each owner, and nobody's clock stands in the way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

import pytest

from migrate.errors import RelockError
from migrate.forges import Home, github
from migrate.forges.github.app import App, Identity, identity
from migrate.model import Check, Outcome, Proposal, RepoId
from tests.forge_server import Answer, Fault
from tests.github.app import Client, keys
from tests.github.fixtures import Host
from tests.repo import make
from tests.secrets import MARK

NET: Final = RepoId("github.com/acme/net")
APP: Final = RepoId("github.com/acme/app")


class Begin(Protocol):
    def __call__(self, *, key: str = ..., skew: float = ...) -> App: ...


@pytest.fixture
def begin(host: Host, tmp_path: Path) -> Iterator[Begin]:
    """Makes our client as the App 4711, which the fake knows."""
    secret, public = keys()
    host.hub.app = Client("4711", public)
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    for name in ("acme/net", "acme/app", "other/net"):
        host.hub.create(name, source.path)
    made: list[App] = []

    def app(*, key: str = secret, skew: float = 0.0) -> App:
        where = host.where()
        made.append(
            App(
                where,
                Identity("4711", key),
                lambda token: github.connect(where, token, sleep=host.pauses.append),
                sleep=host.pauses.append,
                clock=lambda: time.time() + skew,
            )
        )
        return made[-1]

    yield app
    for client in made:
        client.close()


def sold(host: Host) -> int:
    assert host.hub.app
    return host.hub.app.sold


def test_one_token_for_all_repositories_of_an_owner(begin: Begin, host: Host) -> None:
    app = begin()
    assert isinstance(app.home(NET), Home)
    assert isinstance(app.home(APP), Home)
    made = app.open(Proposal(NET, "work", "main", "Lock", "Why"))
    assert app.find(NET, "work") == made
    assert sold(host) == 1


def test_a_token_is_bought_anew_before_it_ends(begin: Begin, host: Host) -> None:
    assert host.hub.app
    host.hub.app.seconds = 299
    app = begin()
    app.home(NET)
    app.home(NET)
    assert sold(host) == 2


@pytest.mark.parametrize("skew", [-7200.0, -30.0, 30.0, 7200.0])
def test_a_clock_that_is_wrong_does_no_harm(begin: Begin, host: Host, skew: float) -> None:
    assert isinstance(begin(skew=skew).home(NET), Home)
    assert sold(host) == 1


def test_an_owner_who_did_not_install_it(begin: Begin) -> None:
    with pytest.raises(RelockError, match="other: the GitHub App is not installed there\n  try: install"):
        begin().home(RepoId("github.com/other/net"))


def test_a_key_that_is_none_is_not_quoted(begin: Begin) -> None:
    with pytest.raises(RelockError) as error:
        begin(key=f"-----BEGIN {MARK}-----").home(NET)
    assert "this is no private key of an App" in str(error.value)
    assert MARK not in str(error.value)
    assert MARK not in repr(Identity("4711", MARK))


def test_silence_while_it_buys(begin: Begin, host: Host) -> None:
    host.hub.faults.append(Fault("POST /app/installations/42/access_tokens", Answer(502, None), acted=True))
    assert isinstance(begin().home(NET), Home)


@pytest.mark.parametrize(
    ("outcome", "status", "conclusion"),
    [
        (Outcome.HOLDS, "success", "success"),
        (Outcome.UNKNOWN, "pending", "neutral"),
        (Outcome.BROKEN, "failure", "failure"),
    ],
)
def test_the_gate_is_a_check_run_too(
    begin: Begin, host: Host, outcome: Outcome, status: str, conclusion: str
) -> None:
    app, tip = begin(), host.hub.commit("acme/net", "work") or ""
    for _ in range(2):
        assert app.mark(NET, tip, Check(outcome, "soaked: nobody said so")) is None
    [shown] = host.hub.statuses[tip]
    [run] = host.hub.made_runs[tip]
    assert (shown["state"], run["conclusion"], run["name"]) == (status, conclusion, "tfrelock/gate")
    made = app.open(Proposal(NET, "work", "main", "Lock", "Why"))
    assert app.review(made).checks == "none", "what we say ourselves is no pipeline"


@pytest.mark.parametrize("rules", [[], ["required_signatures"], ["deletion"]])
def test_it_signs_where_it_must(begin: Begin, host: Host, rules: list[str]) -> None:
    host.hub.key = f"ghs_{MARK}"
    host.hub.rules.extend({"type": rule} for rule in rules)
    assert (begin().signer(NET, "work") is not None) == (rules == ["required_signatures"])


def test_an_app_that_may_not_make_check_runs(begin: Begin, host: Host) -> None:
    host.hub.faults.append(Fault("POST .*/check-runs", Answer(403, {"message": "Resource not accessible"})))
    said = begin().mark(NET, host.hub.commit("acme/net", "work") or "", Check(Outcome.HOLDS, "all"))
    assert said is not None
    assert said.settle == "give it checks: write"


def test_the_app_of_the_environment() -> None:
    assert identity({"GITHUB_APP_PRIVATE_KEY": "k", "GITHUB_APP_ID": "1"}) == Identity("1", "k")
    with pytest.raises(RelockError, match="the key of a GitHub App, and not which App"):
        identity({"GITHUB_APP_PRIVATE_KEY": "k"})
    host = github.reach(
        None, {"GITHUB_APP_PRIVATE_KEY": "k", "GITHUB_APP_ID": "1", "GITHUB_TOKEN": "t"}, print
    )
    assert isinstance(host, App)
    host.close()
