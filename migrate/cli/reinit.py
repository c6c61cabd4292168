"""`tfrelock reinit`: directories that were initialised for the backend of before, initialised anew."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from migrate.campaign.auditing.reinit import Root, roots, wanted
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import gather
from migrate.cli.inits import Desk, Ran
from migrate.cli.options import scope, with_report, with_scope, write_report
from migrate.cli.voice import hint, with_voice
from migrate.errors import RelockError
from migrate.files import cache
from migrate.model import Directory
from migrate.reports import REINIT
from migrate.reports.spelling import counted

_MEDDLING: Final = (
    *("TF_CLI_ARGS", "TF_CLI_ARGS_init", "TF_WORKSPACE"),
    *("TG_WORKING_DIR", "TERRAGRUNT_WORKING_DIR", "TG_CONFIG", "TERRAGRUNT_CONFIG"),
)


@with_voice
@with_scope
@with_report(REINIT)
@click.command("reinit")
@click.option("--write", "writes", is_flag=True, help="Run the inits; without it, list them.")
@click.option("--check", is_flag=True, help="Exit 2 if a directory still knows the backend of before.")
@click.option("--new", "new", is_flag=True, help="Also initialise directories that never were.")
@click.option(
    "--jobs",
    default=4,
    show_default=True,
    type=click.IntRange(1, 64),
    metavar="NUMBER",
    help="How many inits run at once.",
)
@click.option(
    "--logs",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where what each init says is kept, and which was broken off. Default: the user's cache folder.",
)
def command(*, writes: bool, check: bool, new: bool, jobs: int, logs: Path | None) -> int:
    """Run `init -reconfigure` where a directory still knows the backend of before.

    Only where bucket, key, region, prefix and endpoint are known from source and are those that the directory
    was initialised with; anything else is refused. The selected workspace stays, dependency locks are
    read-only, nothing is deleted, and no two inits write one plugin cache. Run it again to go on where it was
    interrupted. It runs what the roots name (modules, providers) with the environment as it is.
    """
    if writes and check:
        raise click.UsageError("--check asks how directories stand, --write changes that: one of them")
    _no_meddling(os.environ)
    gathered = gather(scope())
    desk = Desk(gathered, logs or _own_folder(), os.environ)
    before = [desk.able(root) for root in roots(gathered.estate, desk.look, gathered.narrowing)]
    chosen = wanted(before, desk.broken_off, new=new)
    ended = {one.name: one for one in desk.run(chosen, jobs)} if writes else {}
    after = (
        {root.name: root for root in roots(gathered.estate, desk.look, gathered.narrowing)} if writes else {}
    )
    shown = [
        _outcome(root, after[root.name], ended[root.name]) if root.name in ended else _shown(root, root.why)
        for root in before
    ]
    write_report(REINIT, shown)
    _hint(shown, writes=writes, new=new)
    return worst([*gathered.exits, *_exits(shown, writes=writes, check=check)])


def _hint(shown: Sequence[Directory], *, writes: bool, new: bool) -> None:
    """What would be done about the directories that nothing was done about."""
    counts = Counter(one.status for one in shown)
    if counts["stale"] and not writes:
        hint(f"{counted(counts['stale'], 'directory')} would be initialised anew: --write does it")
    if counts["new"] and not new:
        hint(f"{counted(counts['new'], 'directory')} never initialised: --new takes those, too")


def _no_meddling(environ: Mapping[str, str]) -> None:
    """What would add to every init, or choose its workspace or directory, only the environment knows."""
    for name in _MEDDLING:
        if environ.get(name):
            raise RelockError("it would have a say in every init", name, "unset it")


def _own_folder() -> Path:
    folder = cache(os.environ)
    if folder is None:
        raise RelockError(
            "there is no cache folder of your own", "", "say where to keep logs with --logs DIR"
        )
    return folder / "reinit"


def _outcome(before: Root, after: Root, ran: Ran) -> Directory:
    """An init that says success is believed only as far as the directory shows it."""
    if ran.failed:
        return _shown(before, ran.failed, "failed")
    if after.standing != "current":
        why = after.why or "nothing is initialised there"
        return _shown(before, f"init ended well, and yet: {why}", "failed")
    if after.workspace != ran.workspace:
        return _shown(before, f"workspace {ran.workspace} is no longer selected", "failed")
    kept = f"workspace {ran.workspace} stays selected; no state of it is listed, and init went to default"
    return _shown(before, kept if ran.fell_back else before.why, "done")


def _shown(root: Root, why: str, status: str = "") -> Directory:
    command = shlex.join((root.program, *root.arguments)) if root.arguments else ""
    return Directory(root.repo, root.path, status or root.standing, why, command, root.workspace)


def _exits(shown: Sequence[Directory], *, writes: bool, check: bool) -> Iterator[Exit]:
    statuses = {one.status for one in shown}
    if check and "stale" in statuses:
        yield Exit.FINDINGS
    if "failed" in statuses or ((writes or check) and "refused" in statuses):
        yield Exit.PARTIAL
