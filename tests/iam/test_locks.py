"""What becomes of a lock: one row for each way in which policies and settings of a backend meet."""

import pytest
from msgspec.structs import replace

from migrate.iam.address import Address, Workspaces
from migrate.iam.doubt import Doubt
from migrate.iam.glob import glob
from migrate.iam.judge import Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class, LockVerdict, lock_verdict
from migrate.iam.question import Client, Question, Writing
from migrate.iam.request import Caller
from migrate.model import Known, Unknown
from tests.iam.policies import ACCOUNT, CI, LOCK, OTHER, STATE, Json, allow, deny, layer

ASKED = Question(Address("acme-state", "net/terraform.tfstate", "eu-west-1"), Caller(CI), ACCOUNT)
TRIO = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
GET_PUT = ["s3:GetObject", "s3:PutObject"]
ALL = "arn:aws:s3:::acme-state/*"
TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"
KEY = "arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-3333-4444-555555555555"
VPCE: Json = {"StringEquals": {"aws:SourceVpce": "vpce-1"}}
AES: Json = {"StringEquals": {"s3:x-amz-server-side-encryption": "AES256"}}
TAGGED: Json = {"StringEquals": {"s3:ExistingObjectTag/team": "net"}}


def verdict(*statements: Json, asked: Question = ASKED, layers: tuple[Layer, ...] = ()) -> LockVerdict:
    return lock_verdict(Judge(asked.caller, (layer(Kind.IDENTITY, *statements), *layers)), asked)


def standing(found: LockVerdict) -> list[str]:
    """The actions that stand in the way."""
    return [finding.need.request.action for finding in found.findings]


STATE_ONLY = allow(GET_PUT, STATE)


@pytest.mark.parametrize(
    ("statements", "outcome", "in_the_way"),
    [
        ([allow("s3:*")], Class.OK, []),
        ([allow(TRIO, f"{STATE}*")], Class.OK, []),
        ([STATE_ONLY, allow(TRIO, LOCK)], Class.OK, []),
        ([STATE_ONLY, allow(TRIO, "arn:aws:s3:::acme-state/*.tflock")], Class.OK, []),
        ([STATE_ONLY], Class.CANNOT_LOCK, ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]),
        ([allow(TRIO, STATE)], Class.CANNOT_LOCK, ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]),
        ([allow(GET_PUT, ALL)], Class.STUCK_LOCK, ["s3:DeleteObject"]),
        ([allow("s3:PutObject", ALL)], Class.STUCK_LOCK, ["s3:GetObject", "s3:DeleteObject"]),
        ([allow(["s3:PutObject", "s3:DeleteObject"], ALL)], Class.STUCK_LOCK, ["s3:GetObject"]),
        ([allow("s3:*"), deny("s3:DeleteObject", ALL)], Class.STUCK_LOCK, ["s3:DeleteObject"]),
        ([allow("s3:GetObject", ALL)], Class.NOT_A_LOCKER, ["s3:PutObject", "s3:DeleteObject"]),
        ([], Class.NOT_A_LOCKER, ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]),
        # the same condition as the state
        ([allow(TRIO, ALL, Condition=VPCE)], Class.OK_AS_STATE, []),
        (
            [allow(GET_PUT, ALL, Condition=VPCE)],
            Class.STUCK_LOCK,
            ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"],
        ),
        ([allow(GET_PUT, STATE, Condition=VPCE), allow(TRIO, LOCK)], Class.OK, []),
        (
            [allow(GET_PUT, ALL), allow("s3:DeleteObject", LOCK, Condition=VPCE)],
            Class.UNKNOWN,
            ["s3:DeleteObject"],
        ),
        ([allow("s3:*"), deny("s3:*", Condition=VPCE)], Class.OK_AS_STATE, []),
        # a condition that the lock cannot meet
        (
            [allow(GET_PUT, STATE), allow(TRIO, LOCK, Condition=AES)],
            Class.CANNOT_LOCK,
            [*TRIO[1::-1], TRIO[2]],
        ),
        (
            [STATE_ONLY, allow("s3:PutObject", LOCK), allow(TRIO, LOCK, Condition=TAGGED)],
            Class.STUCK_LOCK,
            TRIO[::2],
        ),
        # an expression of the source, a variable nobody knows
        ([STATE_ONLY, allow(TRIO, "arn:aws:s3:::acme-state/${aws:username}.tflock")], Class.UNKNOWN, None),
    ],
)
def test_the_class_of_a_lock(statements: list[Json], outcome: Class, in_the_way: list[str] | None) -> None:
    found = verdict(*statements)
    assert found.outcome is outcome
    if in_the_way is not None:
        assert standing(found) == (in_the_way or standing(found))


