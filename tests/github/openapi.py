"""GitHub's own description of its API (npm `@octokit/openapi`), cut to what we use.

The whole file has 800 paths; cut to those of `USED` the checking proxy starts in two seconds.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Tree: TypeAlias = dict[str, Json]

MODULES: Final = Path(__file__).parents[2] / ".cache/github/node_modules"
WHOLE: Final = MODULES / "@octokit/openapi/generated/api.github.com.json"
USED: Final = (
    "/repos/{owner}/{repo}",
    "/repos/{owner}/{repo}/pulls",
    "/repos/{owner}/{repo}/pulls/{pull_number}",
    "/repos/{owner}/{repo}/issues/{issue_number}/labels",
    "/repos/{owner}/{repo}/commits/{ref}/status",
    "/repos/{owner}/{repo}/statuses/{sha}",
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "/repos/{owner}/{repo}/commits/{ref}/check-runs",
    "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/repos/{owner}/{repo}/check-runs",
    "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
    "/repos/{owner}/{repo}/issues/{issue_number}/events",
    "/repos/{owner}/{repo}/collaborators/{username}",
    "/repos/{owner}/{repo}/rules/branches/{branch}",
    "/repos/{owner}/{repo}/branches/{branch}",
    "/repos/{owner}/{repo}/branches/{branch}/protection/required_signatures",
    "/repos/{owner}/{repo}/git/trees",
    "/repos/{owner}/{repo}/git/commits",
    "/repos/{owner}/{repo}/git/ref/{ref}",
    "/repos/{owner}/{repo}/installation",
    "/app/installations/{installation_id}/access_tokens",
    "/orgs/{org}/installation",
    "/orgs/{org}/repos",
    "/search/repositories",
)
GRAPHQL: Final[Tree] = {
    "post": {
        "requestBody": {
            "content": {"application/json": {"schema": {"type": "object", "required": ["query"]}}}
        },
        "responses": {
            "200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}
        },
    }
}
"""The GraphQL API has another kind of description; its calls are let through."""


def cut(whole: Tree) -> Tree:
    """The description of the paths used, with the components these lead to."""
    paths = _tree(whole["paths"])
    needed: Tree = {path: _without_examples(paths[path]) for path in USED}
    components: Tree = {}
    _collect(whole, needed, components)
    kept = {name: whole[name] for name in ("openapi", "info", "servers")}
    return {**kept, "paths": {**needed, "/graphql": GRAPHQL}, "components": components}


def _collect(whole: Tree, node: Json, components: Tree) -> None:
    for route in _references(node):
        kind, name = route.split("/")[2:]
        found = _tree(components.setdefault(kind, {}))
        if name not in found:
            found[name] = part = _without_examples(_resolved(whole, route))
            _collect(whole, part, components)


def _resolved(tree: Tree, route: str) -> Json:
    node: Json = tree
    for name in route.split("/")[1:]:
        node = _tree(node)[name]
    return node


class Description(Struct, frozen=True):
    """What GitHub says of the calls we use, and answers that satisfy it."""

    tree: Tree

    def filled(self, name: str, known: Tree) -> Tree:
        """An object of the schema `name`: what is `known`, the rest from GitHub's own examples."""
        return _tree(_over(self._example(_resolved(self.tree, f"#/components/schemas/{name}")), known))

    def _example(self, schema: Json) -> Json:
        match schema:
            case {"$ref": str(route)}:
                return self._example(_resolved(self.tree, route))
            case {"example": example} if example is not None:
                return example
            case {"enum": [first, *_]}:
                return first
            case {"oneOf": [first, *_]} | {"anyOf": [first, *_]} | {"allOf": [first, *_]}:
                return self._example(first)
            case {"nullable": True, "properties": _}:
                return None
            case {"properties": dict(properties)}:
                return {key: self._example(properties[key]) for key in _strings(schema, "required")}
            case {"type": "string", "format": str(form)} if form in _FORMATS:
                return _FORMATS[form]
            case {"type": str(kind)}:
                return _PLAIN[kind]
            case _:
                return None


_PLAIN: Final[Tree] = {"string": "", "integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}


_FORMATS: Final = {"uri": "https://api.github.com/it", "date-time": "2026-01-05T09:00:00Z"}


def read() -> Description:
    return Description(cut(json.loads(WHOLE.read_text())))


def _references(node: Json) -> Iterator[str]:
    match node:
        case {"$ref": str(route)}:
            yield route
        case dict():
            for child in node.values():
                yield from _references(child)
        case list():
            for child in node:
                yield from _references(child)
        case _:
            return


def _without_examples(node: Json) -> Json:
    """Examples are two thirds of the file, and refer to examples."""
    match node:
        case dict():
            return {
                key: _without_examples(child)
                for key, child in node.items()
                if key != "examples" or not isinstance(child, dict)
            }
        case list():
            return [_without_examples(child) for child in node]
        case _:
            return node


def _over(under: Json, over: Json) -> Json:
    if isinstance(under, dict) and isinstance(over, dict):
        return {**under, **{key: _over(under.get(key), value) for key, value in over.items()}}
    return over


def _tree(node: Json) -> Tree:
    assert isinstance(node, dict)
    return node


def _strings(node: Json, key: str) -> list[str]:
    found = node.get(key) if isinstance(node, dict) else None
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
