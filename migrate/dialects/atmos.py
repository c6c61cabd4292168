"""Atmos: `backend.s3` of stack files, and its twin `remote_state_backend.s3`, which only reads.

A stack file is merged with those that it imports, so one map is rarely all there is of a backend: a file that
imports or names components is read for that alone. A map is edited line by line; one on a single line is
refused with the words to write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import wishes, yamltree
from migrate.model import Fact, Known, LockWish, Refusal, Role, Scalar, Setting, Site, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.settings import IMPORTED, borrowed, of_scalar
from migrate.sites import Sheet, twice, unread
from migrate.templating import Template
from migrate.text import Drop, InsertAfter, Op, Span, Syntax, lead

NAME: Final = "atmos"

_LINE: Final = "use_lockfile: true"
_ROLES: Final[dict[str, Role]] = {"backend": "generator", "remote_state_backend": "reader"}
_LOCK: Final = frozenset({*wishes.TABLE, "use_lockfile"})
_UNREAD: Final = "a stack file names it here in no backend that is read"
_LOOK: Final = "look at what it configures, and change it by hand in the same steps"
_FLOW: Final = "the map is written in braces"
_CONDITION: Final = ", under a condition of the template"
_IN_EACH: Final = "change it by hand, in every branch"
_EMPTIED: Final = "nothing but the table stands in this map: it would be left empty"
_TAKE_OUT: Final = "take the map out by hand, with the keys that lead to it alone"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yaml", ".yml")


def find(source: Source, /) -> Found[Site]:
    """The maps of S3 backends; in a file that has one, every line that names a lock setting elsewhere too."""
    if "backend" not in source.text:
        return Found()
    sheet, template = Sheet(source, NAME), Template(source.text)
    nodes = [found for document in yamltree.parse(source.text) for found in yamltree.walk(document)]
    sites = [
        _site(sheet, template, route, node) for route, node in nodes if _is_backend(route) and _says(node)
    ]
    rest = unread(sheet, (s.span for s in sites), _UNREAD) if sites else ()
    return Found(sheet.found([*sites, *rest]).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if not found.settings:
        return Refusal(found.place, _UNREAD, _LOOK)
    decided = next((s for s in found.settings if s.name in _LOCK and _is_decided(s)), None)
    if decided and wish is not LockWish.ASSUME and wishes.concerns(wish, found):
        return Refusal(found.place, f"{decided.name} stands under a condition of the template", _IN_EACH)
    text, answer = sources[found.path].text, wishes.edit(sources[found.path], found, wish, Syntax.PLAIN)
    if isinstance(answer, Refusal):
        return answer
    ops = [_spelled(op) for op in answer.get(found.path, ())]
    in_braces = text[: found.span.start].rstrip().endswith("{")
    shared = next((op for op in ops if in_braces or not _has_lines(text, op.span)), None)
    if shared:
        said = f"add {_LINE}" if isinstance(shared, InsertAfter) else f"change {shared.span.of(text)}"
        return Refusal(found.place, _FLOW, f"{said} there by hand, or give each setting its line")
    dropped = {op.span for op in ops if isinstance(op, Drop)}
    if dropped and all(s.span in dropped or not s.by_name for s in found.settings):
        return Refusal(found.place, _EMPTIED, _TAKE_OUT)
    return {found.path: tuple(ops)} if ops else {}


def _is_backend(route: yamltree.Route) -> bool:
    return len(route) > 2 and route[-1] == "s3" and route[-2] in _ROLES and "terraform" in route[:-2]


def _says(node: yamltree.Node) -> bool:
    return isinstance(node, yamltree.Alias) or (isinstance(node, yamltree.Mapping) and bool(node.members))


def _site(sheet: Sheet, template: Template, route: yamltree.Route, node: yamltree.Node) -> Site:
    """A map that names no lock may get one from what the stack imports: its lock is not known."""
    written, role = _settings(sheet.source.text, node), _ROLES[str(route[-2])]
    settings = [_told(template, one) for one in written]
    names = Counter(setting.name for setting in settings if setting.by_name)
    span = Span(min(s.span.start for s in settings), max(s.span.end for s in settings))
    settings += [s for at in _brought(template, span) for s in borrowed(sheet.source.text, at)]
    if role == "generator" and not names.keys() & _LOCK:
        settings.append(Setting("use_lockfile", IMPORTED, span, span))
    again = [name for name, count in names.items() if count > 1]
    return sheet.made(role, ".".join(map(str, route)), span, settings, twice(again))


def _settings(text: str, node: yamltree.Node) -> Iterator[Setting]:
    """The settings of a map, nested ones with dotted names; all is possible of one that stands elsewhere."""
    if not isinstance(node, yamltree.Mapping):
        yield from borrowed(text, _whole(node))
        return
    for member in node.members:
        key = _whole(member.key)
        value = (member.value and _whole(member.value)) or Span(key.end + 1, key.end + 1)
        value = Span(value.start, value.start + len(value.of(text).rstrip()))  # lines of text end theirs
        if member.key.value == "<<":
            yield from borrowed(text, value)
            continue
        yield Setting(member.key.value, _fact(text, member), Span(key.start, value.end), value)
        if isinstance(member.value, yamltree.Mapping):
            inner = _settings(text, member.value)
            yield from (replace(s, name=f"{member.key.value}.{s.name}") for s in inner)


def _brought(template: Template, around: Span) -> Iterator[Span]:
    """Lines of the template's own, in a map or at its ends, that may bring more of it."""
    before, after = template.shown[: around.start].rstrip(), template.shown[around.end :].lstrip()
    region = Span(len(before), len(template.shown) - len(after))
    return (at for at in template.inserts if region.contains(at))


