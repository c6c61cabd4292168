from migrate.pipelines import circleci as plug
from tests.pipelines.reading import check, held, runs

PATH = ".circleci/config.yml"
TEXT = """\
jobs:
  plan:
    working_directory: ~/project
    steps:
      - run: terraform init
      - run:
          name: plan
          working_directory: net
          command: |
            terraform plan
      - save_cache:
          key: tf
          paths: [net/.terraform]
"""


def test_both_forms_of_a_step() -> None:
    assert runs(plug, PATH, TEXT) == [
        "5: terraform init @ .",
        "10: terraform plan @ net",
        "13: - cache net/.terraform @ .",
    ]


def test_what_holds_two_runs_apart() -> None:
    assert held(plug, PATH, TEXT)[0] == ("init", "False", "False")
    serial = f"{TEXT}workflows:\n  main:\n    jobs:\n      - plan:\n          serial-group: net\n"
    assert held(plug, PATH, serial)[0] == ("init", "True", "False")


def test_an_edit_keeps_all_else() -> None:
    check(plug, PATH, TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
