"""`tfrelock campaign add`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import click

from migrate.cli.campaign.book import FILE, KEPT, opened
from migrate.cli.campaign.sources import Listing, of_forge, of_list, of_paths
from migrate.cli.exits import Exit
from migrate.cli.given import given
from migrate.cli.options import with_config
from migrate.cli.trust import read_config
from migrate.cli.voice import followed, hint, with_voice
from migrate.files import printable
from migrate.forges import Listed
from migrate.progress import Entry, Event
from migrate.progress.events import Added, Kept, LeftOut
from migrate.reports.spelling import counted


def _listings(
    github_org: Iterable[str],
    github_search: Iterable[str],
    gitlab_group: Iterable[str],
    gitea_org: Iterable[str],
) -> Iterator[Listing]:
    yield from (Listing("github", "group", name) for name in github_org)
    yield from (Listing("github", "search", query) for query in github_search)
    yield from (Listing("gitlab", "group", name) for name in gitlab_group)
    yield from (Listing("gitea", "group", name) for name in gitea_org)


@with_voice
@with_config
@click.command("add")
@FILE
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--list",
    "listed",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="LIST",
    help="A file with a path or URL a line; # begins a comment.",
)
@click.option("--github-org", multiple=True, metavar="NAME", help="All of an organisation (repeatable).")
@click.option("--github-search", multiple=True, metavar="QUERY", help="What a search finds (repeatable).")
@click.option(
    "--gitlab-group", multiple=True, metavar="PATH", help="All of a group, with subgroups (repeatable)."
)
@click.option(
    "--gitea-org", multiple=True, metavar="NAME", help="All of one on Gitea or Forgejo (repeatable)."
)
@click.option("--forge-url", metavar="URL", help="Its URL, where it is not the public one.")
@click.option(
    "--include", multiple=True, metavar="GLOB", help="Only repositories whose id matches (repeatable)."
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="No repository whose id matches (repeatable).")
@KEPT
def command(  # noqa: PLR0913  one for each place that repositories come from
    *,
    file: Path,
    paths: Sequence[str],
    listed: Path | None,
    github_org: Sequence[str],
    github_search: Sequence[str],
    gitlab_group: Sequence[str],
    gitea_org: Sequence[str],
    forge_url: str | None,
    include: Sequence[str],
    exclude: Sequence[str],
    kept: Sequence[str],
) -> int:
    """Add repositories to the campaign: folders, URLs, an organisation, what a search finds.

    Archived and empty ones and forks are left out, and said. Nothing of a repository is read yet.
    """
    says, _, _ = read_config(given().config)
    with opened(file) as book:
        found = list(of_paths(paths))
        found += of_list(listed) if listed else []
        for listing in _listings(github_org, github_search, gitlab_group, gitea_org):
            listed_there = of_forge(listing, forge_url or says.forge_url or None)
            found += followed("listing repositories:", listed_there)
        book.note([Kept(name) for name in kept if name not in book.progress.branches])
        chosen = {one.repo: one for one in found if _wanted(one.repo, include, exclude)}
        book.note(
            [event for one in chosen.values() if (event := _event(one, book.progress.entries.get(one.repo)))]
        )
    _say(chosen.values())
    return Exit.OK if chosen or kept else Exit.NOTHING


def _wanted(repo: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    asked = not include or any(fnmatchcase(repo, glob) for glob in include)
    return asked and not any(fnmatchcase(repo, glob) for glob in exclude)


def _event(one: Listed, known: Entry | None) -> Event | None:
    """What is new of a repository; None: nothing."""
    if one.left:
        return None if known and known.left == one.left else LeftOut(one.repo, one.left)
    return None if known and not known.left and known.url == one.url else Added(one.repo, one.url)


def _say(found: Iterable[Listed]) -> None:
    reasons = Counter(one.left for one in found)
    hint(f"{counted(reasons.pop('', 0), 'repository')} in the campaign")
    for why, count in sorted(reasons.items()):
        hint(f"{counted(count, 'repository')} left out: {printable(why)}")
