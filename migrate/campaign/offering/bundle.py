"""Slices as files: patches that `git am` takes, and what multi-gitter and turbolift want to know of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.campaign.offering.slices import plain
from migrate.model import RepoId
from migrate.offer import Offer, title

Bundle: TypeAlias = Mapping[str, bytes]
"""Path → bytes."""

APPLY: Final = b"""#!/bin/sh
# In a clone: applies every patch of this repository. multi-gitter names the repository, turbolift the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=${REPOSITORY:-$(basename "$(dirname "$PWD")")/$(basename "$PWD")}
for patch in "$here/patches/$name"/*.patch; do
  git apply --index "$patch"
done
"""


class Patched(Struct, frozen=True):
    """One slice of one repository: what it says, its branch, its commits as mails. `base` is the branch that
    it is for, where that is not the repository's own: multi-gitter and turbolift know no others.
    """

    repo: RepoId
    offer: Offer
    branch: str
    patch: bytes
    page: str
    base: str = ""

    @property
    def name(self) -> str:
        """`owner/name`."""
        return "/".join(part for part in self.repo.split("/")[-2:] if part not in ("", ".", ".."))

    @property
    def folder(self) -> str:
        return f"{self.name}@{plain(self.base)}" if self.base else self.name


def crowded(patched: Sequence[Patched]) -> list[Patched]:
    """Those that would share a folder with another repository's: two names in a path are not always all."""
    homes: dict[str, set[RepoId]] = defaultdict(set)
    for one in patched:
        homes[one.folder].add(one.repo)
    return [one for one in patched if len(homes[one.folder]) > 1]


def bundle(patched: Sequence[Patched]) -> Bundle:
    """All files of an export; the same input gives the same files."""
    files = dict(_patches(patched))
    patched = [one for one in patched if not one.base]
    if patched:
        first = patched[0]
        names = sorted({one.name for one in patched})
        files["apply.sh"] = APPLY
        files["multi-gitter.yaml"] = _multi_gitter(first, names)
        files["turbolift/.turbolift"] = b""
        files["turbolift/repos.txt"] = "".join(f"{name}\n" for name in names).encode()
        files["turbolift/README.md"] = f"# {title(first.offer)}\n\n{_about(patched)}".encode()
    return files


def _patches(patched: Sequence[Patched]) -> Iterator[tuple[str, bytes]]:
    for one in patched:
        slice_ = plain(PurePosixPath(one.branch).name)
        yield f"patches/{one.folder}/{slice_}.patch", one.patch
        yield f"patches/{one.folder}/{slice_}.md", one.page.encode()


def _multi_gitter(first: Patched, names: Sequence[str]) -> bytes:
    """`multi-gitter run ./apply.sh --config multi-gitter.yaml`; JSON is YAML."""
    told = {
        "repo": names,
        "branch": first.branch,
        "commit-message": title(first.offer),
        "pr-title": title(first.offer),
        "pr-body": _body(first),
    }
    return "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items()
    ).encode()


def _body(first: Patched) -> str:
    words = "What it changes in each repository, and what was checked, stands on its page."
    return f"{title(first.offer)}.\n\n{words}\n"


def _about(patched: Sequence[Patched]) -> str:
    lines = "".join(f"- {one.name}: {title(one.offer)}\n" for one in patched)
    return f"{lines}\nIn each clone: `turbolift foreach -- sh ../../../../apply.sh`.\n"
