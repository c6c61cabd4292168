"""Bodies of proposals: what stands on the first screen, what is folded, and that no value breaks out."""

from __future__ import annotations

import html
import json
import re
from pathlib import PurePosixPath
from typing import Final

import hypothesis.strategies as st
import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from msgspec.structs import replace

from migrate.files import data
from migrate.model import Known, Lock, Outcome, Place, Refusal, RepoId, Shown, Suggestion, Unknown, Verdict
from migrate.offer import DigestRow, Moved, Offer, Part, Touched, title
from migrate.pages import LIMIT, Pages, code, escaped, fenced
from migrate.steps import Phase

proposal: Final = Pages(data("templates")).proposal
NET: Final = RepoId("github.com/acme/net")
BACKEND: Final = PurePosixPath("net/backend.tf")
DIFF: Final = (
    '--- a/net/backend.tf\n+++ b/net/backend.tf\n@@ -3 +3,2 @@\n key = "net"\n+use_lockfile = true\n'
)
HOLDS: Final = Verdict(
    "callers-may-lock", "s3://acme-state/net", Outcome.HOLDS, "canary run 8841", by="stated"
)
ROW: Final = DigestRow(
    "s3://acme-state/net", "", "acme-state", "net", Known("acme-locks"), Known("eu-west-1"), Known("9f2c")
)


def part(phase: Phase, files: int = 1) -> Part:
    return Part(phase, (Touched(BACKEND, DIFF, "adds use_lockfile"),) * files, (HOLDS,))


def offer(*phases: Phase) -> Offer:
    return Offer(NET, tuple(part(phase) for phase in phases))


PREPARE: Final = replace(
    offer("pin", "readers", "dual-lock"),
    states=(Moved("s3://acme-state/net", (PurePosixPath("net"),), Known(Lock.TABLE)),),
)
FINISH: Final = replace(offer("retire"), rows=(ROW,))

EVERY: Final = [offer("iam"), offer("pin"), offer("readers"), offer("dual-lock"), FINISH, PREPARE]

TITLES: Final[list[tuple[Offer, str]]] = [
    (offer("iam"), "Let Terraform's roles write the S3 lock"),
    (offer("pin"), "Require Terraform 1.11 or newer"),
    (replace(offer("pin"), engine="OpenTofu", floor="1.10.2"), "Require OpenTofu 1.10.2 or newer"),
    (offer("readers"), "Read other states without the lock table"),
    (offer("dual-lock"), "Lock state in S3 as well as DynamoDB"),
    (offer("pin", "readers"), "Require Terraform 1.11 or newer"),
    (PREPARE, "Lock state in S3 as well as DynamoDB"),
    (FINISH, "Stop locking state in DynamoDB"),
    (replace(FINISH, folder="net"), "Stop locking state in DynamoDB (net)"),
]


@pytest.mark.parametrize(("given", "expected"), TITLES)
def test_title(given: Offer, expected: str) -> None:
    assert title(given) == expected


HEADINGS: Final = [
    "What changes.",
    "What you have to do.",
    "What could break, and what was checked.",
    "How to undo.",
    "If a lock is stuck afterwards.",
    "Whom to ask.",
]


@pytest.mark.parametrize("given", EVERY, ids=lambda given: "+".join(given.phases))
def test_the_first_screen_answers_the_owner_in_order(given: Offer) -> None:
    first, _, folded = proposal(given).partition("<details")
    assert re.findall(r"^\*\*(.+?)\*\*", first, re.MULTILINE) == HEADINGS
    assert len(first) < 2400, "what a phone shows without much scrolling"
    assert "\n\n\n" not in first
    assert "Close this to decline" in first
    assert folded


