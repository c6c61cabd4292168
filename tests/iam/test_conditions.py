"""Every operator of IAM, with its key there, missing and unknown, with many values and with nonsense."""

import pytest

from migrate.iam.conditions import doubt, holds, prepared
from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, Hole, Wild, exact, glob, join
from migrate.iam.policy import Condition, Word
from migrate.iam.request import Absence, Request, Value
from migrate.iam.truth import FALSE, TRUE, UNKNOWN, Truth

MISSING = Absence.MISSING
NOBODY_KNOWS = Absence.UNKNOWN


def asked(operator: str, wanted: str, have: Value) -> Truth:
    condition = Condition(operator, "aws:Key", tuple(Word((word,)) for word in wanted.split(" | ")))
    request = Request("s3:PutObject", exact("*"), context={"aws:key": have, "aws:team": ("net",)})
    return holds(prepared(condition, variables=True), request)


@pytest.mark.parametrize(
    ("operator", "wanted", "have", "expected"),
    [
        ("StringEquals", "a | b", "b", TRUE),
        ("StringEquals", "a", "A", FALSE),
        ("StringEquals", "a*", "ab", FALSE),
        ("StringEquals", "a*", "a*", TRUE),
        ("StringEquals", "${aws:team}", "net", TRUE),
        ("StringEquals", "${*}", "*", TRUE),
        ("StringEquals", "${aws:none, 'fallback'}", "x", UNKNOWN),
        ("stringequals", "a", "a", TRUE),
        ("StringNotEquals", "a | b", "c", TRUE),
        ("StringNotEquals", "a | b", "b", FALSE),
        ("StringEqualsIgnoreCase", "AcMe", "aCmE", TRUE),
        ("StringEqualsIgnoreCase", "acme*", "ACME1", FALSE),
        ("StringNotEqualsIgnoreCase", "acme", "ACME", FALSE),
        ("StringNotEqualsIgnoreCase", "acme", "other", TRUE),
        ("StringLike", "acme-* | x", "acme-net", TRUE),
        ("StringLike", "acme-?", "acme-net", FALSE),
        ("StringLike", "acme-${*}", "acme-net", FALSE),
        ("StringLike", "${aws:team}/*", "net/a", TRUE),
        ("StringNotLike", "acme-*", "acme-net", FALSE),
        ("StringNotLike", "acme-*", "other", TRUE),
        ("NumericEquals", "3", "3.0", TRUE),
        ("NumericNotEquals", "3", "4", TRUE),
        ("NumericNotEquals", "3", "3", FALSE),
        ("NumericLessThan", "3600", "900", TRUE),
        ("NumericLessThan", "3600", "3600", FALSE),
        ("NumericLessThanEquals", "3600", "3600", TRUE),
        ("NumericGreaterThan", "1.1", "1.2", TRUE),
        ("NumericGreaterThan", "10", "9", FALSE),
        ("NumericGreaterThanEquals", "1.2", "1.2", TRUE),
        ("NumericEquals", "three", "3", UNKNOWN),
        ("NumericEquals", "3", "Infinity", UNKNOWN),
        ("DateEquals", "2026-01-01T00:00:00Z", "1767225600", TRUE),
        ("DateNotEquals", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", TRUE),
        ("DateLessThan", "2026-01-02", "2026-01-01T23:59:59Z", TRUE),
        ("DateLessThanEquals", "2026-01-02T00:00:00Z", "2026-01-02T01:00:00+01:00", TRUE),
        ("DateGreaterThan", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", FALSE),
        ("DateGreaterThanEquals", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", TRUE),
        ("DateLessThan", "tomorrow", "2026-01-01T00:00:00Z", UNKNOWN),
        ("Bool", "true", "true", TRUE),
        ("Bool", "True", "true", TRUE),
        ("Bool", "false", "true", FALSE),
        ("Bool", "yes", "true", UNKNOWN),
        ("BinaryEquals", "QmluYXJ5", "QmluYXJ5", TRUE),
        ("BinaryEquals", "QmluYXJ5", "T3RoZXI=", FALSE),
        ("BinaryEquals", "not base64!", "QmluYXJ5", UNKNOWN),
        ("IpAddress", "10.0.0.0/8 | 192.0.2.7", "10.1.2.3", TRUE),
        ("IpAddress", "192.0.2.7", "192.0.2.7", TRUE),
        ("IpAddress", "10.0.0.1/8", "10.9.9.9", TRUE),
        ("IpAddress", "10.0.0.0/8", "11.0.0.1", FALSE),
        ("IpAddress", "2001:db8::/32", "2001:db8::1", TRUE),
        ("IpAddress", "10.0.0.0/8", "2001:db8::1", FALSE),
        ("IpAddress", "10.0.0.0/33", "10.0.0.1", UNKNOWN),
        ("NotIpAddress", "10.0.0.0/8", "11.0.0.1", TRUE),
        ("NotIpAddress", "10.0.0.0/8", "10.0.0.1", FALSE),
        ("ArnEquals", "arn:aws:iam::*:role/acme-*", "arn:aws:iam::111122223333:role/acme-ci", TRUE),
        ("ArnLike", "arn:*:iam::111122223333:role/acme-ci", "arn:aws:iam::111122223333:role/acme-ci", TRUE),
        ("ArnLike", "arn:aws:iam:*:role/acme-ci", "arn:aws:iam::111122223333:role/acme-ci", UNKNOWN),
        ("ArnLike", "arn:aws:sns:*:*:a:b*", "arn:aws:sns:eu-west-1:1:a:b:c", TRUE),
        ("ArnLike", "arn:aws:iam::*:role/acme-ci", "acme-ci", FALSE),
        ("ArnNotEquals", "arn:aws:iam::*:role/acme-ci", "arn:aws:iam::1:role/other", TRUE),
        ("ArnNotLike", "arn:aws:iam::*:role/*", "arn:aws:iam::1:role/other", FALSE),
        ("StringEqual", "a", "a", UNKNOWN),
        ("ForSomeValue:StringEquals", "a", "a", UNKNOWN),
    ],
)
def test_an_operator_compares_the_keys_value(operator: str, wanted: str, have: str, expected: Truth) -> None:
    assert asked(operator, wanted, (have,)) is expected


@pytest.mark.parametrize(
    ("operator", "wanted", "expected"),
    [
        ("StringEquals", "a", FALSE),
        ("StringLike", "*", FALSE),
        ("StringNotEquals", "a", TRUE),
        ("StringNotLike", "*", TRUE),
        ("StringNotEqualsIgnoreCase", "a", TRUE),
        ("StringEqualsIfExists", "a", TRUE),
        ("StringNotEqualsIfExists", "a", TRUE),
        ("NumericLessThan", "1", FALSE),
        ("NumericNotEquals", "1", TRUE),
        ("NumericLessThanIfExists", "1", TRUE),
        ("DateGreaterThan", "2026-01-01", FALSE),
        ("DateNotEquals", "2026-01-01", TRUE),
        ("Bool", "false", FALSE),
        ("BoolIfExists", "true", TRUE),
        ("BinaryEquals", "QQ==", FALSE),
        ("IpAddress", "0.0.0.0/0", FALSE),
        ("NotIpAddress", "0.0.0.0/0", TRUE),
        ("IpAddressIfExists", "10.0.0.0/8", TRUE),
        ("ArnLike", "arn:aws:iam::*:role/*", FALSE),
        ("ArnNotLike", "arn:aws:iam::*:role/*", TRUE),
        ("Null", "true", TRUE),
        ("Null", "false", FALSE),
        ("ForAllValues:StringEquals", "a", TRUE),
        ("ForAnyValue:StringEquals", "a", FALSE),
        ("ForAnyValue:StringNotEquals", "a", FALSE),
        ("ForAnyValue:StringEqualsIfExists", "a", TRUE),
        ("ForAllValues:StringNotLike", "a", TRUE),
    ],
)
def test_a_missing_key_fails_what_is_wanted_and_meets_what_is_not(
    operator: str, wanted: str, expected: Truth
) -> None:
    assert asked(operator, wanted, MISSING) is expected
    assert asked(operator, wanted, ()) is expected


@pytest.mark.parametrize(
    ("operator", "wanted", "have", "expected"),
    [
        ("ForAllValues:StringEquals", "a | b", ("a", "b"), TRUE),
        ("ForAllValues:StringEquals", "a | b", ("a", "c"), FALSE),
        ("ForAllValues:StringNotEquals", "a", ("b", "a"), FALSE),
        ("ForAnyValue:StringEquals", "a", ("b", "a"), TRUE),
        ("ForAnyValue:StringLike", "x*", ("b", "a"), FALSE),
        ("ForAnyValue:StringNotEquals", "a", ("b", "a"), TRUE),
        ("ForAnyValue:StringNotEquals", "a", ("a",), FALSE),
        ("ForAnyValue:NumericLessThan", "3", ("7", "1"), TRUE),
        ("ForAllValues:ArnLike", "arn:aws:iam::*:role/*", ("arn:aws:iam::1:role/a", "x"), FALSE),
        ("foranyvalue:stringequals", "a", ("b", "a"), TRUE),
        ("StringEquals", "a", ("a", "b"), UNKNOWN),
        ("StringLike", "*", ("a", "b"), TRUE),
        ("Null", "false", ("a", "b"), TRUE),
        ("Null", "true", ("a",), FALSE),
        ("Null", "maybe", ("a",), UNKNOWN),
    ],
)
def test_a_quantifier_speaks_of_all_values_of_the_key(
    operator: str, wanted: str, have: tuple[str, ...], expected: Truth
) -> None:
    assert asked(operator, wanted, have) is expected


@pytest.mark.parametrize(
    "operator",
    ["StringEquals", "StringNotEquals", "BoolIfExists", "Null", "ForAllValues:StringLike", "NotIpAddress"],
)
def test_a_key_nobody_knows_decides_nothing(operator: str) -> None:
    assert asked(operator, "true", NOBODY_KNOWS) is UNKNOWN


EVERY_WORKSPACE = join(["arn:aws:s3:::acme-state/env:/", Wild.SEGMENT, "/app"])


@pytest.mark.parametrize(
    ("operator", "wanted", "expected"),
    [
        ("StringLike", "arn:aws:s3:::acme-state/*", TRUE),
        ("StringLike", "arn:aws:s3:::acme-state/env:/dev/app", UNKNOWN),
        ("StringEquals", "arn:aws:s3:::acme-state", FALSE),
        ("ArnLike", "arn:*:s3:::acme-state/env:/*", TRUE),
        ("ArnLike", "arn:*:s3:::other/*", FALSE),
        ("StringEqualsIgnoreCase", "ARN:AWS:S3:::OTHER", FALSE),
        ("NumericEquals", "1", UNKNOWN),
    ],
)
def test_a_value_may_be_as_many_as_the_resources_asked_about(
    operator: str, wanted: str, expected: Truth
) -> None:
    assert asked(operator, wanted, EVERY_WORKSPACE) is expected


@pytest.mark.parametrize(
    ("word", "have", "expected"),
    [
        (Word(("acme-", Hole("var.env"))), "acme-dev", UNKNOWN),
        (Word(("acme-", Hole("var.env"))), "other", FALSE),
        (Word((Hole("local.arn"),)), "arn:aws:iam::1:role/a", UNKNOWN),
    ],
)
def test_an_expression_of_the_source_matches_only_perhaps(word: Word, have: str, expected: Truth) -> None:
    for operator in ("StringEquals", "ArnLike") if "arn" in have else ("StringEquals", "StringLike"):
        test = prepared(Condition(operator, "k", (word,)), variables=True)
        request = Request("s3:PutObject", glob("*"), context={"k": (have,)})
        assert holds(test, request) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            Condition("StringEquals", "aws:SourceVpce", (Word(("vpce-1",)),)),
            Doubt("key", "aws:SourceVpce", "StringEquals aws:SourceVpce vpce-1"),
        ),
        (
            Condition("StringEquals", "s3:ExistingObjectTag/team", (Word(("net",)),)),
            Doubt(
                "key",
                "s3:ExistingObjectTag/team",
                "StringEquals s3:ExistingObjectTag/team net",
                "s3:PutObject acme",
            ),
        ),
        (
            Condition("NumericLessThan", "s3:TlsVersion", (Word(("1.2",)),)),
            Doubt("key", "s3:TlsVersion", "NumericLessThan s3:TlsVersion 1.2"),  # one in all of a run
        ),
        (
            Condition("StringEquals", "aws:Known", (Word((Hole("var.x"),)),)),
            Doubt("symbol", "var.x", "StringEquals aws:Known var.x"),
        ),
        (
            Condition("StringEquals", "aws:Known", (Word(("${aws:Absent}",)),)),
            Doubt("variable", "${aws:Absent}", "StringEquals aws:Known ${aws:Absent}"),
        ),
        (
            Condition("StringSame", "aws:Known", (Word(("x",)),)),
            Doubt("operator", "StringSame", "StringSame aws:Known x"),
        ),
    ],
)
def test_a_doubt_names_what_would_settle_it(condition: Condition, expected: Doubt) -> None:
    resource: Glob = exact("acme")
    context: dict[str, Value] = {"aws:known": ("x",), "aws:absent": MISSING}
    request = Request("s3:PutObject", resource, context=context)
    test = prepared(condition, variables=True)
    assert holds(test, request) is UNKNOWN
    assert doubt(test, request) == expected


def test_in_a_policy_of_2008_variables_are_text() -> None:
    condition = Condition("StringEquals", "k", (Word(("${aws:username}",)),))
    request = Request("s3:PutObject", exact("x"), context={"k": ("${aws:username}",)})
    assert holds(prepared(condition, variables=False), request) is TRUE
