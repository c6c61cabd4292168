"""What a campaign asks of GitHub beside proposals: which repositories there are, and how a proposal fares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, Silence, lines, plain, refused, text
from migrate.forges.forge import GATE, Checks, Listed, Review, Reviews
from migrate.forges.github_login import Endpoints
from migrate.forges.wire import TRIES, Wire
from migrate.model import Check, Outcome, RepoId, Unknown

_PAGE: Final = 100
_FAILED: Final = frozenset(
    {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure"}
)
_NARROWER: Final = "narrow the query, for instance by language or topic"


def repositories(wire: Wire, where: Endpoints, kind: Literal["group", "search"], of: str) -> Iterator[Listed]:
    """Those of an organisation, or those that a search finds: GitHub shows no more than 1,000 of these."""
    asked = (f"{where.rest}/orgs/{of}/repos", {"type": "all"})
    if kind == "search":
        asked = (f"{where.rest}/search/repositories", {"q": of})
    for page in _pages(wire, *asked, of):
        yield from (_listed(where, tree) for tree in page)


def _pages(wire: Wire, path: str, query: Mapping[str, str], of: str) -> Iterator[list[Mapping[str, Json]]]:
    """Page after page until one is not full. Raises RelockError when a search was not run to its end."""
    number = 0
    while True:
        number += 1
        reply = wire.get(path, query={**query, "per_page": str(_PAGE), "page": str(number)})
        page = _trees(reply, of, "items")
        _check_whole(reply, of)
        yield page
        if len(page) < _PAGE:
            return


def _check_whole(reply: Reply, of: str) -> None:
    body = reply.body if isinstance(reply.body, dict) else {}
    total = body.get("total_count")
    if body.get("incomplete_results") is True:
        raise RelockError("GitHub did not run this search to its end", of, _NARROWER)
    if isinstance(total, int) and total > 1000:
        raise RelockError(f"the search finds {total} repositories, and GitHub shows 1,000", of, _NARROWER)


def _listed(where: Endpoints, tree: Mapping[str, Json]) -> Listed:
    name = text(tree, "full_name")
    reasons = [
        *(["archived"] if tree.get("archived") is True else []),
        *(["disabled"] if tree.get("disabled") is True else []),
        *(["a fork"] if tree.get("fork") is True else []),
        *(["empty"] if tree.get("size") == 0 else []),
    ]
    return Listed(RepoId(f"{where.host}/{name}"), f"{where.git}/{name}.git", ", ".join(reasons))


def review(wire: Wire, path: str, number: str, head: str) -> Review:
    """What reviewers said last, each for himself, and what pipelines say of the commit."""
    said = wire.get(f"{path}/pulls/{number}/reviews", query={"per_page": "100"})
    runs = wire.get(f"{path}/commits/{head}/check-runs", query={"per_page": "100"})
    status = wire.get(f"{path}/commits/{head}/status", query={"per_page": "100"})
    return Review(_reviews(said), _checks(runs, status))


def _reviews(reply: Reply) -> Reviews:
    if reply.status != 200:
        return "unknown"
    last = {text(tree, "user", "login"): text(tree, "state") for tree in _trees(reply, "") if _votes(tree)}
    if "CHANGES_REQUESTED" in last.values():
        return "changes requested"
    return "approved" if "APPROVED" in last.values() else "none"


def _votes(tree: Mapping[str, Json]) -> bool:
    return text(tree, "state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


def _checks(runs: Reply, status: Reply) -> Checks:
    """Check runs and commit statuses together; our own status is about gates, and no pipeline's."""
    if runs.status != 200 or status.status != 200:
        return "unknown"
    said = [text(r, "conclusion") or "pending" for r in _trees(runs, "", "check_runs") if not _ours(r)]
    said += [text(one, "state") for one in _trees(status, "", "statuses") if not _ours(one)]
    if not said:
        return "none"
    if _FAILED & set(said):
        return "failed"
    return "pending" if "pending" in said else "passed"


def _ours(said: Mapping[str, Json]) -> bool:
    """A status has a context, a check run a name."""
    return (text(said, "context") or text(said, "name")).startswith("tfrelock/")


CONCLUSIONS: Final = {
    Outcome.HOLDS: "success",
    Outcome.UNKNOWN: "neutral",
    Outcome.BROKEN: "failure",
}


def check_run(wire: Wire, path: str, commit: str, check: Check) -> Unknown | None:
    """Show what the gates say as a check run; Unknown where the token is no App's, or of one that may not."""
    query = {"check_name": GATE, "filter": "latest"}
    shown = wire.get(f"{path}/commits/{commit}/check-runs", query=query)
    wanted: Json = {
        "name": GATE,
        "head_sha": commit,
        "status": "completed",
        "conclusion": CONCLUSIONS[check.outcome],
        "output": {"title": plain(check.says, 140), "summary": plain(check.says, 1000)},
    }
    if shown.status not in (403, 404):
        runs = _trees(shown, path, "check_runs")[:1]
        told = [(text(run, "conclusion"), text(run, "output", "title")) for run in runs]
        if told == [(CONCLUSIONS[check.outcome], plain(check.says, 140))]:
            return None
        shown = wire.add(f"{path}/check-runs", wanted)
    if shown.status in (403, 404):
        return Unknown("the App may not make a check run here", "give it checks: write")
    _trees(shown, path)
    return None


def comment_once(wire: Wire, path: str, number: str, words: str) -> None:
    """Say something under a proposal, unless it stands there already. Raises RelockError."""
    where = f"{path}/issues/{number}/comments"
    for attempt in range(1, TRIES + 1):
        there = _trees(wire.get(where, query={"per_page": "100"}), path)
        if any(lines(text(tree, "body")) == lines(words) for tree in there):
            return
        answer = wire.make(where, {"body": words})
        if isinstance(answer, Reply):
            _trees(answer, path)
            return
        _again(wire, answer, attempt)


def _again(wire: Wire, answer: Silence, attempt: int) -> None:
    if attempt == TRIES:
        raise wire.silent(answer)
    wire.wait(attempt)


def _trees(reply: Reply, where: str, key: str = "") -> list[Mapping[str, Json]]:
    """The objects of a list, or of the list under `key`. Raises RelockError where the forge says no."""
    if not 200 <= reply.status < 300:
        refused(reply, where)
    body = reply.body.get(key, reply.body) if isinstance(reply.body, dict) and key else reply.body
    return [tree for tree in (body if isinstance(body, list) else [body]) if isinstance(tree, dict)]
