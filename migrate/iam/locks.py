"""What becomes of a lock that a principal takes: released, stuck, refused, or what is not known.

Answers that hang on the same condition as the state's own are worth having: each open doubt is answered both
ways, and what comes out the same in every world in which the state may be written is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.iam.address import Workspace
from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob
from migrate.iam.judge import Answer, Decision, Judge
from migrate.iam.needs import lock_needs, state_get, state_put, table_writes
from migrate.iam.question import Act, Need, Question
from migrate.iam.replies import Reply
from migrate.iam.statements import Assumed

Given: TypeAlias = Mapping[Doubt, bool]
"""Doubts with their answers."""

NOTHING: Final[Given] = {}
_MOST_DOUBTS: Final = 12


class Class(Enum):
    """What becomes of a lock, in the words people see."""

    OK = "ok"
    OK_AS_STATE = "ok-as-state"
    """Whenever the state may be written the lock may be taken and released: one condition decides both."""
    CANNOT_LOCK = "cannot-lock"
    STUCK_LOCK = "stuck-lock"
    """The lock is put and never deleted: every later run is refused."""
    PARTIAL_WORKSPACES = "partial-workspaces"
    UNKNOWN = "unknown"
    NOT_A_LOCKER = "not-a-locker"


GOOD: Final = frozenset({Class.OK, Class.OK_AS_STATE})
BAD: Final = (Class.PARTIAL_WORKSPACES, Class.STUCK_LOCK, Class.CANNOT_LOCK)
_WORST_FIRST: Final = (*BAD, Class.UNKNOWN, Class.OK_AS_STATE, Class.OK, Class.NOT_A_LOCKER)


class Finding(Struct, frozen=True):
    """One request of a lock and the answer to it, with nothing assumed but what is given."""

    need: Need
    decision: Decision


class LockVerdict(Struct, frozen=True):
    """What becomes of the lock of one state.

    `findings` are the answers that decided: all of them where all is well, else those that stand in the way.
    `workspaces` tells the class of each that was asked about, `default` among them; `asked` holds every
    answer, in their order.
    """

    outcome: Class
    findings: tuple[Finding, ...] = ()
    workspaces: Mapping[Workspace, Class] = field(default_factory=dict)
    asked: tuple[Finding, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What would settle it."""
        return tuple(dict.fromkeys(doubt for one in self.findings for doubt in one.decision.doubts))

    @property
    def unseen(self) -> tuple[str, ...]:
        """The layers that are not wholly visible and could turn it."""
        return tuple(dict.fromkeys(layer for one in self.findings for layer in one.decision.unseen))


def lock_verdict(
    judge: Judge,
    asked: Question,
    workspaces: Sequence[Workspace] = (),
    table: Glob | None = None,
    given: Given = NOTHING,
) -> LockVerdict:
    """What becomes of the lock in the default workspace, and in those named.

    `table` is the ARN of the lock table, with `*` for what of it is not known: who may write it and read the
    state locks too.
    `given` are the doubts that somebody has settled.
    """
    found = {one: _of_one(_case(judge, asked, one, table, given)) for one in ("default", *workspaces)}
    classes = {one: verdict.outcome for one, verdict in found.items()}
    telling = [verdict for verdict in found.values() if verdict.outcome in (*BAD, Class.UNKNOWN)]
    findings = tuple(finding for verdict in telling or found.values() for finding in verdict.findings)
    every = tuple(finding for verdict in found.values() for finding in verdict.asked)
    return LockVerdict(_together(set(classes.values())), findings, classes, every)


def workspace_verdict(
    judge: Judge, asked: Question, workspace: Workspace, table: Glob | None = None, given: Given = NOTHING
) -> LockVerdict:
    """What becomes of the lock in one workspace, the default one left aside."""
    found = _of_one(_case(judge, asked, workspace, table, given))
    return replace(found, workspaces={workspace: found.outcome})


def _together(classes: set[Class]) -> Class:
    """One class for all workspaces: a lock that is well in some and not in others is a finding of its own."""
    if classes & GOOD and classes & {*BAD}:
        return Class.PARTIAL_WORKSPACES
    return next(one for one in _WORST_FIRST if one in classes)


def _of_one(case: _Case) -> LockVerdict:
    findings, seen = case.findings(), set[Class]()
    first = case.ask(case.given.get)
    for result in (first,) if isinstance(first, Class) else _worlds(case.ask, case.given):
        seen |= {result} - {Class.NOT_A_LOCKER}
        if len(seen) > 1 or Class.UNKNOWN in seen:  # the worlds left, which may be thousands, change nothing
            return LockVerdict(Class.UNKNOWN, _open(findings), asked=findings)
    outcome = next(iter(seen), Class.NOT_A_LOCKER)
    if outcome is Class.OK and isinstance(first, Doubt):
        outcome = Class.OK_AS_STATE
    return LockVerdict(outcome, findings if outcome in GOOD else _open(findings), asked=findings)


