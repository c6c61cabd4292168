import pytest

from migrate.pipelines import distinct, github_workflow
from migrate.pipelines import other_yaml as plug
from tests.pairs import source
from tests.pipelines.reading import check, found, held, runs, said

MODULE = """\
- hosts: localhost
  tasks:
    - name: network
      community.general.terraform:
        project_path: "{{ playbook_dir }}/../net"
        force_init: yes
        backend_config: {key: net}
        backend_config_files: [dev.hcl]
        init_reconfigure: "{{ anew }}"
        provider_upgrade: true
        lock: no
        lock_timeout: 300
    - terraform: {project_path: net, state: absent}
    - terraform: {project_path: net, state: planned, lock: "{{ lock }}", init_reconfigure: no}
    - terraform: {version: 1.9.8}
"""
TASKS = """\
- name: init
  shell: terraform init   # by hand before
  args: &there
    chdir: "{{ terraform_dir }}"
- ansible.builtin.command:
    argv: [terraform, -chdir=net, apply, -lock=false]
- command: terraform apply -auto-approve
  args: *there
- ansible.builtin.shell: |
    cd net &&
      tofu destroy -lock=false
- debug:
    msg: terraform apply -lock=false
"""
STEPS = """\
parameters:
  - name: flags
steps:
  - task: TerraformTaskV4@4
    inputs:
      command: apply
      commandOptions: -lock=false
      workingDirectory: $(System.DefaultWorkingDirectory)/net
  - bash: terraform plan
"""
TEMPLATE = """\
{% if deploys %}
on: {{ on }}
jobs:
  net:
    steps:
      - run: >-
          terraform -chdir=net apply
          -lock=false
{% endif %}
"""
ATMOS = """\
workflows:
  net:
    steps:
      - command: terraform apply vpc -s prod
      - command: terraform apply -lock=false
        type: shell
"""

PROJECT = """\
Resources:
  Build:
    Properties:
      Source:
        BuildSpec: !Sub |
          phases:
            build:
              commands:
                - terraform -chdir=net apply -lock=false
"""

VSCODE = """\
{
  // what "we" run, all of it
  "version": "2.0.0",
  "tasks": [
    {"label": "init", "type": "shell", "command": "terraform -chdir=net init", "problemMatcher": []},
    {
      "label": "apply: terraform apply",
      "command": "terraform", // by hand
      "args": ["apply", "-lock=false"],
      "options": {"cwd": "${workspaceFolder}/net"},
    },
  ],
}
"""
NX = """\
{"targets": {
  "init": {"command": "terraform init -backend-config=dev.hcl"},
  "apply": {"options": {"commands": ["tofu plan", {"command": "tofu apply -lock=false"}], "cwd": "net"}}
}}
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "playbooks/net.yml",
            MODULE,
            [
                "4: terraform init -backend-config=key=net -backend-config=dev.hcl {{ anew }} -upgrade @ ?",
                "4: terraform apply -lock=false -lock-timeout=300s @ ?",
                "13: terraform destroy @ ?",
                "14: terraform plan -lock={{ lock }} @ ?",
            ],
        ),
        (
            "roles/net/tasks/main.yml",
            TASKS,
            [
                "2: terraform init @ ?",
                "6: terraform apply -lock=false @ net",
                "7: terraform apply -auto-approve @ ?",
                "11: opentofu destroy -lock=false @ ?",
            ],
        ),
        ("ado/apply.yaml", STEPS, ["4: terraform apply -lock=false @ net", "9: terraform plan @ ?"]),
        ("templates/deploy.yml.j2", TEMPLATE, ["7: terraform apply -lock=false @ net"]),
        (
            "ci-templates/net.yml",
            ".net:\n  before_script: [cd net]\n  script:\n    - terraform apply -lock=false\n",
            ["4: terraform apply -lock=false @ ?"],
        ),
        ("ci.template.yaml", PROJECT, ["9: terraform apply -lock=false @ net"]),
        (
            ".vscode/tasks.json",
            VSCODE,
            ["5: terraform init @ net", "8: terraform apply -lock=false @ ?"],
        ),
        (
            "net/project.json",
            NX,
            [
                "2: terraform init -backend-config=dev.hcl @ ?",
                "3: opentofu plan @ ?",
                "3: opentofu apply -lock=false @ ?",
            ],
        ),
        (
            "stacks/workflows/net.yaml",
            ATMOS,
            ["5: terraform apply -lock=false @ ?"],
        ),
    ],
)
def test_runs(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_what_holds_it_back_is_not_known() -> None:
    assert held(plug, "net.yml", "net:\n  script: tofu apply\n") == [("apply", "?", "?")]


def test_people_run_the_tasks_of_an_editor() -> None:
    assert {run.automated for run in found(plug, ".vscode/tasks.json", VSCODE)} == {False}
    assert {run.automated for run in found(plug, "net.yml", TASKS)} == {True}


def test_changes_the_word_alone() -> None:
    check(plug, ".vscode/tasks.json", VSCODE, VSCODE.replace("net init", "net init -reconfigure"))
    check(plug, "roles/net/tasks/main.yml", TASKS, TASKS.replace("raform init ", "raform init -reconfigure "))


def test_what_has_a_kind_of_its_own_is_read_as_that() -> None:
    given = source(
        ".github/workflows/net.yml", "jobs:\n  a:\n    steps:\n      - run: tofu init && tofu apply\n"
    )
    read = [*plug.find(given).items, *github_workflow.find(given).items]
    assert [(run.plug, said(run)) for run in distinct(read)] == [
        ("github_workflow", "opentofu init"),
        ("github_workflow", "opentofu apply"),
    ]
