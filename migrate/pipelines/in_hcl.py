"""Runs in configuration: what Terraform starts (`local-exec`, the data source `external`), a CodeBuild
project's own buildspec, and what Terragrunt adds to every run of its (`extra_arguments`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl
from migrate.model import Fact, Known, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.command_line import COMMANDS
from migrate.spelling.places import below
from migrate.spelling.runs import Part, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, inlaid, scripts
from migrate.text import Span

NAME: Final = "in_hcl"

_BLOCKS: Final = ("resource", "data", "terraform")
_HOLDING: Final = ("local-exec", '"external"', "buildspec", "extra_arguments")
_LOCKING: Final = "get_terraform_commands_that_need_locking"
_COMMANDS: Final = ("apply", "plan")
"""Those of what that function of Terragrunt's gives that speak for the others."""
_MODULE: Final = "${path.module}"
_APPLIED: Final = Unknown("it runs where the configuration that starts it is applied")
_BUILT: Final = Unknown("how many builds run at once is a setting of the CodeBuild project")
_CALLER: Final = Unknown("the lock of the configuration that starts it may hold it back")
_ESCAPED: Final = re.compile(r"\\(.)")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu", ".hcl")


def find(source: Source, /) -> Found[Run]:
    sheet = Sheet(source, NAME)
    blocks = _within(hcl.blocks(source.text, _BLOCKS, _HOLDING).blocks)
    return sheet.found(item for block in blocks for item in _items(sheet, block))


def _items(sheet: Sheet, block: hcl.Block) -> Iterator[Script | Run]:
    match block.type, block.labels[:1]:
        case "provisioner", ("local-exec",):
            yield from _started(sheet.source, block, "command")
        case "data", ("external",):
            yield from _started(sheet.source, block, "program")
        case "source", _:
            yield from _built(sheet.source, block)
        case "extra_arguments", _:
            yield from _added(sheet, block)
        case _:
            pass


def _within(blocks: Iterable[hcl.Block]) -> Iterator[hcl.Block]:
    for block in blocks:
        yield block
        yield from _within(block.blocks)


def _worked_in(source: Source, block: hcl.Block) -> Fact[PurePosixPath]:
    value = block.value("working_dir")
    said = value.span.of(source.text).strip('"') if value else ""
    if not said.startswith(_MODULE):
        return _APPLIED
    return below(Known(source.path.parent), f".{said.removeprefix(_MODULE)}")


def _started(source: Source, block: hcl.Block, name: str) -> Iterator[Script]:
    value = block.value(name)
    part = _part(source.text, value) if value else None
    if part:
        job = ".".join((block.type, *block.labels))
        where = _worked_in(source, block)
        yield Script((part,), where, job, automated=True, serialised=_CALLER, kept=_APPLIED)


def _part(text: str, value: hcl.Value) -> Part | None:
    """What a shell gets: a string, a heredoc, or the words of a list."""
    match value:
        case hcl.Heredoc(body=body):
            return Part(body)
        case hcl.List(items):
            return Part(value.span, said=shlex.join(_word(text, item) for item in items))
        case hcl.Literal(str()) | hcl.Template():
            inner = Span(value.span.start + 1, value.span.end - 1)
            return Part(inner, said=_word(text, value) if "\\" in inner.of(text) else None)
        case _:
            return None


def _word(text: str, value: hcl.Value) -> str:
    return _ESCAPED.sub(r"\1", value.span.of(text).removeprefix('"').removesuffix('"'))


def _built(source: Source, block: hcl.Block) -> Iterator[Script]:
    """The commands of a buildspec in a heredoc."""
    spec = block.value("buildspec")
    if isinstance(spec, hcl.Heredoc):
        for document in inlaid(source.text, spec.body):
            for _, _, parts in scripts(source.text, document, ("commands", "finally")):
                yield Script(parts, job="buildspec", automated=True, serialised=_BUILT, kept=HOSTED)


def _added(sheet: Sheet, block: hcl.Block) -> Iterator[Run]:
    """What Terragrunt adds to each of the commands that a block names."""
    text, given, commands = sheet.source.text, block.value("arguments"), block.value("commands")
    if isinstance(given, hcl.List) and commands:
        words = [_word(text, item) for item in given.items]
        named = [_word(text, item) for item in commands.items] if isinstance(commands, hcl.List) else []
        needing = _COMMANDS if _LOCKING in commands.span.of(text) else ()
        for command in dict.fromkeys((*(name for name in named if name in COMMANDS), *needing)):
            yield sheet.run("terragrunt", command, words, given.span, Script((), _APPLIED))
