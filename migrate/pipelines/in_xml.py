"""Scripts in the XML of build servers: steps of TeamCity, shells of Jenkins' own jobs."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final
from xml.sax.saxutils import unescape

from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.runs import CALLED, YES, Part, Script, Sheet
from migrate.text import Span

NAME: Final = "in_xml"

_SCRIPT: Final = re.compile(
    r"""<(?:param\s+name="(?:script\.content|jetbrains_powershell_script_code)"
    |hudson\.tasks\.(?:Shell|BatchFile)\b[^<>]{0,200}>\s*<command)
    (?:\s+value="(?P<value>[^"]*+)"|\s*>\s*(?:<!\[CDATA\[(?P<raw>(?>(?:[^\]]++|\](?!\]>))*))|(?P<text>[^<]*+)))""",
    re.VERBOSE,
)
_ONE_AT_A_TIME: Final = re.compile(
    r'<concurrentBuild>false<|name="maximumNumberOfBuilds"\s+value="1"|\bDisableConcurrentBuildsJobProperty\b'
)
_QUOTES: Final = {"&quot;": '"', "&apos;": "'", "&#xd;": "", "&#xa;": "\n", "&#10;": "\n"}
_AGENT: Final = Unknown("whether the agent begins with an empty directory is not known from source")
_SERVER: Final = Unknown("how many builds run at once is a setting of the server")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix == ".xml"


def find(source: Source, /) -> Found[Run]:
    held = YES if _ONE_AT_A_TIME.search(source.text) else _SERVER
    parts = (_part(step) for step in _SCRIPT.finditer(source.text))
    found = (Script((one,), CALLED, "build", automated=True, serialised=held, kept=_AGENT) for one in parts)
    return Sheet(source, NAME).found(found)


def _part(step: re.Match[str]) -> Part:
    """The script of a step; what is escaped in it stands nowhere as it is meant."""
    group = next(name for name in ("value", "raw", "text") if step[name] is not None)
    meant = step[group] if group == "raw" else unescape(step[group], _QUOTES)
    return Part(Span(*step.span(group)), said=None if meant == step[group] else meant)
