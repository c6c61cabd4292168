"""The promises of an edit: it changes what its phase must and nothing else."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from tests import hashicorp
from tests.corpus import fmt
from tests.corpus.program import Edit
from tests.corpus.promises import Broken
from tests.corpus.wishes import WISHES, unmet

Snapshot: TypeAlias = Mapping[str, bytes]


def snapshot(folder: Path) -> Snapshot:
    """Every real file of a work tree, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    named = ((path.relative_to(folder), path) for path in files)
    return {str(name): path.read_bytes() for name, path in named if ".git" not in name.parts}


def differing(before: Snapshot, after: Snapshot) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def broken_by(phase: str, before: Snapshot, after: Snapshot, made: Edit) -> list[Broken]:
    names = differing(before, after)
    old, new = ({name: side.get(name, b"") for name in names} for side in (before, after))
    refused = Counter(refusal["path"] for refusal in made["refusals"])
    return [
        *misreported(old, new, made),
        *(broken for name in names for broken in lines_beyond(phase, name, old[name], new[name])),
        *as_others_see(phase, old, new, refused),
    ]


def misreported(old: Snapshot, new: Snapshot, made: Edit) -> Iterator[Broken]:
    """The report names each file that changed, with the sums of what stood and what stands there."""
    told = {file["path"]: (file["sha256_before"], file["sha256_after"]) for file in made["files"]}
    seen = {name: (_sum(old[name]), _sum(new[name])) for name in old}
    for name in sorted({*told, *seen}):
        if told.get(name) != seen.get(name):
            yield Broken("misreported", name, 0, f"said {told.get(name)}, is {seen.get(name)}")


def lines_beyond(phase: str, name: str, old: bytes, new: bytes) -> Iterator[Broken]:
    """Every line that changed is one the phase had to change; line ends and a BOM are as before."""
    before, after = old.decode(errors="replace"), new.decode(errors="replace")
    for change in WISHES[phase].changes(before, after):
        if not WISHES[phase].allows(change):
            yield Broken("line changed", name, change.line, f"{change.old!r} → {change.new!r}")
    if not _line_ends(after) <= _line_ends(before) or before.startswith("\ufeff") != after.startswith(
        "\ufeff"
    ):
        yield Broken("line ends changed", name, 0, f"{_line_ends(before)} → {_line_ends(after)}")


def as_others_see(phase: str, old: Snapshot, new: Snapshot, refused: Mapping[str, int]) -> Iterator[Broken]:
    """HashiCorp's parser sees exactly the wish, and `terraform fmt` says of each file what it said before."""
    sides = {f"{side}/{name}": files[name] for side, files in (("old", old), ("new", new)) for name in old}
    with TemporaryDirectory(prefix="tfrelock-corpus-") as scratch:
        for name, content in sides.items():
            Path(scratch, name).parent.mkdir(parents=True, exist_ok=True)
            Path(scratch, name).write_bytes(content)
        formats = fmt.verdicts(Path(scratch), list(sides))
        trees = dict(zip(sides, hashicorp.parse([Path(scratch, name) for name in sides]), strict=True))
    for name in old:
        yield from reformatted(name, formats.get(f"old/{name}"), formats.get(f"new/{name}"))
        if "tree" in (was := trees[f"old/{name}"]):
            yield from misparsed(phase, name, was["tree"], trees[f"new/{name}"], refused.get(name, 0))


def reformatted(name: str, before: str | None, after: str | None) -> Iterator[Broken]:
    if before != after:
        yield Broken("format changed", name, 0, f"{before} → {after}")


def misparsed(
    phase: str, name: str, before: hashicorp.Attributes, after: hashicorp.Answer, refused: int
) -> Iterator[Broken]:
    """What differs is what the phase wants, and what the phase wants is done or refused."""
    if "tree" not in after:
        yield Broken("no longer parses", name, 0, after["error"])
        return
    for route in WISHES[phase].beyond(before, after["tree"]):
        yield Broken("attribute changed", name, 0, route)
    left = unmet(phase, after["tree"])
    if left > refused:
        yield Broken("neither edited nor refused", name, 0, f"{left} places, {refused} refusals")


def _line_ends(text: str) -> set[str]:
    crlf = text.count("\r\n")
    return {kind for kind, count in (("CRLF", crlf), ("LF", text.count("\n") - crlf)) if count}


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
