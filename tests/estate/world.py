"""Literal worlds for tests: sites, surveys and stacks in one line each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from migrate.estate import Survey, join
from migrate.model import Known, RepoId, Role, Scalar, Seen, Setting, Site, Stated, StateId, Unknown, World
from migrate.text import Span

NET = RepoId("github.com/acme/net")
APP = RepoId("github.com/acme/app")
TODAY = "2027-01-15"

ACME: Mapping[str, Scalar] = {"bucket": "acme-state", "key": "net.tfstate", "region": "eu-west-1"}
TABLE: Mapping[str, Scalar] = {**ACME, "dynamodb_table": "acme-locks"}
BOTH: Mapping[str, Scalar] = {**TABLE, "use_lockfile": True}
LOCKFILE: Mapping[str, Scalar] = {**ACME, "use_lockfile": True}


def setting(name: str, value: Scalar | Unknown) -> Setting:
    fact = value if isinstance(value, Unknown) else Known(value)
    return Setting(name, fact, Span(0, 0), Span(0, 0))


def site(
    path: str,
    settings: Mapping[str, Scalar | Unknown] | Mapping[str, Scalar],
    *,
    role: Role = "writer",
    repo: RepoId = NET,
    name: str = "",
) -> Site:
    where = PurePosixPath(path)
    named = name or {"writer": "backend.s3", "reader": "data.terraform_remote_state.net"}.get(role, role)
    given = tuple(setting(key, value) for key, value in settings.items())
    return Site(repo, where, "terraform", role, named, Span(0, 0), 1, 1, given, where.parent)


def world(*sites: Site, stated: tuple[Stated, ...] = (), seen: tuple[Seen, ...] = ()) -> World:
    """The world of the state `s3://acme-state/net.tfstate`, else of the only stack there is."""
    surveys = [Survey(repo, tuple(s for s in sites if s.repo == repo)) for repo in (NET, APP)]
    estate = join(surveys, stated, seen)
    of_net = [stack for stack in estate.stacks if stack.id == StateId("acme-state", "net.tfstate")]
    return World((of_net or list(estate.stacks))[0], estate, TODAY)
