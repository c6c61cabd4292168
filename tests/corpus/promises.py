"""The promises of an audit: nothing that other programs find is overlooked, counted twice or misread."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tests import hashicorp
from tests.corpus.program import Audit, Site
from tests.corpus.reference import Token, Trees


class Broken(Struct, frozen=True, order=True):
    """A promise that did not hold at one place."""

    promise: str
    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.promise}: {self.what}"


def broken_by(audit: Audit, trees: Trees, tokens: Iterable[Token]) -> list[Broken]:
    return sorted([*misread(audit, trees), *without_fate(audit, tokens)])


def misread(audit: Audit, trees: Trees) -> Iterator[Broken]:
    """Each backend and reader HashiCorp's parser finds is one site with the same attributes."""
    for path, tree in trees.items():
        writers = [*hashicorp.backends(tree), *hashicorp.remote_states(tree)]
        here = [site for site in audit["sites"] if site["path"] == path]
        # In a template each block is a generator; a heredoc is one too, and no block.
        made = [site for site in here if site["role"] == "generator"][: len(writers)]
        taken = [site for site in here if site["role"] == "writer"] or made
        yield from _compared(path, "writer", writers, taken)
        read = [site for site in here if site["role"] == "reader"]
        yield from _compared(path, "reader", list(hashicorp.readers(tree)), read)


def _compared(path: str, role: str, wanted: Sequence[hashicorp.Tree], found: list[Site]) -> Iterator[Broken]:
    """As many sites as wanted, and each whose attributes are literally there among them: those that say most
    first, as expressions alone agree with any site.
    """
    if len(found) != len(wanted):
        yield Broken(f"{role}s miscounted", path, 0, f"{len(found)} sites for {len(wanted)}")
    told = (one for one in wanted if isinstance(one, dict))
    for attributes in sorted(told, key=lambda one: sum(map(_is_expression, one.values()))):
        twin = next((site for site in found if _agree(attributes, site)), None)
        if twin is None:
            yield Broken(f"{role} misread", path, 0, f"{attributes}")
        else:
            found.remove(twin)


def _agree(attributes: hashicorp.Attributes, site: Site) -> bool:
    """Each field is the literal that the parser reads, or of an expression at least something."""
    said = _fields(site)
    old_name = {"dynamodb_table": attributes["lock_table"]} if "lock_table" in attributes else {}
    wanted = {name: (old_name | attributes).get(name) or None for name in said}
    return all(
        said[name] is not None if _is_expression(value) else said[name] == value
        for name, value in wanted.items()
    )


def _fields(site: Site) -> dict[str, str | None]:
    """By attribute; of an expression its text. A placeholder is a literal to the parser and unknown to us."""
    fields = {
        "bucket": site["bucket"],
        "key": site["key"],
        "region": site["region"],
        "workspace_key_prefix": site["workspace_key_prefix"],
    }
    told = {name: site["unknown"].get(name, literal) for name, literal in fields.items()}
    told["dynamodb_table"] = site["unknown"].get("table", site["table"])
    return {name: text.strip('"') or None if text else None for name, text in told.items()}


def _is_expression(value: hashicorp.Tree) -> bool:
    return isinstance(value, str) and bool(re.search(r"(?<!\$)\$\{|(?<!%)%\{", value))


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
