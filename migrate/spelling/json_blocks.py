"""Blocks in Terraform's JSON form: at each step an object, or a list of objects."""

from __future__ import annotations

from collections.abc import Iterator

from migrate import jsontree


def blocks(
    node: jsontree.Node | jsontree.Mistake, name: str | None, *names: str | None
) -> Iterator[tuple[jsontree.Member, jsontree.Object]]:
    """The objects below these keys (None: any but `//`, a comment), each with its last key.

    A text that is no JSON holds none; that it is none, the dialect of these files says.
    """
    for member in (member for outer in _objects(node) for member in outer.members):
        if name not in (None, member.key.value) or member.key.value == "//":
            continue
        if names:
            yield from blocks(member.value, *names)
        else:
            yield from ((member, block) for block in _objects(member.value))


def _objects(node: jsontree.Node | jsontree.Mistake) -> Iterator[jsontree.Object]:
    match node:
        case jsontree.Object():
            yield node
        case jsontree.Array(items):
            for item in items:
                yield from _objects(item)
        case _:
            pass
