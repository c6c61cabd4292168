import time

import pytest

from migrate.shell import commands
from migrate.text import Span


def read(text: str, *, folded: bool = False) -> list[tuple[list[str], str]]:
    return [([word.text for word in c.words], c.sink) for c in commands(text, folded=folded)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# terraform init\n", []),
        ("a b # c\n", [(["a", "b"], "")]),
        ("a#b", [(["a#b"], "")]),
        ("a \\\n  b\nc", [(["a", "b"], ""), (["c"], "")]),
        ("a \\\r\n  b\r\nc\r\n", [(["a", "b"], ""), (["c"], "")]),
        ("a && b; c || d & e", [(["a"], ""), (["b"], ""), (["c"], ""), (["d"], ""), (["e"], "")]),
        ("a | b |& c", [(["a"], "|"), (["b"], "|"), (["c"], "")]),
        ("a 'b c' \"d e\"f\\ g", [(["a", "b c", "d ef g"], "")]),
        ("a -x=\"$Y\"'z'", [(["a", "-x=$Yz"], "")]),
        ("a > f 2>&1 b", [(["a", "b"], ">")]),
        ("a 2>/dev/null", [(["a"], "")]),
        ("a >&2", [(["a"], "")]),
        ("(cd x && a) && b", [(["cd", "x"], ""), (["a"], ""), (["b"], "")]),
        ("X=$(a -b) c", [(["X=$(a -b)", "c"], ""), (["a", "-b"], "$(")]),
        ('a "x: $(b | c)"', [(["a", "x: $(b | c)"], ""), (["b"], "|"), (["c"], "$(")]),
        ("`a b`", [(["`a b`"], ""), (["a", "b"], "$(")]),
        (
            "a ${{ inputs.x }} {{ .y }} $(Z) ${W} $V",
            [(["a", "${{ inputs.x }}", "{{ .y }}", "$(Z)", "${W}", "$V"], "")],
        ),
        ("cat <<EOF\nterraform apply\nEOF\na", [(["cat"], ""), (["a"], "")]),
        ("cat <<-'END' > f\n\tx\n\tEND\na", [(["cat"], ">"), (["a"], "")]),
        ("bash -s <<EOF x\na 'b\nc'\nEOF\nd", [(["bash", "-s", "x"], ""), (["a", "b\nc"], ""), (["d"], "")]),
        ("cat <<EOF | sudo /bin/sh\na\nEOF\n", [(["cat"], "|"), (["sudo", "/bin/sh"], ""), (["a"], "")]),
        ("cat > f <<'EOF'\n#!/bin/bash\na\nEOF\n", [(["cat"], ">"), (["a"], "")]),
        (
            "sh <<A\nsh <<B\na\nB\nb\nA\nc",
            [(["sh"], ""), (["sh"], ""), (["a"], ""), (["b"], ""), (["c"], "")],
        ),
        ("sh <<EOF\na", [(["sh"], ""), (["a"], "")]),
        ("case $x in a) b;; esac", [(["case", "$x", "in", "a"], ""), (["b"], ""), (["esac"], "")]),
        ('a "never ends', [(["a", "never ends"], "")]),
        ("a $(never ends", [(["a", "$(never ends"], ""), (["never", "ends"], "$(")]),
    ],
)
def test_words_of_commands(text: str, expected: list[tuple[list[str], str]]) -> None:
    assert read(text) == expected


def test_a_folded_line_is_one() -> None:
    assert read("a\n  b\n", folded=True) == [(["a", "b"], "")]
    assert read("a\r\n  b\r\n \r\n  c\r\n", folded=True) == [(["a", "b"], ""), (["c"], "")]


def test_places_are_those_of_the_whole_text() -> None:
    text = "run: a 'b c'\n"
    (command,) = commands(text, Span(5, len(text)))
    assert [word.span.of(text) for word in command.words] == ["a", "'b c'"]
    assert command.span.of(text) == "a 'b c'"


def test_parentheses_are_counted() -> None:
    assert [c.depth for c in commands("a; (b; (c); d); e; case f) g;; esac; (h)")] == [
        0,
        1,
        2,
        1,
        0,
        0,
        0,
        0,
        1,
    ]


def test_what_a_heredoc_feeds_to_a_shell_runs_as_deep_as_in_parentheses_and_may_run_elsewhere() -> None:
    text = "bash <<A\na\nA\nssh host <<'B'\nbash <<C\nb\nC\nB\nc\n"
    assert [(c.words[0].text, c.depth, c.away) for c in commands(text)] == [
        ("bash", 0, False),
        ("a", 1, False),
        ("ssh", 0, False),
        ("bash", 1, True),
        ("b", 2, True),
        ("c", 0, False),
    ]


DEEP = "".join(f"sh <<A{n}\n" for n in range(500)) + "".join(f"A{n}\n" for n in reversed(range(500)))


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        "sh <<A\n" * 2_000,
        "a\\" * 20_000,
        '"$(' * 5_000,
        "(" * 20_000,
        "${{" * 5_000,
        "${" * 20_000,
        "x y " * 5_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    commands(text)
    assert time.process_time() - start < 5
