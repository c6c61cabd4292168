"""Version files that are links to files of other names: `.terraform-version` → `../versions/terraform`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from migrate.campaign.reading.partials import Reader, source_at
from migrate.campaign.reading.taking import Taking
from migrate.model import Pin, Source
from migrate.pins import PINS


def take_linked(gathered: Taking, reader: Reader) -> None:
    """Read each as what its link is called; the pin stands in the real file, which is not edited."""
    for target, links in gathered.aliases.items():
        for link in links:
            if link.name != target.name and any(link.name in line.FILES for line in PINS):
                source = source_at(gathered.repo, target, reader)
                if isinstance(source, Source):
                    gathered.sources.setdefault(target, source)
                    gathered.pins += _pins(replace(source, path=link), source)


def _pins(linked: Source, real: Source) -> Iterator[Pin]:
    for line in PINS:
        if linked.path.name in line.FILES:
            for pin in line.find(linked).items:
                yield replace(pin, path=real.path)
