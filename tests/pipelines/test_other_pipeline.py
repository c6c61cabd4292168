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
