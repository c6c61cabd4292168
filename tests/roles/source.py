"""One directory of Terraform → who holds what in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from migrate import roles
from migrate.iam.holder import Holder
from migrate.iam.policy import Policy
from migrate.model import RepoId, Source
from migrate.policies import POLICIES
from migrate.spelling.written import Written

REPO = RepoId("git.acme.example/acme/net")
FOLDER = PurePosixPath("iam")


def read(files: Mapping[str, str] | str, *, called: bool = False) -> tuple[roles.Module, roles.Documents]:
    texts = {"main.tf": files} if isinstance(files, str) else files
    module = roles.module(REPO, FOLDER, texts, called=called)
    written: dict[PurePosixPath, list[Written]] = defaultdict(list)
    for name, text in texts.items():
        source = Source(REPO, FOLDER / name, text)
        for plug in POLICIES:
            if plug.claims(source.path, text.encode()[:512]):
                written[source.path] += plug.find(source).items
    return module, roles.Documents(module, written)


def holders(files: Mapping[str, str] | str, *, called: bool = False) -> dict[str, Holder]:
    return {str(one): one for one in roles.holders(*read(files, called=called))}


def grants(policy: Policy) -> list[str]:
    """Each statement as `Sid: resources`."""
    return [
        f"{one.sid or one.effect}: {' '.join(str(word) for word in one.resources.words)}"
        for one in policy.statements
        if one.resources
    ]


def held(holder: Holder) -> list[str]:
    """What the holder's own policies grant, then why that is not all."""
    (identity,) = (layer for layer in holder.layers if layer.kind.value == "identity policies")
    said = [line for policy in identity.policies for line in grants(policy)]
    return [*said, *([f"and {identity.hidden}"] if identity.hidden else [])]
