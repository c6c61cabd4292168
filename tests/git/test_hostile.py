"""A checkout that plants programs: nothing of it runs, whatever we ask of it."""

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from migrate.files import Interest, Names, discover, walk
from migrate.git import (
    Author,
    Draft,
    blobs,
    borrow,
    commit,
    differing,
    head,
    holding,
    ignored,
    log,
    merge_base,
    move_branch,
    patch,
    publish,
    resolve,
    tree,
)
from migrate.model import Known
from tests.git.repository import git, make, put

MAIN = PurePosixPath("main.tf")


@dataclass(frozen=True)
class Plant:
    """A trap, and the everyday command that springs it, which shows that it is one."""

    lay: Callable[[Path, str], None]
    bait: tuple[str, ...]


def config(*pairs: str) -> Callable[[Path, str], None]:
    def lay(repo: Path, trap: str) -> None:
        for pair in pairs:
            key, _, value = pair.partition("=")
            git(repo, "config", key, value.replace("TRAP", trap))

    return lay


def attributes(rule: str, *pairs: str) -> Callable[[Path, str], None]:
    def lay(repo: Path, trap: str) -> None:
        put(repo, {".gitattributes": rule.encode(), "main.tf": b"changed\n"})
        (repo / ".git/info").mkdir(exist_ok=True)
        (repo / ".git/info/attributes").write_text(rule)
        config(*pairs)(repo, trap)

    return lay


def hook(name: str) -> Callable[[Path, str], None]:
    def lay(repo: Path, trap: str) -> None:
        path = repo / ".git/hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{trap}\n")
        path.chmod(0o755)

    return lay


def included(repo: Path, trap: str) -> None:
    git(repo, "config", "-f", ".git/more", "core.fsmonitor", trap)
    git(repo, "config", "include.path", "more")


def partial_clone(repo: Path, trap: str) -> None:
    config(
        "core.repositoryFormatVersion=1",
        "extensions.partialClone=origin",
        "remote.origin.promisor=true",
        "remote.origin.url=ext::sh -c TRAP",
        "protocol.ext.allow=always",
    )(repo, f"'{trap}'")
    (repo / ".git/objects" / git(repo, "rev-parse", "HEAD:lazy.tf")[:2]).rename(repo / ".git/hidden")


def signed(repo: Path, trap: str) -> None:
    config("gpg.program=TRAP", "log.showSignature=true", "commit.gpgsign=true")(repo, trap)
    raw = git(repo, "cat-file", "commit", "HEAD")
    about, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    made = f"{about}\n{signature}\n\n{message}\n".encode()
    git(repo, "update-ref", "HEAD", git(repo, "hash-object", "-t", "commit", "-w", "--stdin", stdin=made))


def submodule(repo: Path, trap: str) -> None:
    entry = f"160000,{git(repo, 'rev-parse', 'HEAD')},module"
    git(repo, "update-index", "--add", "--cacheinfo", entry)
    put(repo, {".gitmodules": b'[submodule "m"]\npath = module\nurl = ./x\n'})
    config("submodule.m.url=x", "submodule.m.active=true", "submodule.recurse=true")(repo, trap)
    git(repo, "init", "-q", "module")
    git(repo / "module", "commit", "-q", "--allow-empty", "-m", "x")
    config("core.fsmonitor=TRAP")(repo / "module", trap)


