import pytest

from migrate.model import Refusal, Unknown
from migrate.pipelines import github_workflow as plug
from tests.pipelines.reading import check, found, held, reconfigured, runs

PATH = ".github/workflows/deploy.yml"

JOB = """\
on: push
defaults:
  run:
    working-directory: terraform  # where it is
jobs:
  apply:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: init
        run: terraform init -upgrade
      - run: |
          # terraform plan
          terraform plan -out=tfplan \\
            -lock-timeout=10m
          cd net && terraform apply "tfplan"
      - run: terraform output -raw url >> $GITHUB_OUTPUT
        working-directory: app
"""


def test_steps_and_where_they_run() -> None:
    assert runs(plug, PATH, JOB) == [
        "11: terraform init -upgrade @ terraform",
        "14: terraform plan -out=tfplan -lock-timeout=10m @ terraform",
        "16: terraform apply tfplan @ terraform/net",
        "17: terraform output -raw url @ app",
    ]


HEREDOCS = """\
jobs:
  apply:
    runs-on: ubuntu-latest
    steps:
      - run: |
          bash -e <<'EOF'
            cd net
            terraform init
          EOF
          ssh deploy@host <<'EOF'
            terraform apply -lock=false
          EOF
          terraform plan
"""


def test_what_a_heredoc_feeds_to_a_shell_runs_there() -> None:
    assert runs(plug, PATH, HEREDOCS) == [
        "8: terraform init @ net",
        "11: terraform apply -lock=false @ ?",
        "13: terraform plan @ .",
    ]
    check(plug, PATH, HEREDOCS, HEREDOCS.replace("terraform init", "terraform init -reconfigure"))


MATRIX = """\
jobs:
  plan:
    strategy:
      matrix:
        root: [net, "app/eu"]
        version: [${{ vars.V }}]
    steps:
      - run: terraform plan
        working-directory: live/${{ matrix.root }}
      - uses: dflook/terraform-apply@v1
        with:
          path: ${{matrix.root}}
"""


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (
            "gruntwork-io/terragrunt-action@v2, with: {tg_command: apply, tg_dir: live}",
            "terragrunt apply @ live",
        ),
        ("gruntwork-io/terragrunt-action@v2, with: {tg_command: apply, tg_dir: $D}", "terragrunt apply @ ?"),
        ("dflook/tofu-plan@v1, with: {path: net}", "opentofu plan @ net"),
    ],
)
def test_an_action_runs_where_its_input_says(inputs: str, expected: str) -> None:
    assert runs(plug, PATH, f"jobs:\n  a:\n    steps:\n    - {{uses: {inputs}}}\n") == [f"4: {expected}"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("", ""),
            [
                "8: terraform plan @ live/net",
                "8: terraform plan @ live/app/eu",
                "10: terraform apply @ net",
                "10: terraform apply @ app/eu",
            ],
        ),
        (('"app/eu"', "${{ vars.R }}"), ["8: terraform plan @ ?", "10: terraform apply @ ?"]),
        (
            ("        version", "        exclude: [{root: net}]\n        version"),
            ["9: terraform plan @ ?", "11: terraform apply @ ?"],
        ),
        (
            ('[net, "app/eu"]', "${{ fromJSON(vars.R) }}"),
            ["8: terraform plan @ ?", "10: terraform apply @ ?"],
        ),
        (("matrix.root", "matrix.version"), ["8: terraform plan @ ?", "10: terraform apply @ ?"]),
    ],
    ids=["literals", "an expression among them", "without some", "an expression", "another list"],
)
def test_a_directory_out_of_a_matrix(change: tuple[str, str], expected: list[str]) -> None:
    assert runs(plug, PATH, MATRIX.replace(*change)) == expected


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            "run: terragrunt apply --terragrunt-non-interactive",
            ["terragrunt apply --terragrunt-non-interactive"],
        ),
        ("run: terragrunt run-all plan", ["terragrunt plan"]),
        (
            r'run: "terraform init\n terraform apply -lock=false"',
            ["terraform init", "terraform apply -lock=false"],
        ),
        (
            "{uses: gruntwork-io/terragrunt-action@v2, with: {tg_command: run --all apply -lock=false}}",
            ["terragrunt apply -lock=false"],
        ),
        (
            "{uses: hashicorp/terraform-github-actions@master, with: {tf_actions_subcommand: apply}}",
            ["terraform apply"],
        ),
        ("run: tofu -chdir=net init", ["opentofu init"]),
        ("run: terraform -chdir=${{ inputs.dir }} init -input=false", ["terraform init -input=false"]),
        ("run: terraform ${{ inputs.command }} -no-color", ["terraform - ${{ inputs.command }} -no-color"]),
        ("run: ${TF} init", ["terraform init"]),
        ("run: echo terraform init", []),
        ("run: which terraform || brew install terraform", []),
        ("run: atmos terraform plan", []),
        ("run: tfcmt plan -- terraform plan -lock=false", ["terraform plan -lock=false"]),
        ("run: sudo -E TF_LOG=trace terraform init", ["terraform init"]),
        ("run: if ! terraform plan; then exit 1; fi", ["terraform plan"]),
        ("run: docker run --rm -v $PWD:/w -w /w hashicorp/terraform:1.5 init", ["terraform init"]),
        (
            "uses: nick-fields/retry@v3\n        with:\n          command: cd net && terraform init",
            ["terraform init"],
        ),
        ("uses: dflook/terraform-apply@v1\n        with:\n          path: net", ["terraform apply"]),
        ("uses: dflook/tofu-plan@v2", ["opentofu plan"]),
    ],
)
def test_how_a_step_may_run_an_engine(step: str, expected: list[str]) -> None:
    text = f"# terraform -\njobs:\n  a:\n    steps:\n      - {step}\n"
    assert [run.partition(": ")[2].partition(" @")[0] for run in runs(plug, PATH, text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on: push\njobs:\n  a:\n    runs-on: ubuntu-22.04\n", ("apply", "False", "False")),
        ("on: push\njobs:\n  a:\n    runs-on: [self-hosted, linux]\n", ("apply", "False", "?")),
        ("on: push\njobs:\n  a:\n    runs-on: ${{ inputs.runner }}\n", ("apply", "False", "?")),
        ("on: push\nconcurrency: tf\njobs:\n  a:\n    runs-on: acme\n", ("apply", "True", "?")),
        ("on: push\njobs:\n  a:\n    concurrency:\n      group: tf\n", ("apply", "True", "?")),
        (
            "on:\n  workflow_call:\n    inputs: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n",
            ("apply", "?", "False"),
        ),
    ],
)
def test_what_holds_two_runs_apart(text: str, expected: tuple[str, str, str]) -> None:
    assert held(plug, PATH, f"{text}    steps:\n      - run: terraform apply\n") == [expected]


