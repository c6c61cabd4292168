"""Terraform's constraint language, the least change that raises a floor, and the table of engine releases."""

from migrate.versions.choice import best, better, chosen, straddles
from migrate.versions.constraint import Constraints, common, parse
from migrate.versions.engines import FACTS, FIRST_LOCKFILE, FLOORS, against
from migrate.versions.engines.fact import Bearing, EngineFact
from migrate.versions.engines.terraform import REMOVED_ARGUMENTS
from migrate.versions.floor import Refused, admitted_below, raised
from migrate.versions.release import EVERY_RELEASE, Malformed, Range, Release, Releases, overlap
from migrate.versions.tools import KNOWN, TITLES, Tool, newest

__all__ = [
    "EVERY_RELEASE",
    "FACTS",
    "FIRST_LOCKFILE",
    "FLOORS",
    "KNOWN",
    "REMOVED_ARGUMENTS",
    "TITLES",
    "Bearing",
    "Constraints",
    "EngineFact",
    "Malformed",
    "Range",
    "Refused",
    "Release",
    "Releases",
    "Tool",
    "admitted_below",
    "against",
    "best",
    "better",
    "chosen",
    "common",
    "newest",
    "overlap",
    "parse",
    "raised",
    "straddles",
]
