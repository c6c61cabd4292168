import pytest

from migrate.pipelines import in_hcl as plug
from tests.pipelines.reading import check, held, runs

PROVISIONER = """\
resource "null_resource" "net" {
  triggers = { note = "terraform apply -lock=false" }
  provisioner "local-exec" {
    command     = "terraform init && terraform apply -lock=false" # both
    working_dir = "${path.module}/../net"
  }
}
resource "terraform_data" "app" {
  provisioner "local-exec" {
    when    = destroy
    command = <<-EOT
      cd ../app
      tofu -chdir=${path.module}/app destroy -lock=false
    EOT
  }
  provisioner "local-exec" {
    command = "sh -c \\"terraform apply ${var.flags}\\""
  }
  provisioner "remote-exec" {
    inline = ["terraform apply"]
  }
}
"""
EXTERNAL = """\
data "external" "net" {
  program = ["bash", "-c", "terraform -chdir=net output -json | jq .x"]
}
data "external" "app" {
  program = ["terraform", "output", "-json"]
}
"""
BUILDSPEC = """\
resource "aws_codebuild_project" "net" {
  name = "net"
  source {
    buildspec = <<-EOF
      version: 0.2
      phases:
        build:
          commands:
            - cd net
            - terraform init -backend-config="bucket=${var.bucket}"
            - "terraform apply -lock=false"
    EOF
  }
}
"""
EXTRA = """\
terraform {
  source = "../modules//net"
  extra_arguments "wait" {
    commands  = get_terraform_commands_that_need_locking()
    arguments = ["-lock-timeout=20m"]
  }
  extra_arguments "off" {
    commands  = ["destroy", "run-all"]
    arguments = ["-lock=false", "-var=x=${local.x}"]
  }
  extra_arguments "files" {
    commands           = ["apply"]
    required_var_files = ["net.tfvars"]
  }
}
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "boot/main.tf",
            PROVISIONER,
            [
                "4: terraform init @ net",
                "4: terraform apply -lock=false @ net",
                "13: opentofu destroy -lock=false @ ?",
                "17: terraform apply ${var.flags} @ ?",
            ],
        ),
        ("main.tofu", EXTERNAL, ["2: terraform output -json @ ?", "5: terraform output -json @ ?"]),
        (
            "ci.tf",
            BUILDSPEC,
            [
                "10: terraform init -backend-config=bucket=${var.bucket} @ net",
                "11: terraform apply -lock=false @ net",
            ],
        ),
        (
            "root.hcl",
            EXTRA,
            [
                "5: terragrunt apply -lock-timeout=20m @ ?",
                "5: terragrunt plan -lock-timeout=20m @ ?",
                "9: terragrunt destroy -lock=false -var=x=${local.x} @ ?",
            ],
        ),
        ("broken.tf", 'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "terraform apply', []),
    ],
)
def test_runs(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_who_starts_it_holds_it_back_perhaps() -> None:
    assert held(plug, "boot/main.tf", PROVISIONER)[0] == ("init", "?", "?")


def test_changes_the_word_alone() -> None:
    check(plug, "boot/main.tf", PROVISIONER, PROVISIONER.replace("raform init", "raform init -reconfigure"))
