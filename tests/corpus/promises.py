"""The promises of an audit: nothing that other programs find is overlooked, counted twice or misread."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tests import hashicorp
from tests.corpus.program import Audit, Site
from tests.corpus.reference import Token, Trees

# What a site says of a backend, and the attribute that says it.
FIELDS: Mapping[str, str] = {
    "bucket": "bucket",
    "key": "key",
    "region": "region",
    "workspace_key_prefix": "workspace_key_prefix",
    "table": "dynamodb_table",
}


@dataclass(frozen=True, slots=True, order=True)
class Broken:
    """A promise that did not hold at one place."""

    promise: str
    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.promise}: {self.what}"


def broken_by(audit: Audit, trees: Trees, tokens: Iterable[Token]) -> list[Broken]:
    return sorted(
        [*misread_backends(audit, trees), *miscounted_readers(audit, trees), *without_fate(audit, tokens)]
    )


def misread_backends(audit: Audit, trees: Trees) -> Iterator[Broken]:
    """Each backend HashiCorp's parser finds is one site with the same attributes, and no site is more."""
    for path, tree in trees.items():
        wanted = Counter(described(backend) for backend in hashicorp.backends(tree))
        found = Counter(_said(site) for site in _sites(audit, path, "writer"))
        yield from (
            Broken("backend overlooked", path, 0, f"{dict(one)}") for one in (wanted - found).elements()
        )
        yield from (
            Broken("backend invented", path, 0, f"{dict(one)}") for one in (found - wanted).elements()
        )


def miscounted_readers(audit: Audit, trees: Trees) -> Iterator[Broken]:
    """Each reader is one site; those whose configuration is literal have the same attributes."""
    for path, tree in trees.items():
        readers = list(hashicorp.readers(tree))
        sites = list(_sites(audit, path, "reader"))
        if len(readers) != len(sites):
            yield Broken("reader count", path, 0, f"{len(sites)} sites for {len(readers)} readers")
        wanted = Counter(described(reader) for reader in readers if isinstance(reader, dict))
        missing = wanted - Counter(_said(site) for site in sites)
        yield from (Broken("reader misread", path, 0, f"{dict(one)}") for one in missing.elements())


def without_fate(audit: Audit, tokens: Iterable[Token]) -> Iterator[Broken]:
    """Each token ripgrep counts is in a site, mentioned, refused, or in a file said to be unreadable."""
    mentioned = {(mention["path"], mention["line"], mention["token"]) for mention in audit["mentions"]}
    refused = {(refusal["path"], refusal["line"]) for refusal in audit["refusals"]}
    unreadable = {file["path"] for file in audit["unreadable"]}
    spans: dict[str, list[range]] = {}
    for site in audit["sites"]:
        spans.setdefault(site["path"], []).append(range(site["line"], site["end_line"] + 1))
    for token in tokens:
        if (
            (token.path, token.line, token.text) not in mentioned
            and (token.path, token.line) not in refused
            and token.path not in unreadable
            and not any(token.line in span for span in spans.get(token.path, ()))
        ):
            yield Broken("token without fate", token.path, token.line, token.text)


Description: TypeAlias = tuple[tuple[str, str], ...]
"""The fields that are set, each with its literal or the text of its expression."""


def described(attributes: hashicorp.Attributes) -> Description:
    """The fields of a site as HashiCorp's parser reads them."""
    return _description({field: attributes.get(name) for field, name in FIELDS.items()})


def _said(site: Site) -> Description:
    literals: dict[str, str | None] = {
        "bucket": site["bucket"],
        "key": site["key"],
        "region": site["region"],
        "workspace_key_prefix": site["workspace_key_prefix"],
        "table": site["table"],
    }
    return _description({field: site["unknown"].get(field, literal) for field, literal in literals.items()})


def _description(values: Mapping[str, hashicorp.Tree]) -> Description:
    """An empty string counts as unset."""
    return tuple((field, _text(value)) for field, value in values.items() if value not in (None, ""))


def _text(value: hashicorp.Tree) -> str:
    """One spelling of `var.x` and `"${var.x}"`: the parser wraps an expression, a site quotes its text."""
    text = " ".join(str(value).split()).removeprefix('"').removesuffix('"')
    whole = re.fullmatch(r"\$\{([^{}]*)\}", text)
    return whole[1].strip() if whole else text


def _sites(audit: Audit, path: str, role: str) -> Iterator[Site]:
    for site in audit["sites"]:
        if (site["path"], site["role"]) == (path, role):
            yield site
