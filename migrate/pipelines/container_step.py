"""Steps that are containers: of Cloud Build, Compose, and of Kubernetes by itself, by Tekton or by Argo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import runs
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, in_yaml, scripts, started

NAME: Final = "container_step"

_FILE: Final = re.compile(r"(?i)\.?(?:cloudbuild|(?:docker-)?compose)[\w.-]*\.ya?ml")
_KIND: Final = re.compile(
    rb"(?m)^apiVersion:\s*[\"']?(?:tekton\.dev|argoproj\.io|batch)/|^kind:\s*[\"']?(?:CronJob|Job|Pod)\b"
)
_SCRIPTS: Final = ("script", "command", "args", "source")
_IMAGE: Final = Unknown("it runs where its image or its mounts say")
_CALLER: Final = Unknown("what starts these containers may hold them back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    yaml = path.suffix in (".yml", ".yaml")
    return yaml and (_FILE.fullmatch(path.name) is not None or _KIND.search(head) is not None)


def find(source: Source, /) -> Found[Run]:
    """A shell with its script as the last word, or an engine with its arguments."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    for route, _, parts in scripts(sheet.source.text, document, _SCRIPTS):
        yield _script(route, parts)
    for route, node in yamltree.walk(document):
        yield from started(sheet, node, _script(route, ()))


def _script(route: yamltree.Route, parts: tuple[runs.Part, ...]) -> Script:
    job = ".".join(map(str, route))
    return Script(parts, _IMAGE, job, automated=True, serialised=_CALLER, kept=HOSTED)