EXPECTED: Final = """\
**What changes.**
- `dynamodb_table` goes: these states are locked by their lock object in S3 alone.

**What you have to do.** Merge.
- After the merge and **before the next run**, delete 1 checksum row of the lock table, with the commands under "Checksum rows".
- Throw away saved plan files: one made before still locks in the table.
- In checkouts you keep: `terraform init -reconfigure`. It is safe because bucket, key and region stay: it moves no state.

**What could break, and what was checked.**
- Whatever still names the table for one of these states would no longer be excluded, and would fail on the old checksum. What was checked is listed below.
- Checked: `callers-may-lock` holds.

**How to undo.** Not with a revert alone:
- First the commands under "Checksum rows" once more, then revert, then `init -reconfigure`. Never put a checksum back from a note: the next run that holds both locks writes it.

**If a lock is stuck afterwards.**
- There is one place now: the object `<key>.tflock`. `force-unlock ID` releases it; an empty one has to be deleted by hand.

**Whom to ask.** Whoever opened this, in a comment here. Close this to decline: it is not opened again unless you say so.

<details open><summary>Checksum rows (1)</summary>

Each command deletes one row of the lock table, and only if its checksum is still the one that was read.

`s3://acme-state/net`

```sh
aws dynamodb delete-item --region eu-west-1 --table-name acme-locks --key '{"LockID": {"S": "acme-state/net-md5"}}' --condition-expression 'Digest = :read' --expression-attribute-values '{":read": {"S": "9f2c"}}'
```

A named workspace has a row of its own. Those that a command here chooses are above; this lists all that have a state, as `<prefix>/<workspace>/<key>`. Of each that is not above: the same command, with LockID `<bucket>/<prefix>/<workspace>/<key>-md5`.

```sh
aws s3api list-objects-v2 --region eu-west-1 --bucket acme-state --prefix env:/ --query 'Contents[?ends_with(Key, '"'"'/net'"'"')].[Key]' --output text
```


</details>

<details><summary>What was checked</summary>

- `retire`, `callers-may-lock`: holds (stated): canary run 8841

Two runs of one state exclude each other only where they share a lock:

| | table | both | lockfile |
|---|---|---|---|
| **table** | yes | yes | **no** |
| **both** | yes | yes | yes |
| **lockfile** | **no** | yes | yes |

</details>

<details><summary>The edits, file by file</summary>

`retire`: adds use\\_lockfile

```diff
--- a/net/backend.tf
+++ b/net/backend.tf
@@ -3 +3,2 @@
 key = "net"
+use_lockfile = true
```

</details>

<!-- tfrelock {"schema": "tfrelock.proposal/1", "repository": "github.com/acme/net", "phases": ["retire"], "changes": []} -->
"""  # noqa: E501


def test_all_of_one_body() -> None:
    assert proposal(FINISH) == EXPECTED


def test_a_draft_begins_with_what_holds_it_back() -> None:
    waits = Verdict("callers-may-lock", "s", Outcome.UNKNOWN, "nobody said it", "tfrelock iam check")
    text = proposal(replace(offer("dual-lock"), waits=(waits,) * 7))
    said = "- nobody said it → tfrelock iam check\n"
    assert text.startswith(f"**Do not merge yet.** Still to be settled:\n{said * 5}- 2 more lines, under")
    assert "**What you have to do.** Merge once that is settled.\n" in text


def test_a_forced_proposal_says_so_first() -> None:
    text = proposal(replace(FINISH, forced="the table is gone @all"))
    assert text.startswith(
        "**Offered although not every gate is open**, because: the table is gone @\u2060all\n"
    )


def test_what_was_left_alone_and_what_is_to_be_pasted() -> None:
    where = Place(NET, PurePosixPath("iam/role.tf"), 7)
    held = Part(
        "iam",
        (),
        refusals=(Refusal(where, "a Deny", "ask its owner"),),
        suggestions=(Suggestion(where, '{"Effect": "Allow"}', "HCL"),),
    )
    text = proposal(Offer(NET, (held,)))
    assert "- `iam`, left alone: `iam/role.tf:7`: a Deny; ask its owner\n" in text
    assert '- `iam`, for you to paste at `iam/role.tf:7`: HCL\n\n```\n{"Effect": "Allow"}\n```\n' in text


def at(path: str, why: str, remedy: str = "look at it") -> Refusal:
    return Refusal(Place(NET, PurePosixPath(path), 7), why, remedy)


