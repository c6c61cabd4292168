"""Two repositories, `net` with a state and `app` that reads it; their owners merge what they are offered."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from migrate.demo.beats import Beat, Said
from migrate.demo.checkout import Checkout
from migrate.demo.stage import BUCKET, IN_TABLE, TABLE, Stage, backend, reader, resource
from migrate.terraform import Ran

AGAIN: Final = "-replace=terraform_data.subnet"
"""Makes an apply of `net` write its state."""

_CONFIG: Final = "operator.yaml"
_TEAM: Final = "platform@acme.example"


class Repositories(Struct, frozen=True):
    stage: Stage
    net: Checkout
    app: Checkout

    def work(self) -> bool:
        """Whether `net` can be applied and `app` be planned, after the init that a merge asks for."""
        ran = [self.net.init("-reconfigure"), self.net.apply(AGAIN)]
        ran += [self.app.init("-reconfigure"), self.app.run("plan")]
        return all(each.code == 0 for each in ran)

    def track(self) -> None:
        """Make both of them git repositories."""
        for checkout in (self.net, self.app):
            git = self.stage.desk.git
            git(checkout.folder, "init", "--quiet", "--initial-branch", "main")
            git(
                checkout.folder,
                "remote",
                "add",
                "origin",
                f"https://git.acme.example/acme/{checkout.who}.git",
            )
            git(checkout.folder, "add", "main.tf")
            git(checkout.folder, "commit", "--quiet", "--message", "Begin")

    def merge(self, branch: str) -> Iterator[Beat]:
        """What each owner sees who merges."""
        for checkout in (self.net, self.app):
            git = self.stage.desk.git
            git(checkout.folder, "merge", "--quiet", branch)
            diff = git(checkout.folder, "diff", "ORIG_HEAD", "HEAD").out
            yield Said(checkout.who, f"git merge {branch}", _changes(diff))

    def tfrelock(self, command: str, *options: str) -> Ran:
        """A command of the platform team, over both and with what it has stated."""
        return self.stage.desk.tfrelock(
            self.stage.folder, command, "--config", _CONFIG, *options, "net", "app"
        )

    def proposals(self) -> tuple[str, ...]:
        """The files of all proposals made."""
        folder = self.stage.folder / "proposals"
        return tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*") if path.is_file()))

    def state(self, *facts: tuple[str, str, str]) -> Beat:
        """Add facts to what the team states: which, of what, and how it knows."""
        lines = [line for that, of, because in facts for line in _fact(that, of, because)]
        path = self.stage.folder / _CONFIG
        before = path.read_text("utf-8") if path.exists() else "facts:\n"
        path.write_text(before + "\n".join(lines) + "\n", encoding="utf-8")
        return Said("", f"tail -n {len(lines)} {_CONFIG}", tuple(lines))


def begun(stage: Stage) -> Repositories:
    """Both as everybody has them: locked in the table, and reading with it."""
    own = backend(_key(stage, "app"), IN_TABLE) + reader(_key(stage, "net"))
    net = stage.checkout("net", stage.new, net_text(stage, IN_TABLE))
    app = stage.checkout("app", stage.new, own)
    for checkout in (net, app):
        checkout.init()
        checkout.apply()
    return Repositories(stage, net, app)


def net_text(stage: Stage, lock: str) -> str:
    return backend(_key(stage, "net"), lock) + resource("subnet")


def _key(stage: Stage, root: str) -> str:
    return f"{stage.folder.name}/{root}/terraform.tfstate"


def _fact(that: str, of: str, because: str) -> list[str]:
    until = (datetime.now(UTC) + timedelta(days=30)).date()
    value = {"bucket": BUCKET, "table": TABLE}[of]
    return [
        f"  - that: {that}",
        f"    of: {{{of}: {value}}}",
        f"    by: {_TEAM}",
        f"    because: {because}",
        f"    until: {until}",
    ]


def _changes(diff: str) -> tuple[str, ...]:
    lines = [line for line in diff.splitlines() if line.startswith(("+", "-"))]
    return tuple(line for line in lines if not line.startswith(("+++", "---")))
