"""The identity of a repository, from the text of its git configuration: git itself is not asked.

A checkout is somebody else's; asking git for its `origin` would already obey its configuration.
"""

import re
from typing import Final
from urllib.parse import urlsplit

_SECTION: Final = re.compile(r'\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING: Final = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)")
_PIECE: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|((?:[^"\\#;]|\\.)+)|[#;].*')
_SCP: Final = re.compile(r"(?:[^@/:\s]+@)?([\w.-]+):(?!//)(.+)")  # git@host:owner/name


def origin_url(config: str) -> str | None:
    """The first `url` of `[remote "origin"]` as written, or None."""
    here = False
    for line in config.replace("\\\n", "").splitlines():
        rest = line
        if section := _SECTION.match(line):
            here = _is_origin(section[1], section[2])
            rest = line[section.end() :]
        if here and (setting := _SETTING.match(rest)) and setting[1].lower() == "url":
            return _value(setting[2])
    return None


def _is_origin(section: str, name: str | None) -> bool:
    if name is None:
        return section.lower() == "remote.origin"
    return section.lower() == "remote" and _plain(name) == "origin"


def _value(written: str) -> str:
    pieces = (_plain(quoted or bare or "") for quoted, bare in _PIECE.findall(written))
    return "".join(pieces).strip()


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def identity(url: str) -> str | None:
    """`host/owner/name` of a URL, credentials and port cut off; None for a path or anything odd."""
    host, path = _parts(url)
    name = re.split(r"[?#]", path)[0].strip("/").removesuffix(".git").strip("/")
    found = f"{host.lower()}/{name}"
    return found if host and name and found.isprintable() and " " not in found and ".." not in found else None


def _parts(url: str) -> tuple[str, str]:
    if "://" not in url:
        return (scp[1], scp[2]) if (scp := _SCP.fullmatch(url)) else ("", "")
    try:
        split = urlsplit(url)
    except ValueError:  # "Invalid IPv6 URL"
        return "", ""
    if split.scheme not in ("https", "http", "ssh", "git", "git+ssh", "ssh+git"):
        return "", ""
    return split.hostname or "", split.path