BY_HAND: dict[str, tuple[Part, str]] = {
    "a place and a program": (
        replace(
            part("dual-lock"), refusals=(at("a.sh", "a script"),), programs=(at("b.py", "a program", "x\ny"),)
        ),
        """\
**By hand**, in the same step: 2 places that nothing here changes.
- `a.sh:7`: a script; look at it
- `b.py:7`: a program

""",
    ),
    "one place, whatever is said of it": (
        replace(part("dual-lock"), refusals=(at("a.sh", "a script"), at("a.sh", "a script"))),
        """\
**By hand**, in the same step: 1 place that nothing here changes.
- `a.sh:7`: a script; look at it

""",
    ),
    "more than a first screen holds": (
        replace(part("dual-lock"), refusals=tuple(at(f"{n}.sh", "a script") for n in range(9))),
        """\
- `4.sh:7`: a script; look at it
- 4 more places, under "What was checked".

**What could break,""",
    ),
}


@pytest.mark.parametrize(("given", "expected"), BY_HAND.values(), ids=BY_HAND.keys())
def test_what_has_to_be_done_by_hand_stands_on_the_first_screen(given: Part, expected: str) -> None:
    first, _, folded = proposal(Offer(NET, (given,))).partition("<details")
    assert expected in first
    assert folded.count("left alone") == len(given.refusals) + len(given.programs)


def test_of_a_small_proposal_nothing_is_cut() -> None:
    gates = ("writers-dual", "readers-safe", "soaked", "table-known")
    verdicts = [
        Verdict(gate, state, Outcome.HOLDS, "seen by all", by="stated")
        for state in ("s3://acme-state/a", "s3://acme-state/b")
        for gate in gates
    ]
    where = Place(NET, PurePosixPath("iam/role.tf"), 7)
    refusals = tuple(Refusal(where, f"a Deny in {n}", "ask its owner") for n in range(3))
    text = proposal(Offer(NET, (replace(part("retire"), verdicts=tuple(verdicts), refusals=refusals),)))
    assert [text.count(f"`{gate}`: holds (stated): seen by all") for gate in gates] == [1] * 4
    assert text.count("left alone") == 3
    assert "left out here" not in text


def test_the_lock_objects_that_roles_need() -> None:
    text = proposal(PREPARE)
    assert "<details><summary>What the roles need in IAM</summary>\n\n`s3:GetObject`," in text
    assert "\n- `arn:aws:s3:::acme-state/net.tflock`\n" in text


def test_contact_and_deadline() -> None:
    text = proposal(replace(PREPARE, contact="#terraform in chat", deadline="2027-01-31"))
    assert "**Whom to ask.** \\#terraform in chat. Please merge by 2027\\-01\\-31. Close" in text


@pytest.mark.parametrize("many", [500, 5000])
def test_a_body_is_never_too_long_and_says_what_is_missing(many: int) -> None:
    row = replace(ROW, digest=Unknown("no AWS was asked"))
    large = replace(FINISH, parts=(part("retire", files=many),), rows=(row,) * many)
    text = proposal(large)
    assert len(text) <= LIMIT
    assert re.search(r"\d+ more files of `retire` left out here for length; the commit has them\.", text)
    assert re.search(r"\d+ more rows left out here for length", text)
    assert "Checksum rows (" + str(many) in text


def test_the_machine_block_is_json_and_ends_no_comment() -> None:
    text = proposal(replace(PREPARE, repo=RepoId("acme--><b>/net"), marks=("ab12",)))
    [block] = re.findall(r"<!-- tfrelock (.+) -->", text)
    assert text.count("-->") == 1
    assert json.loads(block) == {
        "schema": "tfrelock.proposal/1",
        "repository": "acme--><b>/net",
        "phases": ["pin", "readers", "dual-lock"],
        "changes": ["ab12"],
    }


# ── values from repositories ─────────────────────────────────────────────────────────────────────────────


