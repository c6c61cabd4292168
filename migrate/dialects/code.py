"""Programs that build a backend: CDKTF in its five languages, and whatever else names the table or begins a
block. Never edited.

`S3Backend(…)` and `DataTerraformRemoteStateS3(…)` are read as far as they hold literals. Every other place of
a program is one site for the whole file, so that it is listed and nobody takes it for covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.mentions import TOKENS as NAMED
from migrate.mentions import looks_like
from migrate.model import Fact, Known, LockWish, Refusal, Role, Scalar, Setting, Site, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.sites import Sheet
from migrate.spelling.calls import STRING, ended
from migrate.text import Span, lead
from migrate.wishes import assume

NAME: Final = "code"

_PROGRAMS: Final = frozenset(
    {".ts", ".tsx", ".js", ".mjs", ".cjs", ".py", ".go", ".java", ".kt", ".cs", ".groovy", ".rb"}
)

_CALL: Final = re.compile(
    r"\b(?:New)?(S3Backend|DataTerraformRemoteStateS3)(?:Config|Props)?\b[\w.<>]*\s*[({]"
)
_ROLES: Final[dict[str, Role]] = {"S3Backend": "code", "DataTerraformRemoteStateS3": "reader"}
_ARGUMENT: Final = re.compile(
    rf"[.\s,{{(](?P<name>[A-Za-z]\w*)\s*[:=(]\s*(?:jsii\.(?:String|Bool)\()?(?P<value>{STRING}|[^\s,;)}}]+)"
)
_NAMES: Final = {
    "bucket": "bucket",
    "key": "key",
    "region": "region",
    "encrypt": "encrypt",
    "dynamodbtable": "dynamodb_table",
    "uselockfile": "use_lockfile",
    "workspacekeyprefix": "workspace_key_prefix",
    "rolearn": "role_arn",
}
_BEGUN: Final = re.compile(r"""\bbackend(?:["']\s*:\s*\{\s*["']s3["']\s*:|[ \t]+\\?"s3\\?"\s*\{)""")
_TEST: Final = re.compile(r"(?:\A|/)(?:tests?/|test_)|[._](?:test|spec)\.\w+\Z")
_WORDS: Final[dict[str, Scalar]] = {"true": True, "false": False, "True": True, "False": False}

_WHY: Final = "a program builds this: it is reported, never edited"
_OVERRIDE: Final = 'addOverride("terraform.backend.s3.use_lockfile", true);'
_OVERRIDES: Final = {
    ".py": 'add_override("terraform.backend.s3.use_lockfile", True)',
    ".go": 'AddOverride(jsii.String("terraform.backend.s3.use_lockfile"), jsii.Bool(true))',
    ".cs": 'AddOverride("terraform.backend.s3.use_lockfile", true);',
}
_DROP: Final = "delete the table's argument from this call"
_MOVE: Final = "give assumeRole instead of them, or an override of terraform.backend.s3.assume_role"
_LOOK: Final = "look at what this program writes, and change it by hand in the same steps"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in _PROGRAMS


def find(source: Source, /) -> Found[Site]:
    """The calls that are understood, then one site for all places that stand elsewhere in the file."""
    sheet = Sheet(source, NAME)
    calls = list(_calls(sheet))
    rest = [at for at in _places(source) if not any(site.span.contains(at) for site in calls)]
    if rest:
        span = Span(min(at.start for at in rest), max(at.end for at in rest))
        calls.append(sheet.site("code", "program", span, (), _WHY))
    return Found(sheet.found(calls).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    """Always a refusal where it concerns the call; of CDKTF with what to write in the stack."""
    if wish is LockWish.ASSUME:
        return assume.left(found, _MOVE) or {}
    if found.name.startswith("program"):
        return Refusal(found.place, _WHY, _LOOK)
    adding = wish in (LockWish.DUAL, LockWish.ADOPT)
    override = f"in the stack: {_OVERRIDES.get(found.path.suffix, _OVERRIDE)}"
    return Refusal(found.place, _WHY, override if adding else _DROP)


def _places(source: Source) -> Iterator[Span]:
    """Every token, and where a text begins a backend: the test of a program begins one to try it out."""
    for token in NAMED:
        for named in re.finditer(rf"(?<!\w){token}(?!\w)", source.text):
            yield Span(*named.span())
    for begun in () if _TEST.search(str(source.path)) else _BEGUN.finditer(source.text):
        if looks_like(source.path, lead(source.text, begun.start())) != "comment":
            yield Span(*begun.span())


def _calls(sheet: Sheet) -> Iterator[Site]:
    text, end = sheet.source.text, 0
    for match in _CALL.finditer(text):
        if match.start() < end:
            continue
        end = ended(text, match.end() - 1, match.group())
        span = Span(match.start(), end)
        settings = tuple(_settings(text, span))
        if settings:
            yield sheet.site(_ROLES[match.group(1)], f"code.{match.group(1)}", span, settings, _WHY)


def _settings(text: str, span: Span) -> Iterable[Setting]:
    for match in _ARGUMENT.finditer(text, span.start, span.end):
        name = _NAMES.get(match["name"].replace("_", "").lower())
        if name:
            whole, value = Span(match.start("name"), match.end("value")), Span(*match.span("value"))
            yield Setting(name, _fact(match["value"]), whole, value)


def _fact(value: str) -> Fact[Scalar]:
    """A literal; a template string with something filled in is none."""
    if value in _WORDS:
        return Known(_WORDS[value])
    quoted = len(value) > 1 and value[0] in "\"'`" and value[-1] == value[0]
    filled = "${" in value or "{" in value
    return Known(value[1:-1]) if quoted and not filled else Unknown(value)
