"""Operator and repository configuration: text in, frozen values out, all mistakes at once with their lines.

Two files, two trusts: `operator` may say everything, `repository` only what a stranger may say.
"""

from migrate.config.operator import Access, Operator, ProposalStyle, ended, read_operator
from migrate.config.reading import Leaf, Loaded, Mistake
from migrate.config.repository import NAME, Local, Waiver, read_local

__all__ = [
    "NAME",
    "Access",
    "Leaf",
    "Loaded",
    "Local",
    "Mistake",
    "Operator",
    "ProposalStyle",
    "Waiver",
    "ended",
    "read_local",
    "read_operator",
]
