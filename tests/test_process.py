"""Running a program: what it gets, what comes of it, and that nothing is left behind."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.process import Call, Finished, NotFound, Running, TimedOut, masked, run, started, uninterrupted

HERE = Path(__file__).parent


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_a_program_gives_its_code_output_and_words() -> None:
    code = "import sys; print(sys.stdin.read()); print('oh', file=sys.stderr); sys.exit(3)"
    result = run(Call(python(code), HERE, {}, stdin=b"in"))
    assert isinstance(result, Finished)
    assert (result.code, result.out, result.err) == (3, b"in\n", "oh")


def test_a_program_that_is_not_there_is_a_value() -> None:
    assert run(Call(["no-such-program"], HERE, {})) == NotFound("no-such-program")


def test_a_file_that_this_machine_cannot_start_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "other-machine").write_bytes(b"\x00 of another machine")
    (tmp_path / "other-machine").chmod(0o755)
    program = str(tmp_path / "other-machine")
    assert run(Call([program], HERE, {})) == NotFound(program)


def test_only_named_variables_are_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    result = run(Call(python("import os; print(sorted(os.environ))"), HERE, {"GIVEN": "1"}))
    assert isinstance(result, Finished)
    assert b"GIVEN" in result.out
    assert b"PATH" in result.out
    assert b"GITHUB_TOKEN" not in result.out
    assert b"GIT_DIR" not in result.out


def test_arguments_reach_no_shell() -> None:
    result = run(Call(python("import sys; print(sys.argv[1])", "$(id); `id`"), HERE, {}))
    assert isinstance(result, Finished)
    assert result.out == b"$(id); `id`\n"


def test_secrets_are_masked_in_what_is_shown() -> None:
    code = "import sys; print('no access with s3cr3t to https://me:pw@acme.example/x', file=sys.stderr)"
    result = run(Call(python(code, "s3cr3t"), HERE, {}, secrets=("s3cr3t",)))
    assert isinstance(result, Finished)
    assert result.err == "no access with *** to https://***@acme.example/x"
    assert "s3cr3t" not in result.shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://token@acme.example/a", "https://***@acme.example/a"),
        ("ssh://git@acme.example/a", "ssh://***@acme.example/a"),
        ("https://acme.example/a@b", "https://acme.example/a@b"),
        ("mail platform@acme.example", "mail platform@acme.example"),
    ],
)
def test_user_information_in_urls_is_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


SLEEPER = (
    "import subprocess, sys, time; subprocess.Popen(['sleep', '60']); print(1, flush=True); time.sleep(60)"
)


def test_a_program_that_takes_too_long_is_ended_with_all_it_started() -> None:
    call = Call(python(SLEEPER), HERE, {}, timeout=0.5)
    started = time.monotonic()
    assert run(call) == TimedOut(call.shown, 0.5)
    assert time.monotonic() - started < 4


def test_an_interrupt_ends_the_program_and_is_passed_on() -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(Call(python(SLEEPER), HERE, {}))
    timer.join()
    assert time.monotonic() - started < 4


TALKER = "import sys; print('up', flush=True); sys.stdin.read(); print('down'); sys.exit(4)"


def awaited(running: Running, text: bytes) -> None:
    until = time.monotonic() + 20
    while running.said != text and time.monotonic() < until:
        time.sleep(0.02)
    assert running.said == text


def test_a_program_beside_us_is_heard_while_it_runs_and_ended_with_the_block() -> None:
    with started(Call(python(TALKER), HERE, {})) as running:
        awaited(running, b"up\n")
        assert not running.ended
    assert running.process.returncode == -signal.SIGTERM


def test_a_program_beside_us_may_end_by_itself() -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(4)"
    with started(Call(python(code), HERE, {})) as running:
        result = running.finished()
    assert (result, running.ended) == (Finished(running.call.shown, 4, b"out\n", "err"), True)


def test_a_program_beside_us_that_takes_too_long_is_ended_with_all_it_started() -> None:
    with started(Call(python(SLEEPER), HERE, {}, timeout=0.5)) as running:
        assert running.finished() == TimedOut(running.call.shown, 0.5)


def test_a_program_beside_us_ends_when_the_block_fails() -> None:
    with pytest.raises(KeyboardInterrupt), started(Call(python(TALKER), HERE, {})) as running:
        raise KeyboardInterrupt
    assert running.ended


def test_a_program_beside_us_that_is_not_there_is_an_error() -> None:
    with pytest.raises(RelockError, match="no-such-program: there is no such program"):
        started(Call(["no-such-program"], HERE, {})).__enter__()


def test_an_interrupt_waits_until_what_was_started_is_known() -> None:
    known: list[str] = []

    @uninterrupted()
    def starting() -> None:
        signal.raise_signal(signal.SIGINT)
        known.append("started")

    with pytest.raises(KeyboardInterrupt):
        starting()
    assert known == ["started"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_is_started_uninterrupted_heeds_requests_itself() -> None:
    with uninterrupted(), started(Call(python("import time; time.sleep(60)"), HERE, {})) as program:
        program.ask_to_end()
        assert program.process.wait(5) == -signal.SIGTERM
