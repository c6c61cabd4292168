"""Jenkins: the `sh` steps of a Jenkinsfile. A workspace is kept from build to build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate.model import Fact, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import CALLED, NO, YES, Part, Script, Sheet
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
_WHOLE: Final = re.compile(r"\bpipeline\s*\{|\bnode\s*(?:\([^()\n]*\)\s*)?\{")
_CALLER: Final = Unknown("the pipeline that calls this may hold it back")
_POD: Final = re.compile(r"\b(?:kubernetes|docker|dockerfile)\s*[{(]|\b(?:cleanWs|deleteDir)\b")
_AGENT: Final = Unknown("the agent may begin with an empty workspace")
_FILLED_IN: Final = Unknown("it runs in a folder that a variable names")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "jenkinsfile" in path.name.lower() or path.suffix in (".groovy", ".jenkinsfile")


def find(source: Source, /) -> Found[Run]:
    """Each `sh` is a shell of its own, in the folder of the `dir` blocks around it.

    What is no pipeline is a library, and does its steps where a pipeline calls it.
    """
    code = _SAID.sub(lambda found: found["said"] or "", source.text)
    kept: Fact[bool] = _AGENT if _POD.search(code) else YES
    whole = "jenkinsfile" in source.path.name.lower() or _WHOLE.search(code) is not None
    held = YES if _HELD.search(code) else NO if whole else _CALLER
    where = HERE if whole else CALLED
    build = Script((), where, "build", automated=True, serialised=held, kept=kept)
    return Sheet(source, NAME).found(_scripts(source.text, build))


def _scripts(text: str, build: Script) -> Iterator[Script]:
    around: list[Fact[PurePosixPath]] = [build.directory]
    for token in _TOKEN.finditer(text):
        if token["enters"]:
            around.append(_entered(around[-1], token["dir"]))
        elif token["brace"] == "{":
            around.append(around[-1])
        elif token["brace"] and len(around) > 1:
            around.pop()
        elif token["script"] is not None:
            part = Part(Span(*token.span("script")))
            captured = _CAPTURES.search(token["before"] + token["after"]) is not None
            yield replace(build, parts=(part,), directory=around[-1], captured=captured)


def _entered(outside: Fact[PurePosixPath], said: str | None) -> Fact[PurePosixPath]:
    """The folder of a `dir` block, by its name in quotes."""
    return below(outside, _WORKSPACE.sub("", said.strip("'\""), count=1)) if said else _FILLED_IN
