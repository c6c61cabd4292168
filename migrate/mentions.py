"""Every exact token that names a lock setting, so that nothing is overlooked.

What a plug claimed is its site; what is left is a mention, and a mention that may set a lock keeps the table
from being retired. The tokens are whole words in the sense of `rg -w`, so that a count from outside can be
held against ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.model import ACCOUNTED, Look, Mention, Place, Source
from migrate.text import Lines, Span, lead

TOKENS: Final = ("dynamodb_table", "lock_table", "dynamodbTable", "use_lockfile")
_WORD: Final = re.compile(r"\w")
_AROUND: Final = 12
"""Lines: the map of a backend is shorter."""
_WORDS: Final = re.compile(r"[\w./:@+=-]+")
_IN_TABLE: Final = re.compile("|".join(TOKENS[:3]))
_DUAL: Final = re.compile(r"(?i)\buse_?lockfile\W{1,5}true\b")

Closer: TypeAlias = Callable[[Source], Iterable[tuple[Span, Look]]]
"""Reads a file closer than by its name: the parts of it, and what each looks like."""

_DOCUMENTATION: Final = frozenset({".md", ".mdx", ".rst", ".adoc", ".html", ".svg"})
_README: Final = re.compile(r"(?i)readme\b.*")  # of any kind: `README.yaml` is what a README is made from
TEMPLATE: Final = frozenset(
    {".j2", ".jinja", ".jinja2", ".njk", ".tmpl", ".tpl", ".tftpl", ".gotmpl", ".erb", ".mustache", ".hbs"}
    | {".template", ".in"}
)
RENAMED: Final = re.compile(r".*(?:\.tfvars|\.tf(?:\.(?!json$)\w+|~|[_-]\w*))")
"""The names of code that Terraform does not load: it is copied to a `.tf` file before a run."""
_PIPELINE: Final = frozenset({".yml", ".yaml", ".sh", ".bash", ".zsh", ".mk", ".ps1", ".just"})
_PIPELINE_NAMES: Final = re.compile(
    r"(?i)(gnu)?makefile|jenkinsfile|dockerfile|justfile|taskfile|procfile|\.env.*"
)
_PROGRAM: Final = frozenset(
    {".py", ".go", ".ts", ".tsx", ".js", ".mjs", ".java", ".cs", ".rb", ".groovy", ".kt", ".rs", ".php", ".c"}
)
_HASH_COMMENTS: Final = (
    frozenset({".tf", ".tofu", ".hcl", ".tfvars", ".tfbackend", ".py", ".rb"}) | _PIPELINE | TEMPLATE
)
_SLASH_COMMENTS: Final = frozenset({".tf", ".tofu", ".hcl", ".tfvars", ".tfbackend"}) | _PROGRAM - {
    ".py",
    ".rb",
}


def mentions(source: Source, claimed: Sequence[Span], closer: Closer | None = None) -> tuple[Mention, ...]:
    """The tokens of a text that stand in none of the `claimed` spans, in order.

    Where one of them may set a lock, `closer` is asked what the parts of the file are.
    """
    lines, seen = Lines(source.text), None
    found = []
    hits = (hit for token in TOKENS for hit in _hits(source.text, token))
    for at, name in sorted(hits):
        if not _within(at, claimed):
            look = looks_like(source.path, lead(source.text, at))
            if closer and look not in ACCOUNTED:
                seen = list(closer(source)) if seen is None else seen
                look = next((part for span, part in seen if _within(at, [span])), look)
            found.append(Mention(Place(source.repo, source.path, lines.line(at)), name, look))
    return tuple(found)


def near(text: str, line: int) -> frozenset[str]:
    """The words around a line, where a table is named there and no lockfile is switched on beside it."""
    part = "\n".join(text.split("\n")[max(0, line - _AROUND) : line + _AROUND])
    alone = _IN_TABLE.search(part) and not _DUAL.search(part)
    return frozenset(_WORDS.findall(part)) if alone else frozenset()


def _within(at: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= at < span.end for span in spans)


def _hits(text: str, token: str) -> Iterator[tuple[int, str]]:
    """Where a token stands as a whole word; `str.find` is ten times as fast as a pattern of them all."""
    at = text.find(token)
    while at >= 0:
        end = at + len(token)
        if not _WORD.match(text[at - 1 : at]) and not _WORD.match(text, end):
            yield at, token
        at = text.find(token, end)


def looks_like(path: PurePosixPath, before: str) -> Look:
    """What a file looks like, from its name and from what stands before the token on its line."""
    suffix = path.suffix.lower()
    made_from = suffix in TEMPLATE and _DOCUMENTATION & {*path.suffixes}
    if suffix in _DOCUMENTATION or made_from or _README.fullmatch(path.name):
        return "documentation"
    if _is_comment(path, before.lstrip()):
        return "comment"
    if suffix in TEMPLATE:
        return "template"
    if suffix in _PIPELINE or _PIPELINE_NAMES.fullmatch(path.name):
        return "pipeline"
    if suffix in _PROGRAM:
        return "program"
    return "terragrunt" if suffix == ".hcl" else "other"


def _is_comment(path: PurePosixPath, before: str) -> bool:
    """Own-line comments only: a token after code on its line counts as code, which errs on the safe side."""
    suffix = path.suffix.lower()
    hashes = not suffix or suffix in _HASH_COMMENTS or bool(_PIPELINE_NAMES.fullmatch(path.name))
    return (hashes and before.startswith("#")) or (suffix in _SLASH_COMMENTS and before.startswith("//"))