PLANTS = {
    "fsmonitor": Plant(config("core.fsmonitor=TRAP"), ("status",)),
    "fsmonitor in an included file": Plant(included, ("status",)),
    "hook": Plant(hook("reference-transaction"), ("update-ref", "refs/heads/bait", "HEAD")),
    "hook on the index": Plant(hook("post-index-change"), ("read-tree", "HEAD")),
    "hook of a checkout": Plant(hook("post-checkout"), ("checkout", "-f", "main")),
    "clean filter": Plant(attributes("* filter=x", "filter.x.clean=TRAP; cat"), ("add", "main.tf")),
    "filter process": Plant(attributes("* filter=x", "filter.x.process=TRAP"), ("add", "main.tf")),
    "smudge filter": Plant(attributes("* filter=x", "filter.x.smudge=TRAP; cat"), ("checkout", "main.tf")),
    "textconv": Plant(attributes("* diff=x", "diff.x.textconv=TRAP; cat"), ("diff",)),
    "diff driver": Plant(attributes("* diff=x", "diff.x.command=TRAP"), ("diff",)),
    "external diff": Plant(attributes("", "diff.external=TRAP"), ("diff",)),
    "merge driver": Plant(attributes("* merge=x", "merge.x.driver=TRAP"), ()),
    "pager": Plant(config("core.pager=TRAP; cat", "pager.log=TRAP; cat"), ()),  # runs at a terminal alone
    "alias": Plant(config("alias.bait=!TRAP", "alias.rev-parse=!TRAP", "alias.ls-tree=!TRAP"), ("bait",)),
    "signing program": Plant(signed, ("log", "-1")),
    "partial clone": Plant(partial_clone, ("cat-file", "blob", "HEAD:lazy.tf")),
    "submodule": Plant(submodule, ("status",)),
    "work tree elsewhere": Plant(config("core.worktree=/", "core.bare=true"), ()),
}


def everything(repo: Path, scratch: Path) -> None:
    """Each thing we ask of a checkout, and each commit we make beside it."""
    interest = Interest((b"backend",), Names(frozenset({"main.tf"})))
    list(walk(discover([str(repo)]).repositories, interest))
    here = head(repo)
    assert isinstance(here, Known)
    base = here.value.commit
    assert resolve(repo, "main") == Known(base)
    assert isinstance(ignored(repo, [MAIN]), Known)
    assert isinstance(differing(repo, base, {MAIN: (repo / MAIN).read_bytes()}), Known)
    own = borrow(repo, scratch)
    blobs(own, [leaf.blob for leaf in tree(own, base).values()])
    kim = Author("Kim Example", "kim@acme.example")
    tip = commit(own, Draft(base, {MAIN: b"both\n"}, "Lock both\n", kim, "1700000000 +0000"))
    assert [entry.commit for entry in log(own, base, tip)] == [tip]
    assert merge_base(own, base, tip) == base
    assert b"+both" in patch(own, base, tip)
    publish(own, tip, base)
    move_branch(repo, "tfrelock/default/prepare", tip, None)
    assert git(repo, "rev-parse", "refs/heads/tfrelock/default/prepare") == tip


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make(tmp_path / "net", {"main.tf": b'backend "s3"\n', "lazy.tf": b"lazy\n", "x.tf": b"x\n"})


@pytest.mark.parametrize("name", PLANTS)
def test_nothing_of_a_checkout_runs(name: str, repo: Path, tmp_path: Path) -> None:
    marker, plant = tmp_path / "ran", PLANTS[name]
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(marker))}\n")
    trap.chmod(0o755)
    plant.lay(repo, str(trap))
    (tmp_path / "scratch").mkdir()
    everything(repo, tmp_path / "scratch")
    assert not marker.exists()


@pytest.mark.parametrize("name", [name for name, plant in PLANTS.items() if plant.bait])
def test_each_trap_is_one(name: str, repo: Path, tmp_path: Path) -> None:
    marker, plant = tmp_path / "ran", PLANTS[name]
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(marker))}\nexit 1\n")
    trap.chmod(0o755)
    plant.lay(repo, str(trap))
    with suppress(AssertionError):  # what the trap leaves git with is git's matter
        git(repo, *plant.bait)
    assert marker.exists()


def test_a_token_is_searched_in_a_commit_without_textconv(repo: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    attributes("* diff=x", "diff.x.textconv=TRAP; cat")(repo, f"touch {shlex.quote(str(marker))}")
    (tmp_path / "scratch").mkdir()
    own = borrow(repo, tmp_path / "scratch")
    assert holding(own, git(repo, "rev-parse", "HEAD"), [b"backend"]) == (MAIN,)
    assert not marker.exists()
