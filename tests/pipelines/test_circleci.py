import pytest

from migrate.model import Refusal
from migrate.pipelines import circleci as plug
from tests.pipelines.reading import check, held, reconfigured, runs

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
        "13: - cache net/.terraform @ net",
    ]


SERIAL = "workflows:\n  main:\n    jobs:\n      - plan:\n          serial-group: net\n"


@pytest.mark.parametrize(
    ("workflows", "serialised"),
    [
        ("", "False"),
        ("workflows:\n  main:\n    jobs: [plan]\n", "False"),
        (SERIAL, "True"),
        (f"{SERIAL}      - plan\n", "?"),
        (SERIAL.replace("plan", "apply"), "?"),
    ],
)
def test_what_holds_two_runs_apart(workflows: str, serialised: str) -> None:
    assert held(plug, PATH, TEXT + workflows)[0] == ("init", serialised, "False")


ORB = """\
version: 2.1
orbs:
  terraform: circleci/terraform@3.2.1
commands:
  deploy:
    steps:
      - terraform/init:
          path: net
          backend_config_file: dev.tfbackend
      - terraform/apply:
          path: <<parameters.path>>
workflows:
  main:
    jobs:
      - terraform/plan
      - node/install
"""
"""How raft-tech/TANF-app deploys: no command line of Terraform stands in the file."""


def test_steps_and_jobs_of_the_orb() -> None:
    assert runs(plug, PATH, ORB) == [
        "7: terraform init @ net",
        "10: terraform apply @ ?",
        "15: terraform plan @ .",
    ]
    assert runs(plug, PATH, ORB.replace("circleci/terraform", "acme/files")) == []
    part = ORB[ORB.index("commands:") :]
    assert runs(plug, ".circleci/deployment/commands.yml", part)[0] == "4: terraform init @ net"
    assert isinstance(reconfigured(plug, PATH, ORB), Refusal)


def test_an_edit_keeps_all_else() -> None:
    check(plug, PATH, TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
