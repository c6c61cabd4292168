"""What the layers of policies answer together, and what they say decided it."""

import pytest
from msgspec.structs import replace

from migrate.iam.doubt import Doubt
from migrate.iam.glob import Wild, exact, glob, join
from migrate.iam.judge import Answer, Decision, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.request import Absence, Caller, Request
from tests.iam.policies import ACCOUNT, CI, LOCK, OTHER, Json, allow, deny, document, layer

ALLOWED, DENIED, PARTLY, UNKNOWN = Answer.ALLOWED, Answer.DENIED, Answer.PARTLY, Answer.UNKNOWN
PUT = Request("s3:PutObject", exact(LOCK), ACCOUNT, {"aws:principaltag/team": ("net",)}, Absence.MISSING)
MAY_PUT = layer(Kind.IDENTITY, allow("s3:PutObject", "arn:aws:s3:::acme-state/*"))
SESSION = "arn:aws:sts::111122223333:assumed-role/acme-ci/run-7"


def decide(*layers: Layer, request: Request = PUT, caller: str = CI, session: str | None = None) -> Decision:
    return Judge(Caller(caller, session), layers).decide(request)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (allow("s3:PutObject", LOCK), ALLOWED),
        (allow("S3:putobject", LOCK), ALLOWED),
        (allow("s3:Put*", "arn:aws:s3:::acme-state/*"), ALLOWED),
        (allow("s3:PutObjec?", "arn:aws:s3:::acme-?tate/net/*.tflock"), ALLOWED),
        (allow(["s3:GetObject", "s3:PutObject"], ["arn:aws:s3:::other/*", LOCK]), ALLOWED),
        (allow("*"), ALLOWED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state/${aws:PrincipalTag/team}/*"), ALLOWED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state/${aws:PrincipalTag/unit, 'net'}/*"), ALLOWED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state/net/terraform.tfstate"), DENIED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state/*.tfstate"), DENIED),
        (allow("s3:PutObject", "arn:aws:s3:::ACME-state/*"), DENIED),
        (allow("s3:PutObject", "arn:aws-us-gov:s3:::acme-state/*"), DENIED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state"), DENIED),
        (allow("s3:PutObjectAcl", LOCK), DENIED),
        (allow("s3:PutObject", "arn:aws:s3:::acme-state/${aws:PrincipalTag/unit}/*"), UNKNOWN),
        ({"Effect": "Allow", "NotAction": "s3:DeleteObject", "Resource": LOCK}, ALLOWED),
        ({"Effect": "Allow", "NotAction": "s3:Put*", "Resource": LOCK}, DENIED),
        ({"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::acme-state/app/*"}, ALLOWED),
        ({"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::acme-state/*"}, DENIED),
        (
            {"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::a/${aws:PrincipalTag/unit}"},
            ALLOWED,
        ),
        ({"Effect": "Allow", "Action": "s3:PutObject"}, UNKNOWN),
    ],
)
def test_a_statement_of_the_caller_allows(statement: Json, expected: Answer) -> None:
    assert decide(layer(Kind.IDENTITY, statement)).answer is expected


def test_in_a_policy_of_2008_a_variable_is_text() -> None:
    statement = allow("s3:PutObject", "arn:aws:s3:::acme-state/${aws:PrincipalTag/team}/*")
    old = Layer(Kind.IDENTITY, (document(statement, version="2008-10-17"),))
    assert decide(old).answer is DENIED


def grant(principal: Json) -> Layer:
    return layer(Kind.BUCKET, allow("s3:*", Principal=principal))


@pytest.mark.parametrize(
    ("layers", "owner", "expected", "decider"),
    [
        # one account: either of the two
        ([MAY_PUT], ACCOUNT, ALLOWED, "identity policies"),
        ([grant({"AWS": CI})], ACCOUNT, ALLOWED, "bucket policy"),
        ([grant("*")], ACCOUNT, ALLOWED, "bucket policy"),
        ([grant({"AWS": "*"})], ACCOUNT, ALLOWED, "bucket policy"),
        ([grant({"AWS": ["arn:aws:iam::111122223333:role/other", CI]})], ACCOUNT, ALLOWED, "bucket policy"),
        ([grant({"AWS": ACCOUNT})], ACCOUNT, DENIED, "identity policies"),
        ([grant({"AWS": f"arn:aws:iam::{ACCOUNT}:root"})], ACCOUNT, DENIED, "identity policies"),
        ([grant({"AWS": "arn:aws:iam::111122223333:role/other"})], ACCOUNT, DENIED, "identity policies"),
        ([grant({"Service": "s3.amazonaws.com"})], ACCOUNT, DENIED, "identity policies"),
        ([], ACCOUNT, DENIED, "identity policies"),
        # across accounts: both
        ([MAY_PUT], OTHER, DENIED, "bucket policy"),
        ([grant({"AWS": CI})], OTHER, DENIED, "identity policies"),
        ([MAY_PUT, grant({"AWS": CI})], OTHER, ALLOWED, "identity policies"),
        ([MAY_PUT, grant({"AWS": ACCOUNT})], OTHER, ALLOWED, "identity policies"),
        ([MAY_PUT, grant({"AWS": OTHER})], OTHER, DENIED, "bucket policy"),
        # nobody knows whose bucket it is
        ([MAY_PUT], None, UNKNOWN, ""),
        ([MAY_PUT, grant("*")], None, ALLOWED, "identity policies"),
        ([], None, DENIED, "identity policies"),
        # an explicit Deny anywhere decides
        ([MAY_PUT, layer(Kind.IDENTITY, deny("s3:Put*"))], ACCOUNT, DENIED, "identity policies"),
        ([MAY_PUT, layer(Kind.BUCKET, deny("*", Principal="*"))], ACCOUNT, DENIED, "bucket policy"),
        (
            [MAY_PUT, layer(Kind.BUCKET, deny("*", Principal={"AWS": OTHER}))],
            ACCOUNT,
            ALLOWED,
            "identity policies",
        ),
        (
            [MAY_PUT, layer(Kind.SCP, allow("*"), deny("s3:PutObject"))],
            ACCOUNT,
            DENIED,
            "service control policies",
        ),
        # what limits must allow
        ([MAY_PUT, layer(Kind.BOUNDARY, allow("s3:*"))], ACCOUNT, ALLOWED, "identity policies"),
        ([MAY_PUT, layer(Kind.BOUNDARY, allow("ec2:*"))], ACCOUNT, DENIED, "permissions boundary"),
        ([MAY_PUT, layer(Kind.SESSION, allow("s3:Get*"))], ACCOUNT, DENIED, "session policy"),
        (
            [MAY_PUT, layer(Kind.ENDPOINT, allow("s3:Get*", Principal="*"))],
            ACCOUNT,
            DENIED,
            "VPC endpoint policy",
        ),
        ([MAY_PUT, layer(Kind.ENDPOINT, allow("*", Principal="*"))], ACCOUNT, ALLOWED, "identity policies"),
        ([MAY_PUT, layer(Kind.RCP, allow("*", Principal="*"))], ACCOUNT, ALLOWED, "identity policies"),
        (
            [MAY_PUT, layer(Kind.RCP, allow("*", Principal="*"), deny("s3:*", Principal="*"))],
            ACCOUNT,
            DENIED,
            "resource control policies",
        ),
        (
            [MAY_PUT, layer(Kind.SCP, allow("*")), layer(Kind.SCP, allow("s3:Get*"))],
            ACCOUNT,
            DENIED,
            "service control policies",
        ),
        (
            [MAY_PUT, layer(Kind.SCP, allow("*")), layer(Kind.SCP, allow("s3:*"))],
            ACCOUNT,
            ALLOWED,
            "identity policies",
        ),
        # a grant of the bucket to the role needs the leave of its boundary, one to everyone does not
        ([grant({"AWS": CI}), layer(Kind.BOUNDARY, allow("ec2:*"))], ACCOUNT, DENIED, "permissions boundary"),
        ([grant("*"), layer(Kind.BOUNDARY, allow("ec2:*"))], ACCOUNT, ALLOWED, "bucket policy"),
        ([grant("*"), layer(Kind.SCP, allow("ec2:*"))], ACCOUNT, DENIED, "service control policies"),
        # policies of other services are not asked
        ([MAY_PUT, layer(Kind.KEY, deny("*", Principal="*"))], ACCOUNT, ALLOWED, "identity policies"),
    ],
)
def test_layers_decide_together(
    layers: list[Layer], owner: str | None, expected: Answer, decider: str
) -> None:
    decision = decide(*layers, request=replace(PUT, owner=owner))
    assert (decision.answer, decision.layer) == (expected, decider)


BOUND = layer(Kind.BOUNDARY, allow("ec2:*"))


@pytest.mark.parametrize(
    ("principal", "caller", "session", "expected"),
    [
        (SESSION, CI, SESSION, ALLOWED),
        (SESSION, CI, None, UNKNOWN),
        (SESSION, "arn:aws:iam::111122223333:role/other", None, DENIED),
        (SESSION.replace("run-7", "run-8"), CI, SESSION, DENIED),
        ("arn:aws:iam::111122223333:user/ann", "arn:aws:iam::111122223333:user/ann", None, ALLOWED),
        ("AROAEXAMPLEID", CI, None, UNKNOWN),
        ("arn:aws:iam::111122223333:role/acme-ci", "arn:aws:iam:::role/acme-ci", None, UNKNOWN),
        ("arn:aws:iam::111122223333:role/other", "arn:aws:iam:::role/acme-ci", None, DENIED),
    ],
)
def test_a_bucket_policy_means_a_caller_by_one_of_its_names(
    principal: str, caller: str, session: str | None, expected: Answer
) -> None:
    bound = [] if expected is UNKNOWN else [BOUND]
    assert decide(grant({"AWS": principal}), *bound, caller=caller, session=session).answer is expected


OIDC = f"arn:aws:iam::{ACCOUNT}:oidc-provider/token.actions.githubusercontent.com"
ANN = f"arn:aws:iam::{ACCOUNT}:user/ann"


@pytest.mark.parametrize(
    ("principal", "caller", "expected"),
    [
        ({"AWS": "*"}, CI, DENIED),
        ({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, CI, DENIED),
        ({"AWS": "acme:root"}, CI, ALLOWED),
        ({"Service": "*"}, CI, ALLOWED),
        ({"Federated": OIDC}, CI, UNKNOWN),  # a session of the role may have been signed in by it
        ({"Federated": "*"}, CI, UNKNOWN),
        ({"Federated": OIDC}, ANN, ALLOWED),
        ({"CanonicalUser": "79a59df900b949e5"}, CI, UNKNOWN),  # an account, by a number nobody told
    ],
)
def test_a_deny_reaches_a_caller_by_the_kind_of_its_principal(
    principal: Json, caller: str, expected: Answer
) -> None:
    everyone = layer(Kind.BUCKET, deny("s3:*", Principal=principal))
    assert decide(MAY_PUT, everyone, caller=caller).answer is expected


@pytest.mark.parametrize(
    ("excepted", "expected"),
    [
        ({"AWS": [CI, f"arn:aws:iam::{ACCOUNT}:root"]}, ALLOWED),
        ({"AWS": "arn:aws:iam::111122223333:role/other"}, DENIED),
        ({"AWS": CI}, UNKNOWN),
        ({"AWS": "*"}, ALLOWED),
    ],
)
def test_a_deny_for_all_but_some_reaches_whoever_is_not_wholly_excepted(
    excepted: Json, expected: Answer
) -> None:
    statement: Json = {"Effect": "Deny", "NotPrincipal": excepted, "Action": "s3:*", "Resource": "*"}
    assert decide(MAY_PUT, layer(Kind.BUCKET, statement)).answer is expected


def test_an_allow_for_all_but_some_reaches_the_others() -> None:
    others: Json = {"AWS": "arn:aws:iam::111122223333:role/other"}
    statement: Json = {"Effect": "Allow", "NotPrincipal": others, "Action": "s3:*", "Resource": "*"}
    assert decide(layer(Kind.BUCKET, statement)).answer is ALLOWED


KEY = "arn:aws:kms:eu-west-1:111122223333:key/1234"
HANDED_OVER = layer(Kind.KEY, allow("kms:*", Principal={"AWS": f"arn:aws:iam::{ACCOUNT}:root"}))
MAY_DECRYPT = layer(Kind.IDENTITY, allow("kms:Decrypt", KEY))


@pytest.mark.parametrize(
    ("layers", "owner", "expected"),
    [
        ([MAY_DECRYPT, HANDED_OVER], ACCOUNT, ALLOWED),
        ([MAY_DECRYPT, layer(Kind.KEY, allow("kms:*", Principal={"AWS": OTHER}))], ACCOUNT, DENIED),
        ([HANDED_OVER], ACCOUNT, DENIED),
        ([layer(Kind.KEY, allow("kms:Decrypt", Principal={"AWS": CI}))], ACCOUNT, ALLOWED),
        ([MAY_DECRYPT, HANDED_OVER], OTHER, ALLOWED),
        ([MAY_DECRYPT, Layer(Kind.KEY, unseen="kms:GetKeyPolicy was refused")], ACCOUNT, UNKNOWN),
        ([Layer(Kind.KEY, unseen="kms:GetKeyPolicy was refused")], ACCOUNT, UNKNOWN),
        # what hands over is known, what else lets through is not
        ([MAY_DECRYPT, replace(HANDED_OVER, unseen="the key has grants")], ACCOUNT, ALLOWED),
        ([replace(HANDED_OVER, unseen="the key has grants")], ACCOUNT, UNKNOWN),
    ],
)
def test_a_keys_policy_must_hand_over_before_identity_policies_count(
    layers: list[Layer], owner: str, expected: Answer
) -> None:
    request = replace(PUT, action="kms:Decrypt", resource=exact(KEY), owner=owner)
    assert decide(*layers, request=request).answer is expected


def test_the_statement_that_decided_is_named() -> None:
    refusal = layer(Kind.IDENTITY, deny("s3:Put*", LOCK, Sid="NoLocks"))
    decision = decide(MAY_PUT, refusal)
    assert decision.statement == refusal.policies[0].statements[0]
    assert str(decision.statement) == '"NoLocks"'
    assert decide(MAY_PUT).statement == MAY_PUT.policies[0].statements[0]


def test_a_layer_nobody_could_read_is_named_and_never_taken_for_absent() -> None:
    unseen = [
        Layer(Kind.SCP, unseen="not the management account"),
        Layer(Kind.BUCKET, unseen="access denied"),
    ]
    decision = decide(MAY_PUT, *unseen)
    assert (decision.answer, decision.unseen) == (ALLOWED, ("service control policies", "bucket policy"))
    decision = decide(*unseen)
    doubt = Doubt("layer", "bucket policy", "access denied", f"s3:PutObject {LOCK}")
    assert (decision.answer, decision.doubts) == (UNKNOWN, (doubt,))


@pytest.mark.parametrize("kind", [Kind.BOUNDARY, Kind.SESSION])
def test_a_limit_that_is_there_and_cannot_be_read_leaves_the_answer_open(kind: Kind) -> None:
    decision = decide(MAY_PUT, Layer(kind, unseen="its policy is not in the answer"))
    doubt = Doubt("layer", kind.value, "its policy is not in the answer", f"s3:PutObject {LOCK}")
    assert (decision.answer, decision.doubts) == (UNKNOWN, (doubt,))
    assert decide(Layer(Kind.IDENTITY), Layer(kind, unseen="not in the answer")).answer is DENIED


def test_a_policy_that_cannot_be_read_whole_leaves_the_answer_open() -> None:
    flawed = layer(Kind.IDENTITY, {"Effect": "Permit", "Action": "s3:*", "Resource": "*"})
    decision = decide(flawed)
    assert decision.answer is UNKNOWN
    assert [doubt.kind for doubt in decision.doubts] == ["layer"]
    assert "Effect is neither Allow nor Deny" in decision.doubts[0].element


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([allow("s3:*"), deny("s3:*", Condition="?")], UNKNOWN),
        ([allow("s3:*"), {"Effect": "Permit", "Action": "s3:*", "Resource": "*"}], UNKNOWN),
        ([allow("s3:*"), "?"], UNKNOWN),
        ([allow("s3:*"), deny("ec2:*", Conditions={})], UNKNOWN),  # AWS refuses the whole document
        ([allow("s3:*"), allow("s3:*", Condition="?")], ALLOWED),
        ([allow("s3:*", Condition="?")], UNKNOWN),
    ],
)
def test_a_statement_that_cannot_be_read_may_be_a_deny(statements: list[Json], expected: Answer) -> None:
    assert decide(layer(Kind.IDENTITY, *statements)).answer is expected


@pytest.mark.parametrize(("own", "statement"), [([], allow("s3:*")), ([MAY_PUT], deny("s3:*"))])
def test_aws_refuses_a_bucket_policy_that_names_nobody(own: list[Layer], statement: Json) -> None:
    decision = decide(*own, layer(Kind.BUCKET, statement))
    assert decision.answer is UNKNOWN
    assert [doubt.name for doubt in decision.doubts] == ["a statement without Principal"]


VPCE: Json = {"StringEquals": {"aws:SourceVpce": "vpce-1"}}
OPEN = replace(PUT, others=Absence.UNKNOWN)


@pytest.mark.parametrize(
    ("layers", "doubts"),
    [
        ([layer(Kind.IDENTITY, allow("s3:*", Condition=VPCE))], ["aws:SourceVpce"]),
        ([MAY_PUT, layer(Kind.IDENTITY, deny("s3:*", Condition=VPCE))], ["aws:SourceVpce"]),
        (
            [layer(Kind.IDENTITY, allow("s3:*", "arn:aws:s3:::acme-state/${aws:username}/*"))],
            ["${aws:username}"],
        ),
        (  # the account is granted for certain, and the role, whose own policies are empty, perhaps
            [
                layer(
                    Kind.BUCKET,
                    allow("s3:*", Principal={"AWS": ACCOUNT}),
                    allow("s3:*", Principal={"AWS": CI}, Condition=VPCE),
                )
            ],
            ["aws:SourceVpce"],
        ),
        ([MAY_PUT, layer(Kind.IDENTITY, allow("s3:*", Condition=VPCE))], []),
        ([layer(Kind.IDENTITY, allow("s3:*", Condition=VPCE), deny("s3:*"))], []),
        (
            [layer(Kind.IDENTITY, allow("s3:*", Condition=VPCE), deny("s3:*", Condition=VPCE))],
            ["aws:SourceVpce"],
        ),
    ],
)
def test_an_unknown_answer_names_what_it_hangs_on(layers: list[Layer], doubts: list[str]) -> None:
    decision = decide(*layers, request=OPEN)
    assert [doubt.name for doubt in decision.doubts] == doubts
    assert (decision.answer is UNKNOWN) == bool(doubts)


def test_a_doubt_may_be_answered_to_see_what_follows() -> None:
    judge = Judge(Caller(CI), [layer(Kind.IDENTITY, allow("s3:*", Condition=VPCE))])
    assert judge.decide(OPEN, lambda _: True).answer is ALLOWED
    assert judge.decide(OPEN, lambda _: False).answer is DENIED


WORKSPACES = replace(
    PUT, resource=join(["arn:aws:s3:::acme-state/env:/", Wild.SEGMENT, "/net/terraform.tfstate.tflock"])
)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([allow("s3:*", "arn:aws:s3:::acme-state/*")], ALLOWED),
        ([allow("s3:*", "arn:aws:s3:::acme-state/env:/*/net/terraform.tfstate.tflock")], ALLOWED),
        ([allow("s3:*", "arn:aws:s3:::acme-state/env:/*/terraform.tfstate.tflock")], ALLOWED),
        ([allow("s3:*", "arn:aws:s3:::acme-state/net/*")], DENIED),
        ([allow("s3:*", "arn:aws:s3:::acme-state/env:/dev/*")], PARTLY),
        (
            [allow("s3:*", "arn:aws:s3:::acme-state/*"), deny("s3:*", "arn:aws:s3:::acme-state/env:/prod/*")],
            PARTLY,
        ),
        (
            [allow("s3:*", "arn:aws:s3:::acme-state/env:/d*"), allow("s3:*", "arn:aws:s3:::acme-state/*k")],
            ALLOWED,
        ),
        (
            [
                allow("s3:*", "arn:aws:s3:::acme-state/env:/p*"),
                {"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::acme-state/env:/p*"},
            ],
            ALLOWED,
        ),
        (
            [{"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::acme-state/env:/prod/*"}],
            PARTLY,
        ),
    ],
)
def test_every_workspace_is_asked_about_at_once(statements: list[Json], expected: Answer) -> None:
    assert decide(layer(Kind.IDENTITY, *statements), request=WORKSPACES).answer is expected


def test_patterns_too_tangled_to_count_are_unknown() -> None:
    tangled = layer(Kind.IDENTITY, allow("s3:*", "*a" + "?" * 14 + "b*"))
    decision = decide(tangled, request=replace(PUT, resource=glob("*")))
    assert (decision.answer, [doubt.kind for doubt in decision.doubts]) == (UNKNOWN, ["tangle"])
