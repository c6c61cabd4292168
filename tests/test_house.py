"""The rules of the house that no linter knows: sizes, and what no file may contain."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo import Repo

ROOT = Path(__file__).parent.parent
MODULE, TEST_MODULE, FUNCTION = 250, 400, 60  # "about 240": ten lines are no reason to split

ELSEWHERE = [
    (r"(?<![\w.~:/-])/(work|farm|root|home|Users)/\w", "a path of somebody's machine"),
    (r"(?<![\w.~:/-])/tmp/\w\w", "a path of somebody's machine"),  # one letter is an example
    (
        r"\b(pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|crates\.io|proxy\.golang\.org)\b",
        "a registry",
    ),
    (r"\b(repo\d?\.maven\.\w+|deb\.debian\.org|rubygems\.org)\b", "a registry"),
]


def files() -> list[str]:
    """What git has or would take, and what therefore travels."""
    listed = Repo(ROOT).git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


FILES = files()
MODULES = [name for name in FILES if name.endswith(".py")]


def functions(name: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.name, node.end_lineno - node.lineno + 1


def test_modules_are_short() -> None:
    lines = {name: len((ROOT / name).read_text("utf-8").splitlines()) for name in MODULES}
    allowed = {name: TEST_MODULE if name.startswith("tests/") else MODULE for name in MODULES}
    assert {name: count for name, count in lines.items() if count > allowed[name]} == {}


def test_functions_are_short() -> None:
    sizes = [(name, function, size) for name in MODULES for function, size in functions(name)]
    assert [found for found in sizes if found[2] > FUNCTION] == []


@pytest.mark.parametrize(("pattern", "what"), ELSEWHERE)
def test_no_file_names_a_machine_or_a_registry(pattern: str, what: str) -> None:
    found = [
        f"{name}:{number}: {what}: {line.strip()}"
        for name in FILES
        for number, line in enumerate((ROOT / name).read_text("utf-8", "replace").splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []
