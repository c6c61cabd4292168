"""The rules of the house that no linter knows: sizes, and what no file may contain."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.repo import Repo

ROOT = Path(__file__).parent.parent
MODULE, TEST_MODULE, FUNCTION = 250, 400, 59  # "about 240": ten lines are no reason to split

ELSEWHERE = [
    (r"(?<![\w.~:/-])/(work|farm|root|home|Users)/\w", "a path of somebody's machine"),
    (r"(?<![\w.~:/-])/tmp/\w\w", "a path of somebody's machine"),  # one letter is an example
    (
        r"\b(pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|crates\.io|proxy\.golang\.org)\b",
        "a registry",
    ),
    (r"\b(repo\d?\.maven\.\w+|deb\.debian\.org|rubygems\.org)\b", "a registry"),
]


REPLACING = (".setattr", ".delattr", "patch", "patch.object")


def files() -> list[str]:
    """What git has or would take, and what therefore travels."""
    listed = Repo(ROOT).git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


FILES = files()
MODULES = [name for name in FILES if name.endswith(".py")]


@cache
def parsed(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text("utf-8"))


def functions(name: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.name, node.end_lineno - node.lineno + 1


def test_modules_are_short() -> None:
    lines = {name: len((ROOT / name).read_text("utf-8").splitlines()) for name in MODULES}
    allowed = {name: TEST_MODULE if name.startswith("tests/") else MODULE for name in MODULES}
    assert {name: count for name, count in lines.items() if count > allowed[name]} == {}


def test_functions_are_short() -> None:
    sizes = [(name, function, size) for name in MODULES for function, size in functions(name)]
    assert [found for found in sizes if found[2] > FUNCTION] == []


def imported(tree: ast.Module) -> Iterator[str]:
    """The names under which a module knows our program or something of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "migrate":
            yield from (found.asname or found.name for found in node.names)
        elif isinstance(node, ast.Import) and node.names[0].name.partition(".")[0] == "migrate":
            yield node.names[0].asname or "migrate"


def replaced(tree: ast.Module) -> Iterator[str]:
    """What of our program is replaced while a test runs."""
    ours = {*imported(tree), "migrate"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith(REPLACING):
            target = ast.unparse(node.args[0]).strip("'")
            if target.partition(".")[0] in ours:
                yield f"{node.lineno}: {target}"


def test_no_test_replaces_our_own_code() -> None:
    tests = [name for name in MODULES if name.startswith("tests/")]
    assert [(name, found) for name in tests for found in replaced(parsed(name))] == []


def test_what_replaces_our_own_code_is_found() -> None:
    code = """
import time, migrate.store
from migrate import process as starting
def test_it(patch, mocker):
    patch.setattr(time, "sleep", None)
    patch.setattr(migrate.store, "Store", None)
    mocker.patch.object(starting, "run")
    patch.setattr("migrate.git.run", None)
"""
    found = ["6: migrate.store", "7: starting", "8: migrate.git.run"]
    assert list(replaced(ast.parse(code))) == found


def test_every_test_stands_in_a_module_that_is_run() -> None:
    """A module of another name is never asked for its tests."""
    unrun = [name for name in MODULES if not name.rpartition("/")[2].startswith("test_")]
    found = [(name, function) for name in unrun for function, _ in functions(name)]
    assert [one for one in found if one[1].startswith("test_")] == []


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.2 (Debian 12) keeps what the last, failing round took; `(?>(?:…)*)` gives it back."""
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in MODULES
        if name.startswith("migrate/")
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1)
        if re.search(r"[)}][*+?]\+", line)
    ]
    assert found == []


@pytest.mark.parametrize(("pattern", "what"), ELSEWHERE)
def test_no_file_names_a_machine_or_a_registry(pattern: str, what: str) -> None:
    found = [
        f"{name}:{number}: {what}: {line.strip()}"
        for name in FILES
        for number, line in enumerate((ROOT / name).read_text("utf-8", "replace").splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("cd /{0}/ada/net", "a path of somebody's machine"),
        ('open("/{1}/x")', "a path of somebody's machine"),
        ("index-url = https://{2}/simple", "a registry"),
        ("https://{3}/left-pad", "a registry"),
        ("https://acme.example/{0}/ada", None),
        ("/opt/{0}/ada and ./{0}/ada and ~/{0}", None),
    ],
)
def test_what_names_a_machine_or_a_registry_is_found(line: str, what: str | None) -> None:
    given = line.format("home", "root", "pypi." + "org", "registry.npmjs." + "org")
    assert next((said for pattern, said in ELSEWHERE if re.search(pattern, given)), None) == what
