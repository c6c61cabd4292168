"""Pipelines, scripts and providers → the roles they name, as their authors write them."""

from pathlib import PurePosixPath

import pytest

from migrate.model import RepoId, Source
from migrate.roles import RoleName, named_in, of_providers

CI = "arn:aws:iam::111122223333:role/ci"


def source(text: str, path: str = ".github/workflows/plan.yml") -> Source:
    return Source(RepoId("acme/net"), PurePosixPath(path), text)


SESSION = """\
- uses: aws-actions/configure-aws-credentials@v4
  with:
    role-to-assume: arn:aws:iam::111122223333:role/ci
    {}
"""
ASSUME = f"aws sts assume-role --role-arn {CI} --role-session-name x"


@pytest.mark.parametrize(
    ("text", "session"),
    [
        (SESSION.format("inline-session-policy: >-\n      {}"), "inline-session-policy at plan.yml:4"),
        (SESSION.format("managed-session-policies: |"), "managed-session-policies at plan.yml:4"),
        (
            SESSION.format('"inline-session-policy": ${{ vars.POLICY }}'),
            "inline-session-policy at plan.yml:4",
        ),
        (f"{ASSUME} --policy file://session.json\n", "--policy at plan.yml:1"),
        (f"{ASSUME} \\\n  --policy-arns arn=$POLICY\n", "--policy-arns at plan.yml:2"),
        (SESSION.format("role-session-name: plan"), ""),
        (f"{ASSUME}; aws iam get-policy --policy-arn x\n", ""),
        (f"{ASSUME}\naws iam create-policy --policy-document x --policy y\n", ""),
    ],
)
def test_what_may_limit_the_session_of_a_role(text: str, session: str) -> None:
    assert [one.session for one in named_in(source(text, "plan.yml"))] == [session]


GITHUB = """\
- uses: aws-actions/configure-aws-credentials@v4
  with:
    role-to-assume: {}
    aws-region: eu-west-1
"""
CIRCLECI = "- aws-cli/setup:\n    role_arn: << parameters.role >>\n    region: eu-west-1\n"
BUILDKITE = f"plugins:\n  - aws-assume-role-with-web-identity#v1.4.0:\n      role-arn: {CI}\n"
GITLAB = f"""\
plan:
  id_tokens:
    AWS_TOKEN: {{aud: https://gitlab.acme.example}}
  variables:
    ROLE: "{CI}"
  script:
    - aws sts assume-role-with-web-identity --role-arn $ROLE --web-identity-token $AWS_TOKEN
"""
AZURE = f"env:\n  AWS_ROLE_ARN: '{CI}'\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (GITHUB.format(CI), [CI]),
        (GITHUB.format(f'"{CI}"'), [CI]),
        (GITHUB.format("arn:aws-us-gov:iam::111122223333:role/deploy/ci"), None),
        (GITHUB.format("arn:aws:iam::${{ env.ACCOUNT }}:role/ci # of this account"), None),
        (GITHUB.format("${{ secrets.ROLE }}"), ["${{ secrets.ROLE }}"]),
        (f"env:\n  ROLE: {CI}\n" + GITHUB.format("${{ env.ROLE }}"), [CI]),
        (
            f"env:\n  ROLE: {CI}\n---\nenv:\n  ROLE: {CI}2\n" + GITHUB.format("${{ env.ROLE }}"),
            ["${{ env.ROLE }}"],
        ),
        (CIRCLECI, ["<< parameters.role >>"]),
        (BUILDKITE, [CI]),
        (GITLAB, [CI]),
        (AZURE, [CI]),
        (f"export AWS_ROLE_ARN={CI}\nterraform apply\n", [CI]),
        (f"aws sts assume-role --role-arn {CI} --role-session-name x | jq .\n", [CI]),
        (f"aws configure set role_arn {CI}\n", [CI]),
        (f"TF_VAR_role_arn={CI} terraform plan\n", []),
        ("inputs:\n  role-to-assume:\n    description: the role\n    required: true\n", []),
        ("role-to-assume: required\n", []),
        (f"policy: {CI}\n", []),
    ],
)
def test_every_way_to_take_on_a_role_names_it(text: str, named: list[str] | None) -> None:
    found = list(named_in(source(text)))
    if named is None:
        assert [one.name for one in found] == ["ci"]
    else:
        assert [one.text for one in found] == named


@pytest.mark.parametrize(
    ("text", "name", "account"),
    [
        (CI, "ci", "111122223333"),
        ("arn:aws-cn:iam::111122223333:role/team/deploy/ci", "ci", "111122223333"),
        ("arn:aws:iam::${ACCOUNT}:role/ci", "ci", ""),
        ("arn:aws:iam::111122223333:role/ci-${ENV}", None, "111122223333"),
        ("${{ secrets.ROLE }}", None, ""),
    ],
)
def test_a_name_tells_what_of_it_is_written(text: str, name: str | None, account: str) -> None:
    (found,) = named_in(source(f"role-arn: {text}\n"))
    assert (found.name, found.account) == (name, account)


def test_a_name_has_its_place() -> None:
    (found,) = named_in(source(GITHUB.format(CI)))
    assert str(found.place) == ".github/workflows/plan.yml:3"


PROVIDER = """\
provider "aws" {
  region = "eu-west-1"
  assume_role {
    role_arn = "%s"
  }
}
"""


def test_a_provider_names_the_role_that_makes_its_resources() -> None:
    def named(text: str) -> list[RoleName]:
        return list(of_providers(source(text, "providers.tf")))

    assert [(one.text, one.place.line) for one in named(PROVIDER % CI)] == [(CI, 4)]
    assert [one.name for one in named(PROVIDER.replace('"%s"', "var.role"))] == [None]
    assert named(PROVIDER.replace('"aws"', '"acme"') % CI) == []
    assert named(PROVIDER.replace("role_arn", "external_id") % "x") == []


def test_names_without_end_are_not_followed_without_end() -> None:
    text = "\n".join(f"role-arn: arn:aws:iam::111122223333:role/r{at}" for at in range(5_000))
    assert len(list(named_in(source(text)))) == 100
