import pytest

from migrate.model import Refusal
from migrate.pipelines import container_step as plug
from tests.pipelines.reading import check, held, reconfigured, runs

CLOUD_BUILD = """\
steps:
- name: hashicorp/terraform:1.9.8
  args: [init, -input=false]
- name: hashicorp/terraform:1.9.8
  entrypoint: sh
  args:
  - -c
  - |
    cd net
    terraform init
    terraform apply -lock=false
- name: ubuntu
  args: [init]
"""
JOB = """\
apiVersion: batch/v1
kind: CronJob
spec:
  containers:
  - image: registry.acme.example/tools:3
    command: [terraform]
    args: ["-chdir=net", apply, -lock=false]
"""
TEKTON = """\
apiVersion: tekton.dev/v1
kind: Task
spec:
  steps:
  - image: opentofu/opentofu:1.8.1
    script: |
      #!/bin/sh
      tofu plan
"""
ARGO = """\
# ours
kind: Workflow
apiVersion: argoproj.io/v1alpha1
spec:
  templates:
  - container:
      image: opentofu/opentofu:1.8.1
      args: [plan]
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "cloudbuild.yaml",
            CLOUD_BUILD,
            [
                "3: terraform init -input=false @ ?",
                "10: terraform init @ ?",
                "11: terraform apply -lock=false @ ?",
            ],
        ),
        ("k8s/apply.yaml", JOB, ["6: terraform apply -lock=false @ ?"]),
        ("task.yaml", TEKTON, ["8: opentofu plan @ ?"]),
        ("flow.yml", ARGO, ["8: opentofu plan @ ?"]),
    ],
)
def test_runs(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected
    assert {(apart, kept) for _, apart, kept in held(plug, path, text)} == {("?", "False")}


def test_a_script_is_edited_and_a_list_is_not() -> None:
    script = CLOUD_BUILD[CLOUD_BUILD.index("  entrypoint") :]
    check(plug, "cloudbuild.yaml", script, script.replace("terraform init", "terraform init -reconfigure"))
    assert isinstance(reconfigured(plug, "cloudbuild.yaml", CLOUD_BUILD), Refusal)


COMPOSE = """\
services:
  apply:
    image: hashicorp/terraform:1.9
    command: apply -lock=false
  plan:
    image: "opentofu/opentofu:{{ .Values.tag }}"
    command: ["plan", "-lock=false"]
  init: {image: hashicorp/terraform, command: init}
  shell: {image: alpine, command: init -input=false}
"""


def test_a_command_for_the_program_of_its_image() -> None:
    assert runs(plug, "compose.yaml", COMPOSE) == [
        "4: terraform apply -lock=false @ ?",
        "7: opentofu plan -lock=false @ ?",
        "8: terraform init @ ?",
    ]
