import pytest

from migrate.pins import install_line
from tests.pins.pairs import check, pins

RELEASES = "https://github.com/gruntwork-io/terragrunt/releases"
DOWNLOAD = "curl https://releases.hashicorp.com/terraform/${VERSION}/terraform_${VERSION}_linux_amd64.zip"

PACKAGE = "https://releases.hashicorp.com/terraform/1.9.8/terraform_1.9.8_linux_amd64.zip"


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        (
            "buildspec.yml",
            "- curl -O https://releases.hashicorp.com/terraform/1.9.8/terraform_1.9.8_linux_amd64.zip",
            [("terraform", "1.9.8"), ("terraform", "1.9.8")],
        ),
        (
            "Dockerfile",
            "RUN wget https://github.com/gruntwork-io/terragrunt/releases/download/v0.67.3/terragrunt_linux_amd64",
            [("terragrunt", "0.67.3")],
        ),
        (
            "ci.sh",
            "curl https://github.com/opentofu/opentofu/releases/download/v1.8.1/tofu_1.8.1_linux_amd64.zip",
            [("opentofu", "1.8.1"), ("opentofu", "1.8.1")],
        ),
        (
            "ci.sh",
            """url=$(printf 'https://releases.hashicorp.com/terraform/%s/%s_%s' "$V" terraform "$V")""",
            [("terraform", None)],
        ),
        (
            "build.tf",
            "buildspec = <<EOF\n  - wget https://releases.hashicorp.com/terraform/1.9.8/t.zip\nEOF",
            [("terraform", "1.9.8")],
        ),
        ("build.tf", 'source = "../terraform-1.0/vpc"\nimage = "${path.module}/terraform/1.9.8/x"', []),
        ("get.js", "get('https://releases.hashicorp.com/terraform/' + v + '/x.zip')", [("terraform", None)]),
        (
            "get.js",
            "v = '1.9.8'; get('https://releases.hashicorp.com/terraform/' + v)",
            [("terraform", "1.9.8")],
        ),
        (
            "get.py",
            '"https://releases.hashicorp.com/terraform/%(v)s/x.zip" % {"v": v}',
            [("terraform", None)],
        ),
        ("ci.sh", "tfenv install 1.9.8 && tfenv use latest", [("terraform", "1.9.8"), ("terraform", None)]),
        ("ci.sh", 'tfenv install "$v"', []),
        ("ci.sh", "tofuenv use 1.8.1; tfswitch 1.9.8", [("opentofu", "1.8.1"), ("terraform", "1.9.8")]),
        ("ci.sh", "asdf install terraform 1.9.8", [("terraform", "1.9.8")]),
        ("ci.sh", "mise use -g aqua:hashicorp/terraform@1.9.8", [("terraform", "1.9.8")]),
        ("ci.sh", "tgswitch 0.67.3", [("terragrunt", "0.67.3")]),
        ("ci.sh", "export PATH=/opt/terraform-1.9.8/bin:$PATH", [("terraform", None)]),
        ("ci.sh", "ln -s $HOME/tofu/1.8.1/tofu bin/", [("opentofu", None)]),
        ("ci.sh", "terraform-1.9.8 init; terraform12 plan", [("terraform", None), ("terraform", None)]),
        ("ci.sh", "module load aws terraform/1.9.8", [("terraform", None)]),
        ("root.hcl", 'terraform_binary = "/opt/terraform_1.9.8"', [("terraform", None)]),
        ("root.hcl", 'terraform_binary = "/opt/terraform_1.9.8_linux_amd64"', [("terraform", None)]),
        ("aqua/imports/tg.yaml", "- name: gruntwork-io/terragrunt@v0.67.3", [("terragrunt", "0.67.3")]),
        ("runner/user_data.sh.tpl", "apt-get install -y terraform=1.9.8-1", [("terraform", "1.9.8")]),
        ("lib/pipeline.ts", "commands: ['tfenv install 1.9.8']", [("terraform", "1.9.8")]),
        ("ci.sh", "apt-get install -y terraform=1.9.8-1", [("terraform", "1.9.8")]),
        ("ci.sh", "choco install terraform --version=1.9.8", [("terraform", "1.9.8")]),
        (".circleci/config.yml", "orbs: {terraform: circleci/terraform@3.2.1}", []),
        ("ci.sh", "brew install terraform-docs 0.16.0", []),
        ("ci.sh", "sudo apt-get install -y unzip terraform jq", [("terraform", None)]),
        ("ci.sh", "brew tap hashicorp/tap && brew install hashicorp/tap/terraform", [("terraform", None)]),
        ("Dockerfile", "RUN apk add --no-cache opentofu \\\\", [("opentofu", None)]),
        ("ci.sh", "which terraform || brew install terraform", [("terraform", None)]),
        ("ci.sh", "# brew install terraform", []),
        ("ci.sh", "echo brew install terraform", []),
        ("ci.sh", "brew install jq && brew install terraform", [("terraform", None)]),
        (
            "ci.sh",
            "apk --no-cache add \\\n  terraform terragrunt",
            [("terraform", None), ("terragrunt", None)],
        ),
        ("ci.sh", 'apt-get install "terraform=1.9.8-*"', [("terraform", "1.9.8")]),
        ("ci.ps1", "choco install terraform -y --version 1.9.8", [("terraform", "1.9.8")]),
        ("ci.ps1", "winget install HashiCorp.Terraform --version 1.9.8", [("terraform", "1.9.8")]),
        ("ci.sh", "snap install terraform --classic", [("terraform", None)]),
        ("ci.sh", "tenv tofu use 1.8.1", [("opentofu", "1.8.1")]),
        ("ci.sh", "tfswitch -b $HOME/bin 1.9.8", [("terraform", "1.9.8")]),
        ("ci.sh", "hc-install install -version 1.9.8 terraform", [("terraform", "1.9.8")]),
        ("ci.sh", "echo 1.9.8 > net/.terraform-version", [("terraform", "1.9.8")]),
        ("ci.sh", "curl https://get.opentofu.org/install-opentofu.sh | sh", [("opentofu", None)]),
        (
            "ci.sh",
            "curl https://get.opentofu.org/install-opentofu.sh | sh -s -- --opentofu-version 1.8.1",
            [],
        ),
        ("ci.sh", f"curl -L {RELEASES}/latest/download/terragrunt_linux_amd64", [("terragrunt", None)]),
        ("ci.sh", f"VERSION=1.9.8\n{DOWNLOAD}", [("terraform", "1.9.8")]),
        ("ci.sh", f"VERSION=0.50.0; VERSION=1.9.8\n{DOWNLOAD}", [("terraform", None)]),
        ("ci.sh", DOWNLOAD, [("terraform", None)]),
        ("ci.sh", f"TF_VERSION=1.9.8\n{DOWNLOAD.replace('VERSION', 'TF_VERSION')}", []),
        ("ci.sh", DOWNLOAD.replace("${VERSION}", "$(cat .terraform-version)"), []),
        ("ci.sh", "mise use terraform@$1; tofuenv use $TOFU", [("terraform", None), ("opentofu", None)]),
        ("ci.cmd", "curl https://releases.hashicorp.com/terraform/%V%/terraform.zip", [("terraform", None)]),
        ("ci.sh", "apt-get install -y jq; terraform init", []),
        ("ci.sh", f"{PACKAGE}\nunzip terraform_1.9.8_linux_amd64.zip", [("terraform", "1.9.8")] * 3),
        ("ci.sh", f"{PACKAGE}\ngrep tf terraform_1.9.8_SHA256SUMS", [("terraform", "1.9.8")] * 3),
        ("Dockerfile", "ADD terraform_1.9.8_linux_amd64.zip /tmp/", [("terraform", None)]),
        ("a.py", f'v = "1.9.8"\nget(f"{PACKAGE.replace("1.9.8", "{v}")}")', [("terraform", "1.9.8")]),
        ("ci.sh", "conda install -c conda-forge terraform=1.5.7", [("terraform", "1.5.7")]),
        ("ci.ps1", "scoop install main/opentofu", [("opentofu", None)]),
        ("ci.ps1", "winget install --exact --id=OpenTofu.Tofu", [("opentofu", None)]),
        ("ci.sh", "apk add opentofu@community", [("opentofu", None)]),
        ("ci.sh", "./install-opentofu.sh --install-method deb; rm install-opentofu.sh", [("opentofu", None)]),
        ("ci.sh", "arkade get terraform --version 1.5.7", [("terraform", "1.5.7")]),
        ("ci.sh", "eget opentofu/opentofu --tag v1.8.1", [("opentofu", "1.8.1")]),
        ("ci.sh", "gh release download v0.67.3 --repo gruntwork-io/terragrunt", [("terragrunt", "0.67.3")]),
        ("ci.sh", "nix-shell -p jq terraform --run 'terraform init'", [("terraform", None)]),
        ("ci.sh", "nix shell nixpkgs/nixos-23.05#opentofu -c tofu init", [("opentofu", None)]),
        ("Makefile", "TF := terraform-1.5.7\na:\n\t$(TF) init", [("terraform", None)]),
        ("ci.sh", "terragrunt apply --terragrunt-tfpath /opt/bin/terraform1.5", [("terraform", None)]),
        ("ci.yml", "tool_versions: |\n  terraform 1.5.7\n  nodejs 22.1.0", [("terraform", "1.5.7")]),
        ("deps.bzl", f'urls = ["{PACKAGE}"]', [("terraform", "1.9.8")] * 2),
    ],
)
def test_finds(path: str, line: str, expected: list[tuple[str, str | None]]) -> None:
    found = [
        (tool, None if said.startswith("?") else said) for tool, said, _, _ in pins(install_line, path, line)
    ]
    assert found == expected


def test_changes() -> None:
    before = f"wget {PACKAGE} && unzip -o terraform_1.9.8_linux_amd64.zip && rm terraform_1.9.8_linux*.zip\n"
    check(install_line, "ci.sh", before, before.replace("1.9.8", "1.11.4"))
