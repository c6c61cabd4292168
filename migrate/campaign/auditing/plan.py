"""The plan: where every state stands, its next steps, what holds them back, and one order over all
repositories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import Final

from msgspec.structs import replace

from migrate.campaign.auditing.narrowed import touches
from migrate.campaign.editing.targets import assuming, uses_no_table
from migrate.campaign.pinning.raises import Answer, Raise, raises
from migrate.campaign.reading.narrowing import EVERYTHING, Narrowing
from migrate.estate import worlds
from migrate.estate.effective import lockfile, names_table
from migrate.estate.layered import excludes
from migrate.estate.roots import RootId, root_of
from migrate.model import (
    Backend,
    Estate,
    Known,
    Lock,
    Outcome,
    Pin,
    Refusal,
    RepoId,
    Stack,
    Suggestion,
    Unknown,
    Verdict,
    World,
)
from migrate.report import Plan, Planned, StackPlan
from migrate.steps import BY_PHASE, STEPS, Phase, Standing, judge, standing
from migrate.wishes import assume

Held = Mapping[str, Refusal | Suggestion]
Raises = Mapping[RootId, Answer]

_SAID: Final = {
    Lock.TABLE: "locked in the table only",
    Lock.BOTH: "locked in the table and with the lockfile",
    Lock.LOCKFILE: "locked with the lockfile only",
    Lock.NONE: "not locked at all",
}


def plan(estate: Estate, held: Held, now: str, narrowing: Narrowing = EVERYTHING) -> Plan:
    """The steps of every state that `narrowing` takes. `held` are the sites whose edit would be refused, by
    id; `now` is an ISO 8601 date.
    """
    pins = raises(estate, after_assuming=True)
    stacks = tuple(
        StackPlan(world.stack, standing_now(world.stack), tuple(_steps(world, held, pins)))
        for world in worlds(estate, now)
        if touches(narrowing, world.stack)
        and (world.stack.backends or any(map(names_table, world.stack.readers)))
    )
    return Plan(stacks, tuple(_order(step for stack in stacks for step in stack.steps)))


def standing_now(stack: Stack) -> str:
    """One sentence: what the state's writers lock with today."""
    if not stack.backends:
        return "read here; no writer of it is known"
    locks = {backend.lock.value for backend in stack.backends if isinstance(backend.lock, Known)}
    unknown = [backend.lock.why for backend in stack.backends if isinstance(backend.lock, Unknown)]
    if unknown:
        return f"unknown: {unknown[0]}"
    said = ", ".join(sorted(_SAID[lock] for lock in locks))
    if locks == {Lock.NONE}:
        return f"{said}: {ADOPTING} adds a lockfile"
    return f"{'mixed: ' if len(locks) > 1 else ''}{said}{_EXCLUDES[excludes(stack)]}"


ADOPTING: Final = "tfrelock edit --phase dual-lock --include-unlocked"
"""No step takes up a lock where there was none."""
_EXCLUDES: Final = {
    "yes": "",
    "no": ": THEY DO NOT EXCLUDE EACH OTHER",
    "unknown": ": whether they exclude each other is not known",
}


def _steps(world: World, held: Held, pins: Raises) -> Iterator[Planned]:
    """In merge order: roles, pins, readers, dual lock, retire; each repository its own step."""
    stack = world.stack
    assumed = list(_assumed(stack))
    by_repo = {repo: [b for b in stack.backends if b.repo == repo] for repo in _repos(stack)}
    roles = tuple(step.id for step in assumed)
    prepared = [_pin(world, repo, backends, pins, roles) for repo, backends in by_repo.items()]
    readers = list(_readers(stack, held))
    after_pin = _after_pins(world, pins)
    dual = [_dual(after_pin, repo, backends, held) for repo, backends in by_repo.items()]
    needed = tuple(step.id for step in (*readers, *dual) if step.standing is not Standing.DONE)
    yield from (*assumed, *prepared, *readers)
    if any(backend.lock != Known(Lock.NONE) for backend in stack.backends):
        yield from dual
        yield from (_retire(world, repo, backends, needed) for repo, backends in by_repo.items())


def _repos(stack: Stack) -> list[RepoId]:
    return sorted({backend.repo for backend in stack.backends})


def _id(phase: Phase, repo: RepoId, stack: Stack) -> str:
    return f"{phase}:{repo}:{stack.id}"


def _step(
    phase: Phase,
    repo: RepoId,
    stack: Stack,
    where: Standing,
    because: Iterable[Verdict] = (),
    after: tuple[str, ...] = (),
) -> Planned:
    return Planned(_id(phase, repo, stack), phase, repo, where, tuple(because), after)


def _assumed(stack: Stack) -> Iterator[Planned]:
    sites = {target.site.id: target.site for target in assuming(stack)}
    for repo in sorted({site.repo for site in sites.values()}):
        held = [site for site in sites.values() if site.repo == repo and not assume.movable(site)]
        why = [Refusal(site.place, site.why_not or "it is not moved by an edit", "by hand") for site in held]
        because = (_refused("assume-role", stack, one) for one in why)
        yield _step("assume-role", repo, stack, Standing.REFUSED if held else Standing.OPEN, because)


