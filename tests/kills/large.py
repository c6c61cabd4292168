"""Sixty repositories of all sorts, led from prepare to finish by runs that are killed at random.

Some cannot go the whole way, and say so: a protected branch, somebody's commit on our branch, a proposal that
its owner closed, an archived repository.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.cli.desk import OLD
from tests.cli.estates import Files, reader
from tests.kills.world import World
from tests.repo import Repo, make

COUNT: Final = 60
KILLS: Final = 4
"""How often a run is killed before it is let go."""

JSON: Final = """{"terraform": {"required_version": ">= 1.5", "backend": {"s3": {
  "bucket": "acme-state",
  "key": "%d.tfstate",
  "region": "eu-west-1",
  "dynamodb_table": "acme-locks"
}}}}
"""
TERRAGRUNT: Final = """remote_state {
  backend = "s3"
  config = {
    bucket         = "acme-state"
    key            = "%d.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
  }
}
"""
PARTIAL: Final = """bucket         = "acme-state"
key            = "%d.tfstate"
region         = "eu-west-1"
dynamodb_table = "acme-locks"
"""
EMPTY: Final = 'terraform {\n  required_version = ">= 1.5"\n  backend "s3" {}\n}\n'
PROTECTED: Final = "#!/bin/sh\necho 'acme: branches begin with team/' >&2\nexit 1\n"


def _files(number: int) -> Files:
    """The dialects in turn."""
    plain = OLD.replace("net.tfstate", f"{number}.tfstate")
    match number % 5:
        case 0:
            return {"net/main.tf": plain, "CODEOWNERS": "* @acme/net\n"}
        case 1:
            return {"net/main.tf.json": JSON % number}
        case 2:
            return {"terragrunt.hcl": TERRAGRUNT % number}
        case 3:
            return {"main.tf": EMPTY, "prod.tfbackend": PARTIAL % number}
        case _:
            return {"net/main.tf": plain, "app/main.tf": reader(key=f"{number}.tfstate")}


def create(world: World) -> None:
    """`acme/r0` to `acme/r59`, and two that are left out."""
    for number in range(COUNT):
        bare = world.create(f"r{number}", _files(number), "trunk" if number % 7 == 3 else "main")
        if number in _PROTECTED:
            _protect(bare)
        if number in _THEIRS:
            _push_theirs(world, bare)
    world.create("old", _files(0))
    world.create("fork", _files(0))
    world.hub.archived.add("acme/old")
    world.hub.forks.add("acme/fork")
    world.begin()


_PROTECTED: Final = (11, 12)
_THEIRS: Final = (20, 24)
_DECLINED: Final = (30, 34)


def _protect(bare: Repo) -> None:
    hook = bare.path / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(PROTECTED)
    hook.chmod(0o755)


def _push_theirs(world: World, bare: Repo) -> None:
    work = make(world.folder / "theirs" / bare.path.name, {})
    work.git("fetch", "--quiet", str(bare.path), "HEAD")
    work.git("checkout", "--quiet", "-B", "theirs", "FETCH_HEAD")
    work.commit({"theirs.tf": "# theirs\n"}, "Theirs")
    work.git("push", "--quiet", str(bare.path), "theirs:tfrelock/locks/prepare")


def lead(world: World, random: Random) -> Counter[str]:
    """Waves until nothing is left to offer, each run killed until one is not; gives the kills by kind."""
    kills: Counter[str] = Counter()
    run = _Killing(world, random)
    for _ in range(30):
        before = _counts(world)
        for command in (("next", "--yes"), ("sync",)):
            kills.update(run.until_whole(command))
            world.check_end()
        _decline(world)
        world.merge()
        kills.update(run.until_whole(("sync",)))
        world.check_end()
        if _counts(world) == before:
            return kills
    raise AssertionError("the campaign does not end")


class _Killing:
    """Kills runs anywhere in as many calls as such a run made when it was let go last."""

    def __init__(self, world: World, random: Random) -> None:
        self._world = world
        self._random = random
        self._calls = {"next": 1500, "sync": 500}

    def until_whole(self, command: tuple[str, ...]) -> Iterator[str]:
        """A few kills, then the run is let go."""
        for _ in range(KILLS):
            done = self._world.led(command, die_after=self._random.randint(1, self._calls[command[0]]))
            self._world.check_stop()
            if not done.killed:
                break
            yield done.killed
        done = self._world.led(command)
        assert done.code in (0, 5), done.out
        self._calls[command[0]] = done.calls


def _counts(world: World) -> Counter[str]:
    pulls = (pull for found in world.hub.pulls.values() for pull in found)
    return Counter(f"{pull.head} {pull.merged} {pull.state}" for pull in pulls)


def _decline(world: World) -> None:
    for number in _DECLINED:
        for pull in world.hub.pulls.get(f"acme/r{number}", []):
            if not pull.merged:
                pull.state = "closed"


def check(world: World) -> str:
    """Who went the whole way, and who did not and why; gives it in words."""
    held = {*_PROTECTED, *_THEIRS, *_DECLINED}
    for number in set(range(COUNT)) - held:
        pulls = world.hub.pulls.get(f"acme/r{number}", [])
        heads = sorted(pull.head.rpartition("/")[2] for pull in pulls)
        assert heads == ["finish", "prepare"], (number, heads)
        assert all(pull.merged for pull in pulls), number
        assert not _names_table(world.bare(f"r{number}")), number
    report = world.report()
    for number in (*_PROTECTED, *_THEIRS):
        assert f"acme/r{number}" not in world.hub.pulls, number
        assert "the push was refused" in str(report[f"acme/r{number}"]) or number in _THEIRS
        assert "is not ours" in str(report[f"acme/r{number}"]) or number in _PROTECTED
    for number in _DECLINED:
        assert [pull.state for pull in world.hub.pulls[f"acme/r{number}"]] == ["closed"], number
    return (
        f"{COUNT - len(held)} of {COUNT} repositories went the whole way, {len(held)} say why they could not"
    )


def _names_table(bare: Repo) -> bool:
    return "dynamodb_table" in bare.git("archive", "--format=tar", "HEAD")


def tokens_in(world: World, folder: Path, token: str) -> list[str]:
    """Where a token stands in anything that was printed or kept."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    kept = [str(file) for file in files if token.encode() in file.read_bytes()]
    return [*kept, *(text for text in world.printed if token in text)]
