"""The only room that touches the disk: finds repositories, reads each file once, writes by rename.

`discover` turns PATH arguments into repositories, `walk` gives what is in them, `follow` reads one file that
another one names, and `decode` makes text of bytes. What writes (`write`, `outbox`) is imported where it is
used. What a file means is not known here.
"""

from migrate.files.decode import decode
from migrate.files.follow import beside, follow
from migrate.files.items import HIDDEN, Interest, Item, Left, Linked, Names, Noted, Opened, Read, Unreadable
from migrate.files.names import SKIPPED, printable
from migrate.files.places import cache, configuration, data, load, load_folder, save, scratch
from migrate.files.repositories import Discovered, Repository, discover, may_be_sparse
from migrate.files.walk import walk

__all__ = [
    "HIDDEN",
    "SKIPPED",
    "Discovered",
    "Interest",
    "Item",
    "Left",
    "Linked",
    "Names",
    "Noted",
    "Opened",
    "Read",
    "Repository",
    "Unreadable",
    "beside",
    "cache",
    "configuration",
    "data",
    "decode",
    "discover",
    "follow",
    "load",
    "load_folder",
    "may_be_sparse",
    "printable",
    "save",
    "scratch",
    "walk",
]
