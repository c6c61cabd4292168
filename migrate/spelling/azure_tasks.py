"""The tasks of Azure Pipelines that run Terraform, in pipelines and in the templates these are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate import shell, yamltree
from migrate.model import Run
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import Script, Sheet, moved

_TASK: Final = re.compile(r"(?i)(?:[\w.-]+\.)?Terraform(?:Task|CLI)(?:V\d)?@.*")
_ROOT: Final = re.compile(r"(?i)\$\((?:System\.DefaultWorkingDirectory|Build\.SourcesDirectory)\)/?")


def terraform_task(sheet: Sheet, step: yamltree.Mapping, script: Script) -> Iterator[Run]:
    """What a step runs that is such a task."""
    task = yamltree.at(step, "task")
    if isinstance(task, yamltree.Scalar) and _TASK.fullmatch(task.value):
        to = below_root(yamltree.text(step, "inputs", "workingDirectory"))
        told = yamltree.text(step, "inputs", "commandOptions")
        words = [word.text for command in shell.commands(told) for word in command.words]
        there = moved(script, below(HERE, to)) if to else script
        yield sheet.run("terraform", yamltree.text(step, "inputs", "command"), words, task.span, there)


def below_root(directory: str) -> str:
    """A directory as seen from the checkout, in which a step begins."""
    return _ROOT.sub("", directory)
