"""The parsed blocks of one file → its sites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec.structs import replace

from migrate import hcl
from migrate.dialects.terragrunt.generate import BACKEND, FILLED_IN, Document, document, unread
from migrate.dialects.terragrunt.maps import Map, Maps
from migrate.evaluation.terragrunt import Frame, alone
from migrate.mentions import TOKENS as NAMED
from migrate.model import Fact, Known, Scalar, Setting, Site, Unknown
from migrate.settings import IN_LOCALS, borrowed, may_be_s3, of_body, of_map, repeated, taken
from migrate.sites import Sheet, twice
from migrate.text import Span


class Reading:
    """One file: its `remote_state`, and its `generate` blocks with a backend in them."""

    def __init__(self, sheet: Sheet, tree: hcl.Tree) -> None:
        self._sheet = sheet
        self._text = sheet.source.text
        self._tree = tree

    def sites(self) -> Iterator[Site]:
        """All outcomes of one choice have one name: whoever numbers names tells them apart."""
        states = [site for item in self._tree.items for site in self._remote_states(item)]
        yield from states
        for block in self._generating:
            yield from self._generated(block, completed=bool(states))
        for one in self._tree.arguments:
            if one.name == "generate":
                yield from self._unread(one.name, one)

    def maps(self) -> Iterator[Site]:
        """Its literal maps that name a lock: a file that reads this one may make a backend of them."""
        for name, value in self._maps.locals.items():
            settings = tuple(of_body(self._text, value.items)) if isinstance(value, hcl.Object) else ()
            if any(setting.name in NAMED for setting in settings):
                known = [self._known(one) for one in settings]
                yield self._sheet.site(
                    "generator", f"{IN_LOCALS}{name}", value.span, known, twice(repeated(value))
                )

    def body(self, site: Site) -> Span | None:
        """The heredoc that a site stands in."""
        documents = (self._document(block) for block in self._generating)
        return next((one.body for one in documents if one and one.body.contains(site.span)), None)

    @cached_property
    def _maps(self) -> Maps:
        blocks = (block for block in self._tree.blocks if block.type == "locals")
        named = {str(one.name): one.value for block in blocks for one in block.arguments}
        return Maps(self._text, named)

    @cached_property
    def _frame(self) -> Frame:
        return alone(self._text)

    @property
    def _generating(self) -> Iterator[hcl.Block]:
        return (block for block in self._tree.blocks if block.type == "generate")

    def _remote_states(self, item: hcl.Item) -> Iterator[Site]:
        match item:
            case hcl.Block("remote_state", _, items):
                yield from self._remote_state(item.span, items)
            case hcl.Argument("remote_state", value):
                for whole, *more in self._maps.outcomes(value):
                    if isinstance(whole, hcl.Object) and not more:
                        yield from self._remote_state(item.span, whole.items)
                    else:
                        yield self._site(item.span, borrowed(self._text, value.span))
            case _:
                pass

    def _remote_state(self, span: Span, items: Iterable[hcl.Item]) -> Iterator[Site]:
        given = list(items)
        if not may_be_s3(given) or self._is_other(given):
            return
        configs = [_value(item) for item in given if _name(item) == "config"]
        again = ("config",) if len(configs) > 1 else ()
        for maps in self._maps.outcomes(configs[-1]) if configs else ((),):
            settings = (setting for one in maps for setting in of_map(self._text, one))
            yield self._site(span, settings, twice((*again, *repeated(*maps))))

    def _is_other(self, items: Iterable[hcl.Item]) -> bool:
        """Whether the kind of backend, followed through the locals of this file, is not s3."""
        kinds = [
            item.value.span.of(self._text)
            for item in items
            if isinstance(item, hcl.Argument) and item.name == "backend"
        ]
        return any(isinstance(kind, Known) and kind.value != "s3" for kind in map(self._frame.setting, kinds))

    def _site(self, span: Span, settings: Iterable[Setting], why_not: str | None = None) -> Site:
        known = [self._known(one) for one in settings]
        return self._sheet.site("writer", "remote_state", span, known, why_not)

    def _known(self, setting: Setting) -> Setting:
        """A setting with what the locals of this file make of it."""
        match setting.value:
            case Unknown(why) if setting.by_name:
                return replace(setting, value=self._taken(setting.name, why))
            case _:
                return setting

    def _taken(self, name: str, written: str) -> Fact[Scalar]:
        fact = self._frame.setting(written)
        return taken(name, fact.value, written) if isinstance(fact, Known) else fact

    def _document(self, block: hcl.Block) -> Document | None:
        value = block.value("contents")
        return document(self._text, self._maps.followed(value)) if value else None

    def _generated(self, block: hcl.Block, *, completed: bool) -> Iterator[Site]:
        """`completed`: an empty backend gets its arguments from the `remote_state` of the same file."""
        name = f"generate.{'.'.join(block.labels)}"
        read = self._document(block)
        backends = read.backends() if read else None
        if read is None or backends is None:
            yield from self._unread(name, block)
            return
        for backend in backends:
            settings = [self._known(one) for one in read.settings(backend)]
            if settings or not completed:
                yield self._sheet.site("generator", name, backend.span, settings, twice(repeated(backend)))

    def _unread(self, name: str, item: hcl.Item) -> Iterator[Site]:
        if BACKEND.search(item.span.of(self._text)):
            yield self._sheet.site("generator", name, item.span, unread(item), FILLED_IN)


def _name(item: hcl.Item) -> str | None:
    return item.name if isinstance(item, hcl.Argument) else item.type


def _value(item: hcl.Item) -> Map:
    return item.value if isinstance(item, hcl.Argument) else item
