"""`iam check --self` as users of an AWS in which policies count."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.aws.conftest import ALL, Aws, Pipeline
from tests.cli.estates import TABLE, Ran, backend

STATE = "s3://acme-state/net.tfstate"
LOCKS = "*.tflock"


def reasons(ran: Ran) -> list[str]:
    """What is said of the state, without what is said of all."""
    lines = [line.strip() for line in ran.out.splitlines()[1:]]
    return [" ".join(lines[0].split()), *lines[1:-1]]


AS_SAMPLE = "workspace tfrelock-sample (made up, a sample of all): "


@pytest.mark.parametrize(
    ("name", "statements", "code", "said"),
    [
        (
            "all",
            [(ALL, LOCKS)],
            0,
            [
                f"MAY LOCK {STATE}",
                "default workspace: GET, PUT and DELETE are allowed",
                f"{AS_SAMPLE}GET, PUT and DELETE are allowed",
            ],
        ),
        (
            "no-delete",
            [(("GetObject", "PutObject"), LOCKS)],
            2,
            [
                f"MAY NOT {STATE}",
                "default workspace: stuck lock: PUT is allowed, DELETE is refused: nobody could release it",
            ],
        ),
        (
            "read-only",
            [(("GetObject",), "*")],
            2,
            [f"MAY NOT {STATE}", "default workspace: cannot lock: GET is allowed, PUT is refused"],
        ),
        ("state-only", [(ALL, "*.tfstate")], 6, [f"UNKNOWN {STATE}"]),
        ("none", [], 6, [f"UNKNOWN {STATE}"]),
    ],
)
def test_what_a_role_may(
    name: str,
    statements: list[tuple[tuple[str, ...], str]],
    code: int,
    said: list[str],
    aws: Aws,
    pipeline: Pipeline,
) -> None:
    ran = pipeline.check(aws.user(name, *statements), TABLE, "--yes")
    assert (ran.code, ran.err) == (code, "")
    assert ran.out.startswith(f"asked as arn:aws:iam::123456789012:user/{name}\n")
    assert reasons(ran)[: len(said)] == said
    assert aws.objects() == []


PREFIXED = backend('workspace_key_prefix = "teams"')
DEFAULT_ONLY = ((ALL, "net.tfstate.tflock"),)
READ_ALL = (*DEFAULT_ONLY, (("GetObject",), "*"))
STAGE_TOO = (*DEFAULT_ONLY, (ALL, "env:/stage/net.tfstate.tflock"))


@pytest.mark.parametrize(
    ("name", "statements", "source", "verdict"),
    [
        ("a", DEFAULT_ONLY, [TABLE], "UNKNOWN"),
        ("b", DEFAULT_ONLY, [TABLE, "--workspace", "default"], "MAY LOCK"),
        ("c", READ_ALL, [TABLE, "--workspace", "default", "--workspace", "stage"], "MAY NOT"),
        ("d", STAGE_TOO, [TABLE, "--workspace", "default", "--workspace", "stage"], "MAY LOCK"),
        ("e", READ_ALL, [TABLE], "UNKNOWN"),
        ("f", READ_ALL, [PREFIXED], "MAY NOT"),
    ],
)
def test_a_sample_closes_nothing_where_no_workspace_is_known(
    name: str,
    statements: tuple[tuple[tuple[str, ...], str], ...],
    source: list[str],
    verdict: str,
    aws: Aws,
    pipeline: Pipeline,
) -> None:
    ran = pipeline.check(aws.user(name, *statements), source[0], "--yes", *source[1:])
    assert reasons(ran)[0] == f"{verdict} {STATE}"
    assert aws.objects() == []


def test_a_held_lock_is_left_alone(aws: Aws, pipeline: Pipeline) -> None:
    aws.put("net.tfstate.tflock")
    ran = pipeline.check(aws.user("late", (ALL, LOCKS)), TABLE, "--yes", "--workspace", "default")
    assert (ran.code, reasons(ran)) == (
        6,
        [f"UNKNOWN {STATE}", "default workspace: the lock is held now: ask again"],
    )
    assert aws.objects() == ["net.tfstate.tflock"]


def test_what_is_sent_is_told(aws: Aws, pipeline: Pipeline) -> None:
    ran = pipeline.check(aws.user("self-told", (ALL, "net.tfstate.tflock")), TABLE, "--yes", "--verbose")
    sent = [one.split()[0] for one in ran.err.splitlines() if one.endswith("/acme-state/net.tfstate.tflock")]
    assert sent == ["GET", "PUT", "HEAD", "DELETE"]


def test_a_bucket_that_is_not_there_is_no_leave(aws: Aws, pipeline: Pipeline) -> None:
    text = TABLE.replace("acme-state", "acme-gone")
    ran = pipeline.check(aws.admin, text, "--yes", "--workspace", "default")
    assert reasons(ran)[1] == "default workspace: GET was answered 404 NoSuchBucket"


@pytest.mark.parametrize(
    ("name", "statement", "gate"),
    [
        ("may", (ALL, LOCKS), []),
        ("stuck", (("GetObject", "PutObject"), LOCKS), ["closed"]),
    ],
)
def test_the_gate_takes_the_answers(
    name: str,
    statement: tuple[tuple[str, ...], str],
    gate: list[str],
    aws: Aws,
    pipeline: Pipeline,
    tmp_path: Path,
) -> None:
    facts = tmp_path / "facts"
    facts.mkdir()
    options = ["--yes", "--format", "json", "--output", facts / f"{name}.json"]
    assert pipeline.check(aws.user(f"gate-{name}", statement), TABLE, *options).out == ""
    planned = pipeline.run("plan", "--facts", facts)
    assert planned.err == ""
    dual = next(line for line in planned.out.splitlines() if "dual-lock" in line)
    assert ("stuck lock" in planned.out, "closed" in dual) == (bool(gate), bool(gate))
    assert "nobody said whether" not in planned.out
