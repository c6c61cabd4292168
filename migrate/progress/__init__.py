"""How far a campaign is: what happened, as events, and what that comes to, as values. No I/O, no clock."""

from migrate.progress.events import EVENTS, Event, Malformed, decoded, encoded
from migrate.progress.replay import Crossing, Entry, Offer, Progress, Recorded, State, replay
from migrate.progress.stuck import days, stuck
from migrate.progress.waves import CANARY, SLICES, Candidate, Wave, next_wave

__all__ = [
    "CANARY",
    "EVENTS",
    "SLICES",
    "Candidate",
    "Crossing",
    "Entry",
    "Event",
    "Malformed",
    "Offer",
    "Progress",
    "Recorded",
    "State",
    "Wave",
    "days",
    "decoded",
    "encoded",
    "next_wave",
    "replay",
    "stuck",
]
