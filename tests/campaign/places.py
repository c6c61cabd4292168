"""Repositories and the ports of `propose` for tests: real git, the local forge or a GitHub of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, ParamSpec, TypeVar

from msgspec import Struct, field

from migrate.campaign.offering.slices import CommitText, Edit, Slice
from migrate.campaign.proposing.ports import Branches, Commits, Ports
from migrate.campaign.proposing.signed import Signed
from migrate.files import data
from migrate.files.outbox import Outbox
from migrate.forges import Home
from migrate.forges.answer import Json, Reply, Silence
from migrate.forges.github.login import HEADERS
from migrate.forges.github.proposals import GitHub
from migrate.forges.local import Folder, Local
from migrate.forges.wire import Wire
from migrate.git.branches import Base, Here, Made, There
from migrate.git.checkout import resolve
from migrate.git.commits import Author, Logged
from migrate.git.own import borrow
from migrate.git.remote import Rejected, fetch
from migrate.git.remote import remote as at_url
from migrate.model import Known, RepoId
from migrate.offer import TITLES, Offer, Part, Touched
from migrate.pages import Pages
from migrate.steps import Phase
from tests.github.fixtures import Host

NET: Final = RepoId("github.com/acme/net")
ADA: Final = Author("Ada Acme", "ada@acme.example")
PAGES: Final = Pages(data("templates"))
WHEN: Final = "1767603600 +0000"
BACKEND: Final = PurePosixPath("net/backend.tf")
VERSIONS: Final = PurePosixPath("net/versions.tf")
TABLE: Final = b'terraform {\n  backend "s3" {\n    dynamodb_table = "acme-locks"\n  }\n}\n'
BOTH: Final = TABLE.replace(b"  }\n}", b"    use_lockfile   = true\n  }\n}")
OLD: Final = b'terraform {\n  required_version = ">= 1.5"\n}\n'
NEW: Final = OLD.replace(b"1.5", b"1.11")
FILES: Final = {str(BACKEND): TABLE, str(VERSIONS): OLD, "README.md": b"acme\n"}


def commit_text(phase: Phase, *edits: Edit) -> CommitText:
    return CommitText(phase, TITLES[phase], edits)


def slice_of(name: str, *commits: CommitText, draft: bool = False) -> Slice:
    parts = (
        Part(c.phase, tuple(Touched(e.path, "+use_lockfile = true\n") for e in c.edits)) for c in commits
    )
    return Slice(name, commits, Offer(NET, tuple(parts)), draft=draft)


PREPARE: Final = slice_of(
    "prepare",
    commit_text("pin", Edit(VERSIONS, OLD, NEW)),
    commit_text("dual-lock", Edit(BACKEND, TABLE, BOTH)),
)


def local(checkout: Path, out: Path, scratch: Path, life: Life | None = None) -> Ports:
    """The ports of a checkout and the local forge."""
    scratch.mkdir()
    own, life = borrow(checkout, scratch), life or Life()
    at = resolve(checkout, "main")
    assert isinstance(at, Known)
    base = Base("main", at.value)
    here = ToldBranches(life, Here(own, base))
    forge = Local(ToldFolder(life, Outbox(out)), {NET: Here(own, base)})
    return Ports(ToldCommits(life, Made(own, base, ADA, WHEN)), here, forge, PAGES.proposal, PAGES.paused)


def remote(checkout: Path, host: Host, scratch: Path, life: Life | None = None) -> Ports:
    """The ports of a checkout and a GitHub, whose every call is told."""
    scratch.mkdir()
    own, life = borrow(checkout, scratch), life or Life()
    key = host.hub.key
    forge = GitHub(host.where(), key, ToldWire(life, host))
    host.clients.append(forge)
    home = host.client(key=key).home(NET)
    assert isinstance(home, Home)
    at = at_url(home.url, home.token)
    base = Base(home.base, fetch(own, at, home.base))
    signed = Signed(There(own, at, base), lambda branch: forge.signer(NET, branch))
    there = ToldBranches(life, signed)
    return Ports(ToldCommits(life, Made(own, base, ADA, WHEN)), there, forge, PAGES.proposal, PAGES.paused)


# ── ports whose calls are told ───────────────────────────────────────────────────────────────────────────

P = ParamSpec("P")
R = TypeVar("R")


class Life(Struct):
    """The calls of all ports of a run. `after` each, it looks at what a run that is killed there leaves."""

    after: Callable[[], None] = lambda: None
    spent: list[str] = field(default_factory=list)

    def spend(self, call: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        answer = call(*given, **named)
        self.spent.append(call.__name__)
        self.after()
        return answer


class ToldCommits(Struct, frozen=True):
    life: Life
    inner: Commits

    @property
    def base(self) -> Base:
        return self.inner.base

    def read(self, commit: str, paths: Iterable[PurePosixPath], /) -> Mapping[PurePosixPath, bytes]:
        return self.life.spend(self.inner.read, commit, paths)

    def log(self, tip: str, /) -> tuple[Logged, ...]:
        return self.life.spend(self.inner.log, tip)

    def blobs(self, ids: Iterable[str], /) -> Mapping[str, bytes]:
        return self.life.spend(self.inner.blobs, ids)

    def patch(self, tip: str, /) -> bytes:
        return self.life.spend(self.inner.patch, tip)

    def make(self, parent: str, files: Mapping[PurePosixPath, bytes], message: str, /) -> str:
        return self.life.spend(self.inner.make, parent, files, message)


class ToldBranches(Struct, frozen=True):
    life: Life
    inner: Branches

    def beneath(self, prefix: str, /) -> Sequence[str]:
        return self.life.spend(self.inner.beneath, prefix)

    def tip(self, branch: str, /) -> str | None:
        return self.life.spend(self.inner.tip, branch)

    def put(self, branch: str, tip: str, seen: str | None, /) -> str | Rejected:
        return self.life.spend(self.inner.put, branch, tip, seen)


class ToldFolder(Struct, frozen=True):
    life: Life
    inner: Folder

    def read(self, path: PurePosixPath, /) -> bytes | None:
        return self.life.spend(self.inner.read, path)

    def put(self, path: PurePosixPath, data: bytes, /) -> None:
        return self.life.spend(self.inner.put, path, data)

    def shown(self, path: PurePosixPath, /) -> str:
        return self.inner.shown(path)


class ToldWire(Wire):
    def __init__(self, life: Life, host: Host) -> None:
        headers = {"Authorization": f"Bearer {host.hub.key}", **HEADERS}
        super().__init__(host.where().base, headers, sleep=host.pauses.append)
        self._life = life

    def get(self, path: str, *, query: Mapping[str, str] | None = None) -> Reply:
        return self._life.spend(super().get, path, query=query)

    def set(self, path: str, body: Json) -> Reply:
        return self._life.spend(super().set, path, body)

    def add(self, path: str, body: Json) -> Reply:
        return self._life.spend(super().add, path, body)

    def make(self, path: str, body: Json) -> Reply | Silence:
        return self._life.spend(super().make, path, body)