def _worlds(ask: Callable[[Assumed], Class | Doubt], world: Given) -> Iterator[Class]:
    """What comes out in every world: each open doubt answered both ways."""
    result = ask(world.get)
    if isinstance(result, Class):
        yield result
    elif result in world or len(world) >= _MOST_DOUBTS:
        yield Class.UNKNOWN
    else:
        yield from _worlds(ask, {**world, result: True})
        yield from _worlds(ask, {**world, result: False})


def _open(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.decision.answer is not Answer.ALLOWED)


def _case(judge: Judge, asked: Question, workspace: Workspace, table: Glob | None, given: Given) -> _Case:
    in_table = (state_get(asked, workspace), *table_writes(asked, table)) if table else ()
    return _Case(
        put=Reply(judge.hear(state_put(asked, workspace))),
        in_table=tuple(Reply(judge.hear(request)) for request in in_table),
        needs=tuple((need, Reply(judge.hear(need.request))) for need in lock_needs(asked, workspace)),
        given=given,
    )


class _Case(Struct, frozen=True):
    """`put` writes the state; all of `in_table`, where there is one, read it and lock it in today's table."""

    put: Reply
    in_table: tuple[Reply, ...]
    needs: tuple[tuple[Need, Reply], ...]
    given: Given

    def findings(self) -> tuple[Finding, ...]:
        return tuple(Finding(need, self._decision(need, reply)) for need, reply in self.needs)

    def _decision(self, need: Need, reply: Reply) -> Decision:
        decision = reply.decide(self.given.get)
        if need.whether is None or decision.answer is Answer.ALLOWED:
            return decision
        return Decision(Answer.UNKNOWN, doubts=(need.whether, *decision.doubts))

    def ask(self, assumed: Assumed) -> Class | Doubt:
        """What becomes of the lock in one world, or the first doubt: the state's before its own."""
        locker = self._locks(assumed)
        if locker is Answer.DENIED:
            return Class.NOT_A_LOCKER
        result = self._lock(assumed)
        return locker if isinstance(result, Doubt) and isinstance(locker, Doubt) else result

    def _locks(self, assumed: Assumed) -> Answer | Doubt:
        """Whether the principal may write the state, or read it and lock it in today's table."""
        answers = [_answer(self.put, assumed)]
        if self.in_table:
            answers.append(_all([_answer(one, assumed) for one in self.in_table]))
        if Answer.ALLOWED in answers or Answer.PARTLY in answers:
            return Answer.ALLOWED
        return next((answer for answer in answers if isinstance(answer, Doubt)), Answer.DENIED)

    def _lock(self, assumed: Assumed) -> Class | Doubt:
        take, release = self._act("take", assumed), self._act("release", assumed)
        match take, release:
            case Answer.DENIED, _:
                return Class.CANNOT_LOCK
            case (Doubt() as doubt, _) | (_, Doubt() as doubt):
                return doubt
            case (Answer.PARTLY, _) | (_, Answer.PARTLY):
                return Class.PARTIAL_WORKSPACES
            case _, Answer.DENIED:
                return Class.STUCK_LOCK
            case _:
                return Class.OK

    def _act(self, act: Act, assumed: Assumed) -> Answer | Doubt:
        return _all([_needed(need, reply, assumed) for need, reply in self.needs if need.act == act])


def _needed(need: Need, reply: Reply, assumed: Assumed) -> Answer | Doubt:
    """The answer to a request that may not be sent at all."""
    answer = _answer(reply, assumed)
    if need.whether is None or answer is Answer.ALLOWED:
        return answer
    sent = assumed(need.whether)
    return need.whether if sent is None else answer if sent else Answer.ALLOWED


def _answer(reply: Reply, assumed: Assumed) -> Answer | Doubt:
    decision = reply.decide(assumed)
    return decision.doubts[0] if decision.answer is Answer.UNKNOWN else decision.answer


def _all(answers: list[Answer | Doubt]) -> Answer | Doubt:
    """What several requests come to, each of which is needed."""
    if Answer.DENIED in answers:
        return Answer.DENIED
    doubt = next((answer for answer in answers if isinstance(answer, Doubt)), None)
    return doubt or (Answer.PARTLY if Answer.PARTLY in answers else Answer.ALLOWED)
