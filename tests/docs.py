"""Reads documents for what they promise: commands with their flags, targets of make, and files linked to."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import click

_FENCE = re.compile(r"^(?:```|~~~).*?$(.*?)^(?:```|~~~)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"[a-z0-9-]+")
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def code(document: str) -> Iterator[str]:
    """Each line of a code block, then each inline code; prose is not held to anything."""
    for block in _FENCE.findall(document):
        yield from block.replace("\\\n", " ").splitlines()
    for span in _INLINE.findall(_FENCE.sub("", document)):
        yield " ".join(span.split())


def commands(document: str, program: str) -> Iterator[str]:
    """The words after each mention of a program that is followed by a word."""
    said = re.compile(rf"(?:^|[\s(]){program} +([^|#&;>→]+)")
    for line in code(document):
        yield from said.findall(line)


def sessions(document: str) -> Iterator[list[tuple[str, list[str]]]]:
    """Each console block: its command lines, each with the lines that it is shown to print."""
    for block in blocks(document, "console"):
        parts = block.removeprefix("$ ").split("\n$ ")
        yield [(part.split("\n")[0], part.strip("\n").split("\n")[1:]) for part in parts]


def tells(shown: Sequence[str], printed: str) -> bool:
    """Whether what is shown is what was printed; a line of `…` stands for any lines."""
    parts = (r"(?:.*\n)*" if line.strip() == "…" else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch("".join(parts), printed) is not None


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", document, re.MULTILINE | re.DOTALL)


def links(document: str) -> Iterator[str]:
    """The files a document links to, as written."""
    yield from _LINK.findall(document)


def mistakes(arguments: str, command: click.Command) -> Iterator[str]:
    """What is wrong with the arguments of `command`; placeholders (PATH, …, <key>) are not judged."""
    words = [word.strip("[](),.") for word in arguments.split()]
    if not isinstance(command, click.Group) or not words or words[0].startswith("-"):
        yield from wrong_flags(words, command)
    elif found := command.get_command(click.Context(command), words[0]):
        yield from mistakes(" ".join(words[1:]), found)
    elif _NAME.fullmatch(words[0]):
        yield f"no command {words[0]}"


def wrong_flags(words: Sequence[str], command: click.Command) -> Iterator[str]:
    options = {name: option for option in command.params for name in option.opts + option.secondary_opts}
    for word, following in pairwise([*words, ""]):
        flag, _, value = word.partition("=")
        if not flag.startswith("-") or flag in {"-", "--", "-h", "--help"}:
            continue
        if flag not in options:
            yield f"no option {flag}"
        elif not accepts(options[flag], value or following):
            yield f"{flag} does not take {value or following}"


def accepts(option: click.Parameter, value: str) -> bool:
    """Whether a closed choice has a value; every other type takes anything."""
    if not isinstance(option.type, click.Choice) or not _NAME.fullmatch(value):
        return True
    return value in option.type.choices
