"""A checkout of a root, and the Terraform that somebody runs in it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from migrate import terraform
from migrate.process import Running
from migrate.terraform import Ran, Terraform

HOLD: Final = "touch holding; for i in $(seq 600); do [ -e hold ] || exit 0; sleep 0.1; done"
"""A provisioner's command: stay in the middle of an apply as long as there is `hold`, a minute at most."""


class Checkout(Struct, frozen=True):
    """`who` runs `terraform` in `folder`, where nothing but `env` says which AWS it talks to."""

    who: str
    terraform: Terraform
    folder: Path
    env: Mapping[str, str]

    def write(self, text: str) -> None:
        """Make `text` the root."""
        (self.folder / "main.tf").write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> Ran:
        return terraform.run(self.terraform, arguments, self.folder, self.env)

    def init(self, *options: str) -> Ran:
        return self.run("init", *options)

    def apply(self, *options: str) -> Ran:
        return self.run("apply", "-auto-approve", *options)

    @contextmanager
    def running(self, *arguments: str) -> Iterator["Beside"]:
        """A command that runs beside us until it has `finish`ed, or until the block ends."""
        with terraform.started(self.terraform, arguments, self.folder, self.env) as running:
            yield Beside(running, self.folder / "hold")

    @contextmanager
    def applying(self, *options: str) -> Iterator["Beside"]:
        """An apply that stays in its middle, locks and all, until it may `finish`."""
        holding = self.folder / "holding"
        holding.unlink(missing_ok=True)
        (self.folder / "hold").touch()
        with self.running("apply", "-auto-approve", *options) as beside:
            while not (holding.exists() or beside.running.ended):
                time.sleep(0.05)
            yield beside


class Beside(Struct, frozen=True):
    """A command that runs beside us. An apply that was refused has ended already, and is finished no less."""

    running: Running
    hold: Path

    def finish(self) -> Ran:
        self.hold.unlink(missing_ok=True)
        return terraform.ran(self.running.finished())
