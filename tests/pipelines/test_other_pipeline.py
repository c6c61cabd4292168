import pytest

from migrate.pipelines import other_pipeline as plug
from tests.pipelines.reading import check, held, runs

CONCOURSE = """\
meta:
  plan:
    apply:
      task: terraform-apply
      config:
        platform: linux
        params:
          TF_CLI_ARGS_apply: -lock-timeout=300s
        run:
          path: sh
          args:
            - -exc
            - |
              terraform workspace show
              terraform init
              terraform apply -auto-approve
          dir: net
"""
DRONE = (
    "kind: pipeline\nconcurrency:\n  limit: 1\nsteps:\n  - name: a\n    commands:\n      - terraform init\n"
)
BITBUCKET = "pipelines:\n  default:\n    - step:\n        script:\n          - terraform init\n"
BUILDKITE = "steps:\n  - command: terraform init\n    concurrency_group: net\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".cirrus.yml", "deploy_task:\n  apply_script:\n    - tofu init\n", ["3: opentofu init @ ."]),
        ("screwdriver.yaml", "jobs: {main: {steps: [go: terraform init]}}\n", ["1: terraform init @ ."]),
        ("bamboo-specs/a.yml", "tasks:\n- script:\n  - terraform init\n", ["3: terraform init @ ."]),
        (".harness/a.yaml", "spec:\n  command: |-\n    terraform init\n", ["3: terraform init @ ."]),
        (".spacelift/config.yml", "before_init: [tofu get]\nname: tofu init\n", ["1: opentofu get @ ."]),
        ("env0.yml", "terraformInit: {before: [terraform init]}\n", ["1: terraform init @ ."]),
        (".gitpod.yml", "tasks:\n- init: terraform init\n", ["2: terraform init @ ."]),
        ("net/deploy-pipeline.yml", "steps:\n- bash: terraform init\n", ["2: terraform init @ ."]),
    ],
)  # fmt: skip
def test_each_by_its_own_keys(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_concourse() -> None:
    assert runs(plug, "ci/shared/meta.yml", CONCOURSE) == [
        "8: - apply -lock-timeout=300s @ ?",
        "14: terraform workspace show @ ?",
        "15: terraform init @ ?",
        "16: terraform apply -auto-approve @ ?",
    ]


@pytest.mark.parametrize(
    ("path", "text", "serialised"),
    [
        (".drone.yml", DRONE, "True"),
        ("bitbucket-pipelines.yml", BITBUCKET, "False"),
        (".buildkite/net.yml", BUILDKITE, "True"),
        ("ci/meta.yml", CONCOURSE, "?"),
    ],
)
def test_what_holds_two_runs_apart(path: str, text: str, serialised: str) -> None:
    assert ("init", serialised, "False") in held(plug, path, text)
    check(plug, path, text, text.replace("terraform init", "terraform init -reconfigure"))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("ci/net.yml", "run:\n  path: terraform\n  args: [apply, -lock=false]\n", "apply -lock=false"),
        ("net.gocd.yaml", "exec:\n  command: tofu\n  arguments: ['-chdir=net', init]\n", "init @ net"),
        ("digger.yml", "steps:\n- run: terraform init\n", "init"),
        (".terrateam/config.yml", "- type: run\n  cmd: ['terraform', 'plan', '$X']\n", "plan $X"),
        ("wercker.yml", "- script:\n    code: terraform plan\n", "plan"),
    ],
)
def test_a_program_and_its_arguments(path: str, text: str, expected: str) -> None:
    (found,) = runs(plug, path, text)
    assert found.split(" ", 2)[2].removesuffix(" @ .") == expected
