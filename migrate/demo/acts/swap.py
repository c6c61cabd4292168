"""Table on one side, lockfile on the other: both apply, and one of them is forgotten."""

from collections.abc import Iterator
from typing import Final

from migrate.demo.beats import Beat, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.checkout import Checkout
from migrate.demo.stage import IN_LOCKFILE, IN_TABLE, Stage, backend, resource

NAME: Final = "swap"
TITLE: Final = "The swap everybody does"

_KEY: Final = "shop/terraform.tfstate"
_COMPLETE: Final = "Apply complete!"


def play(stage: Stage) -> Iterator[Beat]:
    yield Scene(
        "One state, two checkouts. The laptop has last week's code, which locks in the table, and Terraform "
        f"{stage.old.release}. In the pipeline, with Terraform {stage.new.release}, somebody has swapped the "
        "line, as the deprecation warning advises:"
    )
    yield Said("pipeline", "git diff", (f"-    {IN_TABLE}", f"+    {IN_LOCKFILE}"))
    laptop, pipeline = _checkouts(stage)
    yield Scene(
        "The state knows orders. Now the laptop wants to add invoices, and the pipeline refunds. The laptop "
        "applies, holds its lock and takes its time. Meanwhile the pipeline applies."
    )
    with laptop.applying() as applying:
        first = pipeline.apply()
        yield Said("pipeline", "terraform apply", excerpt(first.out + first.err, _COMPLETE, "Error"))
        second = applying.finish()
    yield Said("laptop", "terraform apply", excerpt(second.out + second.err, _COMPLETE, "Error"))
    known = tuple(pipeline.run("state", "list").out.split())
    yield Said("pipeline", "terraform state list", known)
    yield Shown("the pipeline did not wait for the laptop's lock", first.code == 0 and _COMPLETE in first.out)
    yield Shown("the laptop was told “Apply complete!” as well", second.code == 0 and _COMPLETE in second.out)
    yield Shown(
        "refunds is gone from the state", known == ("terraform_data.invoices", "terraform_data.orders")
    )
    yield Meaning(
        "One looked into the table and the other into the bucket, so no lock was ever in the way. The last "
        "to write won, and nobody was told. Were refunds a database, it would run and cost, and no state "
        "would know of it."
    )


def _checkouts(stage: Stage) -> tuple[Checkout, Checkout]:
    """Two of one root. Orders is in its state already, and each of them is about to add something."""
    old, new = backend(_KEY, IN_TABLE) + resource("orders"), backend(_KEY, IN_LOCKFILE) + resource("orders")
    laptop = stage.checkout("laptop", stage.old, old)
    laptop.init()
    laptop.apply()
    laptop.write(old + resource("invoices"))
    pipeline = stage.checkout("pipeline", stage.new, new + resource("refunds"))
    pipeline.init()
    return laptop, pipeline
