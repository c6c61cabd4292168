"""Azure Pipelines: script steps, Terraform tasks, `lockBehavior`, caches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import runs
from migrate.spelling.azure_tasks import below_root, terraform_task
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import NO, YES, Script, Sheet
from migrate.spelling.yaml_scripts import cached, has, in_yaml, kept, nearest, scripts

NAME: Final = "azure"

_FILE: Final = re.compile(r"(?i)(?:.*/)?\.?azure[\w.-]*(?:\.ya?ml|/.*\.ya?ml)")
_SCRIPTS: Final = ("script", "bash", "pwsh", "powershell", "inlineScript")
_HOSTED: Final = re.compile(r"(?:ubuntu|macOS|windows|vs)[\w.-]*")
_SERVICE: Final = Unknown("the environment may have an exclusive lock, which the service keeps")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    for route, _, parts in scripts(sheet.source.text, document, _SCRIPTS):
        yield _script(document, route, parts)
    for route, step in yamltree.walk(document):
        if isinstance(step, yamltree.Mapping):
            script = _script(document, route, ())
            yield from terraform_task(sheet, step, script)
            if yamltree.text(step, "task").startswith("Cache@"):
                yield from cached(sheet, step, script, "inputs", "path")


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[runs.Part, ...]) -> Script:
    to = below_root(nearest(document, route, "workingDirectory"))
    jobs = [at for at, step in enumerate(route) if step == "steps"]
    return Script(
        parts=parts,
        directory=below(HERE, to) if to else HERE,
        job=".".join(map(str, route[: jobs[0]] if jobs else ())),
        automated=True,
        serialised=_serialised(document, route),
        kept=kept(nearest(document, route, "pool", "vmImage"), hosted=_HOSTED),
    )


def _serialised(document: yamltree.Node, route: yamltree.Route) -> Fact[bool]:
    if nearest(document, route, "lockBehavior") == "sequential":
        return YES
    return _SERVICE if has(document, route, "environment") else NO
