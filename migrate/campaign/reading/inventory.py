"""The files of one repository → its survey: every plug asked, links followed once, no token overlooked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from migrate.campaign.reading.action_inputs import handed_on
from migrate.campaign.reading.chains import chained
from migrate.campaign.reading.collector import Collector
from migrate.campaign.reading.copies import tied
from migrate.campaign.reading.early_evaluation import early_units
from migrate.campaign.reading.layers import layers
from migrate.campaign.reading.linked import take_linked
from migrate.campaign.reading.maps import backends_of_maps, without_unread
from migrate.campaign.reading.narrowing import matches
from migrate.campaign.reading.one_file import CONFIGURING
from migrate.campaign.reading.partials import Reader, source_at, take_partials
from migrate.campaign.reading.stacked import take_stacks
from migrate.campaign.reading.tree import Tree
from migrate.campaign.reading.units import units
from migrate.config import NAME, Mistake, Waiver
from migrate.estate import Survey
from migrate.files import Item, Left, Read, Unreadable
from migrate.mentions import TOKENS, mentions, near
from migrate.model import Engine, Mention, Place, Problem, RepoId, Source
from migrate.pins import answered
from migrate.pipelines import distinct
from migrate.text import Span
from migrate.unclaimed import Looks, looks

if TYPE_CHECKING:
    from migrate.policies import PolicySource
    from migrate.spelling.written import Written

_NAMING: Final = (*TOKENS, "backend")
"""What stands in a file that a backend may be in."""
_TOLD: Final = PurePosixPath(NAME)
_PROVIDER: Final = re.compile(rb'(?m)^[ \t]*provider[ \t]+"')


class Told(Struct, frozen=True):
    """What a repository's own configuration says of its files, and what the operator's does."""

    backend_config: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    lines: Mapping[PurePosixPath, int] = field(default_factory=dict)
    """Where its own configuration names which root under `backend_config`."""
    engine: Engine | None = None
    exclude: tuple[str, ...] = ()
    """Globs of its own: what they name is not reported and not edited, and gates count it all the same."""
    left_out: tuple[str, ...] = ()
    """Globs of the operator's: what they name need not be readable either."""
    branches: tuple[str, ...] = ()
    """Those that are kept, and are clients of their own."""
    ignore: tuple[Waiver, ...] = ()
    opt_out: str = ""
    mistakes: tuple[Unreadable, ...] = ()
    """Why it says nothing."""
    ended: tuple[Mistake, ...] = ()
    """What of it does not hold any more."""


def excluded(told: Told) -> Iterator[str]:
    """A line for each glob of `exclude`, with what it means, for people."""
    yield from (f"{glob}: {_BY_OPERATOR}" for glob in told.left_out)
    yield from (f"{glob}: {_BY_ITSELF}" for glob in told.exclude)


_BY_OPERATOR: Final = "excluded: not reported, not edited, but what is read there still counts for gates"
_BY_ITSELF: Final = "the repository excludes it: not reported, not edited, but it still counts for gates"


class Inventory(Struct, frozen=True):
    """One repository read: what was found, the sources an edit needs, and what was not read."""

    survey: Survey
    sources: Mapping[PurePosixPath, Source]
    unreadable: tuple[Unreadable, ...] = ()
    left: tuple[Left, ...] = ()
    told: Told = field(default_factory=Told)
    policies: tuple[Written, ...] = ()
    tree: Tree = field(default_factory=lambda: Tree({}, lambda _: None, lambda _: ()))
    """More of its files, for the values in them."""


def take(
    repo: RepoId,
    items: Iterable[Item],
    reader: Reader,
    told: Told,
    policies: tuple[PolicySource, ...] = (),
) -> Inventory:
    """Survey one repository: the files that a walk or a commit gave, and those that they lead to.

    `reader` reads the latter, `told` is what configuration says of the repository, and of policies only these
    kinds are looked for.
    """
    collector = Collector(repo, policies)
    for item in items:
        collector.take(item)
    return finish(collector, reader, told)


def finish(collected: Collector, reader: Reader, told: Told) -> Inventory:
    """Join what was collected of a whole repository, in an order that does not depend on the walk."""
    collected.order()
    take_linked(collected, reader)
    take_partials(collected, reader, told.backend_config)
    _forgive(collected, told.left_out)
    collected.sites = tied(collected.sites)
    tree = _tree(collected, reader)
    of_stacks = take_stacks(collected, tree)
    of_units = {**units(collected.sites, collected.links, tree), **of_stacks}
    merged = (*layers(collected.sites, tree), *backends_of_maps(collected.sites, of_units, tree))
    collected.sites = without_unread(collected.sites, merged)
    claimed: dict[PurePosixPath, list[Span]] = defaultdict(list)
    for site in collected.sites:
        claimed[site.path] += [site.span, *(setting.span for setting in site.settings if setting.by_name)]

    def closer(source: Source) -> Iterator[Looks]:
        yield from looks(source)
        yield from handed_on(source, tree)

    mentioned = tuple(
        mention
        for path, source in collected.sources.items()
        for mention in mentions(source, claimed.get(path, ()), closer)
    )
    survey = Survey(
        repo=collected.repo,
        sites=tuple(collected.sites),
        links=tuple(collected.links),
        pins=tuple(answered(collected.pins)),
        runs=tuple(distinct(collected.runs)),
        mentions=mentioned,
        near=dict(_near(mentioned, collected, told.left_out)),
        problems=tuple(collected.problems),
        closed=tuple(_closed(collected, reader)),
        marks=frozenset(collected.marks),
        providers=frozenset(_providers(collected, reader)),
        aliases={target: tuple(links) for target, links in collected.aliases.items()},
        copies={path: copies for path in collected.sources if (copies := tuple(tree.copies_of(path)))},
        backend_config=told.backend_config,
        configured={root: Place(collected.repo, _TOLD, line) for root, line in told.lines.items()},
        engine=told.engine,
        units={**of_units, **early_units(collected.sites, collected.aliases, tree, collected.runs)},
        layers=merged,
        definitions=chained(collected.repo, collected.definitions, collected.links, tree),
    )
    unread = (file for file in collected.unreadable if not matches(told.exclude, survey.repo, file.path))
    unreadable = (*told.mistakes, *unread)
    policies = tuple(collected.policies)
    return Inventory(survey, collected.sources, unreadable, tuple(collected.left), told, policies, tree)


