"""What the choices of a release become: version files, pipelines, images. One may serve many roots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from migrate.campaign.pinning.bounds import Bounds, admitted, known
from migrate.estate.floors import constraints, floor, tool_of
from migrate.estate.roots import RootId
from migrate.model import Backend, Estate, Known, Pin, Refusal
from migrate.versions import EVERY_RELEASE, Malformed, Release, Tool, better, chosen, overlap, straddles

Moves: TypeAlias = Mapping[Pin, "str | Refusal"]


def moves(
    estate: Estate, roots: Mapping[RootId, Backend], bounds: Mapping[RootId, Bounds | Refusal]
) -> Iterator[tuple[Pin, str | Refusal]]:
    """What every choice of a release becomes that is below its floor, or breaks something."""
    holding: dict[Pin, list[RootId]] = defaultdict(list)
    for root, backend in roots.items():
        for pin in backend.pins:
            if pin.kind == "exact":
                holding[pin].append(root)
    for pin, holders in holding.items():
        backend = roots[holders[0]]
        served = [root for root in holders if serves(pin, roots[root])]
        tool = tool_of(pin, backend)
        move = _moved(pin, floor(estate, tool), tool, [bounds[root] for root in served or holders])
        if move is not None:
            yield pin, move


def serves(pin: Pin, backend: Backend) -> bool:
    """Whether the root's own constraints admit what the pin chooses: else that cannot be in use there."""
    of_engine, of_terragrunt = constraints(backend)
    own = of_terragrunt if pin.engine == "terragrunt" else of_engine
    meant = chosen(pin.version.value) if isinstance(pin.version, Known) else EVERY_RELEASE
    return not isinstance(meant, Malformed) and bool(meant & admitted(known(own)))


def _moved(pin: Pin, least: Release, tool: Tool, bounds: Sequence[Bounds | Refusal]) -> str | Refusal | None:
    """None where it may stay, or nobody can tell what it chooses."""
    meant = chosen(pin.version.value) if isinstance(pin.version, Known) else EVERY_RELEASE
    if isinstance(meant, Malformed) or not isinstance(pin.version, Known):
        return None
    held = next((bound for bound in bounds if isinstance(bound, Refusal)), None)
    able = [bound.admitted.get(tool, EVERY_RELEASE) for bound in bounds if isinstance(bound, Bounds)]
    text = better(pin.version.value, least, tool, overlap(able))
    if text == pin.version.value or (text is None and straddles(meant, least)):
        return None
    if held:
        return Refusal(pin.place, f"it serves {held.where}, where {held.why}", held.remedy)
    return text or Refusal(pin.place, f"no known {tool} from {least} on is admitted", "choose one by hand")
