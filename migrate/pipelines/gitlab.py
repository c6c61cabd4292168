"""GitLab CI: the scripts of jobs, `resource_group`, `cache`.

Before a job the runner cleans away what git ignores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import HERE
from migrate.spelling.runs import NO, YES, Part, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, cached, has, in_yaml, scripts

NAME: Final = "gitlab"

_FILE: Final = re.compile(r"(?i)\.?gitlab[\w.-]*\.ya?ml|(?:.*/)?\.?gitlab(?:-ci)?/.*\.ya?ml")
_SCRIPTS: Final = ("before_script", "script", "after_script")
_WHOLE: Final[tuple[yamltree.Route, ...]] = ((), ("default",))
_EXTENDED: Final = Unknown("what the job extends may name a resource_group")
_BEFORE: Final = Unknown("what the job extends may go to another directory first")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return bool(_FILE.fullmatch(path.name) or _FILE.fullmatch(str(path)))


def find(source: Source, /) -> Found[Run]:
    """All scripts of a job are one shell, behind the `before_script` of all jobs where it has none."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    first = _of_all(sheet.source.text, document)
    for route, job, parts in scripts(sheet.source.text, document, _SCRIPTS):
        own = route in _WHOLE or job.get("before_script") or job.get("extends") or job.get("<<")
        script = _script(document, route, parts if own else (*first, *parts))
        yield script
        yield from cached(sheet, job, script, "cache", "paths") if route not in _WHOLE else ()
    for route in _WHOLE:
        whole = Script((), automated=True, kept=HOSTED)
        yield from cached(sheet, yamltree.at(document, *route), whole, "cache", "paths")


def _of_all(text: str, document: yamltree.Node) -> tuple[Part, ...]:
    """The `before_script` of the file, or of its `default`."""
    places = (yamltree.at(document, *route) for route in _WHOLE)
    found = (parts for place in places for at, _, parts in scripts(text, place, ("before_script",)) if not at)
    return next(found, ())


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[Part, ...]) -> Script:
    name = ".".join(map(str, route)) or "default"
    extends = has(document, route, "extends", "<<")
    serialised = _EXTENDED if extends or name.startswith(".") else NO
    return Script(
        parts=parts,
        directory=_BEFORE if extends and yamltree.at(document, *route, "before_script") is None else HERE,
        job=name,
        automated=True,
        serialised=YES if has(document, route, "resource_group") else serialised,
        kept=HOSTED,
    )
