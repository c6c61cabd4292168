"""What goes out is told to the listener of its context, and to nobody else."""

from contextvars import copy_context
from pathlib import Path

from migrate.outgoing import listen, tell
from migrate.process import Call, run


def test_a_call_is_told_where_somebody_listens_and_only_there() -> None:
    heard: list[str] = []

    def act() -> None:
        listen(heard.append)
        tell("GET acme.example/a")
        copy_context().run(tell, "in a copy, as a thread has it")

    copy_context().run(act)
    tell("to nobody: that context has ended")
    assert heard == ["GET acme.example/a", "in a copy, as a thread has it"]


def test_a_program_is_told_without_secrets_before_it_runs() -> None:
    heard: list[str] = []

    def act() -> None:
        listen(heard.append)
        run(Call(["echo", "s3cr3t", "https://ada:p@ss@acme.example/x"], Path(), {}, secrets=("s3cr3t",)))

    copy_context().run(act)
    assert heard == ["echo *** https://***@acme.example/x"]
