from migrate.pipelines import gitlab as plug
from tests.pipelines.reading import check, held, runs

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
        "15: - cache net/.terraform @ .",
        "18: terraform apply -auto-approve @ .",
        "20: terraform destroy @ .",
    ]


def test_what_holds_two_runs_apart() -> None:
    found = held(plug, "ci/gitlab/tf.yml", TEXT)
    assert [(command, serialised) for command, serialised, _ in found] == [
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
