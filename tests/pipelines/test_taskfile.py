from migrate.pipelines import taskfile as plug
from tests.pipelines.reading import check, runs

TEXT = """\
tasks:
  init:
    dir: net
    cmds:
      - cd sub && terraform init
      - cmd: terraform plan
  destroy-iac:
    actions:
      - cmd: |
          tofu destroy -auto-approve
"""


def test_each_command_is_a_shell() -> None:
    assert runs(plug, "Taskfile.yml", TEXT) == [
        "5: terraform init @ net/sub",
        "6: terraform plan @ net",
        "10: opentofu destroy -auto-approve @ .",
    ]


def test_a_task_may_be_its_command_or_a_list_of_them() -> None:
    text = "tasks:\n  init: terraform init\n  apply:\n    - terraform apply\n"
    assert runs(plug, ".taskfiles/iac.yaml", text) == [
        "2: terraform init @ .taskfiles",
        "4: terraform apply @ .taskfiles",
    ]


def test_an_edit_keeps_all_else() -> None:
    check(plug, "tasks/iac.yaml", TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
