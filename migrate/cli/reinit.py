"""`tfrelock reinit`: directories that were initialised for the backend of before, initialised anew."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.auditing.reinit import Root, roots, wanted
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import Gathered, gather, say_unread
from migrate.cli.options import scope, with_report, with_scope, write_report
from migrate.errors import RelockError
from migrate.files import cache, printable, save
from migrate.files.initialised import Remains, left
from migrate.model import Directory, RepoId
from migrate.reports import REINIT
from migrate.terraform.many import Ended, Many, Task, cache_of, locked

_ADDED: Final = {
    "TF_IN_AUTOMATION": "1",
    "TF_INPUT": "0",
    "TF_CLI_ARGS_init": "-no-color",
    "TG_NON_INTERACTIVE": "true",
    "TG_NO_COLOR": "true",
    "TERRAGRUNT_NON_INTERACTIVE": "true",
    "TERRAGRUNT_NO_COLOR": "true",
}
_ERROR: Final = re.compile(r"\bError: .*\S")
_MEDDLING: Final = ("TF_CLI_ARGS", "TF_CLI_ARGS_init", "TF_WORKSPACE")


@with_scope
@with_report(REINIT)
@click.command("reinit")
@click.option("--write", "writes", is_flag=True, help="Run the inits; without it, list them.")
@click.option("--check", is_flag=True, help="Exit 2 if a directory is not initialised for its backend.")
@click.option("--new", "new", is_flag=True, help="Also initialise directories that never were.")
@click.option("--jobs", default=4, show_default=True, type=click.IntRange(1, 64), help="So many at once.")
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
    gathered, asked = gather(scope()), scope().narrowing
    say_unread(gathered)
    desk = _Desk(gathered, logs or _own_folder(), os.environ)
    before = [desk.able(root) for root in roots(gathered.estate, desk.look, asked)]
    chosen = wanted(before, desk.broken_off, new=new)
    ended = {one.name: one for one in desk.run(chosen, jobs)} if writes else {}
    after = {root.name: root for root in roots(gathered.estate, desk.look, asked)} if writes else {}
    shown = [
        _outcome(root, after[root.name], ended[root.name]) if root.name in ended else _shown(root, root.why)
        for root in before
    ]
    write_report(REINIT, shown)
    return worst([*gathered.exits, *_exits(shown, writes=writes, check=check)])


def _no_meddling(environ: Mapping[str, str]) -> None:
    """What would add to every init, or choose a workspace for all, is known only from the environment."""
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


class _Ran(Struct, frozen=True):
    """What became of one root: why it failed, and whether init let go of the workspace it was to keep."""

    name: str
    failed: str
    workspace: str
    fell_back: bool


class _Desk:
    """What the inits of one run share: folders, logs, programs, the environment."""

    def __init__(self, gathered: Gathered, logs: Path, environ: Mapping[str, str]) -> None:
        self._folders = {repository.id: repository.root for repository in gathered.repositories}
        self._logs, self._environ = logs, environ
        self._data = environ.get("TF_DATA_DIR") or ".terraform"
        if Path(self._data).is_absolute():
            raise RelockError("one data directory cannot serve many roots", "TF_DATA_DIR", "unset it")

    def look(self, repo: RepoId, path: PurePosixPath) -> Remains:
        return left(self._folder(repo, path), self._data)

    def able(self, root: Root) -> Root:
        """The root; refused where its program or its folder is not there."""
        if root.standing == "refused":
            return root
        if not self._folder(root.repo, root.path).is_dir():
            return replace(root, standing="refused", why="it is not checked out here")
        if shutil.which(root.program, path=self._environ.get("PATH")) is None:
            return replace(root, standing="refused", why=f"there is no {root.program} on PATH")
        return root

    def broken_off(self, root: Root) -> bool:
        """Whether an init of this program began here and did not end well."""
        return self._mark(root).exists()

    def run(self, chosen: Sequence[Root], jobs: int) -> Iterator[_Ran]:
        """What became of every root. A mark with its workspace stands from before until all went well."""
        self._logs.mkdir(parents=True, exist_ok=True)
        by_name = {root.name: replace(root, workspace=self._marked(root)) for root in chosen}
        for root in by_name.values():
            save(self._mark(root), root.workspace.encode())
        with closing(
            Many([self._task(root) for root in chosen], jobs, cache_of(self._environ)).run()
        ) as runs:
            for number, ended in enumerate(runs, 1):
                root = by_name[ended.task.name]
                save(self._log(root), ended.said)
                said = "FAILED" if ended.code else "ok"
                click.echo(f"[{number}/{len(chosen)}] {said:6} {printable(root.name)}", err=True)
                fell_back = self._restored(root)
                if not ended.code:
                    self._mark(root).unlink()
                why = f"{_last(ended)} (all of it: {self._log(root)})" if ended.code else ""
                yield _Ran(root.name, why, root.workspace, fell_back)

    def _marked(self, root: Root) -> str:
        """The workspace that was selected before an init that was broken off, else the one that is."""
        mark = self._mark(root)
        return (mark.read_text("utf-8") if mark.exists() else "") or root.workspace

    def _restored(self, root: Root) -> bool:
        """Select the workspace again that was selected before, if init went back to default."""
        now = {one.workspace for one in self.look(root.repo, root.path).initialised}
        if root.program == "terragrunt" or not now or now == {root.workspace}:
            return False
        place = self._folder(root.repo, root.path) / self._data / "environment"
        save(place, root.workspace.encode())
        return True

    def _task(self, root: Root) -> Task:
        remains = self.look(root.repo, root.path)
        bare = root.standing != "new" and not remains.has_providers
        none: tuple[str, ...] | None = () if bare else None
        providers = none if remains.lock is None else locked(remains.lock)
        env = {**self._environ, **_ADDED}
        command = (root.program, *root.arguments)
        return Task(root.name, command, self._folder(root.repo, root.path), env, providers)

    def _folder(self, repo: RepoId, path: PurePosixPath) -> Path:
        return self._folders[repo] / path

    def _log(self, root: Root) -> Path:
        """By a name that no root can lead out of the folder with."""
        own = hashlib.sha256(str(self._folder(root.repo, root.path)).encode()).hexdigest()[:12]
        return self._logs / f"{root.path.name or 'root'}-{own}.log"

    def _mark(self, root: Root) -> Path:
        return self._log(root).with_suffix(".unfinished")


def _last(ended: Ended) -> str:
    """The first line of the error, without the time and program that Terragrunt puts before each line."""
    lines = ended.said.decode("utf-8", "replace").splitlines()
    errors = [found[0] for line in lines if (found := _ERROR.search(line))]
    said = errors or [line.strip() for line in lines if line.strip()]
    return said[0] if said else f"exit {ended.code}"


def _outcome(before: Root, after: Root, ran: _Ran) -> Directory:
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
    command = " ".join((root.program, *root.arguments)) if root.arguments else ""
    return Directory(root.repo, root.path, status or root.standing, why, command, root.workspace)


def _exits(shown: Sequence[Directory], *, writes: bool, check: bool) -> Iterator[Exit]:
    statuses = {one.status for one in shown}
    if check and "stale" in statuses:
        yield Exit.FINDINGS
    if "failed" in statuses or ((writes or check) and "refused" in statuses):
        yield Exit.PARTIAL
