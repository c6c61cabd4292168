"""What a repository may say of itself, in `.tfrelock.yaml` at its root.

Whoever can open a pull request can write this file, so nothing here opens a gate, names an endpoint, a role
or a forge, or states a fact.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field

from migrate.config.reading import Group, Loaded, load
from migrate.config.shape import Many, Named, Record, Shape, Text
from migrate.model import Engine
from migrate.rules import ALL, GATES

NAME: Final = ".tfrelock.yaml"

_OPERATOR: Final = "is for the operator's configuration: a repository may not say this of itself"
_ELSEWHERE: Final = ("facts", "aws", "forge", "campaign", "proposals", "repositories")

_WAIVER: Final = Record(
    "A finding that is known and silenced. It opens no gate.",
    {
        "rule": Text(
            "The name of the rule, as a finding has it.",
            tuple(name for name in ALL if name not in GATES),
            barred=dict.fromkeys(GATES, "is a gate, and a waiver opens none"),
        ),
        "paths": Many("Globs of files it is silenced in; all of them when absent.", Text("A glob.")),
        "because": Text("Why it is silenced."),
        "until": Text("The last day it is silenced.", form="date"),
    },
    required=frozenset({"rule", "because"}),
)

KEYS: Final[Mapping[str, Shape]] = {
    "exclude": Many(
        "Globs of paths that are not reported and not edited; gates still count them.", Text("A glob.")
    ),
    "engine": Text("Which engine runs here.", ("terraform", "opentofu")),
    "backend_config": Named(
        "The partial files of each root, each of them one state; `*` in a root is any one name of a folder.",
        Many("Files, relative to the repository; `*` is the name that it is in the root.", Text("A path.")),
    ),
    "branches": Many(
        "Branches that are kept for long and write the same states; each is a client of its own.",
        Text("A branch."),
    ),
    "ignore": Many("Findings that are silenced.", _WAIVER),
    "opt_out": Text("Why no proposals are wanted here."),
}
SHAPE: Final = Record(
    "What a repository says of itself to tfrelock.", KEYS, elsewhere=dict.fromkeys(_ELSEWHERE, _OPERATOR)
)


class Waiver(Struct, frozen=True):
    """Findings of one rule, silenced in `paths` (globs; none: all) up to the day `until` (empty: always)."""

    rule: str
    paths: tuple[str, ...]
    because: str
    until: str


class Local(Struct, frozen=True):
    """What holds for one repository."""

    exclude: tuple[str, ...] = ()
    engine: Engine | None = None
    backend_config: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    branches: tuple[str, ...] = ()
    ignore: tuple[Waiver, ...] = ()
    opt_out: str = ""

    def under(self, operator: Local) -> Local:
        """With what the operator says of it: lists add up, anything else of the operator's wins."""
        return Local(
            (*operator.exclude, *self.exclude),
            operator.engine or self.engine,
            {**self.backend_config, **operator.backend_config},
            (*operator.branches, *self.branches),
            (*operator.ignore, *self.ignore),
            operator.opt_out or self.opt_out,
        )


def local(group: Group) -> Local:
    """The settings in a group that was read by `KEYS`."""
    files = group.group("backend_config")
    engine: Mapping[str, Engine] = {"terraform": "terraform", "opentofu": "opentofu"}
    return Local(
        group.texts("exclude"),
        engine.get(group.text("engine")),
        {PurePosixPath(root): tuple(map(PurePosixPath, files.texts(root))) for root in files.values},
        group.texts("branches"),
        tuple(_waiver(entry) for entry in group.groups("ignore")),
        group.text("opt_out"),
    )


def _waiver(entry: Group) -> Waiver:
    return Waiver(entry.text("rule"), entry.texts("paths"), entry.text("because"), entry.text("until"))


def read_local(text: str) -> tuple[Local, Loaded]:
    """The settings of a repository; they hold only if there is no mistake."""
    loaded = load(text, NAME, SHAPE)
    return local(loaded.group), loaded
