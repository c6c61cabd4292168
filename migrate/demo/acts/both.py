"""With both locks a checkout excludes those that have either, in both directions."""

from collections.abc import Iterator, Sequence
from typing import Final

from migrate.demo.beats import Beat, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.checkout import Checkout
from migrate.demo.stage import BUCKET, IN_LOCKFILE, IN_TABLE, TABLE, Stage, backend, resource
from migrate.terraform import Ran

NAME: Final = "both"
TITLE: Final = "Both locks"

_KEY: Final = "billing/terraform.tfstate"
_REFUSED: Final = "Error acquiring the state lock"
_CODES: Final = ("ConditionalCheckFailedException", "PreconditionFailed", "specified did not hold")
_TELLING: Final = (_REFUSED, "operation error", *_CODES, "Operation:", "Version:")


def play(stage: Stage) -> Iterator[Beat]:
    yield Scene("The same two. This time the pipeline's line is not swapped: this program adds one to it.")
    laptop = stage.checkout("laptop", stage.old, backend(_KEY, IN_TABLE) + resource("invoices"))
    pipeline = stage.checkout("pipeline", stage.new, backend(_KEY, IN_TABLE) + resource("invoices"))
    edited = stage.desk.tfrelock(pipeline.folder, "edit", "--phase", "dual-lock", "--write")
    yield Said("pipeline", "tfrelock edit --phase dual-lock --write", tuple(edited.out.splitlines()))
    laptop.init()
    configured = pipeline.init("-reconfigure")
    yield Said("pipeline", "terraform init -reconfigure", excerpt(configured.out, "successfully"))
    successor = stage.checkout("successor", stage.new, backend(_KEY, IN_LOCKFILE) + resource("invoices"))
    successor.init()
    yield Scene("The laptop is in the middle of an apply. The pipeline applies:")
    yield from _encounter(laptop, [pipeline])
    yield Scene(
        "Now the pipeline is, with both locks. The laptop applies, and so does a successor, whose code "
        "already names the lockfile alone, as all will in the end:"
    )
    yield from _encounter(pipeline, [laptop, successor], stage)
    yield Scene("And if the successor is in the middle, and the pipeline applies?")
    yield from _encounter(successor, [pipeline])
    yield Meaning(
        "Who holds both locks excludes who holds either. That is the bridge: first every writer takes both, "
        "and only when none is left that locks in the table alone may the table go."
    )


def _encounter(holder: Checkout, comers: Sequence[Checkout], stage: Stage | None = None) -> Iterator[Beat]:
    """One is in the middle of an apply when others come; on a `stage` its locks are looked at meanwhile."""
    with holder.applying("-replace=terraform_data.invoices") as applying:
        if stage:
            yield from _locks(stage)
        for comer in comers:
            refused = comer.apply()
            yield Said(comer.who, "terraform apply", excerpt(refused.err, *_TELLING))
            yield Shown(
                f"the {comer.who} is refused while the {holder.who} applies", _is_refusal(refused, holder)
            )
        yield Shown(f"the {holder.who} ends undisturbed", applying.finish().code == 0)


def _locks(stage: Stage) -> Iterator[Beat]:
    lock, row = f"{_KEY}.tflock", f"{BUCKET}/{_KEY}"
    in_bucket, in_table = (
        f"<Key>{lock}</Key>" in stage.cloud.keys(BUCKET),
        f'"{row}"' in stage.cloud.rows(TABLE),
    )
    yield Shown(
        f"the bucket {BUCKET} holds {lock}, and the table {TABLE} the row {row}", in_bucket and in_table
    )


def _is_refusal(comer: Ran, holder: Checkout) -> bool:
    """Refused for the lock, and for that of the holder: Terraform names its release."""
    named = f"Version:   {holder.terraform.release}"
    return comer.code == 1 and _REFUSED in comer.err and named in comer.err
