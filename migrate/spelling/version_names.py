"""The names under which people keep the version of an engine, and the files in which such a name counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.versions import Tool

TOOLS: Final[Mapping[str, Tool]] = {
    "terraform": "terraform",
    "tf": "terraform",
    "opentofu": "opentofu",
    "tofu": "opentofu",
    "terragrunt": "terragrunt",
    "tg": "terragrunt",
}
"""What a tool is called in names, images and files."""

PACKAGES: Final[Mapping[str, Tool]] = {
    **{name: tool for name, tool in TOOLS.items() if len(name) > 2},
    "hashicorp/terraform": "terraform",
    "opentofu/opentofu": "opentofu",
    "gruntwork-io/terragrunt": "terragrunt",
}
"""What a tool is called by those who install it."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OWN: Final = re.compile(r"(?i)(terraform|opentofu|tofu|terragrunt)")
_RELEASE: Final = re.compile(r"v?\d+\.\d+(?:\.(?:\d+|[xX*]))?")
_BETWEEN: Final = frozenset({"cli", "actions", "core", "default"})
_SCRIPTS: Final = frozenset(
    {
        *("", ".sh", ".bash", ".zsh", ".mk", ".mak", ".just", ".ps1", ".psm1", ".bat", ".cmd", ".env"),
        *(".yml", ".yaml", ".groovy", ".jenkinsfile"),
    }
)
_PROGRAMS: Final = frozenset(
    {".py", ".js", ".ts", ".rb", ".kts", ".json", ".hcl", ".cue", ".jsonnet", ".star", ".toml", ".tfvars"}
    | {".bazel", ".bzl", ".cfg", ".conf", ".csh", ".fish", ".gradle", ".ini", ".properties", ".xml"}
    | {".pp", ".rake", ".service", ".sls"}
    | {".tpl", ".tmpl", ".tftpl", ".j2", ".jinja", ".jinja2", ".erb", ".template"}
)
_TEST: Final = re.compile(r"test_.*\.py|.*[_.](?:test|spec)\.\w+")
_ASIDE: Final = frozenset({"example", "examples", "fixture", "fixtures", "testdata", "test", "tests"})


def tool_of(name: str) -> Tool | None:
    """The tool whose version `name` is: `TF_VERSION`, `terraform-version`, `VERSION_TOFU`; None if none's.

    `TF_VAR_terraform_version` is a value for a configuration, not a choice.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    words = words[1:] + words[:1] if words[:1] == ["version"] else words
    if words[-1:] not in (["version"], ["versions"], ["ver"]) or words[:2] == ["tf", "var"]:
        return None
    rest = [word for word in words[:-1] if word not in _BETWEEN]
    return TOOLS.get(rest[-1]) if rest else None


def chooses(name: str, value: str) -> Tool | None:
    """The tool whose version a name is set to: by what it is called, or where it is a tool's own name and the
    value reads as a release: `terraform: 1.9.8`.
    """
    own = _OWN.fullmatch(name) if _RELEASE.fullmatch(value) else None
    return TOOLS[own[1].lower()] if own else tool_of(name)


def is_script(path: PurePosixPath) -> bool:
    """Whether a file is one that a shell, make, or a runner reads."""
    return path.suffix.lower() in _SCRIPTS or path.name.startswith((".env", "Jenkinsfile", "Makefile"))


def may_choose(path: PurePosixPath) -> bool:
    """Whether a file may say what is installed or started: one that runs, or a program or template that
    makes such a file.
    """
    return is_script(path) or path.suffix.lower() in _PROGRAMS


def scope(path: PurePosixPath) -> PurePosixPath:
    """The directory whose roots a script, image or pipeline may serve: all, or those of its examples; of the
    test of a program its own.
    """
    if _TEST.fullmatch(path.name):
        return path.parent
    aside = next((at for at, part in enumerate(path.parts[:-1], 1) if part.lower() in _ASIDE), 0)
    return PurePosixPath(*path.parts[:aside])
