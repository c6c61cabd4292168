import pytest

from migrate.model import Unknown
from migrate.pipelines import script as plug
from tests.pipelines.reading import check, found, held, runs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("terraform init\n", ["terraform init @ ?"]),
        ("cd net\nterraform plan\n", ["terraform plan @ ?"]),
        ("terraform -chdir=net init -backend-config=a.hcl\n", ["terraform init -backend-config=a.hcl @ net"]),
        ('terraform -chdir="infra/${app}" destroy -auto-approve\n', ["terraform destroy -auto-approve @ ?"]),
        ("dir=net # ours\nterraform -chdir=$dir init\n", ["terraform init @ net"]),
        ('export dir="net"\nterraform -chdir="${dir}" init\n', ["terraform init @ net"]),
        ("dir=net\ndir=app\nterraform -chdir=$dir init\n", ["terraform init @ ?"]),
        ("dir=${1:-net}\nterraform -chdir=$dir init\n", ["terraform init @ ?"]),
        ("for dir in net app; do\nterraform -chdir=$dir init\ndone\n", ["terraform init @ ?"]),
        ("dir=net\nread -r dir\nterraform -chdir=$dir init\n", ["terraform init @ ?"]),
        ("terragrunt --working-dir live/net run --all apply\n", ["terragrunt apply @ live/net"]),
        ('cd "$1"\nterraform -chdir=net plan\n', ["terraform plan @ ?"]),
        ("x=$(terraform output --raw region)\n", ["terraform output --raw region @ ?"]),
        ('terraform "${action}" ${args} \n', ["terraform - ${action} ${args} @ ?"]),
        ('runCommand "terragrunt init --upgrade"\n', ["terragrunt init --upgrade @ ?"]),
        # wrappers: a function of CMSgov/beneficiary-fhir-data, a program of alphagov/digitalmarketplace-aws,
        # a variable with a default of ministryofjustice/hmpps-delius-core-terraform
        ("with_unlock tofu plan -lock-timeout=9s\n", ["opentofu plan -lock-timeout=9s @ ?"]),
        ("our-auth terraform init -input=false\n", ["terraform init -input=false @ ?"]),
        ("${CMD:-terragrunt} plan -lock=false\n", ["terragrunt plan -lock=false @ ?"]),
        (
            'tf() {\n  cd net\n  terraform -chdir=net "$@"\n}\ntf apply -lock=false\n',
            ["terraform - $@ @ ?", "terraform apply -lock=false @ ?"],
        ),
        ('log() { echo "terraform $@"; }\nlog apply\n', []),
        ('tf() { echo now; tofu "$@"; }\ntf plan\n', ["opentofu - $@ @ ?", "opentofu plan @ ?"]),
        (
            "./terraform.sh init; bin/tf apply -lock=false\n",
            ["terraform init @ ?", "terraform apply -lock=false @ ?"],
        ),
        ("./terraform.sh -p acme -a plan; tf get $/acme\n", []),
        ("terraform init\n/opt/terraform_1.8 plan\n", ["terraform init @ ?", "terraform plan @ ?"]),
        ("gitlab-terraform apply\n", ["terraform apply @ ?"]),
        ("function setup { terraform init; }\n", ["terraform init @ ?"]),
        ("find . -name terraform -execdir terraform init \\;\n", ["terraform init ; @ ?"]),
        ("find . -name '*.tf' -execdir sh -c 'terraform init' \\;\n", ["terraform init @ ?"]),
        ("ls | xargs -I{} terraform -chdir={} plan\n", ["terraform plan @ ?"]),
        ('CMD="terraform apply -lock=false"; $CMD\n', ["terraform apply -lock=false @ ?"]),
        ("rem terraform init\n:: terraform init\n", []),
        # PowerShell and cmd go on behind their own signs
        (
            "terraform apply `\n  -lock=false\nterraform plan\n",
            ["terraform apply -lock=false @ ?", "terraform plan @ ?"],
        ),
        ("terraform apply ^\n  -lock=false\n", ["terraform apply -lock=false @ ?"]),
        ('& "C:\\tools\\terraform.exe" init\n', ["terraform init @ ?"]),
        ("make -C terraform init\n", []),
        ("log_info terraform init now\n", []),
        ("our-auth terraform is what we use\n", []),
        ('die "terraform init failed"\n', []),
        ("cat <<EOF\nterraform apply \nEOF\n", []),
        ("bash <<EOF\nterraform apply \nEOF\n", ["terraform apply @ ?"]),
        ("cat > run.sh <<EOF\n#!/bin/sh\nterraform init \nEOF\n", ["terraform init @ ?"]),
        ("env -i bash -c 'terraform init'\n", ["terraform init @ ?"]),
        ("kubectl exec tf -- sh -c 'terraform init'\n", ["terraform init @ ?"]),
        ("nix-shell --run 'tofu init'\n", ["opentofu init @ ?"]),
        ("trap 'terraform force-unlock x' EXIT\n", ["terraform force-unlock x @ ?"]),
        ("terramate run --changed terraform init\n", ["terraform init @ ?"]),
        ("gosu tf terraform init\n", ["terraform init @ ?"]),
        ("Write-Host terraform init\n", []),
        ("rm -rf terraform init\n", []),
        ("# terraform apply \n", []),
        # what a variable stands for, where the file says so once and without another
        (
            'ARGS="-input=false -upgrade"\nterraform init $ARGS\n',
            ["terraform init -input=false -upgrade @ ?"],
        ),
        ("ARGS=-upgrade\nterraform init ${ARGS}\n", ["terraform init -upgrade @ ?"]),
        ('ARGS=""\nterraform init $ARGS\n', ["terraform init @ ?"]),
        ('ARGS="-input=false $1"\nterraform init $ARGS\n', ["terraform init $ARGS @ ?"]),
        ('ARGS=""\nARGS="$ARGS -upgrade"\nterraform init $ARGS\n', ["terraform init $ARGS @ ?"]),
        ("ARGS=(-upgrade)\nterraform init ${ARGS}\n", ["terraform init ${ARGS} @ ?"]),
        ("terraform version\nterraform -help\n", []),
    ],
)
def test_runs(text: str, expected: list[str]) -> None:
    assert [run.partition(": ")[2] for run in runs(plug, "bin/deploy.sh", text)] == expected


