"""Policies in CloudFormation templates of JSON, and new statements beside theirs."""

from __future__ import annotations

import json

from msgspec import Struct

from migrate.iam.glob import Hole
from migrate.iam.policy import Statement, Word
from migrate.spelling import cfn_words
from migrate.spelling.beside import beside
from migrate.spelling.layout import Notation, laid
from migrate.text import Drop, Op, Span, Syntax

_NOTATION = Notation(json.dumps, ": ", ",")


class CfnJson(Struct, frozen=True):
    text: str

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        return laid(new, after.span.of(self.text), _quoted, _NOTATION)

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        return beside(self.text, after.span, lines, Syntax.JSON)

    def drop(self, span: Span) -> Op:
        return Drop(span, Syntax.JSON)


def _quoted(word: Word) -> str:
    """A word as JSON; with expressions a `Fn::Sub`, and where that cannot name them a `Fn::Join`."""
    if not cfn_words.has_holes(word):
        return json.dumps(str(word), ensure_ascii=False)
    text = cfn_words.substitution(word)
    if text is not None:
        return f'{{"Fn::Sub": {json.dumps(text, ensure_ascii=False)}}}'
    items = (
        part.symbol if isinstance(part, Hole) else json.dumps(part, ensure_ascii=False) for part in word.parts
    )
    return f'{{"Fn::Join": ["", [{", ".join(items)}]]}}'
