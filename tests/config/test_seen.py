"""Documents of what was seen."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.config import Unusable, read_seen
from migrate.model import Seen

NOW = datetime(2027, 2, 1, 12, tzinfo=UTC)
STATE = "s3://acme-state/net.tfstate"
FACT = {
    "that": "callers-may-lock",
    "state": STATE,
    "holds": "yes",
    "role": "arn:aws:iam::111122223333:role/ci",
    "at": "2027-02-01T11:00:00Z",
    "because": "PUT and DELETE were allowed",
}


def document(*facts: object, schema: str = "tfrelock.fact/1") -> str:
    return json.dumps({"schema": schema, "facts": facts})


@pytest.mark.parametrize(("word", "holds"), [("yes", True), ("no", False), ("unknown", None)])
def test_a_fact_of_today_is_read(word: str, *, holds: bool | None) -> None:
    assert list(read_seen(document(FACT | {"holds": word}), "a.json", NOW)) == [
        Seen("callers-may-lock", STATE, holds, FACT["role"], FACT["at"], FACT["because"])
    ]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"at": "2027-01-31T11:59:59Z"}, "fact 1 is more than a day old: 2027-01-31T11:59:59Z"),
        ({"at": "2027-02-01T13:00:00Z"}, "fact 1 is of the future: 2027-02-01T13:00:00Z"),
        ({"at": "2027-02-01T11:00:00"}, "fact 1 has no time zone: 2027-02-01T11:00:00"),
        ({"at": "today"}, "fact 1 has no time: today"),
        ({"holds": True}, "fact 1 must say `holds`: yes, no or unknown"),
        ({"holds": ["yes"]}, "fact 1 must say `holds`: yes, no or unknown"),
        ({"that": "no-lock"}, "fact 1 speaks of no gate: no-lock"),
        ({"role": "", "because": 3}, "fact 1 lacks role, because"),
    ],
)
def test_a_fact_that_does_not_count_is_told(changed: dict[str, object], why: str) -> None:
    assert list(read_seen(document({**FACT, **changed}), "a.json", NOW)) == [Unusable("a.json", why)]


def test_one_bad_fact_leaves_the_others_theirs() -> None:
    first, second = read_seen(document("x", FACT), "a.json", NOW)
    assert first == Unusable("a.json", "fact 1 is no mapping")
    assert isinstance(second, Seen)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "no JSON, so no tfrelock.fact/1 document"),
        ("[" * 100000, "no JSON, so no tfrelock.fact/1 document"),
        ("[]", "no tfrelock.fact/1 document"),
        (document(FACT, schema="tfrelock.audit/1"), "no tfrelock.fact/1 document"),
        ('{"schema": "tfrelock.fact/1", "that": "soaked", "holds": "no"}', "has no list of facts"),
    ],
)
def test_another_document_is_told(text: str, why: str) -> None:
    assert list(read_seen(text, "a.json", NOW)) == [Unusable("a.json", why)]


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_no_document_breaks_it(facts: object) -> None:
    list(read_seen(document(facts), "a.json", NOW))
