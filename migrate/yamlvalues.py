"""YAML text to plain values by a parser of its own: the second vote on an edit of a YAML file."""

from __future__ import annotations

import warnings
from io import StringIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_BOOL: Final = "tag:yaml.org,2002:bool"


def values(text: str) -> object:
    """The documents of a text as lists, dicts and scalars; None where it is no YAML. No tag is obeyed."""
    from ruamel.yaml import YAML  # noqa: PLC0415  90 ms that only an edit of YAML pays
    from ruamel.yaml.error import ReusedAnchorWarning, YAMLError  # noqa: PLC0415  as above

    try:
        with warnings.catch_warnings():  # YAML lets an anchor be set again
            warnings.simplefilter("ignore", ReusedAnchorWarning)
            roots = list(YAML(typ="safe", pure=True).compose_all(StringIO(text)))
        seen = set[int]()
        return [_value(root, seen) for root in roots if root]
    except (YAMLError, RecursionError, ValueError):
        return None


def _value(node: Node, seen: set[int]) -> object:
    """What stands at an anchor is said once, so that a few lines cannot become gigabytes."""
    from ruamel.yaml.nodes import MappingNode, SequenceNode  # noqa: PLC0415  as in `values`

    if id(node) in seen:
        return "*"
    seen.add(id(node))
    match node:
        case SequenceNode():
            return [_value(item, seen) for item in node.value]
        case MappingNode():
            return {str(key.value): _value(value, seen) for key, value in node.value}
        case _:
            return node.value.lower() == "true" if node.tag == _BOOL else str(node.value)
