"""Which files a walk gives to the plugs."""

from __future__ import annotations

from migrate.campaign.reading.one_file import interest
from migrate.policies import POLICIES


def test_few_tokens_are_looked_for_in_the_code_that_most_files_are() -> None:
    """Some passes over a text know 64 names at most; the next slower one takes three times as long."""
    wanted = interest(tuple(POLICIES))
    assert wanted.among.hold("main.tf")
    assert set(wanted.few) < set(wanted.tokens)
    assert len(wanted.few) <= 64
