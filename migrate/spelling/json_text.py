"""Policies in JSON, plain or with expressions of a template in strings, and new statements beside theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from migrate import jsontree
from migrate.iam.glob import Hole
from migrate.iam.policy import Part, Policy, Statement, Word
from migrate.iam.read import Reading, as_json, is_policy, read_policy
from migrate.jsontree import Mistake, Node, Object, Text
from migrate.spelling.beside import beside
from migrate.spelling.layout import Notation, laid
from migrate.text import Drop, Op, Span, Syntax

_MASK: Final = "\ue000"  # stands for each character of an expression; no policy has it
_NOTATION: Final = Notation(json.dumps, ": ", ",")
_FILLED_IN: Final = re.compile(
    r"(?<!\$)\$\{[^{}:*?$]*\}"  # `${aws:username}` and `${*}` are IAM's own
    r"|\{\{[^{}\"\n]*\}\}"
    r"|%\{[^\"\n]*\}"  # with the arms of a choice between its directives
)
_ESCAPED: Final = re.compile(r"\$\$\{")


class JsonText(Struct, frozen=True):
    """A JSON document that is `body` of a text, and the expressions in it.

    `escaped`: a policy variable is written `$${…}` there, because `${…}` is an expression.
    """

    text: str
    body: Span
    holes: tuple[Span, ...] = ()
    escaped: bool = False

    def policies(self, where: Callable[[Span], str]) -> tuple[Policy, ...] | Mistake:
        """Every policy in the document, with places in the whole text."""
        tree = jsontree.parse(self._shown())
        if isinstance(tree, Mistake):
            return tree
        found = [node for node in jsontree.walk(tree) if isinstance(node, Object) and is_policy(node)]
        return tuple(read_policy(node, "", Reading(self.spell, where)) for node in found)

    def _shown(self) -> str:
        """The text up to the document's end, with blanks before it and a mask on every expression."""
        pieces, at = [" " * self.body.start], self.body.start
        for hole in self.holes:
            pieces += [self.text[at : hole.start], _MASK * len(hole)]
            at = hole.end
        return "".join([*pieces, self.text[at : self.body.end]])

    def spell(self, node: Node) -> tuple[Part, ...] | None:
        """A string with its expressions as holes."""
        if not isinstance(node, Text):
            return as_json(node)
        inner = Span(node.span.start + 1, node.span.end - 1)
        parts: list[Part] = []
        at = inner.start
        for hole in (hole for hole in self.holes if inner.contains(hole)):
            parts += [self._literal(Span(at, hole.start)), Hole(hole.of(self.text))]
            at = hole.end
        return tuple(part for part in (*parts, self._literal(Span(at, inner.end))) if part != "")

    def _literal(self, span: Span) -> str:
        read = jsontree.parse(f'"{span.of(self.text)}"')
        value = read.value if isinstance(read, Text) else span.of(self.text)
        return value.replace("$${", "${") if self.escaped else value

    def quote(self, word: Word) -> str:
        """A word as this document spells it."""
        return f'"{"".join(self._spelt(part) for part in word.parts)}"'

    def _spelt(self, part: Part) -> str:
        if isinstance(part, Hole):
            return part.symbol
        inner = json.dumps(part, ensure_ascii=False)[1:-1]
        return inner.replace("${", "$${") if self.escaped else inner

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        return laid(new, after.span.of(self.text), self.quote, _NOTATION)

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        within = None if self.body == Span(0, len(self.text)) else self.body
        return beside(self.text, after.span, lines, Syntax.JSON, within)

    def drop(self, span: Span) -> Op:
        return Drop(span, Syntax.JSON, None if self.body == Span(0, len(self.text)) else self.body)


def templated(text: str, body: Span) -> JsonText:
    """A document as a template has it, where `${name}`, `{{ name }}` and choices in strings are filled in."""
    holes = tuple(Span(*found.span()) for found in _FILLED_IN.finditer(text, body.start, body.end))
    return JsonText(text, body, holes, escaped=_ESCAPED.search(text, body.start, body.end) is not None)
