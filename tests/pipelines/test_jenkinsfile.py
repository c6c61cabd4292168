import pytest

from migrate.pipelines import jenkinsfile as plug
from tests.pairs import source
from tests.pipelines.reading import check, found, held, runs

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dir('net') { sh 'terraform init ' }", ["1: terraform init @ net"]),
        ('dir("${env.WORKSPACE}/net") {\n  sh("terraform init")\n}', ["2: terraform init @ net"]),
        ("dir(path: 'net') { dir('a') { sh 'terraform init' } }", ["1: terraform init @ net/a"]),
        ("dir('net') { echo '}' }\nsh 'terraform init'", ["2: terraform init @ ."]),
        ("dir(folder) { sh 'terraform init ' }", ["1: terraform init @ ?"]),
        ("} sh 'terraform init'", ["1: terraform init @ ."]),
        ("//sh 'terraform plan'\nsh 'terraform apply -lock=false'", ["2: terraform apply -lock=false @ ."]),
        (
            "/* sh 'terraform plan' */ x = 'https://acme.example'; sh 'terraform init'",
            ["1: terraform init @ ."],
        ),
        ("sh label: 'Init', script: 'terraform init'", ["1: terraform init @ ."]),
        ("sh(\n  returnStdout: true,\n  script: 'terraform output'\n)", ["3: terraform output @ ."]),
        ("sh '''\nterraform init \\\\\n  -reconfigure\n'''", ["2: terraform init -reconfigure @ ."]),
        ("echo 'sh terraform init'\necho \"sh 'terraform init'\"", []),
    ],
)
def test_where_a_step_runs(text: str, expected: list[str]) -> None:
    assert runs(plug, "ci.jenkinsfile", text) == expected


@pytest.mark.parametrize("sign", ["/*", "sh '", "'" * 3, "dir(" + " " * 99, "sh(a: b, ", "{"])
def test_no_text_takes_long(sign: str) -> None:
    assert plug.find(source("Jenkinsfile", sign * 20_000)).items == ()


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ("sh(returnStdout: true, script: 'terraform output -raw url').trim()", True),
        ("sh(script: 'terraform output -raw url', returnStdout: true)", True),
        ("sh script: 'terraform output -raw url', label: 'url', returnStdout: true", True),
        ("sh(script: 'terraform output -raw url', returnStdout: false)", False),
        ("sh 'terraform output -raw url > url.txt'", True),
        ("sh 'terraform output -raw url'; x = sh(script: 'date', returnStdout: true)", False),
    ],
)
def test_whose_output_is_read(step: str, read: bool) -> None:
    assert found(plug, "Jenkinsfile", step)[0].captured is read


@pytest.mark.parametrize(
    ("options", "serialised", "kept"),
    [
        ("", "False", "True"),
        ("options { disableConcurrentBuilds() }", "True", "True"),
        ("lock(resource: 'net') {}", "True", "True"),
        ("// disableConcurrentBuilds()", "False", "True"),
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


def test_a_job_of_the_job_dsl() -> None:
    text = "job('net') {\n  steps {\n    shell('cd net && terraform apply -lock=false')\n  }\n}\n"
    assert runs(plug, "jobs/net.groovy", text) == ["3: terraform apply -lock=false @ ?"]


def test_what_calls_a_shared_library_may_hold_it_back() -> None:
    """folio-org/pipelines-shared-library"""
    step = "def apply(String flags) { sh 'terraform apply tfplan' }\n"
    assert held(plug, "vars/net.groovy", step) == [("apply", "?", "True")]
    assert held(plug, "vars/net.groovy", f"def call() {{ pipeline {{ {step} }} }}") == [
        ("apply", "False", "True")
    ]
    assert held(plug, "Jenkinsfile", step) == [("apply", "False", "True")]
