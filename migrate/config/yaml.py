"""YAML text to a document.

A configuration may come from a stranger's repository. Aliases are refused (a few lines of them stand for
gigabytes), and a file that is too large or too deep is a mistake, not a crash.
"""

from __future__ import annotations

from typing import Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, SequenceNode
from ruamel.yaml.nodes import Node as Composed

from migrate.config.document import Items, Node, NotRead, Pairs, Scalar

_LARGEST: Final = 1 << 18
_NULL: Final = "tag:yaml.org,2002:null"


def parse(text: str) -> Node:
    """The document in `text`; an empty one is an empty mapping. Raises NotRead, whatever the text."""
    if len(text) > _LARGEST:
        raise NotRead(1, f"larger than {_LARGEST >> 10} KB: not a configuration of ours")
    try:
        root = YAML(typ="safe", pure=True).compose(text)
        return _node(root, set()) if root and root.tag != _NULL else Pairs((), 1)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NotRead(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from None
    except YAMLError as error:
        raise NotRead(1, f"not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise NotRead(1, "nested too deeply") from None


def _node(composed: Composed, seen: set[int]) -> Node:
    line = composed.start_mark.line + 1
    if composed.anchor or id(composed) in seen:
        raise NotRead(line, "anchors and aliases are not read here: write it out")
    seen.add(id(composed))
    match composed:
        case SequenceNode():
            return Items(tuple(_node(item, seen) for item in composed.value), line)
        case MappingNode():
            return Pairs(tuple(_pair(key, value, seen) for key, value in composed.value), line)
        case _:
            return Scalar(None if composed.tag == _NULL else str(composed.value), line)


def _pair(key: Composed, value: Composed, seen: set[int]) -> tuple[Scalar, Node]:
    name, inner = _node(key, seen), _node(value, seen)
    if not isinstance(name, Scalar):
        raise NotRead(name.line, "a key must be a word")
    if inner == Scalar(None, inner.line):  # nothing has no place of its own
        return name, Scalar(None, name.line)
    return name, inner
