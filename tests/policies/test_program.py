"""Programs that make policies: the exact statement in their own words, never an edit."""

from __future__ import annotations

import pytest

from migrate.policies import program
from tests.pairs import source
from tests.policies.pairs import check_untouched, refusal, suggestion

WHY = "a program makes this policy: add the statement beside the one that grants the state"

TOLD = [
    (
        "CDK in TypeScript",
        "ci.ts",
        """\
role.addToPolicy(new iam.PolicyStatement({
  sid: 'State',
  actions: ['s3:GetObject', 's3:PutObject'],
  resources: [`${stateBucket.bucketArn}/net/terraform.tfstate`],
}));
""",
        """\
new iam.PolicyStatement({
  sid: 'TerraformStateLockFile',
  actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
  resources: [`${stateBucket.bucketArn}/net/terraform.tfstate.tflock`],
})""",
    ),
    (
        "CDK in Python",
        "ci.py",
        """\
role.add_to_policy(iam.PolicyStatement(
    actions=["s3:GetObject", "s3:PutObject"],
    resources=[f"{state_bucket.bucket_arn}/net/*"],
))
""",
        """\
iam.PolicyStatement(
    actions=["s3:DeleteObject"],
    resources=[f"{state_bucket.bucket_arn}/net/*.tflock"],
)""",
    ),
    (
        "strings that are joined",
        "ci.ts",
        """\
new PolicyStatement({ actions: ["s3:PutObject"], resources: [stateBucket.bucketArn + "/*"] })
""",
        """\
new PolicyStatement({ actions: ["s3:GetObject", "s3:DeleteObject"], resources: \
[`${stateBucket.bucketArn}/*.tflock`] })""",
    ),
    (
        "an object of Pulumi",
        "index.ts",
        """\
const policy = new aws.iam.RolePolicy("ci", {
  role: role.id,
  policy: {
    Version: "2012-10-17",
    Statement: [{
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:PutObject"],
      Resource: "arn:aws:s3:::acme-state/net/terraform.tfstate",
    }],
  },
});
""",
        """\
{
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      Resource: ["arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"],
    }""",
    ),
]


@pytest.mark.parametrize(("what", "path", "text", "told"), TOLD)
def test_the_statement_is_told(what: str, path: str, text: str, told: str) -> None:
    line, why, said = suggestion(program, path, text)
    assert (why, said) == (WHY, told)
    assert text.splitlines()[line - 1].strip()


IN_TWO = """\
a({ actions: ['s3:PutObject', 's3:GetObject'], resources: ['arn:aws:s3:::acme-state/*'] })
b({ actions: ['s3:DeleteObject'], resources: ['arn:aws:s3:::acme-state/*.tflock'] })
"""
IN_VAIN = """\
a({ actions: ['s3:PutObject'], resources: ['arn:aws:s3:::acme-state/*'] })
b({ effect: Effect.DENY, actions: ['s3:DeleteObject'], resources: ['arn:aws:s3:::acme-state/*'] })
"""
LEFT = [
    "const actions = ['s3:GetObject'];\n",
    "new iam.PolicyStatement({ actions: ['s3:GetObject'], resources: ['*'] })\n",
    "new iam.PolicyStatement({ actions: ['s3:*'], resources: ['*'] })\n",
    "new iam.PolicyStatement({ actions: ['s3:PutObject'], resources: [`${data.bucketArn}/*`] })\n",
    "new iam.PolicyStatement({ actions: state, resources: ['arn:aws:s3:::acme-state/*'] })\n",
    IN_TWO,
    "{ actions: ['s3:PutObject'",
    "actions: ['s3:PutObject'], resources: " + "[" * 20_000,
    "(" * 20_000 + "actions: ['s3:PutObject'], resources: ['*']",
]


@pytest.mark.parametrize("text", LEFT)
def test_says_nothing(text: str) -> None:
    check_untouched(program, "ci.ts", text)


def test_a_deny_in_the_program_is_said() -> None:
    line, why = refusal(program, "ci.ts", IN_VAIN)
    assert (line, why.startswith("it denies the lock")) == (2, True)


def test_what_is_not_read_of_a_long_program_is_said() -> None:
    found = program.find(source("ci.ts", TOLD[0][2] * 150))
    assert [one.why for one in found.problems] == [
        "it makes more statements of policies than the first 100, which are read"
    ]


def test_where_its_statements_stand() -> None:
    (found,) = program.find(source("ci.ts", TOLD[0][2])).items
    assert [one.where for one in found.policy.statements] == ["ci.ts:1"]
