"""What was found in all files, joined: roots, effective backends, states and who reads them."""

from migrate.estate.join import join
from migrate.estate.survey import Survey, worlds

__all__ = ["Survey", "join", "worlds"]