def read(markdown: str) -> str:
    """The text a reader sees, as a Markdown parser that lets HTML through shows it."""
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(f"x {markdown}")
    found = re.fullmatch(r"<p>x ?(?:<code>)?(.*?)(?:</code>)?</p>\n", shown, re.DOTALL)
    assert found, shown
    assert "<" not in found[1], shown
    return html.unescape(found[1])


@given(st.text())
def test_any_text_reads_as_it_is(text: str) -> None:
    shown = read(escaped(text)).replace("\u2060", "")
    assert not re.search(r"(?<!\w)@\w", escaped(text))
    assert shown.split() == " ".join(re.sub(UNSEEN, " ", text).split()).split()


UNSEEN: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"


@given(st.text(alphabet="ab`|<>@\n\x1b *_[](!"))
def test_any_text_as_code_is_one_piece_of_code(text: str) -> None:
    shown = read(code(text))
    assert shown.split() == " ".join(re.sub(UNSEEN, "\N{REPLACEMENT CHARACTER}", text).split()).split()


@given(st.text(alphabet="a`~<>\n @"))
def test_nothing_ends_a_block_of_code(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"{fenced(text)}\n")
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content.rstrip("\n") == text.rstrip("\n")


HOSTILE: Final[list[tuple[str, str]]] = [
    ("@acme/everyone", "@\u2060acme/everyone"),
    ("see #12 and GH-7", "see \\#\u206012 and G\u2060H\\-7"),
    ("https://evil.example", "https:/\u2060/evil.example"),
    ("<script>", "\\<script\\>"),
    ("[a](b)", "\\[a\\]\\(b\\)"),
    ("a\x1b[31m\x07b", "a \\[31m b"),
    ("left\u202eright", "left right"),
    ("caf\udce9", "caf"),
    ("&#64;all", "\\&\\#\u206064;all"),
]


@pytest.mark.parametrize(("text", "expected"), HOSTILE)
def test_hostile_values(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_a_hostile_repository_breaks_out_of_nothing() -> None:
    evil = "x`\n</details>@acme <!-- \x1b[2J| --> ![a](http://evil.example/p.png)"
    where = Place(NET, PurePosixPath(evil), 1)
    verdict = Verdict(evil, evil, Outcome.UNKNOWN, evil, evil)
    touched = Touched(PurePosixPath(evil), f"```\n{evil}", evil)
    held = Part(
        "retire", (touched,), (verdict,), (Refusal(where, evil, evil),), (Suggestion(where, evil, evil),)
    )
    row = DigestRow(evil, evil, evil, evil, Known(evil), Known(evil), Known(evil))
    text = proposal(
        Offer(
            NET,
            (held,),
            (Moved(evil, (PurePosixPath(evil),), Unknown(evil)),),
            (row,),
            (evil,),
            waits=(verdict,),
            forced=evil,
            contact=evil,
            deadline=evil,
            folder=evil,
        )
    )
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    outside = re.sub(r"<code.*?</code>", "", shown, flags=re.DOTALL)
    assert "\x1b" not in text
    assert outside.count("</details>") == outside.count("<details")
    assert outside.count("<!--") == 1
    assert "<img" not in outside
    assert "@acme" not in outside


def test_what_source_says_of_the_roles_is_told_and_harmless() -> None:
    where = Place(NET, PurePosixPath("iam.tf"), 1)
    callers = (
        Shown("s3://acme-state/net", "role/ci", holds=False, because="stuck lock", where=where),
        Shown("s3://acme-state/net", "role/a|b\n@acme", None, "not known", where, "seen"),
    )
    text = proposal(replace(offer("dual-lock"), callers=callers))
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    rows = re.findall(r"<tr>\s*(.*?)\s*</tr>", shown, re.DOTALL)
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in rows if "acme-state/net" in row]
    assert cells == [
        ["<code>role/ci</code>", "<code>s3://acme-state/net</code>", "<code>stuck lock</code>", "source"],
        ["<code>role/a|b @acme</code>", "<code>s3://acme-state/net</code>", "<code>not known</code>", "seen"],
    ]
    assert "@acme" not in re.sub(r"<code.*?</code>", "", shown, flags=re.DOTALL)
