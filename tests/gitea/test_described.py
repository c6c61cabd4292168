"""A request and its answer in; out: what of them is not as Gitea's own description of its API has it."""

from __future__ import annotations

from typing import Final

import pytest

from tests.forge_server import Answer, Tree
from tests.gitea.described import WHOLE, mistakes

PULLS: Final = "/repos/acme/net/pulls"
NO_SOURCE: Final = "body: a CreatePullRequestOption has no source"
PULL: Final[Tree] = {"number": 7, "title": "Lock", "labels": [{"name": "x"}], "merged_at": None}


@pytest.fixture(autouse=True)
def described() -> None:
    if not WHOLE.is_dir():
        pytest.skip("Gitea's description of its API is not set up")


@pytest.mark.parametrize(
    ("verb", "path", "query", "body", "answer", "told"),
    [
        ("GET", PULLS, {"state": "all", "limit": "3"}, {}, Answer(200, [PULL]), []),
        ("GET", "/repos/search", {"q": "net"}, {}, Answer(200, {"ok": True, "data": []}), []),
        ("POST", PULLS, {}, {"head": "a", "base": "b"}, Answer(409, {"message": "no"}), []),
        ("GET", "/repos/acme/net/pullz", {}, {}, Answer(200, []), ["there is no such call"]),
        ("GET", PULLS, {"per_page": "3"}, {}, Answer(200, []), ["query: no per_page"]),
        (
            "POST",
            PULLS,
            {},
            {"source": "a"},
            Answer(201, PULL),
            [NO_SOURCE],
        ),
        ("POST", PULLS, {}, {"head": 1}, Answer(201, PULL), ["body.head: no Str"]),
        ("POST", PULLS, {}, {"head": "a"}, Answer(202, PULL), ["answer: never 202"]),
        ("GET", PULLS, {}, {}, Answer(200, PULL), ["answer: no list"]),
        ("GET", PULLS, {}, {}, Answer(200, [{"number": True}]), ["answer[0].number: no Int"]),
        (
            "GET",
            PULLS,
            {},
            {},
            Answer(200, [{"labels": [{"colour": ""}]}]),
            ["answer[0].labels[0]: a Label has no colour"],
        ),
        ("GET", PULLS, {}, {}, Answer(200, [{"merged_at": "soon"}]), ["answer[0].merged_at: no time"]),
    ],
)
def test_what_is_not_as_gitea_describes_it(
    verb: str, path: str, query: dict[str, str], body: Tree, answer: Answer, told: list[str]
) -> None:
    assert mistakes(verb, path, query, body, answer) == [f"{verb} {path}: {one}" for one in told]
