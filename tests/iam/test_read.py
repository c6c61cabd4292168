"""A policy document is read with its places; what is not as IAM wants it is named, never left out."""

import json

import pytest

from migrate import jsontree
from migrate.iam.policy import Condition, Element, Flaw, Named, Principals, Word
from migrate.iam.read import Reading, is_policy, read_policy
from migrate.jsontree import Mistake, Object
from migrate.text import Span
from tests.iam.policies import Json, read

TEXT = """{
  "Version": "2012-10-17",
  "Statement": {
    "Sid": "State",
    "Effect": "Allow",
    "Principal": {"AWS": ["111122223333", "*"]},
    "NotAction": "s3:DeleteObject",
    "Resource": ["arn:aws:s3:::acme-state/*"],
    "Condition": {"Bool": {"aws:SecureTransport": true}, "NumericLessThan": {"s3:signatureage": 600}}
  }
}
"""


def test_a_document_is_read_with_the_place_of_every_word() -> None:
    (statement,) = read(TEXT).statements
    assert (statement.sid, statement.effect) == ("State", "Allow")
    assert statement.span.of(TEXT).startswith('{\n    "Sid"')
    assert statement.actions == Element(
        (Word(("s3:DeleteObject",), place('"s3:DeleteObject"')),), negated=True
    )
    assert statement.resources is not None
    assert [word.span.of(TEXT) for word in statement.resources.words] == ['"arn:aws:s3:::acme-state/*"']
    assert statement.principals == Principals(
        (
            Named("AWS", Word(("111122223333",), place('"111122223333"'))),
            Named("AWS", Word(("*",), place('"*"'))),
        )
    )
    assert statement.conditions == (
        Condition("Bool", "aws:SecureTransport", (Word(("true",), place("true")),)),
        Condition("NumericLessThan", "s3:signatureage", (Word(("600",), place("600")),)),
    )


def place(written: str) -> Span:
    start = TEXT.index(written)
    return Span(start, start + len(written))


def test_a_document_without_version_is_one_of_2008() -> None:
    assert read('{"Statement": []}').version == "2008-10-17"


def test_people_are_told_of_places_as_the_reader_wants() -> None:
    tree = jsontree.parse(TEXT)
    assert isinstance(tree, Object)
    found = read_policy(
        tree, "acme.json", Reading(where=lambda span: f"acme.json:{TEXT.count(chr(10), 0, span.start) + 1}")
    )
    assert str(found.statements[0]) == '"State" (acme.json:3)'


GOOD: dict[str, Json] = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ({**GOOD, "Effect": "allow"}, "Effect is neither Allow nor Deny"),
        ({"Action": "s3:*", "Resource": "*"}, "Effect is neither Allow nor Deny"),
        ({"Effect": "Allow", "Resource": "*"}, "a statement without Action"),
        ({**GOOD, "NotAction": "s3:Get*"}, "both Action and NotAction"),
        ({**GOOD, "Action": [["s3:*"]]}, "a string should stand here"),
        ({**GOOD, "Action": None}, "a string should stand here"),
        ({**GOOD, "Condition": []}, "Condition is not an object"),
        ({**GOOD, "Condition": {"Bool": "x"}}, "Condition Bool is not an object"),
        ({**GOOD, "Actions": "s3:*"}, "Actions is no element of a policy"),
        ("s3:*", "a statement is not an object"),
    ],
)
def test_what_is_not_as_iam_wants_it_is_a_flaw(statement: Json, why: str) -> None:
    found = read(json.dumps({"Statement": [statement, GOOD]}))
    assert [flaw.why for flaw in found.flaws] == [why]
    assert GOOD["Action"] in [str(word) for one in found.statements for word in one.actions.words]


def test_an_element_that_stands_twice_is_a_flaw_at_the_second() -> None:
    text = '{"Statement": [{"Effect": "Allow", "Effect": "Deny", "Action": "*"}]}'
    assert read(text).flaws == (Flaw("Effect stands twice", ""),)


def test_a_document_that_says_something_twice_says_nothing_for_certain() -> None:
    statement = json.dumps(GOOD)
    found = read(f'{{"Version": "2012-10-17", "Statement": [], "Statement": {statement}}}')
    assert [(flaw.why, flaw.denies) for flaw in found.flaws] == [("Statement stands twice", True)]


@pytest.mark.parametrize(
    ("version", "flaws"),
    [
        ("2008-10-17", []),
        ("2012-10-17", []),
        ("2012-10-18", ["Version 2012-10-18 is none of IAM's"]),
    ],
)
def test_iam_has_two_versions(version: str, flaws: list[str]) -> None:
    found = read(json.dumps({"Version": version, "Statement": [GOOD]}))
    assert (len(found.statements), [flaw.why for flaw in found.flaws]) == (1, flaws)


@pytest.mark.parametrize(
    ("more", "flaws"),
    [
        ({"Sid": "State"}, ["Sid State stands twice"]),
        ({"Sid": "${team}"}, []),
        ({"Sid": "State", "Principal": "*"}, []),
        ({"Sid": ""}, []),
    ],
)
def test_two_statements_of_an_identitys_policy_may_not_share_a_sid(
    more: dict[str, Json], flaws: list[str]
) -> None:
    found = read(json.dumps({"Statement": [{**GOOD, **more}, {**GOOD, **more}]}))
    assert [flaw.why for flaw in found.flaws] == flaws


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXT, True),
        ('{"Statement": [{"Effect": "Permit"}]}', True),
        ('{"Statement": "none"}', False),
        ('{"statement": [{"Effect": "Allow"}]}', False),
        ("[1]", False),
        ("{}", False),
    ],
)
def test_a_policy_is_told_from_other_json(text: str, expected: bool) -> None:
    tree = jsontree.parse(text)
    assert not isinstance(tree, Mistake)
    assert is_policy(tree) is expected
