"""`tfrelock audit`: what is said of each place, once, and with a remedy that works there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from tests.cli.estates import BOTH, TABLE, Files, backend, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]
Report = Mapping[str, list[dict[str, object]]]

OLD = TABLE.replace(">= 1.11.0", ">= 1.5")
TERRAGRUNT = """\
remote_state {
  backend = "s3"
  config  = { bucket = "acme-state", key = "net.tfstate", dynamodb_table = "acme-locks" }
}
"""


def audit(files: Files, new_repo: New, capsys: Capture) -> Report:
    report: Report = json.loads(run(capsys, "audit", "--format", "json", new_repo("net", files).path).out)
    return report


def test_a_version_file_is_found_once_whatever_it_serves(new_repo: New, capsys: Capture) -> None:
    files = {f"{name}/main.tf": backend(key=name) for name in "abc"}
    found = audit({**files, ".terraform-version": "1.9.8\n"}, new_repo, capsys)["findings"]
    assert [(f["state"], f["path"], f["message"]) for f in found if f["rule"] == "binary-below-floor"] == [
        (None, ".terraform-version", ".terraform-version chooses Terraform 1.9.8, the floor is 1.11.0")
    ]


def test_the_sum_counts_written_states_and_those_that_are_only_read(new_repo: New, capsys: Capture) -> None:
    files = {"net/main.tf": TABLE, "app/own.tf": reader(), "app/other.tf": reader(key="dns.tfstate")}
    repo = new_repo("net", files).path
    report = json.loads(run(capsys, "audit", "--format", "json", repo).out)
    told = {name: report["summary"][name] for name in ("states", "table", "only_read", "readers")}
    assert told == {"states": 1, "table": 1, "only_read": 1, "readers": 2}
    assert {state["id"]: len(state["backends"]) for state in report["states"]} == {
        "s3://acme-state/dns.tfstate": 0,
        "s3://acme-state/net.tfstate": 1,
    }


def test_what_writes_a_backend_is_listed_though_it_names_no_lock(new_repo: New, capsys: Capture) -> None:
    files = {
        "build.py": 'ROOT = """terraform {{\n  backend "s3" {{\n    key = "{key}"\n  }}\n}}"""\n',
        "tf.json.py": 'emit({"terraform": {"backend": {"s3": {"key": key}}}})\n',
        "run.sh": 'echo "terraform {\n  backend \\"s3\\" {\n    key = \\"$KEY\\"\n  }\n}" > terraform.tf\n',
    }
    found = audit(files, new_repo, capsys)["findings"]
    assert {f["path"]: (f["rule"], f["blocks"]) for f in found} == dict.fromkeys(
        files, ("not-covered", ["retire"])
    )


GIVEN = "the configuration of this repository names prod.tfbackend, which was not read"


@pytest.mark.parametrize(
    ("files", "why", "settle"),
    [
        (
            {"main.tf": backend("use_lockfile = var.on")},
            "use_lockfile is var.on",
            "write use_lockfile as a literal",
        ),
        (
            {"main.tf": TABLE, ".tfrelock.yaml": "backend_config: {.: [prod.tfbackend]}\n"},
            GIVEN,
            "commit the file, or name under backend_config the one that init is given",
        ),
    ],
)
def test_an_unknown_lock_of_a_known_state_is_a_finding(
    files: Files, why: str, settle: str, new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "audit", "--format", "json", new_repo("net", files).path)
    [state], findings = json.loads(ran.out)["states"], json.loads(ran.out)["findings"]
    [found] = [one for one in findings if one["severity"] != "note"]
    assert (ran.code, state["lock"], state["excludes"]) == (2, "unknown", "unknown")
    assert (found["rule"], found["outcome"], found["state"]) == ("unresolved", "unknown", state["id"])
    assert (found["message"], found["remedy"]) == (f"its lock is not known: {why}", settle)


def test_each_tool_is_held_against_its_own_floor(new_repo: New, capsys: Capture) -> None:
    unit = 'terragrunt_version_constraint = ">= 0.60"\n' + TERRAGRUNT
    files = {"live/terragrunt.hcl": unit, ".tool-versions": "terragrunt 0.66.9\nterraform 1.11.4\n"}
    found = audit(files, new_repo, capsys)["findings"]
    assert [f["message"] for f in found if f["rule"] in ("floor-open", "binary-below-floor")] == [
        "no required_version: every release is admitted, the floor is 1.11.0",
        "the constraint admits Terragrunt 0.82.3, the floor is 0.82.4",
        ".tool-versions chooses Terragrunt 0.66.9, the floor is 0.82.4",
    ]


PIN = "tfrelock edit --phase pin raises the lower bound and leaves the rest of the constraint as it is."
BOUND = (
    "`~> 1.5.0` admits no Terraform from 1.11.0 on; the newest it admits is 1.5.7: "
    "decide which release to go to, and write >= 1.11.0 or newer"
)


@pytest.mark.parametrize(
    ("constraint", "remedy", "fix"), [(">= 1.5", PIN, "safe"), ("~> 1.5.0", BOUND, "none")]
)
def test_the_remedy_of_a_low_floor_is_one_that_works(
    constraint: str, remedy: str, fix: str, new_repo: New, capsys: Capture
) -> None:
    found = audit({"main.tf": TABLE.replace(">= 1.11.0", constraint)}, new_repo, capsys)["findings"]
    assert [(f["remedy"], f["fix"]) for f in found if f["rule"] == "floor-open"] == [(remedy, fix)]


def test_nothing_is_claimed_of_the_lock_of_a_block_that_is_not_used(new_repo: New, capsys: Capture) -> None:
    files = {"main.tf": TABLE, "main_override.tf": BOTH}
    sites = audit(files, new_repo, capsys)["sites"]
    assert [(s["path"], s["lock"], s["states"]) for s in sites] == [
        ("main.tf", "unknown", []),
        ("main_override.tf", "both", ["s3://acme-state/net.tfstate"]),
    ]


@pytest.mark.parametrize(
    ("files", "owners"),
    [
        ({".github/CODEOWNERS": "* @acme/all\n/net/ @acme/net @ada\n"}, ["@acme/net", "@ada", "@acme/all"]),
        ({"docs/CODEOWNERS": "/net/ @acme/net\n"}, ["@acme/net"]),
        ({"CODEOWNERS": "[Net] @acme/net\nnet/\n", "docs/CODEOWNERS": "* @acme/docs"}, ["@acme/net"]),
        ({}, []),
    ],
)
def test_a_state_belongs_to_the_owners_of_the_files_that_write_it(
    files: Files, owners: list[str], new_repo: New, capsys: Capture
) -> None:
    found = audit({**files, "net/main.tf": TABLE, "net2/main.tf": TABLE}, new_repo, capsys)
    assert [state["owners"] for state in found["states"]] == [owners]


def test_two_roots_of_one_state_are_both_named_even_where_they_share_the_file(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/main.tf": TABLE, "b/note": ""})
    (repo.path / "b/main.tf").symlink_to("../a/main.tf")
    found = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)["findings"]
    same = "git.acme.example/acme/net b writes the same state as git.acme.example/acme/net a"
    assert [(f["path"], f["message"]) for f in found if f["rule"] == "shared-key"] == [("a/main.tf", same)]


STEP = "      - run: terraform apply -lock=false\n"


def test_the_same_on_another_line_is_another_finding(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})

    def told(workflow: str) -> dict[object, object]:
        repo.write({".github/workflows/net.yml": workflow})
        report: Report = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
        return {f["line"]: f["id"] for f in report["findings"] if f["rule"] == "lock-false-on-apply"}

    job = "jobs:\n  net:\n    steps:\n"
    first = told(job + STEP)
    all_three = told(job + 3 * STEP)
    assert (list(first), list(all_three), all_three[4]) == ([4], [4, 5, 6], first[4])
    assert len(set(all_three.values())) == 3
    assert list(told("# moved\n" + job + 3 * STEP).values()) == list(all_three.values())
