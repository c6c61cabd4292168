"""A policy document as AWS keeps it: by whom, and laid out as a text in which its parts have places."""

from __future__ import annotations

import json
from typing import Literal, TypeAlias
from urllib.parse import unquote

from msgspec import Struct

from migrate import jsontree
from migrate.iam.policy import Flaw, Policy
from migrate.iam.read import Reading, read_policy
from migrate.jsontree import Object
from migrate.text import Lines, Span

Owner: TypeAlias = Literal["role", "user", "group"]


class Inline(Struct, frozen=True):
    """Kept by one role, user or group alone."""

    owner: Owner
    owner_name: str
    name: str

    def __str__(self) -> str:
        return f"{self.owner}/{self.owner_name}/{self.name}"


class Managed(Struct, frozen=True):
    """Kept under an ARN of its own and attached to whoever needs it; `versions` are all, `current` is one."""

    arn: str
    current: str = ""
    versions: tuple[str, ...] = ()

    @property
    def is_awss(self) -> bool:
        """Whether AWS keeps it, and nobody else can change it."""
        return ":iam::aws:policy/" in self.arn

    def __str__(self) -> str:
        return self.arn if self.is_awss else f"policy/{self.arn.split(':policy/')[-1]}"


class OfBucket(Struct, frozen=True):
    bucket: str

    def __str__(self) -> str:
        return f"bucket/{self.bucket}"


class Other(Struct, frozen=True):
    """Anything that is read and never changed: of an organization, of a key."""

    name: str

    def __str__(self) -> str:
        return self.name


Keeper: TypeAlias = Inline | Managed | OfBucket | Other


class Kept(Struct, frozen=True):
    """One document. `text` is how it is shown and changed; the spans of `policy` are places in it."""

    keeper: Keeper
    text: str
    policy: Policy


def kept(keeper: Keeper, document: object) -> Kept:
    """A document as an API or a saved answer gives it: a tree, or its text, which may be URL-encoded.

    What is no policy becomes a policy with a flaw, so that nobody takes it for one that says nothing.
    """
    text = _laid_out(document)
    tree = jsontree.parse(text)
    if not isinstance(tree, Object):
        flaw = Flaw("it is no policy document", str(keeper))
        return Kept(keeper, text, Policy((), str(keeper), flaws=(flaw,)))
    lines = Lines(text)

    def where(span: Span) -> str:
        return f"{keeper}:{lines.line(span.start)}-{lines.line(max(span.start, span.end - 1))}"

    return Kept(keeper, text, read_policy(tree, str(keeper), Reading(where=where)))


def _laid_out(document: object) -> str:
    if isinstance(document, str):
        written = unquote(document) if document.startswith("%") else document
        try:
            document = json.loads(written)
        except (ValueError, RecursionError):
            return written
    return json.dumps(document, indent=4) + "\n"
