from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.aws.store import Store, somebody
from tests.cli.estates import facts
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.shown.worlds import BOTH, INFRA, LOCKFILE, NEW, TABLE, World

TERRAFORM = "#!/bin/sh\ncp saved.json .terraform/terraform.tfstate\n"
SETTINGS = {"bucket": "acme-state", "key": "net/terraform.tfstate", "region": "eu-west-1"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A person's home, with the repository `infra` in it."""
    make(tmp_path / "infra", INFRA)
    return World(tmp_path, tmp_path)


@pytest.fixture
def pipeline(store: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    """A checkout, and a role that may write a lock and not delete it."""
    monkeypatch.setattr(Store, "statuses", {"GET": 404, "PUT": 412, "HEAD": 404, "DELETE": 403})
    work = make(tmp_path / "work", {"network/backend.tf": TABLE})
    return World(tmp_path, work.path, somebody(store), {"iam check --self": ("--other-endpoint",)})


@pytest.fixture
def change(tmp_path: Path) -> World:
    """A checkout whose branch swaps the locks in one step."""
    work = make(tmp_path / "work", {"network/backend.tf": TABLE, "app/remote.tf": INFRA["app/remote.tf"]})
    work.git("update-ref", "refs/remotes/origin/main", "HEAD")
    work.branch("change")
    work.commit({"network/backend.tf": LOCKFILE})
    return World(tmp_path, work.path)


@pytest.fixture
def merged(tmp_path: Path) -> World:
    """A kept directory that was initialised with the table alone, before both locks were merged."""
    old = make(tmp_path / "infra", {"network/backend.tf": BOTH, "network/versions.tf": NEW})
    kept = old.path / "network"
    (kept / ".terraform").mkdir()
    for path, more in ((".terraform/terraform.tfstate", {}), ("saved.json", {"use_lockfile": True})):
        config = {**SETTINGS, "dynamodb_table": "acme-locks", **more}
        (kept / path).write_text(json.dumps({"version": 3, "backend": {"type": "s3", "config": config}}))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/terraform").write_text(TERRAFORM)
    (tmp_path / "bin/terraform").chmod(0o755)
    return World(tmp_path, tmp_path, {"PATH": f"{tmp_path}/bin:/usr/bin:/bin"})


@pytest.fixture
def organisation(host: Host, tmp_path: Path) -> World:
    """23 repositories of `acme`, five of them with a state; beside them two forks and three in an archive."""
    hub = host.hub
    plain = hub.create("acme/docs", make(tmp_path / "docs", {"README.md": ""}).path)
    for number in range(1, 18):
        (hub.folder / f"acme/docs-{number:02}.git").symlink_to(plain)
    for number in range(5):
        name = f"left-{number}"
        (hub.folder / f"acme/{name}.git").symlink_to(plain)
        (hub.forks if number < 2 else hub.archived).add(f"acme/{name}")
    for name in ("dns", "edge", "mail", "net", "vpn"):
        state = {"main.tf": TABLE.replace("net/", f"{name}/"), "versions.tf": NEW.replace("1.11.0", "1.5")}
        bare = hub.create(f"acme/{name}", make(tmp_path / name, state).path)
        Repo(bare).git("config", "uploadpack.allowFilter", "true")
    Repo(plain).git("config", "uploadpack.allowFilter", "true")
    url = ("--forge-url", host.services.direct)
    (tmp_path / "relock.yaml").write_text(facts("callers-may-lock"))
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n")
    given = {f"campaign {command}": url for command in ("add", "next", "sync")}
    return World(
        tmp_path,
        tmp_path,
        {"GITHUB_TOKEN": fake.TOKEN, "GIT_CONFIG_GLOBAL": f"{tmp_path}/.gitconfig"},
        given,
        {"127.0.0.1/": "github.com/"},
    )