def test_a_condition_that_only_puts_can_meet_leaves_the_lock_stuck() -> None:
    encrypted = replace(ASKED, writing=Writing(encrypt=Known(value=True)))
    found = verdict(allow(TRIO, ALL, Condition=AES), asked=encrypted)
    assert (found.outcome, standing(found)) == (Class.STUCK_LOCK, ["s3:GetObject", "s3:DeleteObject"])
    split = [allow("s3:PutObject", ALL, Condition=AES), allow(TRIO[::2], ALL)]
    assert verdict(*split, asked=encrypted).outcome is Class.OK


MAY_TABLE = allow(["dynamodb:PutItem", "dynamodb:GetItem", "dynamodb:DeleteItem"], TABLE)


def team(value: str) -> Json:
    return {"StringEquals": {"aws:PrincipalTag/team": value}}


TAGGED = "${s3:ExistingObjectTag/team}"
MAY_REST = allow(["s3:PutObject", "s3:DeleteObject"], LOCK)


@pytest.mark.parametrize(
    ("statements", "table", "outcome"),
    [
        ([allow("s3:GetObject", STATE), MAY_TABLE], TABLE, Class.CANNOT_LOCK),
        (
            [allow("s3:GetObject", STATE), MAY_TABLE],
            "arn:aws:dynamodb:eu-west-1:*:table/acme-locks",
            Class.CANNOT_LOCK,
        ),
        (
            [allow("s3:GetObject", STATE), MAY_TABLE],
            "arn:aws:dynamodb:eu-west-1:*:table/other",
            Class.NOT_A_LOCKER,
        ),
        ([allow("s3:GetObject", STATE), allow("dynamodb:PutItem", TABLE)], TABLE, Class.NOT_A_LOCKER),
        ([allow("s3:GetObject", STATE), MAY_TABLE, allow(TRIO, LOCK)], TABLE, Class.OK),
        # nobody locks a state that they may not read
        ([MAY_TABLE], TABLE, Class.NOT_A_LOCKER),
        ([allow("*"), deny("s3:*", Condition=VPCE)], TABLE, Class.OK_AS_STATE),
        # a state may have tags, its lock has none
        ([allow("s3:GetObject", Condition=team("net")), MAY_TABLE, MAY_REST], TABLE, Class.OK_AS_STATE),
        ([allow("s3:GetObject", Condition=team(TAGGED)), MAY_TABLE, MAY_REST], TABLE, Class.UNKNOWN),
    ],
)
def test_a_plan_role_that_locks_in_the_table_needs_the_lock_object_too(
    statements: list[Json], table: str, outcome: Class
) -> None:
    judge = Judge(ASKED.caller, [layer(Kind.IDENTITY, *statements)])
    assert lock_verdict(judge, ASKED, table=glob(table)).outcome is outcome


EVERY = "arn:aws:s3:::acme-state/env:/*/net/terraform.tfstate"


@pytest.mark.parametrize(
    ("statements", "outcome", "dev", "every"),
    [
        ([allow("s3:*", ALL)], Class.OK, Class.OK, Class.OK),
        ([allow(TRIO, [f"{STATE}*", f"{EVERY}*"])], Class.OK, Class.OK, Class.OK),
        (
            [allow(GET_PUT, [STATE, EVERY]), allow(TRIO, LOCK)],
            Class.PARTIAL_WORKSPACES,
            Class.CANNOT_LOCK,
            Class.CANNOT_LOCK,
        ),
        (
            [allow(GET_PUT, [STATE, EVERY]), allow(TRIO, [LOCK, EVERY.replace("*", "dev") + ".tflock"])],
            Class.PARTIAL_WORKSPACES,
            Class.OK,
            Class.PARTIAL_WORKSPACES,
        ),
        ([allow("s3:*", f"{STATE}*")], Class.OK, Class.NOT_A_LOCKER, Class.NOT_A_LOCKER),
        ([allow(GET_PUT, ALL)], Class.STUCK_LOCK, Class.STUCK_LOCK, Class.STUCK_LOCK),
    ],
)
def test_workspaces_have_locks_of_their_own(
    statements: list[Json], outcome: Class, dev: Class, every: Class
) -> None:
    judge = Judge(ASKED.caller, [layer(Kind.IDENTITY, *statements)])
    found = lock_verdict(judge, ASKED, ["dev", Workspaces.EVERY])
    assert (found.outcome, found.workspaces["dev"], found.workspaces[Workspaces.EVERY]) == (
        outcome,
        dev,
        every,
    )


