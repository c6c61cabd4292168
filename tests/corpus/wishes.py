"""What one phase may change in a file: line by line, and as HashiCorp's parser reads it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from itertools import takewhile

from msgspec import Struct

from tests import hashicorp
from tests.corpus.program import Audit, Site

_REINIT = re.compile(r"(?<=init) ?-reconfigure")
_TABLE = re.compile(r"^[ \t]*\"?dynamodb_table\b", re.MULTILINE)
_VERSION = re.compile(r"\d+(?:\.\d+)+")


class Change(Struct, frozen=True):
    """One line that differs; `old` or `new` is empty where the line was added or dropped."""

    line: int
    old: str
    new: str


class Wish(Struct, frozen=True):
    """The names a phase may add, drop or set; whether it may raise versions and move the `=` beside it."""

    adds: frozenset[str] = frozenset()
    drops: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    raises: bool = False
    realigns: bool = False
    reconfigures: bool = False
    """Whether it may give the inits beside it `-reconfigure`."""
    grants: bool = False
    """Whether it adds statements to policies, each no longer than a screen, and nothing else."""

    def changes(self, before: str, after: str) -> list[Change]:
        """The lines that differ; blanks within a line count only where the phase may not realign."""
        # Beside `dynamodb_table` it moves no `=`; beside the shorter `lock_table` of old Terragrunt it does.
        squeeze = _squeezed if self.realigns or not _TABLE.search(before) else str
        old, new = ([squeeze(line) for line in text.split("\n")] for text in (before, after))
        return list(_changes(old, new))

    def allows(self, change: Change) -> bool:
        if self.grants:
            return not change.old or change.new == f"{change.old},"
        if not change.old and not change.new:
            return "required_version" in self.adds  # the blank line between the constraint and a block
        if self.raises and _VERSION.sub("", change.old) == _VERSION.sub("", change.new):
            return True
        if self.reconfigures and _REINIT.sub("", change.new) == change.old:
            return True
        if _names(change.old, self.sets) and _names(change.new, self.sets):
            return True
        dropped, added = _middle(change.old, change.new)
        return (not dropped or _names(dropped, self.drops)) and (not added or _names(added, self.adds))

    def beyond(self, before: hashicorp.Attributes, after: hashicorp.Attributes) -> Iterator[str]:
        """The routes of a tree that differ though the phase had no reason to touch them."""
        if self.grants:
            yield from _gone(before, after)
            return
        old, new = dict(_leaves(before, ())), dict(_leaves(after, ()))
        for route in sorted({*old, *new}):
            if route not in old:
                wanted = not self.adds.isdisjoint(route)
            elif route not in new:
                wanted = not self.drops.isdisjoint(route)
            else:
                wanted = old[route] == new[route] or self._sets(route, old[route], new[route])
            if not wanted:
                yield ".".join(route)

    def _sets(self, route: tuple[str, ...], old: hashicorp.Tree, new: hashicorp.Tree) -> bool:
        """A named value, or a text (an expression, a heredoc) whose difference is one of the names."""
        if route[-1] in self.sets:
            return True
        return isinstance(old, str) and isinstance(new, str) and self._without(old) == self._without(new)

    def _without(self, text: str) -> str:
        names = "|".join(sorted(self.adds | self.drops | self.sets))
        return _squeezed(re.sub(rf'"?\b({names})\b"?\s*[=:][^,}}\n]*', "", text)).replace(",", "")


_CHOOSING = frozenset(
    {
        *("required_version", "terraform_version_constraint", "terragrunt_version_constraint"),
        *("terraform_version", "opentofu_version", "terragrunt_version"),  # of what Spacelift or env0 runs
        "atlantis_terraform_version",  # terragrunt-atlantis-config
        *("tofu_version", "tf_version"),  # of an engine that Terragrunt is given
    }
)
"""The arguments that choose a release."""

WISHES: Mapping[str, Wish] = {
    "iam": Wish(grants=True),
    "readers": Wish(drops=frozenset({"dynamodb_table"}), realigns=True),
    "pin": Wish(
        adds=frozenset({"required_version", "terraform_version_constraint"}),
        sets=_CHOOSING,
        raises=True,
        realigns=True,
    ),
    "dual-lock": Wish(adds=frozenset({"use_lockfile"}), sets=frozenset({"use_lockfile"}), reconfigures=True),
    "adopt": Wish(
        adds=frozenset({"use_lockfile"}), sets=frozenset({"use_lockfile"}), realigns=True, reconfigures=True
    ),
    "retire": Wish(
        drops=frozenset(
            {
                "dynamodb_table",
                "dynamodb_endpoint",
                "dynamodb",
                "endpoints",
                "dynamodb_table_tags",
                "enable_lock_table_ssencryption",
                "lock_table",
            }
        ),
        realigns=True,
        reconfigures=True,
    ),
}


def as_joined(audit: Audit) -> list[Site]:
    """Its sites; a flag that names no lock and a partial file, of which the audit tells what it says itself,
    with the lock of the states that it leads to: the block beside it may give that.
    """
    locks = {state["id"]: state["lock"] for state in audit["states"]}

    def lock(site: Site) -> str:
        led = {locks[state] for state in site["states"]}
        joined = site["role"] == "partial" or (site["role"] == "flag" and site["lock"] == "none")
        return led.pop() if joined and len(led) == 1 else site["lock"]

    return [{**site, "lock": lock(site)} for site in audit["sites"]]


def unmet(name: str, site: Site) -> bool:
    """Whether a site, as the audit told it before, is one that the phase was to change."""
    table = site["table"] is not None or "table" in site["unknown"]
    bucket = site["bucket"] is not None or "bucket" in site["unknown"]
    match name:
        case "readers":
            return site["role"] == "reader" and table
        case "dual-lock":
            return _writes(site) and table and site["lock"] != "both"
        case "adopt":
            return _writes(site) and bucket and site["lock"] == "none" and bool(site["states"])
        case "retire":
            return _writes(site) and table
        case _:
            return False


def _writes(site: Site) -> bool:
    return site["role"] not in ("reader", "code")


def _changes(old: list[str], new: list[str]) -> Iterator[Change]:
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "replace" and end - start == new_end - new_start:
            pairs = zip(old[start:end], new[new_start:new_end], strict=True)
            yield from (Change(start + at, was, now) for at, (was, now) in enumerate(pairs, 1))
        elif tag == "replace" and end - start == 1 and "{" in old[start]:  # a block on one line is opened
            opened = "".join(new[new_start:new_end])
            yield Change(end, _squeezed(old[start]), _squeezed(opened))
        elif tag != "equal":
            yield from (Change(start + at, line, "") for at, line in enumerate(old[start:end], 1))
            yield from (Change(start + 1, "", line) for line in new[new_start:new_end])


def _middle(old: str, new: str) -> tuple[str, str]:
    """What of the old line went and what of the new line came, without what both begin and end with."""
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    return old[head : len(old) - tail], new[head : len(new) - tail]


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _names(text: str, names: frozenset[str]) -> bool:
    return not names.isdisjoint(re.findall(r"\w+", text))


def _gone(before: hashicorp.Attributes, after: hashicorp.Attributes) -> Iterator[str]:
    """The routes at which a value is not there any more, wherever in its list; a text may have grown."""
    left = Counter(_unnumbered(after))
    for route, value in _unnumbered(before):
        grown = ((at, text) for at, text in left if at == route and _grew(value, text))
        found = (route, value) if left[route, value] else next(grown, None)
        if found is None:
            yield ".".join(route)
        else:
            left[found] -= 1


def _unnumbered(tree: hashicorp.Attributes) -> Iterator[tuple[tuple[str, ...], str]]:
    for route, value in _leaves(tree, ()):
        yield tuple(step for step in route if not step.isdigit()), str(value)


def _grew(before: str, after: str) -> bool:
    """Whether every line of a document is there still, but for a comma behind it."""
    rest = iter(line.strip().rstrip(",") for line in after.splitlines())
    return all(line.strip().rstrip(",") in rest for line in before.splitlines())


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _leaves(tree: hashicorp.Tree, route: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], hashicorp.Tree]]:
    if isinstance(tree, dict) and tree:
        for name, value in tree.items():
            yield from _leaves(value, (*route, name))
    elif isinstance(tree, list) and tree:
        for at, value in enumerate(tree):
            yield from _leaves(value, (*route, str(at)))
    else:
        yield route, tree
