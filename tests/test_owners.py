"""CODEOWNERS in; whose a file is out. The cases are those of GitHub's and GitLab's own pages."""

from pathlib import PurePosixPath

import pytest

from migrate.owners import read


def owners(text: str, path: str) -> str:
    return " ".join(read(text).of(PurePosixPath(path)))


@pytest.mark.parametrize(
    ("pattern", "its", "not_its"),
    [
        ("*", ["a.tf", "net/a.tf"], []),
        ("*.tf", ["a.tf", "net/deep/a.tf"], ["a.js"]),
        ("/build/logs/", ["build/logs/a", "build/logs/b/a"], ["x/build/logs/a", "build/logs"]),
        ("docs/*", ["docs/a.md"], ["docs/build/a.md", "x/docs/a.md"]),
        ("apps/", ["apps/a", "x/apps/b/a"], ["apps"]),
        ("/docs/", ["docs/a", "docs/b/a"], ["x/docs/a"]),
        ("/scripts", ["scripts", "scripts/a/b"], ["x/scripts/a"]),
        ("**/logs", ["logs/a", "build/logs/a", "deeply/nested/logs/a"], ["build/log/a"]),
        ("net/**", ["net/a", "net/b/a"], ["x/net/a", "net"]),
        ("a/**/b.tf", ["a/b.tf", "a/x/y/b.tf"], ["x/a/b.tf"]),
        ("net/main.tf", ["net/main.tf"], ["x/net/main.tf", "net/main-tf"]),
        ("ma?n.tf", ["main.tf", "x/main.tf"], ["ma/n.tf", "maan.tfx"]),
        (r"two\ words/", ["two words/a"], ["two/a", "words/a"]),
        (r"\#odd", ["#odd"], ["odd"]),
        ("Net/", ["Net/a"], ["net/a"]),
    ],
)
def test_a_pattern(pattern: str, its: list[str], not_its: list[str]) -> None:
    text = f"{pattern} @acme/net\n"
    assert [path for path in its if owners(text, path) != "@acme/net"] == []
    assert [path for path in not_its if owners(text, path)] == []


GITHUB = """\
# Whoever is not named below
*       @acme/all
*.js    @acme/js  # This is an inline comment.
/apps/  @octocat docs@acme.example
/apps/github
!/apps/own @acme/none
a[bc].tf @acme/none
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.tf", "@acme/all"),
        ("x/a.js", "@acme/js"),
        ("apps/a.js", "@octocat docs@acme.example"),
        ("apps/github/a", ""),
        ("apps/own", "@octocat docs@acme.example"),
        ("ab.tf", "@acme/all"),
    ],
)
def test_the_last_line_that_matches_decides(path: str, expected: str) -> None:
    assert owners(GITHUB, path) == expected


GITLAB = """\
* @acme/all
[Documentation] @docs-team
docs/
README.md
^[Database][2] @database-team
model/db/
config/db/database-setup.md @docs-team @dba
[DOCUMENTATION]
/legal/ @legal
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("main.tf", "@acme/all"),
        ("x/docs/a.md", "@acme/all @docs-team"),
        ("x/README.md", "@acme/all @docs-team"),
        ("x/model/db/a.rb", "@acme/all @database-team"),
        ("config/db/database-setup.md", "@acme/all @docs-team @dba"),
        ("legal/README.md", "@acme/all @legal"),
        ("x/legal/a.md", "@acme/all"),
    ],
)
def test_every_section_has_its_say(path: str, expected: str) -> None:
    assert owners(GITLAB, path) == expected


@pytest.mark.parametrize(
    "text", ["", "\n\n# nothing\n", "[", "[]", "^[", "/", "**", "\\", "a\\", "* \x1b[2J"]
)
def test_any_text_is_read(text: str) -> None:
    assert isinstance(owners(text, "a/b"), str)
