"""Jenkins: the `sh` steps of a Jenkinsfile. A workspace is kept from build to build."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, Refusal, Run, RunWish, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling import runs
from migrate.spelling.runs import HERE, YES, Part, Script, Sheet
from migrate.text import Span

NAME: Final = "jenkinsfile"

_STEP: Final = re.compile(
    r"""\b(?:sh|bat|pwsh|powershell)\b[ \t(]*(?:script[ \t]*:[ \t]*)?
    (?P<quote>'''|\"\"\"|'|")(?P<script>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""",
    re.VERBOSE | re.DOTALL,
)
_HELD: Final = re.compile(r"\bdisableConcurrentBuilds\b|\block\s*\(|\bthrottle\s*\(|\bmilestone\b")
_POD: Final = re.compile(r"\b(?:kubernetes|docker|dockerfile)\s*[{(]|\b(?:cleanWs|deleteDir)\b")
_AGENT: Final = Unknown("the agent may begin with an empty workspace")
_INSIDE: Final = Unknown("it runs in the folder that a dir step names")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "jenkinsfile" in path.name.lower() or path.suffix in (".groovy", ".jenkinsfile")


def find(source: Source, /) -> Found[Run]:
    text = source.text
    where: Fact[PurePosixPath] = _INSIDE if re.search(r"\bdir\s*\(", text) else HERE
    kept: Fact[bool] = _AGENT if _POD.search(text) else YES
    held = Known(_HELD.search(text) is not None)
    steps = (Span(*step.span("script")) for step in _STEP.finditer(text))
    scripts = [
        Script((Part(at),), where, "build", automated=True, serialised=held, kept=kept) for at in steps
    ]
    return Sheet(source, NAME).found(scripts)


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return runs.edit(sources[found.path].text, found, wish)
