"""Version files that are links to files of other names: `.terraform-version` → `../versions/terraform`."""

from __future__ import annotations

from msgspec.structs import replace

from migrate.campaign.reading.collector import Collector
from migrate.campaign.reading.partials import Reader, source_at
from migrate.model import Source
from migrate.pins import PINS


def take_linked(collected: Collector, reader: Reader) -> None:
    """Read each as what its link is called; the pin stands in the real file, which is not edited."""
    for target, links in collected.aliases.items():
        for link in links:
            if link.name != target.name and any(link.name in line.FILES for line in PINS):
                source = source_at(collected.repo, target, reader)
                if isinstance(source, Source):
                    collected.sources.setdefault(target, source)
                    plugs = (line for line in PINS if link.name in line.FILES)
                    pins = (pin for line in plugs for pin in line.find(replace(source, path=link)).items)
                    collected.pins += (replace(pin, path=target) for pin in pins)
