"""A root that only reads: broken by a swap in another repository, untouched by the planned order."""

from collections.abc import Iterator
from typing import Final

from migrate.demo.beats import Beat, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.checkout import Checkout
from migrate.demo.program import tfrelock
from migrate.demo.stage import IN_LOCKFILE, IN_TABLE, Stage, backend, reader, resource

NAME: Final = "reader"
TITLE: Final = "The reader nobody knew"

_BROKEN: Final = "does not have the expected content"
_TELLING: Final = (
    _BROKEN,
    "The checksum calculated",
    "stored in DynamoDB",
    "Calculated checksum",
    "Stored checksum",
)
_AGAIN: Final = "-replace=terraform_data.subnet"
_REASON: Final = "nothing of a demonstration is a day old"


def play(stage: Stage) -> Iterator[Beat]:
    swapped, planned = stage.within("swapped"), stage.within("planned")
    yield Scene("Another root, app, reads the outputs of net, and names the lock table, as everybody does.")
    net, app = _pair(swapped)
    yield Scene("In net somebody swaps the line. net is applied:")
    net.write(_net(swapped, IN_LOCKFILE))
    net.init("-reconfigure")
    yield Said("net", "terraform apply", excerpt(net.apply(_AGAIN).out, "Apply complete!"))
    yield Scene("At night app is planned. Terraform tries for ten seconds, then gives up:")
    with app.running("plan") as planning:
        pair = _pair(planned)
        failed = planning.finish()
    yield Said("app", "terraform plan", excerpt(failed.err, *_TELLING))
    yield Shown("app fails, though nobody touched it", failed.code == 1 and _BROKEN in failed.err)
    yield Scene("The same two from the start, with a plan:")
    yield from _prepare(planned, *pair)
    yield from _finish(planned, *pair)
    yield Meaning(
        "A reader takes no lock, and still looks into the table: Terraform keeps a checksum of the state "
        "there, which nobody renews once the state is written without it. So readers leave the table first, "
        "and it goes last."
    )


def _pair(stage: Stage) -> tuple[Checkout, Checkout]:
    """`net` has a state, and `app` reads it."""
    net = stage.checkout("net", stage.new, _net(stage, IN_TABLE))
    app = stage.checkout("app", stage.new, backend(_key(stage, "app"), IN_TABLE) + reader(_key(stage, "net")))
    for checkout in (net, app):
        checkout.init()
        checkout.apply()
    return net, app


def _net(stage: Stage, lock: str) -> str:
    return backend(_key(stage, "net"), lock) + resource("subnet")


def _key(stage: Stage, root: str) -> str:
    return f"{stage.folder.name}/{root}/terraform.tfstate"


def _prepare(stage: Stage, net: Checkout, app: Checkout) -> Iterator[Beat]:
    plan = tfrelock(stage.folder, "plan", "net", "app")
    yield Said("", "tfrelock plan net app", tuple(plan.out.rstrip().splitlines()))
    for phase in ("pin", "readers", "dual-lock"):
        edited = tfrelock(stage.folder, "edit", "--phase", phase, "--write", "net", "app")
        yield Said("", f"tfrelock edit --phase {phase} --write net app", _changes(edited.out))
    yield Shown("then net is applied, and app is planned as ever", _work(net, app))


def _finish(stage: Stage, net: Checkout, app: Checkout) -> Iterator[Beat]:
    retire = ("edit", "--phase", "retire", "--write")
    held = tfrelock(stage.folder, *retire, "net", "app")
    yield Said("", f"tfrelock {' '.join(retire)} net app", tuple(held.err.splitlines()))
    yield Shown("the last step waits until somebody answers for it", held.code == 6 and not held.out)
    edited = tfrelock(stage.folder, *retire, "--force", _REASON, "net", "app")
    yield Said("", f'tfrelock {" ".join(retire)} --force "{_REASON}" net app', _changes(edited.out))
    yield Shown("then net is applied without the table, and app is planned as ever", _work(net, app))


def _changes(diff: str) -> tuple[str, ...]:
    """The changed lines of a diff, each repository's under its name."""
    lines = [line for line in diff.splitlines() if line.startswith(("#", "+", "-"))]
    return tuple(line for line in lines if not line.startswith(("+++", "---")))


def _work(net: Checkout, app: Checkout) -> bool:
    ran = [net.init("-reconfigure"), net.apply(_AGAIN), app.init("-reconfigure"), app.run("plan")]
    return all(each.code == 0 for each in ran)
