"""A root that only reads: broken by a swap in another repository, untouched by what this program proposes."""

from collections.abc import Generator, Iterator
from typing import Final

from migrate.demo.beats import Beat, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.repositories import AGAIN, Repositories, begun, net_text
from migrate.demo.stage import IN_LOCKFILE, Stage

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
_STEPS: Final = ("s3://", "  now", *(f"  {number}  " for number in range(1, 5)), "Merge order")
_PROPOSE: Final = ("propose", "--yes", "--out", "proposals")


def play(stage: Stage) -> Iterator[Beat]:
    yield Scene("Another root, app, reads the outputs of net, and names the lock table, as everybody does.")
    planned = yield from _swapped(stage)
    planned.track()
    yield from _prepared(planned)
    yield from _finished(planned)
    yield Said("", "ls proposals", planned.proposals())
    yield Meaning(
        "A reader takes no lock, and still looks into the table: Terraform keeps a checksum of the state "
        "there, which nobody renews once the state is written without it. So readers leave the table first, "
        "and it goes last."
    )


def _swapped(stage: Stage) -> Generator[Beat, None, Repositories]:
    """The wrong way. Terraform takes its time to fail: the others are made meanwhile, and given back."""
    swapped = begun(stage.within("swapped"))
    yield Scene("In net somebody swaps the line. net is applied:")
    swapped.net.write(net_text(swapped.stage, IN_LOCKFILE))
    swapped.net.init("-reconfigure")
    yield Said("net", "terraform apply", excerpt(swapped.net.apply(AGAIN).out, "Apply complete!"))
    yield Scene("At night app is planned. Terraform tries for ten seconds, then gives up:")
    with swapped.app.running("plan") as planning:
        planned = begun(stage.within("planned"))
        failed = planning.finish()
    yield Said("app", "terraform plan", excerpt(failed.err, *_TELLING))
    yield Shown("app fails, though nobody touched it", failed.code == 1 and _BROKEN in failed.err)
    return planned


def _prepared(both: Repositories) -> Iterator[Beat]:
    """Floor, readers and dual lock, as one proposal to each repository."""
    yield Scene("The same two from the start. What no source can show, the platform team states:")
    yield both.state(("callers-may-lock", "bucket", "the roles' policy is applied, and was tried"))
    plan = both.tfrelock("plan")
    yield Said("", "tfrelock plan --config operator.yaml net app", excerpt(plan.out, *_STEPS))
    yield _offered(both)
    yield Scene("Each is a branch, a page for its owner and a patch. The owners merge:")
    yield from both.merge("tfrelock/default/prepare")
    yield Shown("net is applied, and app is planned as ever", both.work())


def _finished(both: Repositories) -> Iterator[Beat]:
    """The table goes, once somebody answers for what only time and people can tell."""
    held = both.tfrelock(*_PROPOSE, "--phase", "retire")
    yield Scene("And the table? Not yet:")
    yield Said("", f"{_shown()} --phase retire net app", tuple(held.err.splitlines()))
    yield Shown("nothing is offered while a gate is not open", held.code == 6 and not held.out)
    yield Scene("Say a fortnight has passed. The team states what only time and people can tell:")
    yield both.state(
        ("soaked", "bucket", "a fortnight of runs took both locks"),
        ("table-known", "table", "no other repository and no person uses it"),
    )
    yield _offered(both)
    yield from both.merge("tfrelock/default/finish")
    yield Shown("net is applied without the table, and app is planned as ever", both.work())


def _offered(both: Repositories) -> Beat:
    made = both.tfrelock(*_PROPOSE)
    return Said("", f"{_shown()} net app", tuple(made.out.splitlines()))


def _shown() -> str:
    return f"tfrelock {' '.join(_PROPOSE)} --config operator.yaml"
