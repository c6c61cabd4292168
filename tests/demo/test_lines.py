"""What an act tells, and the lines that a reader sees."""

import pytest

from migrate.demo.beats import Beat, Heading, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.lines import lines

LONG = "the table acme-locks holds the row acme-state/shop/terraform.tfstate, and that is " + "long " * 10


@pytest.mark.parametrize(
    ("beat", "part", "page"),
    [
        (Heading("Act 1: Two locks"), "heading", "── Act 1: Two locks " + "─" * 68),
        (Scene("Somebody applies."), "prose", "Somebody applies."),
        (Meaning("So nobody waits."), "meaning", "So nobody waits."),
        (Shown("nobody waits", kept=True), "kept", "  ✓ nobody waits"),
        (Shown("nobody waits", kept=False), "missed", "  ✗ not shown: nobody waits"),
        (Said("laptop", "terraform plan", ()), "command", "  laptop $ terraform plan"),
        (Said("", "tfrelock audit", ()), "command", "  $ tfrelock audit"),
    ],
)
def test_a_beat_has_its_part(beat: Beat, part: str, page: str) -> None:
    assert [(line.part, line.text) for line in lines([beat])] == [(part, page)]


def test_a_page_has_air_and_what_was_shown_stands_together() -> None:
    beats: list[Beat] = [
        Scene("One."),
        Said("laptop", "git diff", ("- a", "", "+ b")),
        Shown("a", kept=True),
        Shown("b", kept=True),
    ]
    assert "\n".join(line.text for line in lines(beats)) == (
        "One.\n\n  laptop $ git diff\n    - a\n\n    + b\n\n  ✓ a\n  ✓ b"
    )


@pytest.mark.parametrize(("columns", "most"), [(None, 88), (200, 88), (60, 60)])
@pytest.mark.parametrize("beat", [Scene(LONG), Meaning(LONG), Shown(LONG, kept=True)])
def test_prose_is_wrapped_and_names_stay_whole(beat: Beat, columns: int | None, most: int) -> None:
    texts = [line.text for line in lines([beat], columns)]
    assert len(texts) > 1
    assert most - 12 < max(map(len, texts)) <= most
    assert [len(line.text) for line in lines([Heading("Act 1")], columns)] == [most]
    assert "acme-state/shop/terraform.tfstate," in " ".join(texts).split()


def test_the_words_of_a_program_are_never_wrapped() -> None:
    texts = [line.text for line in lines([Said("app", "terraform plan", (LONG,))])]
    assert texts[1] == f"    {LONG}".rstrip()


def test_an_excerpt_keeps_the_lines_that_matter_in_their_order() -> None:
    said = "\n\n Error: no lock\n\nLock Info:\n  ID:      1\n  Version: 1.9.8  \n  Who:     a\n"
    assert excerpt(said, "Version:", "Error:") == ("Error: no lock", "  Version: 1.9.8")
