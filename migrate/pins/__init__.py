"""Where a version is chosen. To add a kind of place: its module, its line in the list, its test.

The wish for a pin is the text its version shall have: how far to raise it is `versions`' business, how it is
spelled in its file the plug's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.model import Pin
from migrate.plug import Late, Plug

PinPlug: TypeAlias = Plug[Pin, str]

_NAMES: Final = (
    *(b"_version:", b"-version:", b"_VERSION"),
    *(b"terraformVersion", b"tofuVersion", b"terragruntVersion", b"TFVersion"),
)
"""The ends of names of versions. `terraform_version"` is left out: every state and plan has it."""

_IMAGES: Final = tuple(
    b"/" + name + end for name in (b"terraform", b"opentofu", b"tofu", b"terragrunt") for end in (b":", b"@")
)
_INSTALLED: Final = (
    *(b"releases.hashicorp.com/terraform/", b"opentofu/releases/", b"terragrunt/releases/"),
    *(b"env install ", b"env use ", b"tfswitch ", b"install terraform"),
    *(b"apt-get ", b"apt ", b"apk add", b"brew install", b"yum ", b"dnf ", b"choco install"),
    *(b"terraform@", b"opentofu@", b"terragrunt@"),
)

PINS: Final[Sequence[Late[Pin, str]]] = [
    Late(__name__, "required_version", (b"required_version",), TERRAFORM=True),
    Late(__name__, "required_version_json", (b"required_version",)),
    Late(__name__, "terragrunt_constraint", (b"_version_constraint",)),
    Late(__name__, "version_file", FILES=(".terraform-version", ".opentofu-version", ".terragrunt-version")),
    Late(__name__, "tfswitch", FILES=(".tfswitchrc", ".tgswitchrc", ".tfswitch.toml", ".tgswitch.toml")),
    Late(__name__, "tool_versions", FILES=(".tool-versions",)),
    Late(__name__, "mise", FILES=("mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml")),
    Late(__name__, "github_workflow", (*_NAMES, b"setup-terraform", b"setup-opentofu")),
    Late(__name__, "pipeline", _NAMES),
    Late(__name__, "circleci", (b"terraform/", b"opentofu/")),
    Late(__name__, "azure", (b"TerraformInstaller@",)),
    Late(__name__, "jenkinsfile", (b"tool ", b"tool(", b"tools ")),
    Late(__name__, "atlantis", FILES=("atlantis.yaml", "atlantis.yml", "repos.yaml")),
    Late(
        __name__,
        "dockerfile",
        (*_IMAGES, b"_VERSION"),
        ("Dockerfile", "Containerfile", "*.Dockerfile", "*.dockerfile"),
    ),
    Late(__name__, "image", (*_IMAGES, b"hashicorp/terraform")),
    Late(__name__, "assignment", (b"_VERSION",)),
    Late(__name__, "install_line", _INSTALLED),
    Late(__name__, "devcontainer", FILES=("devcontainer.json", ".devcontainer.json")),
    Late(__name__, "package_set", FILES=("Brewfile", "*.nix")),
    Late(__name__, "renovate", (b"allowedVersions",)),
]

BY_NAME: Final[Mapping[str, PinPlug]] = {plug.NAME: plug for plug in PINS}