def _pin(
    world: World, repo: RepoId, backends: Sequence[Backend], pins: Raises, roles: tuple[str, ...]
) -> Planned:
    answers = [pins[root_of(b)] for b in backends if root_of(b) in pins]
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    where = Standing.REFUSED if refused else Standing.OPEN if answers else Standing.DONE
    because = (_refused("pin", world.stack, answer) for answer in refused)
    after = tuple(step for step in roles if step == _id("assume-role", repo, world.stack))
    return _step("pin", repo, world.stack, where, because, after)


def _refused(gate: str, stack: Stack, answer: Refusal | Suggestion) -> Verdict:
    remedy = answer.remedy if isinstance(answer, Refusal) else answer.text
    return Verdict(gate, str(stack.id), Outcome.BROKEN, answer.why, remedy, where=answer.where)


def _readers(stack: Stack, held: Held) -> Iterator[Planned]:
    for repo in sorted({reader.repo for reader in stack.readers}):
        naming = [r for r in stack.readers if r.repo == repo and names_table(r)]
        refused = [held[reader.id] for reader in naming if reader.id in held]
        if naming:
            because = (_refused("readers", stack, answer) for answer in refused)
            yield _step("readers", repo, stack, Standing.REFUSED if refused else Standing.OPEN, because)


def _after_pins(world: World, pins: Raises) -> World:
    """The world once every pin that can be raised is: what the pin step cures holds nothing back."""
    backends = tuple(_pinned(backend, pins.get(root_of(backend))) for backend in world.stack.backends)
    return replace(world, stack=replace(world.stack, backends=backends))


def _pinned(backend: Backend, answer: Raise | Refusal | None) -> Backend:
    if not isinstance(answer, Raise):
        return backend
    texts = dict(answer.texts)
    pins = [replace(pin, version=Known(texts[pin])) if pin in texts else pin for pin in backend.pins]
    if answer.first:
        site = backend.inputs[0]
        new = Pin(
            backend.repo, site.path, "required_version", "constraint", None, Known(answer.first),
            site.span, site.line, backend.root,
        )  # fmt: skip
        pins.append(new)
    return replace(backend, pins=tuple(pins))


def _dual(world: World, repo: RepoId, backends: Sequence[Backend], held: Held) -> Planned:
    stack = world.stack
    refused = [held[site.id] for b in backends for site in b.inputs if site.id in held]
    if all(_takes_lockfile(b, refused=bool(refused)) for b in backends):
        return _step("dual-lock", repo, stack, Standing.DONE)
    verdicts = judge(BY_PHASE["dual-lock"], world)
    refused += [_unlocked(backend, stack) for backend in backends if backend.lock == Known(Lock.NONE)]
    because = (*(_refused("dual-lock", stack, answer) for answer in refused), *_told(verdicts))
    where = Standing.REFUSED if refused else standing(verdicts)
    return _step("dual-lock", repo, stack, where, because, (_id("pin", repo, stack),))


def _unlocked(backend: Backend, stack: Stack) -> Refusal:
    """What is not locked beside others that are: the step changes those alone."""
    remedy = ADOPTING if uses_no_table(stack) else "write dynamodb_table and use_lockfile there by hand"
    return Refusal(backend.place, "it takes no lock, and this step adds none there", remedy)


def _takes_lockfile(backend: Backend, *, refused: bool) -> bool:
    """Whether its source does all that dual-lock asks for, whatever else init is given."""
    written = backend.table is not None and lockfile(backend.settings) == Known(value=True)
    return backend.lock in (Known(Lock.BOTH), Known(Lock.LOCKFILE)) or (written and not refused)


def _retire(world: World, repo: RepoId, backends: Sequence[Backend], needed: tuple[str, ...]) -> Planned:
    stack = world.stack
    if all(b.lock == Known(Lock.LOCKFILE) for b in backends):
        return _step("retire", repo, stack, Standing.DONE)
    verdicts = judge(BY_PHASE["retire"], world)
    return _step("retire", repo, stack, standing(verdicts), _told(verdicts), needed)


def _told(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    return (verdict for verdict in verdicts if verdict.worth_saying)


def _order(steps: Iterable[Planned]) -> Iterator[str]:
    """Each step after those it needs; where the gates leave it free, by step, repository and state."""
    left = {step.id: step for step in steps if step.standing is not Standing.DONE}
    sorter = TopologicalSorter({step.id: [a for a in step.after if a in left] for step in left.values()})
    sorter.prepare()
    rank = {step.phase: at for at, step in enumerate(STEPS)}
    ready: list[tuple[int, str]] = []
    while sorter.is_active():
        for step_id in sorter.get_ready():
            heappush(ready, (rank[left[step_id].phase], step_id))
        _, first = heappop(ready)
        yield first
        sorter.done(first)
