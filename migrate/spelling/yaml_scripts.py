"""Scripts in the YAML of pipelines: under which key they stand, and what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Run, Unknown
from migrate.plug import Found
from migrate.shell import Command, Word
from migrate.spelling import command_line
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import NO, Part, Script, Sheet, moved, part, worked_in
from migrate.text import Span

HOSTED: Final = NO
"""A runner that begins with an empty directory."""

_INITIALISED: Final = re.compile(
    r"(?m)^\s*((?:\$\{\{[^}\n]*\}\}|\S)*(?<![\w.-])\.terraform(?:/\*{0,2})?|[^\n]*\$[^\n]*TF_DATA_DIR[^\n]*)\s*$"
)


def in_yaml(sheet: Sheet, items: Callable[[Sheet, yamltree.Node], Iterable[Script | Run]]) -> Found[Run]:
    """What a sheet makes of the scripts and runs that `items` gives for each document of its source."""
    documents = yamltree.parse(sheet.source.text)
    return sheet.found(item for document in documents for item in items(sheet, document))


def scripts(
    text: str, document: yamltree.Node | None, keys: Sequence[str]
) -> Iterator[tuple[yamltree.Route, yamltree.Mapping, tuple[Part, ...]]]:
    """Every mapping with scripts under these keys: where it is, itself, and all its lines, which one shell
    runs in the order of the keys.
    """
    for route, node in yamltree.walk(document):
        if isinstance(node, yamltree.Mapping):
            values = (node.get(key) for key in keys)
            parts = tuple(part(text, scalar) for value in values for scalar in texts(value))
            if parts:
                yield route, node, parts


def texts(value: yamltree.Node | None) -> Iterator[yamltree.Scalar]:
    """The texts of a value in order. What an alias brings again is left out: it would say nothing new."""
    waiting, passed = [value], set[int]()
    while waiting:
        match waiting.pop():
            case yamltree.Scalar() as scalar:
                yield scalar
            case yamltree.Sequence(items):
                waiting += reversed(items)
            case yamltree.Alias(node=node) if id(node) not in passed:
                passed.add(id(node))
                waiting.append(node)
            case _:
                pass


def inlaid(text: str, at: Span) -> Sequence[yamltree.Node]:
    """The documents of the YAML that stands inside of another text, with their places in that."""
    return yamltree.parse(re.sub(r"[^\n]", " ", text[: at.start]) + at.of(text))


def started(sheet: Sheet, node: yamltree.Node, of: Script) -> Iterator[Run]:
    """The engine that a mapping starts by a list of words, or by arguments for the program of its image."""
    program = list(_words(node, "entrypoint", "command", "path", "cmd", "argv"))
    given = list(_words(node, "args", "arguments"))
    image = yamltree.text(node, "image") or yamltree.text(node, "name")
    runner = command_line.runner_of(image, in_image=True)
    words = (*program, *given)
    if runner and words and ((given and not program) or words[0].text in command_line.COMMANDS):
        words = (Word(_PROGRAMS.get(runner, runner), words[0].span, quoted=True), *words)
    line = command_line.read(Command(words)) if len(words) > 1 else None
    if line:
        span = Span(words[0].span.start, words[-1].span.end)
        there = moved(of, worked_in(line, of.directory, sheet.source.text))
        yield sheet.run(line.runner, line.command, line.arguments, span, there)


_PROGRAMS: Final[Mapping[str, str]] = {"opentofu": "tofu"}


def _words(node: yamltree.Node, *keys: str) -> Iterator[Word]:
    """The items of lists, a single word that stands by itself, and those of a command without its program."""
    for value in (yamltree.at(node, key) for key in keys):
        for scalar in texts(value):
            said = scalar.value.split()
            if isinstance(value, yamltree.Sequence) or len(said) == 1:
                yield Word(scalar.value, scalar.span, quoted=True)
            elif said and said[0] in command_line.COMMANDS:
                yield from (Word(word, scalar.span, quoted=True) for word in said)


def nearest(document: yamltree.Node | None, route: yamltree.Route, *key: str) -> str:
    """What stands under a key beside the end of a route, else above it."""
    above = (route[:length] for length in range(len(route), -1, -1))
    return next((said for at in above if (said := yamltree.text(document, *at, *key))), "")


def has(document: yamltree.Node | None, route: yamltree.Route, *keys: str) -> bool:
    """Whether one of the keys stands on the way to the end of a route."""
    above = (yamltree.at(document, *route[:length]) for length in range(len(route) + 1))
    return any(member.key.value in keys for node in above for member in yamltree.members(node))


def cached(sheet: Sheet, node: yamltree.Node | None, of: Script, *route: str) -> Iterator[Run]:
    """A cache that takes whole `.terraform` folders along, and with them the backend they know."""
    for scalar in texts(yamltree.at(node, *route)):
        found = _INITIALISED.search(scalar.value)
        if found:
            root = below(HERE, found[1].partition(".terraform")[0].rstrip("/") or ".")
            yield sheet.run(None, "cache", (found[1],), scalar.span, moved(of, root))


def kept(runner: str, *, hosted: re.Pattern[str]) -> Fact[bool]:
    """Whether a runner of that name begins with what an earlier run left."""
    if hosted.fullmatch(runner):
        return HOSTED
    return Unknown(
        f"whether {runner or 'the runner'} begins with an empty directory is not known from source"
    )
