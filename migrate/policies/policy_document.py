"""Policies that Terraform files write as `data "aws_iam_policy_document"`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace as copied
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl
from migrate.iam.grant import Hold, least
from migrate.iam.policy import Condition, Effect, Element, Flaw, Named, Policy, Principals, Statement, Word
from migrate.iam.target import Grant
from migrate.model import Place, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.sites import made_by
from migrate.spelling import written
from migrate.spelling.hcl_block import HclBlocks, twin
from migrate.spelling.hcl_words import words_of
from migrate.spelling.written import PolicyWish, Written
from migrate.text import Lines, Span

NAME: Final = "policy_document"

_TYPE: Final = "aws_iam_policy_document"
_HOLDING: Final = ("aws_iam_policy_document",)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu")


def find(source: Source, /) -> Found[Written]:
    """Every document of the file."""
    reader = _Reader(source.text, written.lines_in(source))
    named = ((f"data.{_TYPE}.{block.labels[1]}", reader.policy(block)) for block in _documents(source))
    return Found(written.all_of(source, NAME, named, made_by(source)))


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    """Operations; for a statement that an expression makes over and over, its twin to paste."""
    source = sources[found.path]
    answer = written.edit(source, found, wish, HclBlocks(source.text))
    return answer or (_beside_dynamic(source, found, wish) if isinstance(wish, Grant) else None) or {}


def _documents(source: Source) -> Iterator[hcl.Block]:
    for block in hcl.blocks(source.text, ("data",), _HOLDING).blocks:
        if block.labels[:1] == (_TYPE,) and len(block.labels) == 2:
            yield block


def _beside_dynamic(source: Source, found: Written, wish: Grant) -> Suggestion | Refusal | None:
    """Where a `dynamic` statement grants the state: another one over the same values, for the lock."""
    block = next((one for one in _documents(source) if one.span == found.span), None)
    reader = _Reader(source.text, written.lines_in(source))
    over = tuple(reader.dynamic(block)) if block else ()
    whole = replace(found.policy, statements=(*found.policy.statements, *(made for *_, made in over)))
    additions = least(whole, wish) if over else ()
    if isinstance(additions, Hold):
        return Refusal(found.place, additions.why, additions.remedy)
    for outer, content, made in over:
        new = [one.statement for one in additions if one.after == made]
        if new:
            text = "\n".join(twin(source.text, outer.span, content.span, one) for one in new)
            line = Lines(source.text).line(outer.span.start)
            return Suggestion(Place(source.repo, source.path, line), text, _OVER)
    return None


_OVER: Final = "an expression makes the statements that grant the state: add this one over the same values"


class _Reader:
    def __init__(self, text: str, where: Callable[[Span], str]) -> None:
        self._text = text
        self._where = where

    def policy(self, block: hcl.Block) -> Policy:
        statements, flaws = [], []
        for inner in block.blocks:
            read = self._statement(inner)
            if isinstance(read, Statement):
                statements.append(read)
            elif read:
                flaws.append(read)
        version = _literal(block, "version") or "2012-10-17"
        return Policy(tuple(statements), "", version, tuple(flaws), block.span)

    def dynamic(self, block: hcl.Block) -> Iterator[tuple[hcl.Block, hcl.Block, Statement]]:
        """Each `dynamic` statement: the block, its content, and the content as a statement."""
        for outer in block.blocks:
            content = next((one for one in outer.blocks if one.type == "content"), None)
            if content and _is_dynamic(outer):
                made = self._statement(replace(content, type="statement"))
                if isinstance(made, Statement):
                    yield outer, content, made

    def _statement(self, block: hcl.Block) -> Statement | Flaw | None:
        """A statement; a flaw for one whose text nobody can tell; None for blocks of another kind."""
        if _is_dynamic(block):
            allows = all(self._effect(one) == "Allow" for one in block.blocks)
            return Flaw(_MADE, self._where(block.span), denies=not allows)
        if block.type != "statement":
            return None
        actions, effect = self._element(block, "actions"), self._effect(block)
        flaw = _flaw(block, actions, effect)
        if actions is None or effect is None or flaw:
            return Flaw(flaw, self._where(block.span), denies=effect != "Allow")
        sid = next(iter(self._words(block, "sid")), None)
        return Statement(
            effect,
            actions,
            self._element(block, "resources"),
            self._principals(block),
            tuple(self._conditions(block)),
            str(sid) if sid else "",
            self._where(block.span),
            block.span,
        )

    def _effect(self, block: hcl.Block) -> Effect | None:
        match block.value("effect"):
            case None | hcl.Literal("Allow"):
                return "Allow"
            case hcl.Literal("Deny"):
                return "Deny"
            case _:
                return None

    def _element(self, block: hcl.Block, name: str) -> Element | None:
        plain, negated = self._words(block, name), self._words(block, f"not_{name}")
        return Element(plain or negated, negated=not plain) if plain or negated else None

    def _principals(self, block: hcl.Block) -> Principals | None:
        for name in ("principals", "not_principals"):
            inner = [one for one in block.blocks if one.type == name]
            if inner:
                named = tuple(
                    Named(_literal(one, "type"), w) for one in inner for w in self._words(one, "identifiers")
                )
                return Principals(named, negated=name != "principals")
        return None

    def _conditions(self, block: hcl.Block) -> Iterator[Condition]:
        for inner in block.blocks:
            if inner.type == "condition":
                test, variable = (_literal(inner, name) for name in ("test", "variable"))
                yield Condition(test, variable, self._words(inner, "values"))

    def _words(self, block: hcl.Block, name: str) -> tuple[Word, ...]:
        value = block.value(name)
        if value is None:
            return ()
        words = words_of(self._text, value, either=name == "resources")
        return tuple(_variables(word) for word in words)


_MADE: Final = "an expression makes its statements"


def _is_dynamic(block: hcl.Block) -> bool:
    return block.type == "dynamic" and block.labels == ("statement",)


def _flaw(block: hcl.Block, actions: Element | None, effect: Effect | None) -> str:
    """Why nobody can tell what a statement says; empty where one can."""
    computed = next((one for one in block.blocks if _is_computed(one)), None)
    if computed:
        return f"an expression makes its {computed.labels[0] if computed.labels else computed.type}"
    twice = next((name for name in ("actions", "resources") if _has_both(block, name)), None)
    if twice:
        return f"both {twice} and not_{twice}"
    if actions is None:
        return "a statement without actions"
    return "" if effect else "its effect is an expression"


def _has_both(block: hcl.Block, name: str) -> bool:
    return block.value(name) is not None and block.value(f"not_{name}") is not None


def _variables(word: Word) -> Word:
    """In a document a policy variable may be written `&{…}`."""
    parts = (part.replace("&{", "${") if isinstance(part, str) else part for part in word.parts)
    return copied(word, parts=tuple(parts))


_NAMES: Final = {"condition": ("test", "variable"), "principals": ("type",), "not_principals": ("type",)}


def _is_computed(block: hcl.Block) -> bool:
    """Whether an expression makes the block, or says what it is about."""
    return block.type == "dynamic" or not all(_literal(block, name) for name in _NAMES.get(block.type, ()))


def _literal(block: hcl.Block, name: str) -> str:
    """The text of an argument; empty where it is an expression, or not there."""
    value = block.value(name)
    return value.value if isinstance(value, hcl.Literal) and isinstance(value.value, str) else ""
