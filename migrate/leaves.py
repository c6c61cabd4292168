"""What a second parser reads of a text: every value as JSON, by its path.

python-hcl2 is strict where tree-sitter is tolerant, and has never seen a span. It takes no byte order mark.
Where it rejects a whole file for something elsewhere in it, it is asked about our blocks alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath  # noqa: TID251  a type: what the cache folder is, this room never looks
from typing import Final

from migrate import yamlvalues
from migrate.templating import Template
from migrate.text import Span

_BRACE: Final = re.compile(r"[\ufeff \t\r\n]*\{(?![{%#])")
_HEREDOC: Final = re.compile(r'"?<<-?(?P<mark>\w+)\r?\n(?P<body>.*)\n[ \t]*(?P=mark)"?', re.DOTALL)
_CODE: Final = re.compile(r'(?:backend|data)[ \t]+"')
"""How a block of Terraform code begins in a text of another kind."""
_FILLED_IN: Final = re.compile(r"\$\{[^{}\"]*\}")
_STRINGS: Final = r'(?:[^{}"]|"(?:[^"\\]|\\.)*")'
# An object in an expression, with objects in it up to two deep; none of the `${` of a template.
_OBJECT: Final = re.compile(
    rf"(?<!\$)\{{(?:{_STRINGS}|\{{(?:{_STRINGS}|\{{{_STRINGS}*\}})*\}})*\}}", re.DOTALL
)


_WITH_COMMENTS: Final = frozenset({"devcontainer.json", ".devcontainer.json"})
_BESIDE: Final = re.compile(
    r'("(?>(?:[^"\\\n]|\\.)*)")|//[^\n]*|/\*(?>(?:[^*]|\*(?!/))*)(?:\*/)?|,(?=\s*(?://[^\n]*\s*)*[}\]])'
)
"""What these files have that JSON has not: comments, and a comma behind the last item."""


def keep_grammar_in(folder: Path) -> None:
    """Let python-hcl2 keep its compiled grammar there: 0.1 s instead of 2 s on every later run.

    It is a pickle, and whoever can write it can run code: the caller makes `folder` private (0700) before.
    """
    import hcl2.parser  # noqa: PLC0415  as in `_hcl`

    hcl2.parser.PARSER_FILE = folder / "hcl2-grammar.bin"


def read(path: PurePosixPath, text: str, blocks: Mapping[str, Span]) -> dict[str, str] | None:
    """Every value of a file by its path in it; of `blocks` alone, by name, where the file is rejected. None:
    it is, and there are none or one of them is rejected too.
    """
    if path.suffix == ".json" or _BRACE.match(text):
        return _flat(_json(_BESIDE.sub(r"\1", text) if path.name in _WITH_COMMENTS else text))
    inlaid = any(_CODE.match(text, span.start) for span in blocks.values())
    if path.suffix in (".yaml", ".yml") and not inlaid:
        return _flat(yamlvalues.values(text.removeprefix("\ufeff")))
    whole = _hcl(text.removeprefix("\ufeff"))
    if whole is None and path.suffix == ".template":  # of CloudFormation, whose templates of JSON are above
        whole = yamlvalues.values(text.removeprefix("\ufeff"))
    if whole is not None:
        return _flat(whole)
    parts = {name: _hcl(Template(span.of(text)).shown) for name, span in blocks.items()}
    around = {"around": _around(text, blocks.values())}
    return None if not parts or None in parts.values() else _flat(parts | around)


def _around(text: str, blocks: Iterable[Span]) -> str:
    """What stands outside of the blocks: no edit of them changes it."""
    parts, at = list[str](), 0
    for span in sorted(blocks, key=lambda span: span.start):
        parts.append(text[at : span.start])
        at = span.end
    return "\0".join((*parts, text[at:]))


def _json(text: str) -> object:
    try:
        read: object = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return read


def _hcl(text: str) -> object:
    import hcl2  # noqa: PLC0415  80 ms that only an edit pays
    from lark.exceptions import LarkError  # noqa: PLC0415  as above

    options = hcl2.SerializationOptions(with_comments=False, explicit_blocks=False)
    try:
        read: object = hcl2.loads(text if text.endswith("\n") else f"{text}\n", serialization_options=options)
    except (LarkError, RuntimeError, ValueError):
        return None
    return read


def _flat(value: object) -> dict[str, str] | None:
    return None if value is None else dict(_walk(value, "", opening=False))


def opened(leaves: Mapping[str, str], paths: Collection[str]) -> dict[str, str]:
    """`leaves` with what is in the texts at `paths`; opening every text costs a second in a long file."""
    inner = (leaf for path in paths for leaf in _walk(json.loads(leaves[path]), path, opening=True))
    return {path: value for path, value in leaves.items() if path not in paths} | dict(inner)


def _walk(value: object, path: str, *, opening: bool) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            yield path, "{}"
            for key, inner in value.items():
                name = str(key).strip('"')
                yield from _walk(inner, f"{path}.{name}" if path else name, opening=opening)
        case list():
            for index, inner in enumerate(value):
                yield from _walk(inner, f"{path}[{index}]", opening=opening)
        case str() if opening and (inner := _within(value)):
            yield from _walk(inner, path, opening=True)
        case _:
            yield path, json.dumps(value)


def _within(value: str) -> Mapping[str, object] | None:
    """What is in a heredoc of code, or in the objects of an expression and around them; None: neither."""
    if "backend" in value and (heredoc := _HEREDOC.fullmatch(value)):
        return _code(heredoc["body"])
    if not value.startswith("${"):
        return None
    objects = {f"?{at}": _code(f"x = {one[0]}") for at, one in enumerate(_OBJECT.finditer(value, 2))}
    return None if None in objects.values() or not objects else {"": _OBJECT.sub("{}", value[2:]), **objects}


def _code(text: str) -> Mapping[str, object] | None:
    """A text as HCL, with a name for what is filled in where the grammar wants a value."""
    read = _hcl(text)
    read = _hcl(_FILLED_IN.sub("x", text)) if read is None else read
    return read if isinstance(read, dict) else None
