"""The promises of an edit: it changes what its phase must and nothing else."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeAlias

from tests import hashicorp
from tests.corpus import fmt
from tests.corpus.program import Edit, Site
from tests.corpus.promises import Broken
from tests.corpus.wishes import WISHES, Change, unmet

SCREEN = 40
PROVABLE = frozenset({".tf", ".tofu", ".hcl", ".tfbackend", ".tfvars", ".json"})
Snapshot: TypeAlias = Mapping[str, bytes]


def snapshot(folder: Path) -> Snapshot:
    """Every real file of a work tree, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    named = ((path.relative_to(folder), path) for path in files)
    return {str(name): path.read_bytes() for name, path in named if ".git" not in name.parts}


def differing(before: Snapshot, after: Snapshot) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def broken_by(
    name: str, sites: Sequence[Site], before: Snapshot, after: Snapshot, made: Edit
) -> list[Broken]:
    """`sites` are those an audit finds in `before`."""
    paths = differing(before, after)
    old, new = ({path: side.get(path, b"") for path in paths} for side in (before, after))
    changes = {path: WISHES[name].changes(_text(old[path]), _text(new[path])) for path in paths}
    return [
        *misreported(old, new, made),
        *passed_over(name, sites, changes, made),
        *(broken for path in paths for broken in lines_beyond(name, path, changes[path])),
        *(broken for path in paths for broken in unscreened(name, path, changes[path])),
        *(broken for path in paths for broken in ends_changed(path, _text(old[path]), _text(new[path]))),
        *as_others_see(name, old, new),
    ]


def passed_over(
    name: str, sites: Sequence[Site], changes: Mapping[str, Sequence[Change]], made: Edit
) -> Iterator[Broken]:
    """What the phase was to change is changed, or there is a word on why not."""
    touched = {(path, change.line) for path, changed in changes.items() for change in changed}
    said = {(one["path"], one["line"]) for one in (*made["refusals"], *made["suggestions"])}
    for site in sites:
        # One line more: what is added below the last line of a site without braces stands there.
        lines = {(site["path"], line) for line in range(site["line"], site["end_line"] + 2)}
        if unmet(name, site) and site["why_not"] is None and lines.isdisjoint(touched | said):
            yield Broken(
                "neither edited nor refused", site["path"], site["line"], f"{name}: a {site['role']}"
            )


def misreported(old: Snapshot, new: Snapshot, made: Edit) -> Iterator[Broken]:
    """The report names each file that changed, with the sums of what stood and what stands there."""
    told = {file["path"]: (file["sha256_before"], file["sha256_after"]) for file in made["files"]}
    seen = {name: (_sum(old[name]), _sum(new[name])) for name in old}
    for name in sorted({*told, *seen}):
        if told.get(name) != seen.get(name):
            yield Broken("misreported", name, 0, f"said {told.get(name)}, is {seen.get(name)}")
    for file in made["files"]:
        if file["proof"] is None and PurePosixPath(file["path"]).suffix in PROVABLE:
            yield Broken("without proof", file["path"], 0, "the second parser has not voted")


def lines_beyond(phase: str, name: str, changes: Iterable[Change]) -> Iterator[Broken]:
    """Every line that changed is one the phase had to change."""
    for change in changes:
        if not WISHES[phase].allows(change):
            yield Broken("line changed", name, change.line, f"{change.old!r} → {change.new!r}")


def unscreened(phase: str, name: str, changes: Sequence[Change]) -> Iterator[Broken]:
    """A grant is read at one sight: no run of added lines is longer than a screen."""
    added = [change for change in changes if WISHES[phase].grants and not change.old]
    runs = Counter(change.line for change in added)
    for line, count in runs.items():
        if count > SCREEN:
            yield Broken("longer than a screen", name, line, f"{count} lines")


def ends_changed(name: str, before: str, after: str) -> Iterator[Broken]:
    """Line ends and a byte order mark are as before."""
    if not _line_ends(after) <= _line_ends(before) or before.startswith("\ufeff") != after.startswith(
        "\ufeff"
    ):
        yield Broken("line ends changed", name, 0, f"{_line_ends(before)} → {_line_ends(after)}")


def as_others_see(phase: str, old: Snapshot, new: Snapshot) -> Iterator[Broken]:
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
            yield from misparsed(phase, name, was["tree"], trees[f"new/{name}"])


def reformatted(name: str, before: str | None, after: str | None) -> Iterator[Broken]:
    if before != after:
        yield Broken("format changed", name, 0, f"{before} → {after}")


def misparsed(
    phase: str, name: str, before: hashicorp.Attributes, after: hashicorp.Answer
) -> Iterator[Broken]:
    if "tree" not in after:
        yield Broken("no longer parses", name, 0, after["error"])
        return
    for route in WISHES[phase].beyond(before, after["tree"]):
        yield Broken("attribute changed", name, 0, route)


def _line_ends(text: str) -> set[str]:
    crlf = text.count("\r\n")
    return {kind for kind, count in (("CRLF", crlf), ("LF", text.count("\n") - crlf)) if count}


def _text(content: bytes) -> str:
    return content.decode(errors="replace")


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
