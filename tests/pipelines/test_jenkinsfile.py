import pytest

from migrate.pipelines import jenkinsfile as plug
from tests.pipelines.reading import check, held, runs

TEXT = """\
pipeline {
  agent any
  stages {
    stage('plan') {
      steps {
        sh 'terraform init -input=false' // kept
        sh '''
          cd net
          terraform plan -out tfplan
        '''
        script { url = sh(script: "terraform output -raw url", returnStdout: true) }
      }
    }
  }
}
"""


def test_steps() -> None:
    assert runs(plug, "Jenkinsfile", TEXT) == [
        "6: terraform init -input=false @ .",
        "9: terraform plan -out tfplan @ net",
        "11: terraform output -raw url @ .",
    ]


def test_a_dir_step_leads_elsewhere() -> None:
    assert runs(plug, "ci.groovy", "dir('net') { sh 'terraform init ' }") == ["1: terraform init @ ?"]


@pytest.mark.parametrize(
    ("options", "serialised", "kept"),
    [
        ("", "False", "True"),
        ("options { disableConcurrentBuilds() }", "True", "True"),
        ("lock(resource: 'net') {}", "True", "True"),
        ("agent { docker { image 'x' } }", "False", "?"),
    ],
)
def test_what_holds_two_runs_apart(options: str, serialised: str, kept: str) -> None:
    assert held(plug, "deploy.jenkinsfile", TEXT.replace("agent any", options))[0] == (
        "init",
        serialised,
        kept,
    )


def test_an_edit_keeps_all_else() -> None:
    check(plug, "Jenkinsfile", TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
