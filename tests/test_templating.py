"""Marks of template engines: what is shown without them, and in which arms a place stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.templating import Template, apart, marks

ARMS = "1 {% if x %} 2 {% else %} 3 {% for y in z %} 4 {% endfor %} {% endif %} 5"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a = 1\n", "a = 1\n"),
        ("a = {{ b }}\n", "a = xxxxxxx\n"),
        ('a = "{{ b | d("c") }}"\n', 'a = "xxxxxxxxxxxxxxxx"\n'),
        ("{{ b }}\na\n", "       \na\n"),
        ("{% if a %}\r\nb\r\n{% endif %}\r\n", "          \r\nb\r\n           \r\n"),
        ("a = {# b #}1\n", "a =        1\n"),
        ("{#\n a = {{ b }}\n#}c\n", "  \n            \n  c\n"),
        ('a = "${b}"\n', 'a = "xxxx"\n'),
        ('a = "$${b}"\n', 'a = "$${b}"\n'),
        ('a = "${\nb = "${c}"\n', 'a = "${\nb = "xxxx"\n'),
        ('a = "${f("b")}"\n', 'a = "${f("b")}"\n'),
        ("%{~ if a ~}\nb\n%{~ endif ~}\n", "           \nb\n            \n"),
        ("a = <%= @b %>\n", "a = xxxxxxxxx\n"),
        ("{{- /* a */}}\nb\n", "             \nb\n"),
        ("a {% b\n", "a {% b\n"),
        ("locals { a = { b = {} } }\n", "locals { a = { b = {} } }\n"),
    ],
)
def test_shows_what_stands_between_the_marks(text: str, shown: str) -> None:
    assert Template(text).shown == shown


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        ("{% if a %}", "opens"),
        ("{%- elif a -%}", "parts"),
        ("{% endif %}", "closes"),
        ("{% include 'a' %}", "brings"),
        ("{% set a = 1 %}", "note"),
        ("{# if a #}", "note"),
        ("{{ if .A }}", "opens"),
        ("{{- else if .A }}", "parts"),
        ("{{ end }}", "closes"),
        ("{{/* end */}}", "note"),
        ("{{#if a}}", "opens"),
        ("{{#a}}", "opens"),
        ("{{/a}}", "closes"),
        ("{{ .A }}", "value"),
        ("<% if @a %>", "opens"),
        ("<% @a.each do |b| -%>", "opens"),
        ("<%= @a %>", "value"),
        ("%{~ for a in b ~}", "opens"),
        ("%{ endfor }", "closes"),
        ("${a}", "value"),
        ("${if}", "value"),
        ("${{ end }}", "value"),
    ],
)
def test_tells_what_a_mark_does(mark: str, kind: str) -> None:
    assert [found.kind for found in marks(mark)] == [kind]


def test_anything_may_come_where_a_value_has_a_line_or_another_text_is_brought() -> None:
    text = "{{ a }}\nb = {{ c }}\n{% if d %}\n{% include 'e' %}\n{% endif %}\n"
    assert [span.of(text) for span in Template(text).inserts] == ["{{ a }}", "{% include 'e' %}"]


@pytest.mark.parametrize(("place", "numbers"), [("1", []), ("2", [0]), ("3", [1]), ("4", [0, 1]), ("5", [])])
def test_knows_the_arms_of_a_place(place: str, numbers: list[int]) -> None:
    arms = Template(ARMS).arms(ARMS.index(place), 0)
    assert [arm.number for arm in arms] == numbers


@pytest.mark.parametrize(("one", "other", "never"), [("2", "3", True), ("2", "4", True), ("3", "4", False)])
def test_knows_what_is_never_written_together(one: str, other: str, never: bool) -> None:
    template = Template(ARMS)
    first, second = (template.arms(ARMS.index(place), 0) for place in (one, other))
    assert apart(first, second) == never


def test_an_arm_that_ends_between_two_places_counts() -> None:
    text = "{% if x %} a {% endif %} b"
    assert Template(text).arms(text.index("b"), text.index("a"))


@given(st.text(alphabet='{}%#$<>=-~/ \n"aif', max_size=60))
def test_keeps_every_place(text: str) -> None:
    shown = Template(text).shown
    assert len(shown) == len(text)
    assert [at for at, sign in enumerate(shown) if sign == "\n"] == [
        at for at, sign in enumerate(text) if sign == "\n"
    ]