NO_HEADER = layer(
    Kind.BUCKET,
    deny("s3:PutObject", ALL, Principal="*", Condition={"Null": {"s3:x-amz-server-side-encryption": "true"}}),
)
ONLY_KMS = layer(
    Kind.BUCKET,
    deny(
        "s3:PutObject",
        ALL,
        Principal="*",
        Condition={"StringNotEquals": {"s3:x-amz-server-side-encryption": "aws:kms"}},
    ),
)
MAY_KEY = allow(["kms:GenerateDataKey", "kms:Decrypt"], KEY)
KEY_POLICY = layer(Kind.KEY, allow("kms:*", Principal={"AWS": ACCOUNT}))
ENCRYPTED = Writing(encrypt=Known(value=True))
WITH_KEY = Writing(encrypt=Known(value=True), kms_key=Known(KEY))


@pytest.mark.parametrize(
    ("writing", "client", "layers", "outcome"),
    [
        (Writing(acl=Known("private")), Client(), [], Class.CANNOT_LOCK),
        (Writing(acl=Unknown("var.acl")), Client(), [], Class.CANNOT_LOCK),
        (Writing(lock_tags={"team": "net"}), Client("opentofu", (1, 11, 0)), [], Class.CANNOT_LOCK),
        (ENCRYPTED, Client(), [NO_HEADER], Class.OK),
        (ENCRYPTED, Client("opentofu", (1, 10, 2)), [NO_HEADER], Class.OK),
        (ENCRYPTED, Client("opentofu", (1, 10, 1)), [NO_HEADER], Class.CANNOT_LOCK),
        (ENCRYPTED, Client("opentofu"), [NO_HEADER], Class.UNKNOWN),
        (Writing(), Client(), [NO_HEADER], Class.NOT_A_LOCKER),
        (ENCRYPTED, Client(), [ONLY_KMS], Class.NOT_A_LOCKER),
        (Writing(encrypt=Unknown("var.encrypt")), Client(), [ONLY_KMS], Class.UNKNOWN),
        (WITH_KEY, Client(), [ONLY_KMS, KEY_POLICY], Class.OK),
        (WITH_KEY, Client(), [layer(Kind.KEY, allow("kms:*", Principal={"AWS": OTHER}))], Class.CANNOT_LOCK),
        (WITH_KEY, Client(), [Layer(Kind.KEY, unseen="kms:GetKeyPolicy was refused")], Class.UNKNOWN),
    ],
)
def test_the_settings_of_the_backend_decide_what_a_lock_needs(
    writing: Writing, client: Client, layers: list[Layer], outcome: Class
) -> None:
    asked = replace(ASKED, writing=writing, client=client)
    assert verdict(allow(TRIO, ALL), MAY_KEY, asked=asked, layers=tuple(layers)).outcome is outcome


@pytest.mark.parametrize(
    ("actions", "outcome", "in_the_way"),
    [
        (["kms:GenerateDataKey", "kms:Decrypt"], Class.OK, []),
        (["kms:Decrypt"], Class.CANNOT_LOCK, ["kms:GenerateDataKey"]),
        (["kms:GenerateDataKey"], Class.STUCK_LOCK, ["kms:Decrypt"]),
    ],
)
def test_a_kms_key_is_part_of_the_lock(actions: list[str], outcome: Class, in_the_way: list[str]) -> None:
    asked = replace(ASKED, writing=WITH_KEY)
    found = verdict(allow(TRIO, ALL), allow(actions, KEY), asked=asked, layers=(KEY_POLICY,))
    assert found.outcome is outcome
    assert in_the_way == (standing(found) if in_the_way else [])


