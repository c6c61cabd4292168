from migrate.pipelines import gitlab as plug
from tests.pipelines.reading import check, found, held, runs

TEXT = """\
default:
  before_script:
    - terraform version
.tf:
  script:
    - terraform init
plan:
  extends: .tf
  before_script: [cd net]
  script:
    - terraform init -input=false
    - terraform plan -out=plan.cache  # kept as an artifact
  cache:
    paths:
      - net/.terraform
apply:
  resource_group: prod
  script: terraform apply -auto-approve
destroy:
  script: ["terraform destroy"]
"""


def test_all_scripts_of_a_job_are_one_shell() -> None:
    assert runs(plug, ".gitlab-ci.yml", TEXT) == [
        "6: terraform init @ .",
        "11: terraform init -input=false @ net",
        "12: terraform plan -out=plan.cache @ net",
        "15: - cache net/.terraform @ net",
        "18: terraform apply -auto-approve @ .",
        "20: terraform destroy @ .",
    ]


GLOBAL = """\
image: hashicorp/terraform:1.9.8
variables:
  TF_ROOT: ${CI_PROJECT_DIR}/net
cache:
  key: $CI_COMMIT_REF_SLUG
  paths:
    - ${TF_ROOT}/.terraform/
before_script:
  - cd ${TF_ROOT}
  - terraform init -input=false  # of every job
plan:
  script:
    - terraform plan -out=tfplan
    - cd ..
  before_script: [cd net]
apply:
  script:
    - terraform apply tfplan
.base:
  before_script:
    - cd app
destroy:
  extends: .base
  script: [terraform destroy]
"""
"""How most public files are laid out: a cache and a before_script for all jobs."""


def test_what_runs_before_every_job() -> None:
    assert runs(plug, ".gitlab-ci.yml", GLOBAL) == [
        "7: - cache ${TF_ROOT}/.terraform/ @ ?",
        "10: terraform init -input=false @ ?",
        "10: terraform init -input=false @ ?",
        "13: terraform plan -out=tfplan @ net",
        "18: terraform apply tfplan @ ?",
        "24: terraform destroy @ ?",
    ]
    jobs = {run.job for run in found(plug, ".gitlab-ci.yml", GLOBAL) if run.command == "init"}
    assert jobs == {"default", "apply"}
    after = GLOBAL.replace("init -input", "init -reconfigure -input")
    check(plug, ".gitlab-ci.yml", GLOBAL, after)


def test_what_holds_two_runs_apart() -> None:
    facts = held(plug, "ci/gitlab/tf.yml", TEXT)
    assert [(command, serialised) for command, serialised, _ in facts] == [
        *[
            ("init", "?"),
            ("init", "?"),
            ("plan", "?"),
            ("cache", "?"),
            ("apply", "True"),
            ("destroy", "False"),
        ]
    ]


def test_an_edit_keeps_all_else() -> None:
    after = TEXT.replace("- terraform init\n", "- terraform init -reconfigure\n")
    check(plug, ".gitlab-ci.yml", TEXT, after.replace("init -input", "init -reconfigure -input"))
