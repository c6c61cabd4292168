import time

import pytest

from migrate.model import Refusal
from migrate.pipelines import program as plug
from tests.pairs import source
from tests.pipelines.reading import check, found, held, reconfigured, runs

NOX = """\
@nox.session
def deploy(session):
    session.run("terraform", "init", "-input=false")
    session.run("terraform", "apply", "-lock=false", plan)
"""
API = """\
err, out = shell_run("terraform init -no-color", cwd=self.dir)
_cmd_destroy = f"terraform destroy -var-file={path} -lock=false"
"""
TERRAMATE = """\
script "deploy" {
  job {
    commands = [
      ["tofu", "init", "-lock-timeout=5m"],
      ["tofu", "plan", "-out", "out.tfplan", "-lock=false", {
        mock_on_fail = true
      }],
    ]
  }
}
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "noxfile.py",
            NOX,
            ["3: terraform init -input=false @ ?", "4: terraform apply -lock=false $plan @ ?"],
        ),
        (
            "stacks/workflows.tm.hcl",
            TERRAMATE,
            ["4: opentofu init -lock-timeout=5m @ ?", "5: opentofu plan -out out.tfplan -lock=false @ ?"],
        ),
        (
            "deploy.py",
            'process = subprocess.Popen(["terraform", "apply", var_file, "-auto-approve"], env=env)\n',
            ["1: terraform apply $var_file -auto-approve @ ?"],
        ),
        (
            "api.py",
            API,
            ["1: terraform init -no-color @ ?", "2: terraform destroy -var-file=${x} -lock=false @ ?"],
        ),
        (
            "tasks.py",
            'c.run("cd net && terraform apply -lock=false")\n',
            ["1: terraform apply -lock=false @ ?"],
        ),
        (
            "Rakefile",
            "task :deploy do\n  sh 'terraform init'\n  system \"terraform apply #{args}\"\nend\n",
            ["2: terraform init @ ?", "3: terraform apply ${x} @ ?"],
        ),
        (
            "deploy.js",
            "execSync('terraform init');\nspawn('terraform', ['apply', '-lock=false']);\n",
            ["1: terraform init @ ?", "2: terraform apply -lock=false @ ?"],
        ),
        (
            "magefile.go",
            'import "github.com/magefile/mage/sh"; sh.RunV("terraform", "apply", "-lock=false")\n',
            ["1: terraform apply -lock=false @ ?"],
        ),
        (
            ".dagger/main.go",
            'import "dagger.io/dagger"; c.WithExec([]string{"terraform", "init"})\n',
            ["1: terraform init @ ?"],
        ),
        (
            ".teamcity/settings.kts",
            'scriptContent = """\n  terraform init\n  terraform apply -lock=false\n"""\n',
            ["2: terraform init @ ?", "3: terraform apply -lock=false @ ?"],
        ),
        ("BUILD.bazel", 'genrule(name = "a", cmd = "terraform init")\n', ["1: terraform init @ ?"]),
        ("Vagrantfile", 'provision "shell", inline: "terraform init"\n', ["1: terraform init @ ?"]),
        ("plan.py", '"""Exit codes of `terraform plan`."""\nraise Failed("terraform init failed")\n', []),
        (
            "plan.py",
            'print("run \'terraform init\' first")\nraise CommandError("terraform init failed")\n',
            [],
        ),
        (".projenrc.ts", 'keywords: ["aws", "terraform", "state", "backend"],\n', []),
        ("a.py", 'subprocess.run(["terraform", "version"])\nfrom terraform import state\n', []),
    ],
)
def test_finds(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_whether_it_meets_a_directory_of_before_the_program_does_not_say() -> None:
    assert held(plug, "noxfile.py", NOX)[0] == ("init", "?", "True")


def test_a_pipeline_in_kotlin_is_automation() -> None:
    text = 'script {\n  scriptContent = """\n    terraform apply\n  """.trimIndent()\n}\n'
    automated = {
        path: found(plug, path, text)[0].automated for path in (".teamcity/settings.kts", "build.kts")
    }
    assert automated == {".teamcity/settings.kts": True, "build.kts": False}


def test_a_text_for_a_shell_is_edited() -> None:
    before = 'c.run("terraform init && terraform apply")  # terraform init\n'
    check(plug, "tasks.py", before, before.replace("init &&", "init -reconfigure &&"))


@pytest.mark.parametrize("before", [NOX, 'c.run(f"terraform init -input={x}")\n'])
def test_a_list_of_words_or_a_text_that_is_filled_in_is_not(before: str) -> None:
    answer = reconfigured(plug, "noxfile.py", before)
    assert isinstance(answer, Refusal)
    assert answer.remedy == "let it run init with -reconfigure"


@pytest.mark.parametrize("words", ["run(", '["terraform", ', "cmd = '", 'x = "terraform" ', "a_" * 9])
def test_no_text_takes_long(words: str) -> None:
    began = time.process_time()
    plug.find(source("a.py", words * (40_000 // len(words))))
    assert time.process_time() - began < 1
