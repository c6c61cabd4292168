"""GitLab CI: the scripts of jobs, `resource_group`, `cache`.

Before a job the runner cleans away what git ignores.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Refusal, Run, RunWish, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling import runs
from migrate.spelling.runs import NO, YES, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, cached, has, scripts

NAME: Final = "gitlab"

_FILE: Final = re.compile(r"(?i)\.?gitlab[\w.-]*\.ya?ml|(?:.*/)?\.?gitlab(?:-ci)?/.*\.ya?ml")
_SCRIPTS: Final = ("before_script", "script", "after_script")
_EXTENDED: Final = Unknown("what the job extends may name a resource_group")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return bool(_FILE.fullmatch(path.name) or _FILE.fullmatch(str(path)))


def find(source: Source, /) -> Found[Run]:
    """All scripts of a job are one shell."""
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        for route, job, parts in scripts(source.text, document, _SCRIPTS):
            name = ".".join(map(str, route))
            serialised = _serialised(document, route, name)
            found.append(Script(parts, job=name, automated=True, serialised=serialised, kept=HOSTED))
            others += cached(sheet, job, found[-1], "cache", "paths")
        whole = Script((), automated=True, kept=HOSTED)
        others += cached(sheet, document, whole, "cache", "paths")
        others += cached(sheet, document, whole, "default", "cache", "paths")
    return sheet.found(found, others)


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return runs.edit(sources[found.path].text, found, wish)


def _serialised(document: yamltree.Node, route: yamltree.Route, name: str) -> Fact[bool]:
    if has(document, route, "resource_group"):
        return YES
    borrowed = name.startswith(".") or has(document, route, "extends", "<<")
    return _EXTENDED if borrowed else NO
