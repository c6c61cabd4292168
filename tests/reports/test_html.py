"""Pages for a browser: one file that loads nothing and runs nothing, whatever a repository is named."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from migrate.reports.html_page import bar, page, table, tag
from tests.cli.estates import BOTH, LOCKFILE, TABLE, UNLOCKED, backend, reader, run
from tests.repo import make

Capture = pytest.CaptureFixture[str]
VOID: Final = {"meta"}
ALLOWED: Final = {
    *("html", "head", "meta", "title", "style", "body", "main", "footer"),
    *("h1", "h2", "p", "div", "span", "code", "ul", "ol", "li", "details", "summary"),
    *("table", "thead", "tbody", "tr", "th", "td", "svg", "rect"),
}


class Reader(HTMLParser):
    """Reads a page as strictly as HTML allows: every element closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def shown(capsys: Capture, command: str, folder: Path) -> tuple[str, Reader]:
    text = run(capsys, command, "--format", "html", folder).out
    return text, Reader(text)


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    files = {
        "net/main.tf": TABLE.replace(">= 1.11.0", ">= 1.5"),
        "app/main.tf": backend("use_lockfile   = true", key="app"),
        "api/main.tf": backend("use_lockfile   = true", key="api", table=""),
        "dns/main.tf": backend(key="dns", table=""),
        "read/main.tf": reader(),
        "Makefile": "init:\n\tdynamodb_table=acme\n",
    }
    make(tmp_path / "net", files, "https://git.acme.example/acme/net.git")
    return tmp_path / "net"


@pytest.mark.parametrize("command", ["audit", "plan"])
def test_a_page_needs_nothing_and_runs_nothing(estate: Path, capsys: Capture, command: str) -> None:
    text, read = shown(capsys, command, estate)
    assert {name for name, _ in read.tags} <= ALLOWED
    names = {attribute for _, attributes in read.tags for attribute in attributes}
    assert not {name for name in names if name.startswith("on") or name in {"src", "href", "style", "action"}}
    [policy] = [a["content"] or "" for _, a in read.tags if a.get("http-equiv") == "Content-Security-Policy"]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style
    allowed = b64encode(sha256(style[1].encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import|https?://", style[1])


def seen(channel: int) -> float:
    """How bright a channel of sRGB looks (WCAG 2)."""
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def brightness(colour: str) -> float:
    digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
    red, green, blue = (seen(int(digits[at : at + 2], 16)) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_stands_out_from_what_is_behind_it(scheme: str) -> None:
    """At least 4.5 to 1, as WCAG 2 asks of text."""
    light, dark = re.findall(r":root \{.*?\}", page(""), re.DOTALL)
    colours = dict(re.findall(r"--(\w+): #(\w+);", light if scheme == "light" else dark))
    behind = [brightness(colours.pop(name)) for name in ("page", "card")]
    del colours["line"]
    assert set(colours) == {"text", "soft", "bad", "warn", "good", "calm", "odd", "grey"}
    for name, colour in colours.items():
        for other in behind:
            darker, brighter = sorted([brightness(colour), other])
            assert (brighter + 0.05) / (darker + 0.05) >= 4.5, name


def test_the_audit(estate: Path, capsys: Capture) -> None:
    _, read = shown(capsys, "audit", estate)
    for said in (
        "4 states in 1 repository",
        "States by lock: 1 table, 1 both, 1 lockfile, 1 none",
        "warning floor-open (1), blocks dual-lock",
        "s3://acme-state/net.tfstate",
        "git.acme.example/acme/net read/main.tf:1",
        "git.acme.example/acme/net Makefile:2 dynamodb_table in a pipeline file",
    ):
        assert said in read.text, read.text
    widths = [attributes["width"] for name, attributes in read.tags if name == "rect"]
    assert widths == ["25.000"] * 4


def test_owners_stand_beside_their_states(tmp_path: Path, capsys: Capture) -> None:
    make(tmp_path / "net", {"main.tf": TABLE, "CODEOWNERS": "* @acme/net @<b>\n"})
    _, read = shown(capsys, "audit", tmp_path / "net")
    assert "owners" in read.texts
    assert "@acme/net, @<b>" in read.texts


def test_the_plan(estate: Path, capsys: Capture) -> None:
    _, read = shown(capsys, "plan", estate)
    for said in ("Merge order", "1. pin (1)", "tfrelock propose --phase pin", "dual-lock unknown"):
        assert said in read.text, read.text


def test_names_of_a_hostile_repository_are_plain_text(tmp_path: Path, capsys: Capture) -> None:
    evil = "<img src=x onerror=alert(1)>&'"
    files = {f"{evil}/main.tf": TABLE.replace("net.tfstate", "</code <script src=x")}
    repo = make(tmp_path / 'a"><b>', files)
    for command in ("audit", "plan"):
        text, read = shown(capsys, command, repo.path)
        assert {name for name, _ in read.tags} <= ALLOWED
        assert evil in read.text
        assert "</code <script src=x" in read.text
        assert "<script" not in text


@pytest.mark.parametrize(
    ("text", "states"),
    [
        (TABLE, "1 state"),
        (BOTH, "1 state"),
        (LOCKFILE, "1 state"),
        (UNLOCKED, "1 state"),
        ("# no\n", "0 states"),
    ],
)
def test_one_state_or_none(tmp_path: Path, capsys: Capture, text: str, states: str) -> None:
    repo = make(tmp_path / "net", {"main.tf": text})
    assert f"{states} in 1 repository" in shown(capsys, "audit", repo.path)[1].text
    assert f"Plan for {states}" in shown(capsys, "plan", repo.path)[1].text


def test_what_pages_are_made_of() -> None:
    assert tag("p", "a < b", tag("b", "&"), class_='"') == '<p class="&quot;">a &lt; b<b>&amp;</b></p>'
    assert tag("p", "\x1b[31m\u202e") == "<p>\\x1b[31m\\u202e</p>"
    assert bar("Steps", {"open": 0}, {"open": "good"}) == ""
    assert table(("a",), [("b",)]) == (
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td data-of="a">b</td></tr></tbody></table>'
    )
    assert page("<t>").startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
