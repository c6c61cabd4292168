"""What the operator of a campaign says: facts, accounts, forge, proposals, and anything of any repository."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct, field

from migrate.config.reading import Group, Leaf, Loaded, Mistake, load
from migrate.config.repository import KEYS, Local, local
from migrate.config.shape import Many, Named, Record, Shape, Text
from migrate.facts import SUBJECTS
from migrate.model import RepoId, Stated
from migrate.steps import STEPS

_STATABLE: Final = tuple(
    dict.fromkeys(gate.name for step in STEPS for gate in step.gates if "stated" in gate.accepts)
)
_PHASES: Final = tuple(step.phase for step in STEPS if step.number)

_FACT: Final = Record(
    "A fact that this program cannot see and that a person states.",
    {
        "that": Text("The gate it speaks to.", _STATABLE),
        "of": Named(
            "What it is stated of: globs, all of which must match.", Text("A glob."), SUBJECTS, least=1
        ),
        "by": Text("Who states it."),
        "because": Text("How they know."),
        "until": Text("The last day it holds.", form="date"),
    },
    required=frozenset({"that", "of", "by", "because", "until"}),
)
_ACCESS: Final = Record(
    "How the buckets of one account are read. A bucket that no entry names is not contacted.",
    {
        "buckets": Many("Globs of buckets.", Text("A glob.")),
        "profile": Text("A profile of the AWS configuration."),
        "role": Text("The ARN of a role to assume."),
        "account": Text("The account the caller must turn out to be in.", form="account"),
    },
    required=frozenset({"buckets", "account"}),
)
_PROPOSALS: Final = Record(
    "How proposals look.",
    {
        "branch": Text("The start of branch names, in place of `tfrelock/<campaign>`."),
        "titles": Named("The title of each phase.", Text("A title."), _PHASES),
        "message": Text("A paragraph for every commit message."),
        "trailers": Named("Trailers for every commit message.", Text("A value.")),
        "labels": Many("Labels.", Text("A label.")),
        "reviewers": Many("Who is asked to review.", Text("A user, or a team as org/team.")),
        "contact": Text("Whom the owners of a repository can ask."),
        "deadline": Text("The day by which it should be merged.", form="date"),
    },
)
_OWN: Final[Mapping[str, Shape]] = {
    "campaign": Text("The campaign's name; it enters the names of branches."),
    "facts": Many("Facts that people state.", _FACT),
    "aws": Many("How AWS is read.", _ACCESS),
    "forge": Record(
        "Where proposals are made.",
        {
            "name": Text("Which forge.", ("local", "github", "gitlab", "gitea")),
            "url": Text("The URL that people open, if it is not the public one.", form="https"),
        },
        required=frozenset({"name"}),
    ),
    "proposals": _PROPOSALS,
    "repositories": Named(
        "What holds for repositories, by globs of their ids.",
        Record("What holds for these repositories.", KEYS),
    ),
}
SHAPE: Final = Record("The operator's configuration of tfrelock.", {**_OWN, **KEYS})


class Access(Struct, frozen=True):
    """How the buckets of one account are read."""

    buckets: tuple[str, ...]
    profile: str
    role: str
    account: str


class ProposalStyle(Struct, frozen=True):
    """How proposals look; what is empty is as the program has it."""

    branch: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    message: str = ""
    trailers: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    contact: str = ""
    deadline: str = ""


class Operator(Struct, frozen=True):
    """All that the operator says. `everywhere` holds for every repository, `repositories` by glob."""

    campaign: str = ""
    facts: tuple[Stated, ...] = ()
    aws: tuple[Access, ...] = ()
    forge: str = ""
    forge_url: str = ""
    proposals: ProposalStyle = field(default_factory=ProposalStyle)
    everywhere: Local = field(default_factory=Local)
    repositories: Mapping[str, Local] = field(default_factory=dict)

    def of(self, repository: RepoId, says: Local) -> Local:
        """What holds for one repository, which `says` something itself."""
        settled = says.under(self.everywhere)
        for glob, settings in self.repositories.items():
            if fnmatchcase(repository, glob):
                settled = settled.under(settings)
        return settled


def read_operator(text: str, file: str) -> tuple[Operator, Loaded]:
    """The operator's configuration; it holds only if there is no mistake."""
    loaded = load(text, file, SHAPE)
    group = loaded.group
    forge = group.group("forge")
    repositories = group.group("repositories")
    return (
        Operator(
            group.text("campaign"),
            tuple(_stated(entry) for entry in group.groups("facts")),
            tuple(_access(entry) for entry in group.groups("aws")),
            forge.text("name"),
            forge.text("url"),
            _style(group.group("proposals")),
            local(group),
            {glob: local(repositories.group(glob)) for glob in repositories.values},
        ),
        loaded,
    )


def _stated(entry: Group) -> Stated:
    by, because, until = (entry.text(key) for key in ("by", "because", "until"))
    return Stated(entry.text("that"), entry.named("of"), by, because, until)


def _access(entry: Group) -> Access:
    profile, role, account = (entry.text(key) for key in ("profile", "role", "account"))
    return Access(entry.texts("buckets"), profile, role, account)


def _style(group: Group) -> ProposalStyle:
    return ProposalStyle(
        group.text("branch"),
        group.named("titles"),
        group.text("message"),
        group.named("trailers"),
        group.texts("labels"),
        group.texts("reviewers"),
        group.text("contact"),
        group.text("deadline"),
    )


def ended(leaves: Iterable[Leaf], file: str, today: str) -> tuple[Mistake, ...]:
    """Facts and waivers whose last day is past: no mistakes, but they say nothing any more."""
    days = (leaf for leaf in leaves if leaf.key.endswith(".until") and leaf.value < today)
    return tuple(Mistake(file, day.line, f"ended on {day.value} and counts no more") for day in days)
