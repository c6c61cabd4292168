"""How many IAM verdicts one core gives in a second.

A role as teams have them (state, table, key and application rights, a boundary, an organization, a bucket
policy that demands encryption) is asked about the locks of many states, first of the default workspace,
then of every other.
"""

import json
import time
from collections.abc import Sequence

from migrate import jsontree
from migrate.iam.address import Address, Workspaces
from migrate.iam.judge import Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.needs import lock_needs
from migrate.iam.profiles import told_apart
from migrate.iam.question import Need, Question, Writing
from migrate.iam.read import Reading, read_policy
from migrate.iam.request import Caller
from migrate.jsontree import Object
from migrate.model import Known

ROLE = "arn:aws:iam::111122223333:role/acme-ci"
TEAMS = ("net", "app", "data", "web", "ops")
EXACT, PATTERNS = 5_000, 1_000
LEAST = {"exact keys": 1_000, "workspaces": 300}
"""Per second."""


def statement(effect: str, actions: Sequence[str], *resources: str, **more: object) -> dict[str, object]:
    return {"Effect": effect, "Action": actions, "Resource": resources, **more}


def layer(kind: Kind, *statements: dict[str, object]) -> Layer:
    tree = jsontree.parse(json.dumps({"Version": "2012-10-17", "Statement": statements}))
    assert isinstance(tree, Object)
    return Layer(kind, (read_policy(tree, kind.value, Reading()),))


def layers() -> list[Layer]:
    states = [f"arn:aws:s3:::acme-state/{team}/*" for team in TEAMS]
    workspaces = [f"arn:aws:s3:::acme-state/env:/*/{team}/*" for team in TEAMS]
    encryption = {"Null": {"s3:x-amz-server-side-encryption": "true"}}
    return [
        layer(Kind.SCP, statement("Allow", ["*"], "*"), statement("Deny", ["iam:*", "organizations:*"], "*")),
        layer(Kind.BOUNDARY, statement("Allow", ["s3:*", "dynamodb:*", "kms:*", "ec2:*", "iam:Get*"], "*")),
        layer(
            Kind.IDENTITY,
            statement("Allow", ["s3:ListBucket"], "arn:aws:s3:::acme-state"),
            statement("Allow", ["s3:GetObject", "s3:PutObject"], *states, *workspaces),
            statement("Allow", ["s3:DeleteObject"], "arn:aws:s3:::acme-state/*.tflock"),
            statement("Allow", ["dynamodb:*Item"], "arn:aws:dynamodb:*:*:table/acme-locks"),
            statement("Allow", ["ec2:*", "ecs:*", "logs:*"], "*"),
            statement("Allow", ["s3:GetObject"], "arn:aws:s3:::acme-web-${aws:PrincipalTag/team}/*"),
            statement("Deny", ["s3:DeleteObject"], "arn:aws:s3:::acme-audit/*"),
        ),
        layer(
            Kind.BUCKET,
            statement(
                "Deny", ["s3:PutObject"], "arn:aws:s3:::acme-state/*", Principal="*", Condition=encryption
            ),
            statement(
                "Deny", ["s3:*"], "*", Principal="*", Condition={"Bool": {"aws:SecureTransport": "false"}}
            ),
        ),
    ]


def needs(count: int, workspace: str | Workspaces) -> list[Need]:
    """The requests of as many locks as make `count` of them."""
    found: list[Need] = []
    while len(found) < count:
        number = len(found)
        address = Address("acme-state", f"{TEAMS[number % 5]}/unit-{number}/terraform.tfstate", "eu-west-1")
        writing = Writing(encrypt=Known(value=True))
        found += lock_needs(Question(address, Caller(ROLE), "111122223333", writing=writing), workspace)
    return found


def per_second(judge: Judge, asked: Sequence[Need]) -> float:
    told_apart.cache_clear()  # what an earlier round has found out does not count
    start = time.process_time()
    for need in asked:
        judge.decide(need.request)
    return len(asked) / (time.process_time() - start)


def bench() -> bool:
    """Whether the verdicts of both kinds are fast enough."""
    kept = True
    judge = Judge(Caller(ROLE), layers())
    for name, count, workspace in (
        ("exact keys", EXACT, "default"),
        ("workspaces", PATTERNS, Workspaces.EVERY),
    ):
        asked = needs(count, workspace)
        rate = max(per_second(judge, asked) for _ in range(3))
        print(f"IAM verdicts, {name}: {rate:,.0f} per second and core (at least {LEAST[name]:,})")
        kept = kept and rate >= LEAST[name]
    return kept
