"""The second parser's grammar, kept in the user's own cache: without one, every edit makes it anew."""

from __future__ import annotations

import os

from migrate.files import cache
from migrate.leaves import keep_grammar_in


def keep_grammar() -> None:
    if folder := cache(os.environ):
        keep_grammar_in(folder)
