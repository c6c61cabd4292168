"""Programs that a hostile checkout plants, and the everyday commands that run them."""

import shlex
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tests.repo import Repo


class Plant(Struct, frozen=True, dict=True):
    """A trap, and the everyday command that springs it, which shows that it is one."""

    lay: Callable[[Repo, str], None]
    bait: tuple[str, ...]


def config(*pairs: str) -> Callable[[Repo, str], None]:
    def lay(repo: Repo, trap: str) -> None:
        for pair in pairs:
            key, _, value = pair.partition("=")
            repo.git("config", key, value.replace("TRAP", trap))

    return lay


def attributes(rule: str, *pairs: str) -> Callable[[Repo, str], None]:
    def lay(repo: Repo, trap: str) -> None:
        repo.write({".gitattributes": rule, "main.tf": "changed\n"})
        (repo.path / ".git/info").mkdir(exist_ok=True)
        (repo.path / ".git/info/attributes").write_text(rule)
        config(*pairs)(repo, trap)

    return lay


def hook(name: str) -> Callable[[Repo, str], None]:
    def lay(repo: Repo, trap: str) -> None:
        path = repo.path / ".git/hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{trap}\n")
        path.chmod(0o755)

    return lay


def included(repo: Repo, trap: str) -> None:
    repo.git("config", "-f", ".git/more", "core.fsmonitor", trap)
    repo.git("config", "include.path", "more")


def program(trap: str) -> str:
    """Its path, where no shell reads it."""
    return shlex.split(trap)[0]


def partial_clone(repo: Repo, trap: str) -> None:
    config(
        "core.repositoryFormatVersion=1",
        "extensions.partialClone=origin",
        "remote.origin.promisor=true",
        "remote.origin.url=ext::TRAP",
        "protocol.ext.allow=always",
    )(repo, program(trap).replace(" ", "% "))
    (repo.path / ".git/objects" / repo.git("rev-parse", "HEAD:lazy.tf")[:2]).rename(repo.path / ".git/hidden")


def signed(repo: Repo, trap: str) -> None:
    config("gpg.program=TRAP", "log.showSignature=true", "commit.gpgsign=true")(repo, program(trap))
    raw = repo.git("cat-file", "commit", "HEAD")
    about, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    made = f"{about}\n{signature}\n\n{message}\n".encode()
    repo.git("update-ref", "HEAD", repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=made))


def submodule(repo: Repo, trap: str) -> None:
    entry = f"160000,{repo.git('rev-parse', 'HEAD')},module"
    repo.git("update-index", "--add", "--cacheinfo", entry)
    repo.write({".gitmodules": '[submodule "m"]\npath = module\nurl = ./x\n'})
    config("submodule.m.url=x", "submodule.m.active=true", "submodule.recurse=true")(repo, trap)
    repo.git("init", "-q", "module")
    module = Repo(repo.path / "module")
    module.commit({})
    config("core.fsmonitor=TRAP")(module, trap)


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


def trap(folder: Path, code: int = 0) -> tuple[str, Path]:
    """A program that leaves a mark when it runs; the command, as a shell reads it, and the mark."""
    marker, file = folder / "ran", folder / "trap"
    file.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(marker))}\nexit {code}\n")
    file.chmod(0o755)
    return shlex.quote(str(file)), marker
