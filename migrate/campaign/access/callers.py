"""What source says of the callers of each state, as facts of the estate: the gate of the dual lock asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from migrate.callers import callers
from migrate.campaign.access.accounts import saved
from migrate.campaign.access.questions import questions
from migrate.campaign.access.roles import from_source
from migrate.campaign.access.runners import runners
from migrate.campaign.access.unread import unread_policies
from migrate.campaign.access.verdicts import check
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.config import Access
from migrate.iam.gaad import Account
from migrate.iam.holder import Holder, Row
from migrate.iam.judge import Answer
from migrate.iam.locks import Class
from migrate.model import Estate, RepoId, Shown, Stack, World
from migrate.roles import RoleName

_WORDS = {
    Class.OK: "may lock",
    Class.OK_AS_STATE: "may lock whenever it may write the state",
    Class.STUCK_LOCK: "stuck lock",
    Class.CANNOT_LOCK: "cannot lock",
    Class.PARTIAL_WORKSPACES: "cannot lock or release in every workspace",
    Class.UNKNOWN: "not known",
}


def with_callers(
    estate: Estate,
    inventories: Sequence[Inventory],
    accounts: Sequence[Account] = (),
    entries: Sequence[Access] = (),
) -> Estate:
    """The estate with what the given code says of who takes its locks; examples are nobody's roles.

    `accounts` are saved answers: of their roles those are told that something here names.
    """
    ours, asked, named = (
        Narrowing(examples=False),
        questions(estate, Narrowing()),
        runners(estate, inventories),
    )
    known = from_source(inventories, ours)
    view = saved(accounts, entries, known.around, asked)
    holders = (*known.holders, *_named_among(view.holders, named))
    rows = [
        *(check(known.holders, asked, known.around).rows if known.holders else ()),
        *check(holders[len(known.holders) :], asked, view.around).rows,
    ]
    shown: dict[str, list[Shown]] = defaultdict(list)
    for one in (
        *_shown(rows, named),
        *_unseen(holders, rows, named),
        *_unread(estate, inventories, ours),
    ):
        shown[one.state].append(one)
    return replace(estate, shown={state: tuple(found) for state, found in shown.items()})


def _named_among(holders: Iterable[Holder], named: Mapping[str, Sequence[RoleName]]) -> Iterator[Holder]:
    """The holders of an account that something here names: the others are none of ours."""
    every = {one.text: one for names in named.values() for one in names}.values()
    return (holder for holder in holders if any(_is_of(one, holder) for one in every))


def concerned(
    estate: Estate, repo: RepoId, stacks: Mapping[str, Stack], now: str, *, granting: bool
) -> tuple[Shown, ...]:
    """What a proposal tells of roles: those of its states; where it grants, every role made there."""
    of_states = (one for stack in stacks.values() for one in callers(World(stack, estate, now)))
    others = (one for state, found in estate.shown.items() if state not in stacks for one in found)
    made_here = (one for one in others if granting and one.where and one.where.repo == repo)
    return (*of_states, *made_here)


def _shown(rows: Sequence[Row], named: Mapping[str, Sequence[RoleName]]) -> Iterator[Shown]:
    """What the policies of each holder say."""
    for row in rows:
        outcome, state, name = row.verdict.outcome, str(row.state), _name(row.holder)
        able = outcome in (Class.OK, Class.OK_AS_STATE)
        run_as = next((one for one in named.get(state, ()) if _is_of(one, row.holder)), None)
        of_account = ", as its account was saved" if row.holder.by == "seen" else ""
        because = f"{_because(row)}{of_account}; {_named(run_as)}" if run_as else _because(row)
        yield Shown(
            state=state,
            role=str(row.holder),
            holds=able if row.is_known and not (run_as and run_as.session) else None,
            because=because,
            where=row.holder.where or (run_as.place if run_as else None),
            name=name,
            runs=run_as is not None and run_as.locks,
        )


def _unseen(
    holders: Iterable[Holder], rows: Iterable[Row], named: Mapping[str, Sequence[RoleName]]
) -> Iterator[Shown]:
    """Roles that take the lock and of which no policy here says that they may write the state."""
    made, speaking = defaultdict[str, list[Holder]](list), defaultdict[str, list[Holder]](list)
    for holder in holders:
        made[_name(holder)].append(holder)
    for row in rows:
        speaking[str(row.state)].append(row.holder)
    for state, names in named.items():
        for one in names:
            if not any(_is_of(one, holder) for holder in speaking[state]):
                ours = [holder for holder in made.get(one.name or "", ()) if _is_of(one, holder)]
                yield _nothing_said(state, one, ours)


def _nothing_said(state: str, one: RoleName, ours: Sequence[Holder]) -> Shown:
    role = f"role/{one.name}" if one.name else f"the role of {one.text}"
    where = f"at {ours[0].where}" if ours and ours[0].where else "in its account, as that was saved,"
    because = (
        f"nothing that is attached to it {where} reaches the state"
        if ours
        else "what makes it is in none of the given repositories"
    )
    told = f"{_named(one)}, and {because}"
    return Shown(state, role, None, told, one.place, name=one.name or "", runs=one.locks)


def _named(one: RoleName) -> str:
    takes_none = "" if one.locks else "a provider's, which takes no lock: "
    less = f", which {one.session} may limit" if one.session else ""
    return f"{takes_none}named in {one.place}{less}"


def _unread(estate: Estate, inventories: Sequence[Inventory], ours: Narrowing) -> Iterator[Shown]:
    """Policies that cannot be read may be those of the roles of any state of their repository."""
    for one in unread_policies(inventories, ours):
        for stack in estate.stacks:
            if any(backend.repo == one.where.repo for backend in stack.backends):
                because = f"it cannot be read, so who may lock by it is not known: {one.why}"
                yield Shown(str(stack.id), f"the policy at {one.where}", None, because, one.where)


def _is_of(named: RoleName, holder: Holder) -> bool:
    """Whether a name can mean a role; source tells no account of those that it makes."""
    account = holder.caller.account
    return (
        holder.kind == "role"
        and named.name == _name(holder)
        and not (account and named.account and account != named.account)
    )


def _name(holder: Holder) -> str:
    return holder.caller.arn.rpartition("/")[2]


def _because(row: Row) -> str:
    """The class, and what of it is in the way."""
    wrong = [one for one in row.verdict.findings if one.decision.answer is not Answer.ALLOWED]
    actions = ", ".join(dict.fromkeys(one.need.request.action for one in wrong))
    words = _WORDS[row.verdict.outcome]
    taken = f", if {row.assumed[0]} is the state's bucket" if row.assumed else ""
    unseen = f", if nothing unseen of the {row.verdict.unseen[0]} denies it" if row.verdict.unseen else ""
    return f"{words}: {actions}{taken}{unseen}" if actions else f"{words}{taken}{unseen}"