def _forgive(collected: Collector, left_out: Sequence[str]) -> None:
    """What cannot be read counts for nothing where the operator leaves it out: it is no configuration."""
    repo = collected.repo
    collected.left = [one for one in collected.left if not matches(left_out, repo, one.path)]
    collected.unreadable = [one for one in collected.unreadable if not matches(left_out, repo, one.path)]
    collected.problems = [one for one in collected.problems if not matches(left_out, repo, one.where.path)]


def _near(
    mentioned: Iterable[Mention], collected: Collector, left_out: Sequence[str]
) -> Iterator[tuple[Place, frozenset[str]]]:
    """What stands around a table that may lock something, where nothing reads it and nothing has to."""
    places = [one.where for one in mentioned if not one.accounted]
    for place in (*places, *(site.place for site in collected.sites if site.is_unread)):
        words = near(collected.sources[place.path].text, place.line)
        if words and not matches(left_out, collected.repo, place.path):
            yield place, words


def _closed(collected: Collector, reader: Reader) -> Iterator[Problem]:
    """What may hold a backend that nobody read, with what to do about it."""

    def unread(path: PurePosixPath, why: str, remedy: str) -> Problem:
        return Problem(
            "unreadable", Place(collected.repo, path, 1), why, f"{remedy}, or leave it out by --exclude"
        )

    yield from (unread(file.path, file.why, "make it readable") for file in collected.unreadable)
    for left in filter(_may_configure, collected.left):
        yield unread(left.path, left.why, _BRING.get(left.reason, "bring it into the repository"))
    for target, link in ((target, link) for target, links in collected.aliases.items() for link in links):
        ending = _configuring(link)
        if ending and not target.name.endswith(ending) and _may_name_one(reader.read(target)):
            why = f"a symlink to {target}, which is no {ending} file and is not read as one"
            yield unread(link, why, f"let the name of that end with {ending}")
    for problem in dict.fromkeys(collected.problems):
        text = collected.sources[problem.where.path].text
        if problem.kind in ("unparsable", "template") and any(word in text for word in _NAMING):
            yield problem


def _may_name_one(read: Read | Unreadable | None) -> bool:
    return not isinstance(read, Read) or any(word.encode() in read.data for word in _NAMING)


_BRING: Final = {
    "sparse": "git sparse-checkout disable",
    "absent": "git fetch --refetch",
    "hidden": "git-crypt unlock, or git lfs pull",
}
_ELSEWHERE: Final = ("outside", "absent", "sparse")
"""Terraform follows a symlink out of the repository; what is not here may be anything."""


def might_count(left: Left) -> bool:
    """Whether what was left out may be of a client's that is then overlooked."""
    return left.reason in _ELSEWHERE or _may_configure(left)


def _may_configure(left: Left) -> bool:
    return left.reason in (*_ELSEWHERE, "broken", "special", "binary", "hidden") and bool(
        _configuring(left.path)
    )


def _configuring(path: PurePosixPath) -> str:
    """How the name of a file ends in which an engine would read a backend; it reads no hidden file."""
    hidden = path.name.startswith(".")
    return next((one for one in CONFIGURING if path.name.endswith(one) and not hidden), "")


def _tree(collected: Collector, reader: Reader) -> Tree:
    """The files that expressions lead to, read for their values alone: nothing is found in them."""

    def more(path: PurePosixPath) -> str | None:
        source = source_at(collected.repo, path, reader)
        return source.text if isinstance(source, Source) else None

    return Tree({path: source.text for path, source in collected.sources.items()}, more, reader.names)


def _providers(collected: Collector, reader: Reader) -> Iterator[PurePosixPath]:
    """Of the directories that have a backend and are called as modules: those with a provider block."""
    called = {link.path for link in collected.links if link.kind == "module"}
    for root in {site.root for site in collected.sites if site.role == "writer"} & called:
        names = (name for name in reader.names(root) if name.endswith((".tf", ".tofu")))
        reads = (reader.read(root / name) for name in names)
        if any(isinstance(read, Read) and _PROVIDER.search(read.data) for read in reads):
            yield root
