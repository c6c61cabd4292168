"""What the answers of a store say of the role that asked."""

import pytest

from migrate.iam.asking import Answer, Answers, Meaning, meaning

GONE, REFUSED, MET, HELD = Answer(404, "NoSuchKey"), Answer(403, "AccessDenied"), Answer(412), Answer(200)
ABSENT = Answer(404, "404")


@pytest.mark.parametrize(
    ("answers", "holds", "because"),
    [
        (Answers(GONE, GONE, ABSENT, GONE), True, "GET, PUT and DELETE are allowed"),
        (Answers(GONE, GONE, ABSENT, MET), True, "GET, PUT and DELETE are allowed"),
        (Answers(GONE, REFUSED), False, "cannot lock"),
        (Answers(GONE, GONE, ABSENT, REFUSED), False, "stuck lock"),
        (Answers(HELD), None, "the lock is held now"),
        (Answers(GONE, MET, HELD), None, "the lock is held now"),
        (Answers(REFUSED, REFUSED), None, "GET was answered 403 AccessDenied, PUT 403 AccessDenied: s3:GetO"),
        (Answers(REFUSED, GONE, Answer(403, "403")), None, "GET was answered 403 AccessDenied, PUT 404"),
        (Answers(Answer(404, "NoSuchBucket")), None, "GET was answered 404 NoSuchBucket"),
        (Answers(Answer(403, "RequestTimeTooSkewed")), None, "GET was answered 403 RequestTimeTooSkewed"),
        (Answers(Answer(0, "ConnectTimeoutError")), None, "GET was answered ConnectTimeoutError"),
        (Answers(GONE, Answer(409, "ConditionalRequestConflict")), None, "PUT was answered 409"),
        (Answers(GONE, GONE, Answer(403, "403")), None, "HEAD was answered 403"),
        (Answers(GONE, GONE, ABSENT, Answer(503, "SlowDown")), None, "DELETE was answered 503 SlowDown"),
    ],
)
def test_answers_mean(answers: Answers, holds: bool | None, because: str) -> None:
    said = meaning(answers)
    assert (said.holds, said.because[: len(because)]) == (holds, because)


def test_only_all_four_answers_say_yes() -> None:
    """Whatever a store answers, "yes" needs leave for each verb and an absent lock."""
    every = [GONE, REFUSED, MET, HELD, Answer(301), Answer(0, "EndpointConnectionError"), None]
    yes = [
        (get, put, head, delete)
        for get in every
        if get
        for put in every
        for head in every
        for delete in every
        if meaning(Answers(get, put, head, delete)) == Meaning(True, "GET, PUT and DELETE are allowed")
    ]
    assert set(yes) == {(GONE, put, GONE, delete) for put in (GONE, MET) for delete in (GONE, MET)}