def _told(template: Template, setting: Setting) -> Setting:
    """What a condition of a template decides is not known."""
    said = setting.value.why if isinstance(setting.value, Unknown) else f"{setting.value.value}"
    decided = template.arms(setting.span.start, 0)
    return replace(setting, value=Unknown(f"{said}{_CONDITION}")) if decided else setting


def _is_decided(setting: Setting) -> bool:
    return isinstance(setting.value, Unknown) and setting.value.why.endswith(_CONDITION)


def _whole(node: yamltree.Node) -> Span:
    """All characters of a node, with its quotes."""
    match node:
        case yamltree.Scalar(span=span, style="single" | "double"):
            return Span(span.start - 1, span.end + 1)
        case yamltree.Scalar(span=span) | yamltree.Alias(span=span):
            return span
        case yamltree.Mapping(members):
            return _around(part for m in members for part in (m.key, m.value))
        case yamltree.Sequence(items):
            return _around(items)


def _around(nodes: Iterable[yamltree.Node | None]) -> Span:
    spans = [span for span in (_whole(node) for node in nodes if node) if span]
    return Span(min(s.start for s in spans), max(s.end for s in spans)) if spans else Span(0, 0)


def _fact(text: str, member: yamltree.Member) -> Fact[Scalar]:
    """A literal; no function of Atmos (`!env …`), nothing of a template, no alias, no lines of text."""
    value = member.value
    if value is None:
        return Known(None)
    whole = _whole(value)
    tag = text[member.key.span.end : whole.start].partition(":")[2].strip()
    if not isinstance(value, yamltree.Scalar) or "!" in tag or value.style == "block":
        return Unknown(f"{tag} {whole.of(text)}".strip())
    return of_scalar(member.key.value, value)


def _spelled(op: Op) -> Op:
    return replace(op, lines=(_LINE,)) if isinstance(op, InsertAfter) else op


def _has_lines(text: str, span: Span) -> bool:
    """Whether nothing but a comment shares the lines of what is at `span`."""
    before = lead(text, span.start).lstrip("\ufeff")
    end = text.find("\n", span.end)
    after = text[span.end : end if end >= 0 else len(text)].strip()
    return (not before.strip() or before.rstrip().endswith(":")) and (not after or after.startswith("#"))
