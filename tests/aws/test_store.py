"""Stores that do not heed `If-Match`, endpoints not AWS's own, and what is said before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.aws.conftest import Pipeline
from tests.aws.store import Store, somebody
from tests.cli.estates import TABLE, backend

LOCK = "/acme-state/net.tfstate.tflock"
UNDO = "aws s3api delete-object --bucket acme-state --key net.tfstate.tflock --version-id v1 --endpoint-url "


@pytest.mark.parametrize(
    ("statuses", "asked", "said"),
    [
        (
            {"GET": 404, "PUT": 200},
            [f"GET {LOCK}", f"PUT {LOCK}"],
            "a PUT on a condition that nothing meets has written an object of ours",
        ),
        (
            {"GET": 404, "PUT": 404, "HEAD": 404, "DELETE": 204},
            [f"GET {LOCK}", f"PUT {LOCK}", f"HEAD {LOCK}", f"DELETE {LOCK}"],
            "a DELETE on a condition that nothing meets was carried out",
        ),
    ],
)
def test_a_store_that_does_not_heed_the_condition_stops_the_run(
    statuses: Mapping[str, int], asked: list[str], said: str, store: str, pipeline: Pipeline,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(Store, "statuses", statuses)
    ran = pipeline.check(somebody(store), TABLE, "--yes")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"tfrelock: s3://acme-state/net.tfstate.tflock: {said}")
    assert ran.err.endswith(f"try: undo it: {UNDO}{store}\n")
    assert Store.asked == asked


@pytest.mark.parametrize(
    ("statuses", "last"),
    [
        ({"GET": 404, "PUT": 412, "HEAD": 200}, "HEAD"),
        ({"GET": 403, "PUT": 404, "HEAD": 403}, "HEAD"),
        ({"GET": 404, "PUT": 409}, "PUT"),
        ({"GET": 200}, "GET"),
        ({"GET": 400}, "GET"),
    ],
)
def test_no_delete_is_sent_unless_no_lock_is_there(
    statuses: Mapping[str, int], last: str, store: str, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "statuses", statuses)
    ran = pipeline.check(somebody(store), TABLE, "--yes", "--workspace", "default")
    assert (ran.code, Store.asked[-1]) == (6, f"{last} {LOCK}")


def test_an_endpoint_that_is_not_awss_own_is_refused(
    store: str, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline.check(somebody(store), TABLE)
    ran = pipeline.run("iam", "check", "--self", "--yes")
    assert (ran.code, Store.asked) == (1, [])
    assert ran.err.startswith(f"tfrelock: {store}: is not AWS's own")


CI = "arn:aws:iam::111122223333:role/ci"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('endpoint = "https://minio.acme.example"', "the backend names https://minio.acme.example, the env"),
        ('profile = "prod"', "the backend locks as profile prod"),
        ('role_arn = "arn:aws:iam::111122223333:role/tf"', "the backend locks as arn:aws:iam::111122223333:"),
        (f'assume_role = {{ role_arn = "{CI}", policy = var.p }}', "the backend's assume_role.policy is of"),
        (f'role_arn = "{CI}"\nassume_role_policy_arns = ["x"]', "the backend's assume_role_policy_arns is"),
        ("acl = var.acl", "acl is var.acl"),
        ('sse_customer_key = "c2VjcmV0"', "the backend encrypts with a key of its own, which is not read"),
    ],
)  # fmt: skip
def test_what_the_environment_does_not_stand_for_is_not_asked(
    line: str, why: str, store: str, pipeline: Pipeline
) -> None:
    ran = pipeline.check(somebody(store), backend(line), "--yes", "--workspace", "default")
    assert (ran.code, Store.asked) == (6, [])
    assert f"default workspace: not asked: {why}" in " ".join(ran.out.split())
    assert "c2VjcmV0" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "default workspace: GET was answered InvalidRegionError"),
        (
            'endpoint = "https://minio.acme.example"',
            "default workspace: not asked: the backend names https://",
        ),
    ],
)
def test_a_region_that_is_none_makes_up_no_host(line: str, why: str, store: str, pipeline: Pipeline) -> None:
    text = backend(line).replace('"eu-west-1"', '"acme.example/#"')
    ran = pipeline.check(somebody(store), text, "--yes", "--other-endpoint", "--workspace", "default")
    assert (ran.code, Store.asked) == (6, [])
    assert why in " ".join(ran.out.split())


def test_a_role_that_the_backend_assumes_and_the_process_has_is_asked(
    store: str, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "statuses", {"GET": 404, "PUT": 404, "HEAD": 404, "DELETE": 412})
    text = backend('assume_role = { role_arn = "arn:aws:iam::111122223333:role/acme/ci" }')
    assert pipeline.check(somebody(store), text, "--yes").code == 0


def test_without_credentials_it_says_so(pipeline: Pipeline) -> None:
    ran = pipeline.check({}, TABLE, "--yes")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("tfrelock: AWS does not say who we are: NoCredentialsError\n  try: give")


def test_credentials_that_have_expired_are_named(
    store: str, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired = b"<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>"
    monkeypatch.setattr(Store, "identity", (403, expired))
    ran = pipeline.check(somebody(store), TABLE, "--yes")
    assert (ran.code, ran.out, Store.asked) == (1, "", [])
    assert ran.err.startswith("tfrelock: AWS does not say who we are: ExpiredToken\n  try: sign in")


def test_without_yes_the_requests_are_listed(pipeline: Pipeline) -> None:
    encrypted = backend("encrypt = true", 'kms_key_id = "alias/acme"', 'acl = "private"')
    etag = 'if-match="00000000000000000000000000000000"'
    lock = "s3://acme-state/net.tfstate.tflock"
    kms = "x-amz-server-side-encryption=aws:kms x-amz-server-side-encryption-aws-kms-key-id=alias/acme"
    ran = pipeline.check({}, encrypted, "--workspace", "default")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            f"GET {lock}",
            f"PUT {lock} {kms} x-amz-acl=private {etag}",
            f"HEAD {lock}",
            f"DELETE {lock} {etag}, only if HEAD says that no lock is there",
            "4 requests that can change nothing: --yes sends them",
        ],
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--yes"],
        ["--other-endpoint"],
        ["--self", "--live"],
        ["--self", "--gaad", "x"],
        ["--live", "--gaad", "x"],
    ],
)
def test_one_way_to_ask(options: list[str], pipeline: Pipeline) -> None:
    pipeline.check({}, TABLE)
    assert pipeline.run("iam", "check", *options).code == 64
