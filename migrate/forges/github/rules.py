"""What GitHub's rules would say to a push, asked before anything is pushed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import quote

from migrate.forges.answer import Json, Reply, text, tree_of, trees_of
from migrate.forges.forge import Push, Stop
from migrate.forges.wire import Wire
from migrate.model import RepoId

_BRANCH: Final = "proposals: branch: in --config FILE"
_MESSAGE: Final = "proposals: message:, titles: or trailers: in --config FILE"
SIGN: Final = "set commit.gpgsign in git's own configuration, with a key that GitHub knows"
_SIGN: Final = f"use an App, whose commits GitHub signs, or {SIGN}"
_UNSIGNED: Final = Stop("commits must be signed there", _SIGN)
_UNSEEN: Final = Stop(
    "its base is protected, and whether only signed commits may be merged there is not shown to this token",
    f"give it administration: read, or {SIGN}",
    sure=False,
)
ACTIONS: Final = Stop(
    "the token of a workflow's run makes proposals that start no checks, and may change no workflow file",
    "give the run the token of an App or a person",
)


def may_change_workflows(reply: Reply) -> bool:
    """What GitHub says of a classic token with every answer; of other tokens the push says it."""
    scopes = [scope.strip() for scope in reply.headers.get("x-oauth-scopes", "").split(",")]
    return scopes == [""] or "workflow" in scopes


def stops(wire: Wire, path: str, repo: RepoId, push: Push) -> tuple[Stop, ...]:
    """What the active rules of the branch would refuse, and what those of its base would not let be merged.

    A GitHub without rules, or that does not show them, says nothing here; the push does then. Who may pass a
    rule by is not shown either: give him our branch.
    """
    found = [*_stops(_rules(wire, path, repo, push.branch), push)]
    if not push.signed and push.base:
        wanted = wants_signatures(wire, path, repo, push.base)
        found += [_UNSEEN] if wanted is None else [_UNSIGNED] if wanted else []
    return tuple(dict.fromkeys(found))


def wants_signatures(wire: Wire, path: str, repo: RepoId, branch: str) -> bool | None:
    """Whether only signed commits are taken on the branch, by its rules or by its protection of the older
    kind. None where the branch is protected and GitHub does not show how: that takes an administrator.
    """
    if any(text(rule, "type") == "required_signatures" for rule in _rules(wire, path, repo, branch)):
        return True
    where = f"{path}/branches/{quote(branch, safe='')}"
    shown = wire.get(where)
    if shown.status == 404 or (shown.status == 200 and tree_of(shown, repo).get("protected") is False):
        return False
    asked = wire.get(f"{where}/protection/required_signatures")
    if asked.status == 404 and asked.message == "Branch not protected":  # but by rules, which were asked
        return False
    return None if asked.status in (403, 404) else tree_of(asked, repo).get("enabled") is True


def _rules(wire: Wire, path: str, repo: RepoId, branch: str) -> list[dict[str, Json]]:
    reply = wire.get(f"{path}/rules/branches/{quote(branch, safe='')}", query={"per_page": "100"})
    return [] if reply.status in (403, 404) else trees_of(reply, repo)


def _stops(rules: Iterable[Mapping[str, Json]], push: Push) -> Iterator[Stop]:
    for rule in rules:
        match text(rule, "type"):
            case "branch_name_pattern" if _breaks(rule, push.branch):
                yield Stop(f"a rule there wants branch names {_said(rule)}", _BRANCH)
            case "commit_message_pattern" if any(_breaks(rule, message) for message in push.messages):
                yield Stop(
                    f"a rule there wants commit messages {_said(rule)}",
                    _MESSAGE,
                )
            case "required_signatures" if not push.signed:
                yield _UNSIGNED
            case _:
                pass


def _breaks(rule: Mapping[str, Json], words: str) -> bool:
    pattern, negated = text(rule, "parameters", "pattern"), _negated(rule)
    match text(rule, "parameters", "operator"):
        case "starts_with":
            return words.startswith(pattern) == negated
        case "ends_with":
            return words.endswith(pattern) == negated
        case "contains":
            return (pattern in words) == negated
        case "regex":
            return _found(pattern, words, negated) == negated
        case _:
            return False


def _found(pattern: str, words: str, negated: bool) -> bool:  # noqa: FBT001  as the rule has it
    """GitHub's expressions are not Python's: of one that is none here nothing is claimed."""
    try:
        return re.search(pattern, words, re.MULTILINE) is not None
    except re.error:
        return not negated


def _negated(rule: Mapping[str, Json]) -> bool:
    parameters = rule.get("parameters")
    return isinstance(parameters, dict) and parameters.get("negate") is True


def _said(rule: Mapping[str, Json]) -> str:
    operator = text(rule, "parameters", "operator").replace("_", " ")
    return f"{'not: ' if _negated(rule) else 'with: '}{operator} {text(rule, 'parameters', 'pattern')}"
