"""`iam check --self`: whether the role that runs here may lock each state, asked of the store itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from migrate.campaign.access.probes import Probe
from migrate.campaign.access.questions import of_session
from migrate.estate.effective import Settings, text
from migrate.estate.endpoints import spelled
from migrate.iam.asking import Answers, LockObject, Meaning, meaning
from migrate.model import Known, Seen, StateId, Unknown
from migrate.rules import callers_may_lock

_ROLES: Final = (
    "assume_role.role_arn",
    "role_arn",
    "assume_role_with_web_identity.role_arn",
    "assume_role",
    "assume_role_with_web_identity",
)
_KEYS: Final = ("access_key", "shared_credentials_file", "shared_credentials_files")
_STATE_IT: Final = "see what it leaves of the lock, then state callers-may-lock in facts"
_NAME_THEM: Final = "whether any is used is not known: name those that are with --workspace, or default alone"


class Asker(Protocol):
    """Whoever asks, and what is answered."""

    @property
    def arn(self) -> str: ...
    @property
    def profile(self) -> str: ...
    def endpoint(self, region: str, /) -> str: ...
    def ask(self, lock: LockObject, /) -> Answers: ...


def ask(probed: Sequence[Probe], asker: Asker, at: str) -> tuple[Seen, ...]:
    """One fact for each state. `at` is the time, ISO 8601. Raises what `asker` raises."""
    told: dict[str, list[str]] = {}
    holds: dict[str, set[bool | None]] = {}
    for probe, meant in _meanings(probed, asker):
        state = str(probe.backend.state)
        told.setdefault(state, []).append(f"{probe}: {meant.because}")
        holds.setdefault(state, set()).add(meant.holds)
    return tuple(
        Seen(callers_may_lock.NAME, state, _together(holds[state]), asker.arn, at, _joined(lines))
        for state, lines in told.items()
    )


def _joined(lines: Iterable[str]) -> str:
    return "; ".join([*dict.fromkeys(lines), "rights to KMS keys were not asked for"])


def _together(holds: set[bool | None]) -> bool | None:
    """One "no" decides; otherwise anything short of "yes" leaves it unknown."""
    return False if False in holds else None if None in holds else True


def _meanings(probed: Sequence[Probe], asker: Asker) -> Iterator[tuple[Probe, Meaning]]:
    """Each lock is asked about once, however many backends have it."""
    seen: dict[LockObject, Meaning] = {}
    for probe in probed:
        if why := _held_back(probe, asker):
            yield probe, Meaning(None, f"not asked: {why}")
        elif isinstance(probe.lock, Known):
            lock = probe.lock.value
            seen[lock] = seen[lock] if lock in seen else meaning(asker.ask(lock))
            yield probe, _weighed(probe, seen[lock])


def _weighed(probe: Probe, meant: Meaning) -> Meaning:
    """A "no" to a sample counts where workspaces are known to be used."""
    if meant.holds is False and not probe.counts:
        return Meaning(None, f"{meant.because}, and {_NAME_THEM}")
    return meant


def _held_back(probe: Probe, asker: Asker) -> str | None:
    """Why a lock is not asked about: unknown, elsewhere, or taken by another, or in a session unlike ours."""
    if isinstance(probe.lock, Unknown):
        return probe.lock.why
    state = probe.backend.state
    endpoint = state.endpoint if isinstance(state, StateId) else None
    if endpoint and endpoint != spelled(asker.endpoint(probe.lock.value.region)):
        return f"the backend names {endpoint}, the environment does not"
    other = _another(probe.backend.settings, asker)
    if other:
        return f"the backend locks as {other}: run this as that one"
    own = of_session(probe.backend.settings)
    return f"the backend's {own} is of its own sessions: {_STATE_IT}" if own else None


def _another(settings: Settings, asker: Asker) -> str | None:
    """Who takes the lock with these settings, if that is not whoever asks."""
    role = next((fact for name in _ROLES if (fact := text(settings, name))), None)
    if role:
        known = role.value if isinstance(role, Known) else role.why
        return None if _is_session(asker.arn, known) else known
    profile = text(settings, "profile")
    if profile and profile != Known(asker.profile):
        return f"profile {profile.value if isinstance(profile, Known) else profile.why}"
    return "the keys it names" if any(text(settings, name) for name in _KEYS) else None


def _is_session(arn: str, role: str) -> bool:
    """`arn:aws:sts::1:assumed-role/ci/run` is a session of `arn:aws:iam::1:role/path/ci`."""
    said, wanted = arn.split(":"), role.split(":")
    if len(said) != 6 or len(wanted) != 6 or not said[5].startswith("assumed-role/"):
        return False
    return (said[1], said[4], said[5].split("/")[1]) == (wanted[1], wanted[4], wanted[5].split("/")[-1])