def test_an_action_is_called_by_others() -> None:
    text = (
        "runs:\n  using: composite\n  steps:\n    - run: terraform apply -auto-approve\n      shell: bash\n"
    )
    assert held(plug, "actions/tf/action.yml", text) == [("apply", "?", "?")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("net/.terraform", ["7: - cache net/.terraform @ net"]),
        ("'**/.terraform'", ["7: - cache **/.terraform @ ?"]),
        ("${{ env.TF_DATA_DIR }}", ["7: - cache ${{ env.TF_DATA_DIR }} @ ?"]),
        ("~/.terraform.d/plugin-cache", []),
        ("net/.terraform/providers", []),
        (".terraform.lock.hcl", []),
    ],
)
def test_a_cache_of_whole_folders(path: str, expected: list[str]) -> None:
    text = f"jobs:\n  a:\n    steps:\n      - uses: actions/cache@v4\n        with:\n          path: {path}\n"
    assert runs(plug, PATH, f"# terraform \n{text}") == expected


def test_the_environment_adds_arguments() -> None:
    text = (
        'env:\n  TF_CLI_ARGS_plan: "-lock-timeout=5m"\njobs:\n  a:\n    steps:\n      - run: terraform plan\n'
    )
    first, second = found(plug, PATH, text)
    assert (first.engine, first.command, first.arguments) == (None, "plan", ("-lock-timeout=5m",))
    assert (second.ambient, second.said) == (("-lock-timeout=5m",), ("-lock-timeout=5m",))


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ("id: out\n        run: terraform output -json", True),
        ("id: other\n        run: terraform output -json", False),
        ("run: terraform output -json", False),
        ("run: terraform output -json | jq .", True),
        ("run: terraform output -raw url >> $GITHUB_OUTPUT", True),
        ('run: echo "url=$(terraform output -raw url)" >> $GITHUB_ENV', True),
    ],
)
def test_whose_output_is_read(step: str, read: bool) -> None:
    text = f"jobs:\n  a:\n    steps:\n      - {step}\n      - run: echo ${{{{ steps.out.outputs.stdout }}}}\n"
    assert [run.captured for run in found(plug, PATH, text)] == [read]


STEPS = """\
x: &init terraform init  # first
jobs:
  a:
    steps:
      - {name: "i", run: "terraform init -input=false"}  # flow
      - name: 'init'
        run: >-
          terraform
          init
          -upgrade
      - run:   terraform init # kept
      - run: *init
      - run: |
          terraform -chdir=net init \\
            -backend-config=a.hcl
      - run: terraform init -reconfigure
      - run: terraform init -backend=false
"""


def test_an_edit_keeps_comments_anchors_and_quoting() -> None:
    after = (
        STEPS.replace('"terraform init -input', '"terraform init -reconfigure -input')
        .replace("&init terraform init", "&init terraform init -reconfigure")
        .replace("          init\n", "          init -reconfigure\n")
        .replace("init # kept", "init -reconfigure # kept")
        .replace("init \\\n", "init -reconfigure \\\n")
    )
    check(plug, PATH, STEPS, after)


def test_what_is_no_word_is_not_edited() -> None:
    text = "jobs:\n  a:\n    steps:\n      - run: retry 'terraform init'\n"
    answer = reconfigured(plug, PATH, text)
    assert isinstance(answer, Refusal)
    assert (answer.where.line, answer.remedy) == (4, "let it run init with -reconfigure")


DIRECTORIES = """\
env:
  DIR: infra/net
jobs:
  plan:
    steps:
    - run: terraform plan
      working-directory: ${{ env.DIR }}
    - run: terraform apply
      working-directory: ${{ matrix.dir }}
    - run: cd ${{ env.DIR }} && terraform init
"""


def test_a_directory_that_the_environment_holds() -> None:
    assert runs(plug, ".github/workflows/a.yml", DIRECTORIES) == [
        "6: terraform plan @ infra/net",
        "8: terraform apply @ ?",
        "10: terraform init @ infra/net",
    ]
    apply = found(plug, ".github/workflows/a.yml", DIRECTORIES)[1]
    assert apply.directory == Unknown("it runs in ${{ matrix.dir }}, which is known when it runs")
