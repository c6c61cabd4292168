"""The inits of one run: folders, logs and programs, and the workspace that each directory had selected."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.auditing.reinit import Root
from migrate.cli.gather import Gathered
from migrate.cli.voice import hint, wrong
from migrate.errors import RelockError
from migrate.files import printable, save
from migrate.files.alone import alone
from migrate.files.initialised import Remains, left
from migrate.model import RepoId
from migrate.terraform.many import Ended, Many, Task
from migrate.terraform.plugin_cache import Provider, cache_of, locked

_ADDED: Final = {
    "TF_IN_AUTOMATION": "1",
    "TF_INPUT": "0",
    "TF_CLI_ARGS_init": "-no-color",
    "TG_NON_INTERACTIVE": "true",
    "TG_NO_COLOR": "true",
    "TERRAGRUNT_NON_INTERACTIVE": "true",
    "TERRAGRUNT_NO_COLOR": "true",
}
_ODD: Final = re.compile(r"[^\w.-]", re.ASCII)
_ERROR: Final = re.compile(r"\bError: .*\S")


class Ran(Struct, frozen=True):
    """What became of one root: why it failed, and whether init let go of the workspace it was to keep."""

    name: str
    failed: str
    workspace: str
    fell_back: bool


class Desk:
    """What the inits of one run share: folders, logs, programs, the environment."""

    def __init__(self, gathered: Gathered, logs: Path, environ: Mapping[str, str]) -> None:
        self._folders = {repository.id: repository.root for repository in gathered.repositories}
        self._logs, self._environ = logs, environ
        self._data = environ.get("TF_DATA_DIR") or ".terraform"
        if Path(self._data).is_absolute() or ".." in Path(self._data).parts:
            raise RelockError("one data directory cannot serve many roots", "TF_DATA_DIR", "unset it")

    def look(self, repo: RepoId, path: PurePosixPath) -> Remains:
        return left(self._folder(repo, path), self._data)

    def able(self, root: Root) -> Root:
        """The root; refused where its program or its folder is not there."""
        if root.standing == "refused":
            return root
        if not self._folder(root.repo, root.path).is_dir():
            return replace(
                root,
                standing="refused",
                why="there is no such folder here: check it out, or let Terragrunt generate it",
            )
        if shutil.which(root.program, path=self._environ.get("PATH")) is None:
            return replace(root, standing="refused", why=f"there is no {root.program} on PATH")
        return root

    def broken_off(self, root: Root) -> bool:
        """Whether an init of this program began here and did not end well."""
        return self._mark(root).exists()

    def run(self, chosen: Sequence[Root], jobs: int) -> Iterator[Ran]:
        """What became of every root. A mark with its workspace stands from before until all went well.

        Raises RelockError where another run that keeps its logs there is at work.
        """
        with alone(self._logs / "lock") as lock:
            yield from self._run(chosen, jobs, lock)

    def _run(self, chosen: Sequence[Root], jobs: int, lock: int) -> Iterator[Ran]:
        by_name = {root.name: replace(root, workspace=self._marked(root)) for root in chosen}
        for root in by_name.values():
            save(self._mark(root), root.workspace.encode())
        tasks = [self._task(root, lock) for root in chosen]
        with closing(Many(tasks, jobs, cache_of(self._environ)).run()) as runs:
            for number, ended in enumerate(runs, 1):
                root = by_name[ended.task.name]
                save(self._log(root), ended.said)
                say, said = (wrong, "FAILED") if ended.code else (hint, "ok")
                say(f"[{number}/{len(chosen)}] {said:6} {printable(root.name)}")
                fell_back = self._restored(root)
                if ended.code:
                    save(self._mark(root), b"")  # from here on the directory itself says its workspace
                else:
                    self._mark(root).unlink()
                why = f"{_last(ended)} (all of it: {self._log(root)})" if ended.code else ""
                yield Ran(root.name, why, root.workspace, fell_back)

    def _marked(self, root: Root) -> str:
        """The workspace that is selected; if that is default, the one before an init that was killed."""
        mark = self._mark(root)
        before = mark.read_text("utf-8") if mark.exists() else ""
        return before if before and root.workspace == "default" else root.workspace

    def _restored(self, root: Root) -> bool:
        """Select the workspace again that was selected before, if init went back to default."""
        now = {one.workspace for one in self.look(root.repo, root.path).initialised}
        if root.program == "terragrunt" or not now or now == {root.workspace}:
            return False
        place = self._folder(root.repo, root.path) / self._data / "environment"
        save(place, root.workspace.encode())
        return True

    def _task(self, root: Root, lock: int) -> Task:
        remains = self.look(root.repo, root.path)
        bare = root.standing != "new" and not remains.has_providers
        none: tuple[Provider, ...] | None = () if bare else None
        providers = none if remains.lock is None else locked(remains.lock)
        env = {**self._environ, **_ADDED}
        command = (root.program, *root.arguments)
        return Task(root.name, command, self._folder(root.repo, root.path), env, providers, (lock,))

    def _folder(self, repo: RepoId, path: PurePosixPath) -> Path:
        return self._folders[repo] / path

    def _log(self, root: Root) -> Path:
        """By a name that any disk takes, and that no root can lead out of the folder with."""
        folder = str(self._folder(root.repo, root.path)).encode("utf-8", "surrogateescape")
        name = _ODD.sub("_", root.path.name)[:60] or "root"
        return self._logs / f"{name}-{hashlib.sha256(folder).hexdigest()[:12]}.log"

    def _mark(self, root: Root) -> Path:
        return self._log(root).with_suffix(".unfinished")


def _last(ended: Ended) -> str:
    """The first line of the error, without the time and program that Terragrunt puts before each line."""
    lines = ended.said.decode("utf-8", "replace").splitlines()
    errors = [found[0] for line in lines if (found := _ERROR.search(line))]
    said = errors or [line.strip() for line in lines if line.strip()]
    return said[0] if said else f"exit {ended.code}"
