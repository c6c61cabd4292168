"""What a repository may say of itself, and each mistake with its line."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.config import Local, Waiver, read_local
from migrate.config.repository import KEYS
from tests import docs

FULL = """\
exclude:
  - "examples/**"
engine: opentofu
backend_config:
  network: [env/prod.tfbackend, env/stage.tfbackend]
ignore:
  - rule: shared-key
    paths: ["legacy/**"]
    because: two roots on purpose
    until: 2027-01-31
branches: [release/1]
opt_out: moves to another team in March
"""


def mistakes(text: str) -> list[str]:
    return [f"{mistake.line}: {mistake.what}" for mistake in read_local(text)[1].mistakes]


def test_every_key_is_read() -> None:
    local, loaded = read_local(FULL)
    assert not loaded.mistakes
    assert local == Local(
        exclude=("examples/**",),
        engine="opentofu",
        backend_config={
            PurePosixPath("network"): (
                PurePosixPath("env/prod.tfbackend"),
                PurePosixPath("env/stage.tfbackend"),
            )
        },
        ignore=(Waiver("shared-key", ("legacy/**",), "two roots on purpose", "2027-01-31"),),
        branches=("release/1",),
        opt_out="moves to another team in March",
    )


def test_the_file_in_the_playbook_is_read() -> None:
    playbook = Path(__file__).parents[2] / "playbooks/blocked-gate.md"
    [shown] = docs.blocks(playbook.read_text(), "yaml")
    local, loaded = read_local(shown)
    assert (loaded.mistakes, set(loaded.group.values)) == ((), set(KEYS))
    assert local.opt_out == "we move by ourselves"


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "{}"])
def test_an_empty_file_says_nothing(text: str) -> None:
    assert read_local(text)[0] == Local()
    assert mistakes(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "facts:\n  - that: soaked\n",
            ["1: `facts` is for the operator's configuration: a repository may not say this of itself"],
        ),
        (
            "exclude: []\naws:\n  - role: arn:aws:iam::111122223333:role/x\nforge: {url: https://evil.example}\n",
            [
                "2: `aws` is for the operator's configuration: a repository may not say this of itself",
                "4: `forge` is for the operator's configuration: a repository may not say this of itself",
            ],
        ),
        (
            "endpoint: https://s3.evil.example\n",
            ["1: `endpoint` is not a key; known: exclude, engine, backend_config, branches, ignore, opt_out"],
        ),
        ("exclud: [a]\n", ["1: `exclud` is not a key; did you mean `exclude`?"]),
        ("engine: tofu\n", ["1: `engine` cannot be `tofu`; did you mean `opentofu`?"]),
        ("exclude: a\n", ["1: `exclude` must be a list, as [a, b]"]),
        ("exclude:\n", ["1: `exclude` must be a list, as [a, b]"]),
        ("opt_out: ''\n", ["1: `opt_out` must be one value that is not empty"]),
        ("opt_out: [a]\n", ["1: `opt_out` must be one value"]),
        ("engine: terraform\nengine: opentofu\n", ["2: `engine` stands here twice"]),
        ("- a\n", ["1: the file must be a mapping, as {name: …}"]),
        (
            "ignore:\n  - rule: shared-kye\n    until: soon\n",
            [
                "2: `ignore[0].rule` cannot be `shared-kye`; did you mean `shared-key`?",
                "2: `ignore[0]` needs `because`: Why it is silenced.",
                "3: `ignore[0].until` must be a day, YYYY-MM-DD",
            ],
        ),
        (
            "ignore: [{rule: soaked, because: a}]\n",
            ["1: `ignore[0].rule` cannot be `soaked`: it is a gate, and a waiver opens none"],
        ),
        ("a: [1\nb: {\n", ["2: not YAML: expected ',' or ']', but got ':'"]),
        (
            "a: \x1b[31m\n",
            ["1: not YAML: unacceptable character #x001b: special characters are not allowed"],
        ),
        ("---\na: 1\n---\nb: 1\n", ["3: not YAML: but found another document"]),
        (
            "exclude: &x [a]\nengine: *x\n",
            ["1: anchors and aliases are not read here: write it out"],
        ),
        ("? [a]\n: b\n", ["1: a key must be a word"]),
        ("[" * 20000, ["1: nested too deeply"]),
        ("#" * 300000, ["1: larger than 256 KB: not a configuration of ours"]),
        ("exclude: !!python/object/apply:os.system [touch x]\n", []),
    ],
)
def test_every_mistake_is_said_with_its_line(text: str, said: list[str]) -> None:
    assert mistakes(text) == said


def test_of_many_that_are_known_some_are_named_and_where_all_stand() -> None:
    [said] = mistakes("ignore: [{rule: x, because: b}]\n")
    assert said.startswith("1: `ignore[0].rule` cannot be `x`; known: no-common-lock, ")
    assert said.endswith(", …: tfrelock config show --schema repository lists all")
    assert said.count(", ") == 12


@given(st.text(max_size=200))
def test_no_text_breaks_the_loader(text: str) -> None:
    read_local(text)


@given(
    st.lists(
        st.sampled_from(["exclude:", "- a", "  - rule: x", "engine: terraform", "facts: [", "{", "? !!x"])
    )
)
def test_no_mixture_of_its_own_lines_breaks_the_loader(lines: list[str]) -> None:
    read_local("\n".join(lines))