@pytest.mark.parametrize(
    ("named", "on", "outcome"),
    [
        (KEY, KEY, Class.OK),
        (KEY.rpartition("/")[2], KEY, Class.OK),  # of the caller's account
        ("9999", KEY, Class.CANNOT_LOCK),
        ("alias/state", "arn:aws:kms:*:*:key/*", Class.OK),
        ("alias/state", KEY, Class.UNKNOWN),
        ("arn:aws:kms:eu-west-1:111122223333:alias/state", KEY, Class.UNKNOWN),
    ],
)
def test_policies_name_a_key_by_its_arn_whatever_the_backend_calls_it(
    named: str, on: str, outcome: Class
) -> None:
    asked = replace(ASKED, writing=replace(WITH_KEY, kms_key=Known(named)))
    rights = allow(["kms:GenerateDataKey", "kms:Decrypt"], on)
    assert verdict(allow(TRIO, ALL), rights, asked=asked).outcome is outcome


@pytest.mark.parametrize(
    ("named", "outcome"),
    [(KEY, Class.OK), (KEY.rpartition("/")[2], Class.UNKNOWN), ("alias/x", Class.UNKNOWN)],
)
def test_what_a_policy_makes_of_a_key_named_otherwise_is_not_known(named: str, outcome: Class) -> None:
    header = {"StringNotEquals": {"s3:x-amz-server-side-encryption-aws-kms-key-id": KEY}}
    asked = replace(ASKED, writing=replace(WITH_KEY, kms_key=Known(named)))
    assert verdict(allow("*"), deny("s3:PutObject", Condition=header), asked=asked).outcome is outcome


UNSEEN = Unknown("s3:GetEncryptionConfiguration was answered AccessDenied")


@pytest.mark.parametrize(
    ("encrypt", "key", "actions", "outcome"),
    [
        (False, Known(KEY), ["kms:GenerateDataKey", "kms:Decrypt"], Class.OK),
        (False, Known(KEY), ["kms:Decrypt"], Class.CANNOT_LOCK),
        (True, Known(KEY), ["kms:Describe*"], Class.OK),  # its header asks for no key
        (False, UNSEEN, ["kms:Decrypt"], Class.UNKNOWN),
        (True, UNSEEN, ["kms:Decrypt"], Class.OK),
    ],
)
def test_a_lock_without_a_header_is_encrypted_as_the_bucket_says(
    encrypt: bool, key: Known[str | None] | Unknown, actions: list[str], outcome: Class
) -> None:
    asked = replace(ASKED, writing=Writing(encrypt=Known(encrypt), default_key=key))
    assert verdict(allow(TRIO, ALL), allow(actions, KEY), asked=asked).outcome is outcome


@pytest.mark.parametrize(
    ("encrypt", "client", "actions", "outcome"),
    [
        (Unknown("var.encrypt"), Client(), ["kms:Describe*"], Class.UNKNOWN),
        (Unknown("var.encrypt"), Client(), ["kms:GenerateDataKey", "kms:Decrypt"], Class.OK),
        (Known(value=True), Client("opentofu"), ["kms:Describe*"], Class.UNKNOWN),
        (Known(value=True), Client("opentofu", (1, 10, 1)), ["kms:Describe*"], Class.CANNOT_LOCK),
        (Known(value=True), Client("opentofu", (1, 10, 2)), ["kms:Describe*"], Class.OK),
    ],
)
def test_a_lock_that_may_go_without_a_header_may_need_the_buckets_key(
    encrypt: Known[bool] | Unknown, client: Client, actions: list[str], outcome: Class
) -> None:
    asked = replace(ASKED, client=client, writing=Writing(encrypt=encrypt, default_key=Known(KEY, "seen")))
    assert verdict(allow(TRIO, ALL), allow(actions, KEY), asked=asked).outcome is outcome


def test_where_the_buckets_encryption_is_not_known_that_is_the_doubt() -> None:
    asked = replace(ASKED, writing=Writing(default_key=UNSEEN))
    found = verdict(allow(TRIO, ALL), asked=asked)
    assert found.doubts[0] == Doubt("layer", "encryption settings", UNSEEN.why)