def test_scripts_of_pipelines_run_by_themselves() -> None:
    paths = ("ci/apply.sh", "bin/apply.sh", "bin/apply")
    assert [found(plug, path, "#!/bin/sh\nterraform apply\n")[0].automated for path in paths] == [
        True,
        False,
        False,
    ]


def test_a_wrapper_may_not_hand_on_what_it_is_given() -> None:
    text = "terraform init\n./tf.sh init\n"
    assert [run.verb is not None for run in found(plug, "ci.sh", text)] == [True, False]


def test_an_edit_keeps_all_else() -> None:
    text = '#!/bin/sh\nset -e\nterraform  init \\\n  -input=false # for "init"\nterraform init&&x\n'
    after = text.replace("init \\", "init -reconfigure \\").replace("init&&", "init -reconfigure&&")
    check(plug, "deploy.sh", text, after)


def test_what_the_environment_gives_to_every_init_is_given_to_each() -> None:
    text = 'export TF_CLI_ARGS_init="-backend-config=key=$ENV $MORE"\nterraform init -backend-config=a.hcl\n'
    ambient, init = found(plug, ".envrc", text)
    assert (ambient.command, ambient.said) == ("init", ("-backend-config=key=$ENV", "$MORE"))
    assert init.backend_config == ("key=$ENV", "a.hcl")
    assert [run.command for run in found(plug, ".env.ci", "TF_CLI_ARGS_init=$MORE\n")] == ["init"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        # alphagov/govuk-aws, Pocket/pocket-monorepo
        ("init() {\n  rm -rf .terraform && \\\n  rm -rf x && \\\n  terraform init\n}\n", "False"),
        ("cd $1\nrm -fr ./.terraform*\nterraform init\n", "False"),
        ("rm -rf .terraform; terraform init -backend-config=a\n", "False"),
        ("terraform init\nrm -rf .terraform\n", "True"),
        ("rm -rf .terraform/modules\nterraform init\n", "True"),
        ("rm -rf .terraform\ncd net\nterraform init\n", "True"),
        ("rm -rf .terraform\nterraform -chdir=net init\n", "True"),
        ("if [ $CLEAN ]; then\n  rm -rf .terraform\nfi\nterraform init\n", "True"),
        ("[ $CLEAN ] && \\\n  rm -rf .terraform\nterraform init\n", "True"),
        ("clean() {\n  rm -rf .terraform\n}\nterraform init\n", "True"),
    ],
)
def test_what_was_left_is_taken_away_first(text: str, kept: str) -> None:
    assert [kept for _, _, kept in held(plug, "deploy.sh", text)] == [kept]


@pytest.mark.parametrize(
    ("to", "like"),
    [
        ("infra/${app}/net", "infra*net"),
        ("$ROOT/infra", "*/infra"),
        ("infra/${{ matrix.app }}", "infra/*"),
        ("$app", ""),
        ("../$app", ""),
        ("/src/$app", ""),
        ("infra/`app`", ""),
    ],
)
def test_what_a_directory_with_a_variable_in_it_is_like(to: str, like: str) -> None:
    [one] = found(plug, "deploy.sh", f'terraform -chdir="{to}" init\n')
    assert isinstance(one.directory, Unknown)
    assert one.directory.like == like
