from migrate.pipelines import buildspec as plug
from tests.pipelines.reading import check, held, runs

PATH = "buildspecs/apply.yml"
TEXT = """\
version: 0.2
phases:
  pre_build:
    commands:
      - cd $CODEBUILD_SRC_DIR/net
      - |
        terraform init -no-color
  build:
    commands:
      - |
        if [ $DISTRIBUTION = "oss" ]; then
          /opt/acme/bin/terraform apply -no-color --auto-approve
        fi
cache:
  paths:
    - net/.terraform/**/*
    - '**/.terraform'
"""


def test_all_phases_are_one_shell() -> None:
    assert runs(plug, PATH, TEXT) == [
        "7: terraform init -no-color @ ?",
        "12: terraform apply -no-color --auto-approve @ ?",
        "17: - cache **/.terraform @ ?",
    ]


def test_the_project_says_how_many_run() -> None:
    assert held(plug, PATH, TEXT)[1] == ("apply", "?", "False")


def test_an_edit_keeps_all_else() -> None:
    check(plug, PATH, TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
