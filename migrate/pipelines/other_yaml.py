"""YAML under any name: templates that pipelines include or are made from, playbooks of Ansible; and tasks in
JSON, which is YAML too: of editors, Nx and devcontainers.

Which product reads a file is not said, so what stands under a key that holds a script in one of them is one.
Where a kind of file has a module of its own, what that finds counts alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import runs
from migrate.spelling.azure_tasks import terraform_task
from migrate.spelling.command_line import is_filled
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import in_yaml, inlaid, scripts, started, texts

NAME: Final = "other_yaml"

_FILE: Final = re.compile(
    r"(?i).*\.ya?ml(?:\.(?:ejs|erb|gotmpl|hbs|j2|jinja2?|mustache|template|tftpl|tmpl|tpl))?"
    r"|(?:devcontainer|project|tasks)\.json"
)
_SCRIPTS: Final = (
    *("before_script", "script", "after_script", "commands", "command", "cmd", "cmds", "run", "runCommand"),
    *("bash", "pwsh", "powershell", "sh", "shell", "win_shell", "exec", "inlineScript", "code", "source"),
    *("onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand"),
    *(f"ansible.{home}.{module}" for home in ("builtin", "legacy") for module in ("shell", "command")),
)
_CALLER: Final = Unknown("what includes or starts this may hold it back")
_BEGINS: Final = Unknown("whether it begins with an empty directory is not said here")

_MODULES: Final = ("community.general.terraform", "terraform")
_STATES: Final = {"absent": "destroy", "planned": "plan"}
_FALSE: Final = re.compile(r"(?i)no|n|off|false|f|0(?:\.0)?")
_TRUE: Final = re.compile(r"(?i)yes|y|on|true|t|1(?:\.0)?")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Run]:
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    for route, step, parts in scripts(sheet.source.text, document, _SCRIPTS):
        if not _is_atmos(route, step):
            yield _script(sheet, route, parts)
    for route, node in yamltree.walk(document):
        if route[-1:] == ("BuildSpec",) and isinstance(node, yamltree.Scalar) and node.style == "block":
            for buildspec in inlaid(sheet.source.text, node.span):
                yield from _items(sheet, buildspec)
        yield from started(sheet, node, _script(sheet, route))
        if isinstance(node, yamltree.Mapping):
            yield from terraform_task(sheet, node, _script(sheet, route))
            yield from _of_ansible(sheet, node, _script(sheet, route))


def _script(sheet: Sheet, route: yamltree.Route, parts: tuple[runs.Part, ...] = ()) -> Script:
    """People run what stands in JSON."""
    job = ".".join(map(str, route)) or "file"
    automated = sheet.source.path.suffix != ".json"
    return Script(parts, runs.CALLED, job, automated=automated, serialised=_CALLER, kept=_BEGINS)


def _is_atmos(route: yamltree.Route, step: yamltree.Mapping) -> bool:
    """Whether Atmos takes the words of a step's `command`: what follows `apply` there is its component."""
    of_workflow = route[:1] == ("workflows",) and route[2:3] == ("steps",)
    return of_workflow and yamltree.text(step, "type") != "shell" and step.get("command") is not None


def _of_ansible(sheet: Sheet, task: yamltree.Mapping, of: Script) -> Iterator[Run]:
    """What the module `terraform` runs; where, its controller decides."""
    for member in task.members:
        given = member.value
        if member.key.value in _MODULES and yamltree.text(given, "project_path"):
            if _TRUE.fullmatch(yamltree.text(given, "force_init")):
                yield sheet.run("terraform", "init", tuple(_of_init(given)), member.key.span, of)
            command = _STATES.get(yamltree.text(given, "state"), "apply")
            yield sheet.run("terraform", command, tuple(_of_lock(given)), member.key.span, of)


def _of_init(given: yamltree.Node | None) -> Iterator[str]:
    values, files = (yamltree.at(given, key) for key in ("backend_config", "backend_config_files"))
    for member in values.members if isinstance(values, yamltree.Mapping) else ():
        yield f"-backend-config={member.key.value}={yamltree.text(values, member.key.value)}"
    yield from (f"-backend-config={file.value}" for file in texts(files))
    for key, flag in (("init_reconfigure", "-reconfigure"), ("provider_upgrade", "-upgrade")):
        said = yamltree.text(given, key)
        if is_filled(said) or _TRUE.fullmatch(said):
            yield said if is_filled(said) else flag


def _of_lock(given: yamltree.Node | None) -> Iterator[str]:
    if lock := yamltree.text(given, "lock"):
        yield f"-lock={'false' if _FALSE.fullmatch(lock) else lock}"
    if timeout := yamltree.text(given, "lock_timeout"):
        yield f"-lock-timeout={timeout}s"
