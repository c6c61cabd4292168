"""A campaign with `--quiet`: what it did stays on standard output, what went wrong on standard error."""

from __future__ import annotations

from tests.cli.campaign.estate import ALL, Estate, net
from tests.forge_server import Answer, Fault


def test_counts_and_hints_are_left_out(estate: Estate) -> None:
    estate.config = ALL
    estate.create("net", net(0))
    where = ("--github-org", "acme", "--forge-url", estate.host.services.direct)
    to = estate.folder / "patches"
    for ran in (
        estate.run("init", estate.file, "--name", "locks", "--quiet"),
        estate.run("add", estate.file, *where, "--quiet"),
        estate.led("next", "--quiet"),
        estate.led("export", "--to", to, "--quiet"),
        estate.led("next", "--yes", "--quiet"),
        estate.led("sync", "--quiet"),
        estate.led("pause", "--because", "holidays", "--quiet"),
        estate.led("pause", "--over", "--quiet"),
        estate.led("close", "--because", "another way", "--quiet"),
    ):
        assert (ran.code, ran.err) == (0, "")
    assert estate.standing()["net"] == ["prepare open"]


def test_what_could_not_be_seen_is_said(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun()
    estate.led("next", "--yes")
    estate.host.hub.faults.append(Fault("GET .*/pulls", Answer(401, {"message": "Bad credentials"})))
    ran = estate.led("sync", "--quiet")
    assert (ran.code, len(ran.err.splitlines())) == (5, 1)
    assert "127.0.0.1/acme/net: the forge does not accept the token" in ran.err


def test_calls_of_every_thread_are_told(estate: Estate) -> None:
    for number in range(3):
        estate.create(f"net{number}", net(number))
    estate.begun()
    lines = estate.led("next", "--yes", "--verbose").err.splitlines()
    for number in range(3):
        assert f"POST 127.0.0.1/api/v3/repos/acme/net{number}/pulls" in lines
        assert [one for one in lines if one.startswith("git push ") and f"/acme/net{number}.git " in one]
