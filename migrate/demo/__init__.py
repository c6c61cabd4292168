"""The story of the migration, told with real Terraform on an AWS of our own, in a temporary folder.

It checks what it tells: an act promises what can be seen, and the demonstration succeeds only if all came so.
"""

from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

from migrate.demo import cloud
from migrate.demo.acts import ACTS
from migrate.demo.beats import Beat, Heading, Meaning, Scene
from migrate.demo.program import Desk
from migrate.demo.stage import Stage
from migrate.terraform import Terraform

__all__ = ["perform"]


def perform(old: Terraform, new: Terraform) -> Generator[Beat, None, None]:
    """All acts, beat by beat. What was started ends with the generator, however that ends."""
    with TemporaryDirectory(prefix="tfrelock-demo-") as folder, cloud.running() as aws:
        stage = Stage(old, new, aws, Desk(Path(folder) / "home"), Path(folder))
        stage.set_up()
        yield Scene(
            f"All of this is real: Terraform {old.release} and {new.release}, a bucket and a table on "
            "127.0.0.1, files in a temporary folder. Nothing of yours is read or changed."
        )
        for number, act in enumerate(ACTS, 1):
            yield Heading(f"Act {number}: {act.TITLE}")
            yield from act.play(stage.within(act.NAME))
        yield Meaning("Your own: tfrelock audit .")
