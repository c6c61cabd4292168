"""Versions in the files of pipelines and of services that run Terraform: under keys and in variables.

GitLab CI, CircleCI, Azure Pipelines, CodeBuild, Bitbucket, Buildkite, Travis, Drone, Concourse, Atmos,
Spacelift, env0 and Helm values for Atlantis say it alike: `TF_VERSION: 1.9.8`, `terraformVersion: 1.9.8`,
a `name` with a `value`. Another one is another word here.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import version_keys, version_names
from migrate.spelling.choice import Sheet

NAME: Final = "pipeline"

_FILE: Final = re.compile(
    r"(?i)(?:^|/)\.?(?:azure|azuredevops|buildkite|ci|circleci|concourse|gitlab|pipelines|spacelift|woodpecker)/"
    r"|(?:appveyor|atmos|bitbucket|buildspec|codefresh|compose|\.drone|env0|\.gitlab-ci|pipeline|spacelift|taskfile"
    r"|\.travis|values|\.woodpecker)[^/]*$"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and _FILE.search(str(path)) is not None


def find(source: Source, /) -> Found[Pin]:
    """For all roots: which of them a pipeline serves is seldom said."""
    sheet, root = Sheet(source, NAME), version_names.scope(source.path)
    choices = version_keys.choices(yamltree.parse(source.text))
    return Found(tuple(choice.pin(sheet, root) for choice in choices))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    return version_keys.edit(sources[found.path].text, found, wish)
