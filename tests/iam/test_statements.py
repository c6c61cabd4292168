"""What keeps a statement from a definite answer, as the judge tells it."""

from __future__ import annotations

from msgspec.structs import replace

from migrate.iam.glob import Hole
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Flaw, Policy, Statement, Word
from migrate.iam.request import Caller
from tests.iam.policies import CI, allow, deny, document, layer
from tests.iam.test_judge import OPEN, decide

UNKNOWN, DENIED = Answer.UNKNOWN, Answer.DENIED


def test_a_variable_beside_plain_resources_is_one() -> None:
    words = ["arn:aws:s3:::acme-data/*", "arn:aws:s3:::acme-state/${aws:username}/*"]
    assert decide(layer(Kind.IDENTITY, allow("s3:*", words)), request=OPEN).answer is UNKNOWN


def test_a_flaw_that_is_settled_is_no_doubt_any_more() -> None:
    flaw = Flaw("it is not an object", "iam.tf:1")
    open_ = allow("s3:*", Condition={"StringEquals": {"aws:SourceVpce": "vpce-1"}})
    judge = Judge(Caller(CI), [Layer(Kind.IDENTITY, (replace(document(open_), flaws=(flaw,)),))])
    key, denies = judge.decide(OPEN).doubts
    assert (key.kind, denies.scope[:9]) == ("key", "a Deny of")
    assert judge.decide(OPEN, {denies: True}.get).answer is DENIED
    assert [one.kind for one in judge.decide(OPEN, {denies: False}.get).doubts] == ["key", "layer"]


def test_what_aws_refuses_in_an_identity_policy_grants_and_denies_nothing_for_certain() -> None:
    assert decide(layer(Kind.IDENTITY, allow("s3:*", Principal="*"))).answer is UNKNOWN
    assert decide(layer(Kind.IDENTITY, allow("s3:*"), deny("s3:*", Principal="*"))).answer is UNKNOWN


def test_a_deny_on_what_an_expression_names_leaves_it_open() -> None:
    every = Element((Word(("*",)),))
    somewhere = Element((Word(("arn:aws:s3:::", Hole("${var.bucket}"), "/*")),))
    policy = Policy((Statement("Allow", every, every), Statement("Deny", every, somewhere)))
    found = decide(Layer(Kind.IDENTITY, (policy,)))
    assert (found.answer, [one.name for one in found.doubts]) == (UNKNOWN, ["${var.bucket}"])
