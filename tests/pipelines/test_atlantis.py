from migrate.model import Refusal
from migrate.pipelines import atlantis as plug
from tests.pipelines.reading import check, held, reconfigured, runs

TEXT = """\
workflows:
  net:
    plan:
      steps:
        - run: terraform init -input=false
        - plan:
            extra_args: ["-lock=false"]
    apply:
      steps:
        - run: terraform apply $PLANFILE
"""


def test_steps_of_both_kinds() -> None:
    assert runs(plug, "atlantis.yaml", TEXT) == [
        "5: terraform init -input=false @ ?",
        "7: terraform plan -lock=false @ ?",
        "10: terraform apply $PLANFILE @ ?",
    ]


def test_it_locks_projects_and_keeps_their_directories() -> None:
    assert held(plug, "atlantis.yaml", TEXT)[0] == ("init", "True", "True")


def test_an_edit_keeps_all_else() -> None:
    check(plug, "repos.yaml", TEXT, TEXT.replace("init -input", "init -reconfigure -input"))


def test_arguments_of_its_own_step_are_not_edited() -> None:
    text = 'steps:\n  - init:\n      extra_args: ["-upgrade"]\n'
    assert isinstance(reconfigured(plug, "atlantis.yaml", text), Refusal)
