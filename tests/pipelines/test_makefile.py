import pytest

from migrate.pipelines import makefile as plug
from tests.pipelines.reading import check, found, runs

TEXT = """\
TERRAFORM ?= terraform
BUCKET := $(shell terraform output -raw bucket)
net-init: ## terraform init for people
\t@cd env/staging/net && \\
\tterragrunt init --upgrade
\tterraform init
%-init:
\t-$(TERRAFORM) init -input=false
\tterraform -chdir="infra/$*" init -reconfigure
apply:
\texport TF_CMD="terraform apply \\
\t\t-auto-approve"; eval $$TF_CMD
"""


def test_each_line_of_a_recipe_is_a_shell() -> None:
    assert runs(plug, "net/Makefile", TEXT) == [
        "2: terraform output -raw bucket @ net",
        "5: terragrunt init --upgrade @ net/env/staging/net",
        "6: terraform init @ net",
        "8: terraform init -input=false @ net",
        "9: terraform init -reconfigure @ ?",
        "11: terraform apply -auto-approve @ net",
    ]


def test_a_target_is_a_job_that_people_run() -> None:
    assert {(run.job, run.automated) for run in found(plug, "Makefile", TEXT)} == {
        ("", False),
        ("net-init", False),
        ("%-init", False),
        ("apply", False),
    }


def test_an_edit_keeps_all_else() -> None:
    after = TEXT.replace("terragrunt init", "terragrunt init -reconfigure")
    after = after.replace("\tterraform init\n", "\tterraform init -reconfigure\n")
    check(plug, "Makefile", TEXT, after.replace("init -input", "init -reconfigure -input"))


def test_a_variable_that_others_may_set_is_known_when_it_runs() -> None:
    mine, anybodys = "ARGS = -input=false -upgrade\n", "ARGS ?= -input=false\n"
    assert runs(plug, "Makefile", mine + "init:\n\tterraform init $(ARGS)\n") == [
        "3: terraform init -input=false -upgrade @ ."
    ]
    assert runs(plug, "Makefile", anybodys + "init:\n\tterraform init $(ARGS)\n") == [
        "3: terraform init $(ARGS) @ ."
    ]


DOCKER = """\
RUN = docker run --rm -w /net $(IMAGE)
init:
\t@$(RUN) terraform init --backend-config="key=$$ENV.tfstate"
trace: ## terraform apply
\t$(RUN) /bin/bash -c "TF_LOG=TRACE terraform apply 2>&1 | tee log"
"""
"""How ministryofjustice/staff-device-dns-dhcp-infrastructure runs Terraform in a container."""


def test_a_variable_that_goes_elsewhere() -> None:
    text = "TF := terraform -chdir=net\nTF_CMD = cd app && terraform\ninit:\n\t$(TF) init\n\t$(TF_CMD) plan\n"
    assert runs(plug, "Makefile", text) == ["4: terraform init @ ?", "5: terraform plan @ ?"]


def test_what_a_variable_runs() -> None:
    assert runs(plug, "Makefile", DOCKER) == [
        "3: terraform init --backend-config=key=$$ENV.tfstate @ .",
        "5: terraform apply @ .",
    ]
    after = DOCKER.replace("init --", "init -reconfigure --")
    check(plug, "Makefile-common", DOCKER, after)


def test_justfiles() -> None:
    assert runs(plug, "justfile", "init:\n    terraform init\n") == ["2: terraform init @ ."]


OTHERWISE = """\
define INIT
terraform init -backend-config="key=a" \\
  -input=false
cd net && terraform plan
endef
text := init; terraform apply
all: one two; terraform init
%.plan: %.tf ;
\t$(INIT)
"""


def test_lines_of_a_definition_and_behind_a_semicolon() -> None:
    assert runs(plug, "Makefile", OTHERWISE) == [
        "2: terraform init -backend-config=key=a -input=false @ .",
        "4: terraform plan @ net",
        "7: terraform init @ .",
    ]
    after = OTHERWISE.replace("init -backend", "init -reconfigure -backend").replace(
        "two; terraform init", "two; terraform init -reconfigure"
    )
    check(plug, "Makefile", OTHERWISE, after)


IN_A_VARIABLE = """\
DIR := infra/net
HOME ?= infra/app
init:
\tcd $(DIR) && terraform init
\tterraform -chdir=$(HOME) plan
"""


def test_a_directory_that_a_variable_holds() -> None:
    assert runs(plug, "Makefile", IN_A_VARIABLE) == [
        "4: terraform init @ infra/net",
        "5: terraform plan @ ?",
    ]


JUST = """\
set shell := ["bash", "-c"]
[working-directory: 'infra']
[group('net')]
apply *args: fmt
    op run -- tofu apply {{args}}
[no-cd]
plan:
    tofu plan
[confirm("sure?"), working-directory("app")]
init dir="net" *flags="": fmt
    #!/usr/bin/env bash
    cd live
    tofu init
last:
    cd net
    tofu init
"""


def test_just_says_where_a_recipe_runs() -> None:
    assert runs(plug, "justfile", JUST) == [
        "5: opentofu apply {{args}} @ infra",
        "8: opentofu plan @ ?",
        "13: opentofu init @ app/live",
        "16: opentofu init @ .",
    ]
    assert runs(plug, ".justfile", "set working-directory := 'live'\na:\n  tofu init\n") == [
        "3: opentofu init @ live"
    ]
    assert [run.job for run in found(plug, "justfile", JUST)] == [
        "apply *args",
        "plan",
        'init dir="net" *flags=""',
        "last",
    ]


def test_one_shell_for_all_lines_of_a_recipe() -> None:
    text = ".ONESHELL:\na:\n\tcd net\n\tterraform init\nb: a\n\tterraform init\n"
    assert runs(plug, "Makefile", text) == ["4: terraform init @ net", "6: terraform init @ ."]


@pytest.mark.parametrize("name", ["Makefile-common", "net.mk", "Makefile.net", "net.just"])
def test_what_is_included_runs_where_the_other_does(name: str) -> None:
    """alphagov/digitalmarketplace-aws: the Makefiles of accounts include ../../Makefile-common."""
    assert runs(plug, f"live/{name}", "init:\n\tour-auth terraform init\n") == ["2: terraform init @ ?"]
