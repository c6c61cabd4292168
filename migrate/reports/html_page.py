"""One HTML page that needs nothing else: escaped text, a style of our own, drawings as SVG, and no script.

Everything is escaped but what `tag` made, so forgetting to escape is not possible. The page's own policy lets
a browser load nothing and run nothing, whatever a repository is named.
"""

from __future__ import annotations

import hashlib
import html
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from migrate import __version__
from migrate.reports.spelling import printable

_STYLE: Final = """
:root { color-scheme: light dark;
  --text: #1c2024; --soft: #60646c; --page: #fff; --card: #f6f7f9; --line: #d9dce1;
  --bad: #c62a2f; --warn: #a35200; --good: #18794e; --calm: #0b68cb; --odd: #6e56cf; --grey: #60646c; }
@media (prefers-color-scheme: dark) { :root {
  --text: #edeef0; --soft: #b0b4ba; --page: #111113; --card: #1b1d20; --line: #363a3f;
  --bad: #ff9592; --warn: #ffb86a; --good: #3dd68c; --calm: #70b8ff; --odd: #baa7ff; --grey: #b0b4ba; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } p { margin: .3rem 0; }
code { font: .875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
footer, .soft { color: var(--soft); font-size: .875rem; }
svg { display: block; width: 100%; height: 1.25rem; border-radius: .4rem; margin: .75rem 0 .5rem; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
.key li::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .4rem;
  border-radius: 2px; background: currentColor; } .key span { color: var(--text); }
details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0;
  padding: .5rem .75rem; } summary { cursor: pointer; font-weight: 600; }
details ul, details ol { margin: .5rem 0; padding-left: 1.2rem; } details li { margin: .25rem 0; }
.bad { color: var(--bad); fill: var(--bad); } .warn { color: var(--warn); fill: var(--warn); }
.good { color: var(--good); fill: var(--good); } .calm { color: var(--calm); fill: var(--calm); }
.odd { color: var(--odd); fill: var(--odd); } .grey { color: var(--grey); fill: var(--grey); }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; border: 0; }
@media (max-width: 40rem) { thead { display: none; } table, tbody, tr, td { display: block; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: 0; }
  td:empty { display: none; }
  td[data-of]::before { content: attr(data-of) " "; color: var(--soft); font-size: .8rem; } }
@media print { details::details-content { content-visibility: visible; block-size: auto; }
  body { max-width: none; font-size: .8rem; print-color-adjust: exact; } li, tr { break-inside: avoid; } }
"""
_HASH: Final = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"


class Html(str):
    """Text that is HTML already: `tag` made it."""

    __slots__ = ()


def tag(name: str, *children: object, **attributes: str) -> Html:
    """One element. Children that are not `Html` are text; a trailing `_` of an attribute's name is cut."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"' for key, value in attributes.items()
    )
    return Html(f"<{name}{said}>{joined(children)}</{name}>")


def joined(parts: Iterable[object]) -> Html:
    """The parts in order; what is no `Html` is text, and is escaped."""
    return Html("".join(part if isinstance(part, Html) else _text(part) for part in parts))


def _text(value: object) -> str:
    return html.escape(printable(value), quote=True)


def page(title: str, *parts: object) -> str:
    """The whole document."""
    head = joined(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<meta name="referrer" content="no-referrer">'),
            tag("title", title),
            Html(f"<style>{_STYLE}</style>"),
        ]
    )
    body = tag("main", tag("h1", title), *parts)
    foot = tag("footer", f"tfrelock {__version__}")
    return f'<!doctype html>\n<html lang="en">{tag("head", head)}\n{tag("body", body, foot)}</html>\n'


def bar(what: str, counts: Mapping[str, int], colours: Mapping[str, str]) -> Html:
    """Shares of a whole as one drawn bar with a key; `colours` names a class of the style for each."""
    shown = {name: count for name, count in counts.items() if count}
    total, at, parts = sum(shown.values()), 0.0, []
    for name, count in shown.items():
        width = 100 * count / total
        box = {"x": f"{at:.3f}", "width": f"{width:.3f}", "height": "1"}
        parts.append(tag("rect", tag("title", f"{count} {name}"), class_=colours[name], **box))
        at += width
    said = f"{what}: {', '.join(f'{count} {name}' for name, count in shown.items()) or 'none'}"
    drawn = tag(
        "svg", tag("title", said), *parts, viewBox="0 0 100 1", preserveAspectRatio="none", role="img"
    )
    key = [tag("li", tag("span", f"{count} {name}"), class_=colours[name]) for name, count in shown.items()]
    return joined([drawn, tag("ul", *key, class_="key")]) if shown else Html()


def fold(head: Iterable[object], *parts: object, opened: bool = False) -> Html:
    """A part that opens by a tap."""
    content = joined([tag("summary", *head), *parts])
    return Html(f"<details{' open' if opened else ''}>{content}</details>")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """A table that becomes one card for each row on a narrow screen."""
    body = [
        tag("tr", *(tag("td", cell, data_of=name) for name, cell in zip(head, row, strict=True)))
        for row in rows
    ]
    titles = tag("thead", tag("tr", *(tag("th", name) for name in head)))
    return tag("table", titles, tag("tbody", *body))


def section(title: str, parts: Sequence[object]) -> Html:
    """A heading with what stands under it; nothing where there is nothing."""
    return joined([tag("h2", title), *parts]) if parts else Html()