CONTEXT = "kms:EncryptionContext:aws:s3:arn"


@pytest.mark.parametrize(
    ("value", "bucket_key", "outcome"),
    [
        (STATE, False, Class.CANNOT_LOCK),
        (f"{STATE}*", False, Class.OK),
        ("arn:aws:s3:::acme-state", True, Class.OK),
        (ALL, True, Class.CANNOT_LOCK),
        (f"{STATE}*", None, Class.UNKNOWN),
    ],
)
def test_an_encryption_context_that_names_only_the_state_denies_the_lock(
    value: str, bucket_key: bool | None, outcome: Class
) -> None:
    asked = replace(ASKED, writing=replace(WITH_KEY, bucket_key=bucket_key))
    context: Json = {"StringLike": {CONTEXT: value}}
    statements = [allow(TRIO, ALL), allow(["kms:GenerateDataKey", "kms:Decrypt"], KEY, Condition=context)]
    assert verdict(*statements, asked=asked, layers=(KEY_POLICY,)).outcome is outcome


def test_a_layer_nobody_could_read_is_named_beside_the_class() -> None:
    found = verdict(allow("s3:*"), layers=(Layer(Kind.SCP, unseen="not the management account"),))
    assert (found.outcome, found.unseen) == (Class.OK, ("service control policies",))
    judge = Judge(ASKED.caller, [Layer(Kind.IDENTITY, unseen="iam:ListRolePolicies was refused")])
    unread = lock_verdict(judge, ASKED)
    assert (unread.outcome, {doubt.name for doubt in unread.doubts}) == (Class.UNKNOWN, {"identity policies"})


def test_too_many_doubts_are_not_enumerated() -> None:
    conditions: Json = {"StringEquals": {f"aws:PrincipalTag/t{n}": "x" for n in range(14)}}
    assert verdict(allow(TRIO, ALL, Condition=conditions)).outcome is Class.UNKNOWN


@pytest.mark.parametrize(
    ("address", "workspace", "lock"),
    [
        (Address("b", "k"), "default", "arn:aws:s3:::b/k.tflock"),
        (Address("b", "a//k"), "default", "arn:aws:s3:::b/a//k.tflock"),
        (Address("b", "a//k"), "dev", "arn:aws:s3:::b/env:/dev/a/k.tflock"),
        (Address("b", "k", "cn-north-1"), "default", "arn:aws-cn:s3:::b/k.tflock"),
        (Address("b", "k", "us-gov-west-1", "ws"), "dev", "arn:aws-us-gov:s3:::b/ws/dev/k.tflock"),
        (Address("b", "k", prefix=""), "dev", "arn:aws:s3:::b/dev/k.tflock"),
        (
            Address("b", "k", "us-isob-east-1"),
            Workspaces.EVERY,
            "arn:aws-iso-b:s3:::b/env:/<segment>/k.tflock",
        ),
        (Address("b", "k", prefix=""), Workspaces.EVERY, "arn:aws:s3:::b/<segment>/k.tflock"),
    ],
)
def test_where_the_lock_of_a_workspace_is(address: Address, workspace: str | Workspaces, lock: str) -> None:
    assert str(address.lock(workspace)) == lock


def of_two(*layers: Layer) -> LockVerdict:
    return lock_verdict(Judge(ASKED.caller, layers), ASKED, ("stage",))


def test_a_workspace_that_is_not_locked_hides_nothing_of_one_that_is() -> None:
    unseen = Layer(Kind.SCP, unseen="it was denied")
    found = of_two(layer(Kind.IDENTITY, allow(TRIO, f"{STATE}*")), unseen)
    assert found.workspaces == {"default": Class.OK, "stage": Class.NOT_A_LOCKER}
    assert (found.outcome, found.unseen) == (Class.OK, ("service control policies",))


def test_of_several_workspaces_what_stands_in_the_way_of_some_is_told() -> None:
    found = of_two(layer(Kind.IDENTITY, allow(TRIO, f"{STATE}*"), allow("s3:PutObject", ALL)))
    assert (found.outcome, standing(found)) == (Class.PARTIAL_WORKSPACES, ["s3:GetObject", "s3:DeleteObject"])
