"""Jenkins: the `sh` steps of a Jenkinsfile. A workspace is kept from build to build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import YES, Part, Script, Sheet
from migrate.text import Span

NAME: Final = "jenkinsfile"

_COMMENT: Final = r"//[^\n]*+|/\*(?>(?:[^*]|\*(?!/))*)(?:\*/)?"
_STRING: Final = (
    r"'''(?>(?:\\.|(?!''').)*)(?:'''|\Z)|\"\"\"(?>(?:\\.|(?!\"\"\").)*)(?:\"\"\"|\Z)"
    r"|'(?>(?:\\.|[^'\\\n])*)'|\"(?>(?:\\.|[^\"\\\n])*)\""
)
_NAMED: Final = r"""(?!script\b)\w++[ \t]*+:\s*+(?:'[^'\n]*+'|"[^"\n]*+"|[\w.]++)"""
# `sh 'terraform init'` with its named arguments; `dir('net') {`; and what may hold either as text: other
# strings, comments; and other braces, which end the blocks of `dir`.
_TOKEN: Final = re.compile(
    rf"""\b(?:sh|bat|pwsh|powershell|shell)\b[ \t]*+(?:\(\s*+)?
    (?P<before>(?:{_NAMED}\s*+,\s*+)*)(?:script[ \t]*+:\s*+)?
    (?P<quote>'''|\"\"\"|'|")(?P<script>(?>(?:\\.|(?!(?P=quote)).)*))(?P=quote)
    (?P<after>(?:\s*+,\s*+{_NAMED})*)
    |(?P<enters>\bdir[ \t]*+\(\s*+(?:path[ \t]*+:\s*+)?(?:(?P<dir>{_STRING})\s*+|[^()\n]*+)\)\s*+\{{)
    |{_STRING}|{_COMMENT}|(?P<brace>[{{}}])""",
    re.VERBOSE | re.DOTALL,
)
_SAID: Final = re.compile(rf"(?P<said>{_STRING})|{_COMMENT}", re.DOTALL)
_CAPTURES: Final = re.compile(r"returnStdout\s*:\s*true")
_WORKSPACE: Final = re.compile(r"\$(?:\{(?:env\.)?WORKSPACE\}|WORKSPACE)/?")
_HELD: Final = re.compile(r"\bdisableConcurrentBuilds\b|\block\s*\(|\bthrottle\s*\(|\bmilestone\b")
_POD: Final = re.compile(r"\b(?:kubernetes|docker|dockerfile)\s*[{(]|\b(?:cleanWs|deleteDir)\b")
_AGENT: Final = Unknown("the agent may begin with an empty workspace")
_FILLED_IN: Final = Unknown("it runs in a folder that a variable names")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "jenkinsfile" in path.name.lower() or path.suffix in (".groovy", ".jenkinsfile")


def find(source: Source, /) -> Found[Run]:
    """Each `sh` is a shell of its own, in the folder of the `dir` blocks around it."""
    code = _SAID.sub(lambda found: found["said"] or "", source.text)
    kept: Fact[bool] = _AGENT if _POD.search(code) else YES
    held = Known(_HELD.search(code) is not None)
    return Sheet(source, NAME).found(_scripts(source.text, held, kept))


def _scripts(text: str, held: Fact[bool], kept: Fact[bool]) -> Iterator[Script]:
    around: list[Fact[PurePosixPath]] = [HERE]
    for token in _TOKEN.finditer(text):
        if token["enters"]:
            around.append(_entered(around[-1], token["dir"]))
        elif token["brace"] == "{":
            around.append(around[-1])
        elif token["brace"] and len(around) > 1:
            around.pop()
        elif token["script"] is not None:
            yield Script(
                (Part(Span(*token.span("script"))),), around[-1], "build",
                automated=True, serialised=held, kept=kept,
                captured=_CAPTURES.search(token["before"] + token["after"]) is not None,
            )  # fmt: skip


def _entered(outside: Fact[PurePosixPath], said: str | None) -> Fact[PurePosixPath]:
    """The folder of a `dir` block, by its name in quotes."""
    return below(outside, _WORKSPACE.sub("", said.strip("'\""), count=1)) if said else _FILLED_IN
