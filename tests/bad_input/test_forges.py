"""Forges that refuse, fail or are silent: no proposal, the reason, and the next run makes one."""

from __future__ import annotations

import pytest

from tests.bad_input.forges import TOKENS, offered
from tests.cli.desk import Desk
from tests.forge_server import Answer, Fault
from tests.forges.sites import Site
from tests.repo import Repo

NO_ANSWER = "the forge gave no answer: "
AGAIN = "run the same command again: it looks before it makes"
UNSEEN = " does not show 127.0.0.1/acme/net to this token → give it access to 127.0.0.1/acme/net"
ANSWERS = {
    "401": (
        Answer(401, {"message": "Bad credentials"}),
        "the forge does not accept the token (Bad credentials) → set a token that is valid and not expired",
    ),
    "422": (
        Answer(422, {"message": "Invalid"}),
        "the forge finds the request wrong (Invalid) → read its words above; a branch or a rule of the",
    ),
    "429": (
        Answer(429, None, {"Retry-After": "3600"}),
        "the forge asks us to wait 3600 seconds → run the same command again after that",
    ),
    "500": (Answer(500, None), f"{NO_ANSWER}it answered 500 → {AGAIN}"),
    "502": (Answer(502, None), f"{NO_ANSWER}it answered 502 → {AGAIN}"),
    "sign-in page": (
        Answer(200, b"<html>Sign in</html>", {"Content-Type": "text/html"}),
        "the forge's answer is text/html, not JSON → check the URL of the forge",
    ),
    "none": (None, f"{NO_ANSWER}the connection broke (RemoteProtocolError) → {AGAIN}"),
}
CALLS = {
    "home": "GET .*/(repos/acme/|projects/acme%2F)net$",
    "make": "POST .*/(pulls|merge_requests)$",
}
CASES = {
    **{f"{call} {name}": (call, *case) for call in ("home", "make") for name, case in ANSWERS.items()},
    "home 403": ("home", Answer(403, None), UNSEEN),
    "home 404": ("home", Answer(404, None), UNSEEN),
    "make 403": ("make", Answer(403, None), "the token may not do this → give it write access to contents"),
    "make 404": (
        "make",
        Answer(404, None),
        "the forge shows no such repository to this token → check the name, and that the token was given",
    ),
}


@pytest.mark.parametrize(("call", "answer", "said"), CASES.values(), ids=CASES)
def test_what_a_failing_forge_comes_to(
    call: str, answer: Answer | None, said: str, desk: Desk, clone: Repo, forge: Site
) -> None:
    """It is said before anything is made, or with the branch made: then the next run makes the proposal."""
    forge.hub.faults.extend([Fault(CALLS[call], answer)] * 4)
    ran = offered(desk, forge, clone)
    assert (ran.code, said in ran.out) == (5, True), ran.out
    assert " not made: " in ran.out
    assert forge.opened == []
    if call == "make":
        forge.hub.faults.clear()
        again = offered(desk, forge, clone)
        assert (again.code, " opened: Lock state in S3 as well as DynamoDB (1 file) " in again.out) == (
            0,
            True,
        )
        assert len(forge.opened) == 1


def test_no_forge_at_all(desk: Desk, clone: Repo, forge: Site) -> None:
    ran = offered(desk, forge, clone, "http://127.0.0.1:1")
    assert ran.code == 5
    assert f" not made: {NO_ANSWER}the connection broke (ConnectError) → {AGAIN}\n" in ran.out


def test_no_token(desk: Desk, clone: Repo, forge: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in TOKENS.values():
        monkeypatch.delenv(name, raising=False)
    ran = offered(desk, forge, clone)
    assert (ran.code, f"tfrelock: {TOKENS[forge.name]}: no token for Git" in ran.err) == (1, True), ran.err
    assert f"\n  try: set {TOKENS[forge.name]}" in ran.err
