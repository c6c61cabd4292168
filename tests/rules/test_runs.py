"""The rules about runs of engines: a literal run in, what is said of it out."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

import pytest
from msgspec.structs import replace

from migrate.model import Backend, Engine, Estate, Known, Mention, Pin, Place, Run, Unknown, World
from migrate.rules import ESTATE_RULES
from migrate.text import Span
from tests.estate.world import APP, LOCKFILE, NET, TABLE, site, world

RULE = {rule.NAME: rule for rule in ESTATE_RULES}
MAYBE = Unknown("who knows")
HERE = Known(PurePosixPath("net"))
YES, NO = Known(value=True), Known(value=False)
WORD = Span(0, 0)


def run(
    line: str,
    engine: Engine | Literal["terragrunt"] | None = "terraform",
    path: str = ".github/workflows/a.yml",
) -> Run:
    """A run of a pipeline in a directory with a backend, by its command and arguments."""
    command, *arguments = line.split(" ")
    return Run(
        NET, PurePosixPath(path), "x", engine, command, tuple(arguments), (), HERE, WORD, 3, WORD, "job",
        automated=True,
    )  # fmt: skip


def estate(*runs: Run, pins: tuple[Pin, ...] = (), given: World | None = None) -> Estate:
    base = given or world(site("net/main.tf", TABLE))
    backends = tuple(_pinned(backend, pins) for backend in base.stack.backends)
    return replace(base.estate, stacks=(replace(base.stack, backends=backends),), runs=runs)


def _pinned(backend: Backend, pins: tuple[Pin, ...]) -> Backend:
    return replace(backend, pins=pins)


def pin(version: str, kind: Literal["exact", "constraint"] = "exact") -> Pin:
    path = PurePosixPath("net/.terraform-version")
    return Pin(NET, path, "x", kind, "terraform", Known(version), WORD, 1, PurePosixPath("net"))


def said(rule: str, *runs: Run, pins: tuple[Pin, ...] = ()) -> list[str]:
    return [f"{v.outcome.value}: {v.because}" for v in RULE[rule].check_estate(estate(*runs, pins=pins))]


def outcomes(rule: str, *runs: Run, pins: tuple[Pin, ...] = ()) -> list[str]:
    return [one.partition(":")[0] for one in said(rule, *runs, pins=pins)]


INIT, APPLY = run("init"), run("apply -auto-approve")


@pytest.mark.parametrize(
    ("rule", "given", "expected"),
    [
        ("needs-reconfigure", replace(INIT, kept=YES), ["broken"]),
        ("needs-reconfigure", replace(INIT, kept=MAYBE), ["unknown"]),
        ("needs-reconfigure", replace(INIT, directory=MAYBE), ["unknown"]),
        ("needs-reconfigure", run("init $ARGS"), ["unknown"]),
        ("needs-reconfigure", replace(INIT, kept=NO), []),
        ("needs-reconfigure", run("init -reconfigure"), []),
        ("needs-reconfigure", run("init -migrate-state"), []),
        ("needs-reconfigure", run("init -backend=false"), []),
        ("needs-reconfigure", replace(INIT, ambient=("-reconfigure",)), []),
        ("needs-reconfigure", replace(INIT, job=""), []),
        ("lock-false-on-apply", run("apply -lock=false"), ["broken"]),
        ("lock-false-on-apply", run("destroy -lock false"), ["broken"]),
        ("lock-false-on-apply", run(" -lock=false", engine=None), ["broken"]),
        ("lock-false-on-apply", run("apply -lock=$LOCK"), ["unknown"]),
        ("lock-false-on-apply", run("apply -lock=false -lock=true"), []),
        ("lock-false-on-apply", run("plan -lock=false"), []),
        ("lock-false-on-apply", APPLY, []),
        ("lock-false-on-plan", run("plan -lock=false"), ["broken"]),
        ("lock-false-on-plan", run("plan -lock=${{ inputs.lock }}"), ["unknown"]),
        ("lock-false-on-plan", run("plan -lock=false -refresh=false"), []),
        ("lock-false-on-plan", run("plan"), []),
        ("no-lock-timeout", run("plan -out=p"), ["broken"]),
        ("no-lock-timeout", run("apply ${{ inputs.args }}"), ["unknown"]),
        ("no-lock-timeout", run("plan -lock-timeout=10m"), []),
        ("no-lock-timeout", replace(run("plan"), ambient=("-lock-timeout=5m",)), []),
        ("no-lock-timeout", run("plan -lock=false"), []),
        ("no-lock-timeout", replace(APPLY, automated=False), []),
        ("no-lock-timeout", run("output"), []),
        ("no-serialisation", APPLY, ["broken"]),
        ("no-serialisation", replace(APPLY, serialised=MAYBE), ["unknown"]),
        ("no-serialisation", replace(APPLY, serialised=YES), []),
        ("no-serialisation", replace(APPLY, automated=False), []),
        ("no-serialisation", run("plan"), []),
        ("saved-plan-crosses-phase", run("apply -input=false tfplan"), ["unknown"]),
        ("saved-plan-crosses-phase", run("apply $PLANFILE"), ["unknown"]),
        ("saved-plan-crosses-phase", run("apply $ARGS"), []),
        ("saved-plan-crosses-phase", run("apply -var-file x.tfvars"), []),
        ("unlock-script", run("delete-item delete-item LockID", engine=None), ["broken"]),
        ("unlock-script", run("delete-item delete-item $T acme-locks", engine=None), ["broken"]),
        ("unlock-script", run("delete-item delete-item $LOCKS", engine=None), ["unknown"]),
        ("unlock-script", run("delete-item delete-item acme-orders", engine=None), []),
        ("unlock-script", run("delete-item delete-item BlockedIPs", engine=None), []),
        ("unlock-script", run("force-unlock -force $ID"), ["unknown"]),
        ("unlock-script", run("force-unlock -force ${{inputs.lock}}"), []),
        ("unlock-script", run("force-unlock ${params.LOCK}"), []),
        ("unlock-script", APPLY, []),
        ("init-upgrade", run("init -upgrade"), ["broken"]),
        ("init-upgrade", run("init $ARGS"), ["unknown"]),
        ("init-upgrade", INIT, []),
        ("cached-terraform-dir", run("cache net/.terraform", engine=None), ["broken"]),
        ("cached-terraform-dir", run("cache $TF_DATA_DIR", engine=None), ["unknown"]),
        ("cached-terraform-dir", INIT, []),
    ],
)
def test_rule(rule: str, given: Run, expected: list[str]) -> None:
    assert outcomes(rule, given) == expected


def test_a_cache_brings_a_directory_of_before() -> None:
    fresh = replace(INIT, kept=NO)
    cache = run("cache net/.terraform", engine=None)
    assert outcomes("needs-reconfigure", fresh, cache) == ["broken"]
    assert outcomes("needs-reconfigure", fresh, replace(cache, job="other")) == []
    assert outcomes("needs-reconfigure", fresh, replace(cache, job="")) == ["broken"], "of all jobs"


def test_a_directory_with_a_variable_in_it_may_be_a_root_that_it_fits() -> None:
    def at(like: str) -> list[str]:
        return outcomes("no-serialisation", replace(APPLY, directory=Unknown("filled in", like=like)))

    assert at("") == at("n*") == at("*/net") == at("*net") == ["broken"]
    assert at("infra*app") == at("*/app") == []


def test_a_backend_may_be_written_where_nothing_reads_it() -> None:
    """UKHomeOffice/dq-tf-infra: a step of the pipeline prints terragrunt.hcl."""
    mention = Mention(Place(APP, PurePosixPath(".drone.yml"), 102), "dynamodb_table", "pipeline")
    alone = replace(estate(replace(APPLY, repo=APP)), stacks=(), mentions=(mention,))
    prose = replace(alone, mentions=(replace(mention, looks_like="documentation"),))
    told = [verdict.outcome.value for verdict in RULE["no-serialisation"].check_estate(alone)]
    assert told == ["broken"]
    assert list(RULE["no-serialisation"].check_estate(prose)) == []


def test_terragrunt_is_told_to_wait_in_one_place() -> None:
    plan = run("plan", engine="terragrunt")
    added = replace(run("apply -lock-timeout=20m", engine="terragrunt"), job="", automated=False)
    assert outcomes("no-lock-timeout", plan, added) == []
    assert outcomes("no-lock-timeout", plan, replace(added, arguments=("-lock=true",))) == ["broken"]
    assert outcomes("no-lock-timeout", run("plan"), added) == ["broken"], "Terraform is not told"


def test_no_backend_is_to_change_any_more() -> None:
    settled = world(site("net/main.tf", LOCKFILE))
    both = world(site("net/main.tf", LOCKFILE), site("app/main.tf", TABLE))
    anywhere = replace(INIT, directory=MAYBE)
    cache = run("cache net/.terraform", engine=None)

    def told(given: World, *runs: Run) -> list[str]:
        found = RULE["needs-reconfigure"].check_estate(estate(*runs, given=given))
        return [verdict.outcome.value for verdict in found]

    assert told(settled, INIT, anywhere, replace(INIT, repo=APP)) == []
    assert told(settled, replace(INIT, kept=NO), cache) == ["broken"], "a cache may be as old as the table"
    assert told(both, INIT) == []
    assert told(both, anywhere, run("init", engine="terragrunt")) == ["unknown", "broken"]


def test_a_plan_that_goes_from_job_to_job() -> None:
    plan, apply = run("plan -out=out/tfplan"), run("apply tfplan")
    assert said("saved-plan-crosses-phase", plan, replace(apply, job="later")) == [
        "broken: tfplan is planned in job and applied in later"
    ]
    assert said("saved-plan-crosses-phase", plan, apply) == []


@pytest.mark.parametrize(
    ("line", "pins", "expected"),
    [
        ("output -json", (pin("1.15.1"),), ["broken"]),
        ("output -raw url", (pin("1.15.0"),), ["broken"]),
        ("output -raw url", (pin("1.15.1"),), []),
        ("output url", (pin("1.15.5"),), ["broken"]),
        ("workspace list", (pin("1.15.5"),), ["broken"]),
        ("output url", (pin(">= 1.5", "constraint"),), ["unknown"]),
        ("output url", (pin("~> 1.11.0", "constraint"),), []),
        ("output -json", (pin(">= 1.5", "constraint"),), []),
        ("output url", (pin("1.11.4"),), []),
        ("plan", (pin("1.15.0"),), []),
    ],
)
def test_output_parsed(line: str, pins: tuple[Pin, ...], expected: list[str]) -> None:
    assert outcomes("output-parsed", replace(run(line), captured=True), pins=pins) == expected
    assert outcomes("output-parsed", run(line), pins=pins) == []


def test_only_runs_that_may_concern_a_state_here() -> None:
    elsewhere = [
        replace(APPLY, directory=Known(PurePosixPath("docs"))),
        run("apply", path="examples/a.yml"),
        replace(APPLY, repo=APP),
    ]
    code = replace(pin(">= 1.5", "constraint"), repo=APP)
    given = replace(estate(*elsewhere), pins=(code,))
    assert list(RULE["no-serialisation"].check_estate(given)) == []
    pipelines_alone = replace(given, pins=())
    assert len(list(RULE["no-serialisation"].check_estate(pipelines_alone))) == 1
    below = replace(APPLY, engine="terragrunt", directory=Known(PurePosixPath("live")))
    assert outcomes("no-serialisation", below) == ["broken"]


def test_without_a_table_no_warning_is_printed() -> None:
    given = estate(
        replace(run("output"), captured=True),
        pins=(pin("1.15.5"),),
        given=world(site("net/main.tf", LOCKFILE)),
    )
    assert list(RULE["output-parsed"].check_estate(given)) == []
