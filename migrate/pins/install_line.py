"""Commands that install an engine: downloads, version switchers, package managers, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import collected
from migrate.spelling import filled
from migrate.spelling.choice import Sheet, checked
from migrate.spelling.filled import FILLED
from migrate.spelling.version_names import TOOLS, may_choose, scope
from migrate.text import Span
from migrate.versions import TITLES, Tool

NAME: Final = "install_line"
edit: Final = checked

_LITERAL: Final = r"v?\d+(?:\.\d+)+(?:-(?:rc|beta|alpha)[\d.]*)?(?![A-Za-z0-9])|latest\b"
_VERSION: Final = rf"[\"']?(?P<version>{_LITERAL}|{FILLED})"
_ADDED: Final = r"[\"'][ \t]*(?P<version>\+[ \t]*[\w.$]+)"
_ENGINE: Final = r"(?P<tool>terraform|tofu|opentofu|terragrunt)"
_RELEASED: Final = r"\b(?:opentofu|gruntwork-io)/(?P<tool>opentofu|terragrunt)\b"
_PACKAGED: Final = r"(?:linux|darwin|windows|\$)[^\s\"'/]*\.\w|SHA256SUMS"
"""How the name of a download goes on behind its release."""
_INSTALLS: Final = [
    (word, re.compile(pattern))
    for word, pattern in (
        ("releases.hashicorp.com/", rf"releases\.hashicorp\.com/(?P<tool>terraform)/{_VERSION}[\"']?/"),
        ("releases.hashicorp.com/", rf"releases\.hashicorp\.com/(?P<tool>terraform)/{_ADDED}"),
        (
            "/releases/download/",
            rf"github\.com/[\w-]+/(?P<tool>opentofu|terragrunt)/releases/download/v?{_VERSION}[\"']?/",
        ),
        ("_", rf"/(?P<tool>terraform|tofu)_{_VERSION}[\"']?_(?={_PACKAGED})"),
        ("env", rf"\b(?P<tool>tf|tofu|tg)env[ \t]+(?:install|(?P<uses>use))[ \t]+{_VERSION}"),
        (
            "tenv",
            rf"\btenv[ \t]+(?P<tool>t[fg]|tofu|terra\w+)[ \t]+(?:install|(?P<uses>use))[ \t]+{_VERSION}",
        ),
        ("switch", rf"\b(?P<tool>tf|tg)switch[ \t]+{_VERSION}"),
        ("switch", rf"\b(?P<tool>tf|tg)switch[ \t]+-[^\n;&|#]{{0,99}}?[ \t][\"']?(?P<version>{_LITERAL})"),
        ("asdf", rf"\basdf[ \t]+(?:install|(?P<uses>\w+))[ \t]+{_ENGINE}[ \t]+{_VERSION}"),
        (
            "@",
            rf"(?<![\w/.-])(?:github\.com/|\w+:)?(?:hashicorp/|opentofu/|gruntwork-io/)?{_ENGINE}@{_VERSION}",
        ),
        (
            "hc-install",
            rf"\bhc-install[ \t][^\n]{{0,99}}?-version[ =]{_VERSION}[^\n]{{0,99}}?[ \t](?P<tool>terraform)\b",
        ),
        ("arkade", rf"\barkade[ \t]+get[ \t]+{_ENGINE}[ \t]+(?:--version|-v)[ =]{_VERSION}"),
        ("-tag", rf"{_RELEASED}[^\n;&|]{{0,99}}?[ \t]--?tag[ =]{_VERSION}"),
        ("gh ", rf"\bgh[ \t]+release[ \t]+download[ \t]+{_VERSION}[^\n;&|]{{0,99}}?{_RELEASED}"),
        (" ", rf"(?m)^[ \t]*{_ENGINE}[ \t]+(?P<version>{_LITERAL})[ \t]*\r?$"),
        ("echo", rf"\becho[ \t]+{_VERSION}[\"']?[ \t]*>[ \t]*\S*\.{_ENGINE}-version\b"),
    )
]
"""Each with a word that stands in all it matches: most files hold few of these."""
_PACKAGE_FILE: Final = re.compile(
    rf"(?<![\w./-])(?P<tool>terraform|tofu)_(?P<version>{_LITERAL})_(?={_PACKAGED})"
)
"""`unzip terraform_1.9.8_linux_amd64.zip`"""
# `curl https://get.opentofu.org/install-opentofu.sh`, `gruntwork-io/terragrunt/releases/latest`
_LATEST: Final = re.compile(
    r"(?:get\.|github\.com/[\w-]+/|(?:\bsh[ \t]+|\.[/\\])(?=install-opentofu\.)install-)"
    r"(?P<tool>opentofu|terragrunt)"
    r"(?:(?:\.org/install-opentofu)?\.(?:sh|ps1)\b(?![^\n]*(?i:opentofu-?version))|/releases/latest\b)"
)
# `nix run nixpkgs#terraform`, `nix-shell -p opentofu`
_OF_NIX: Final = re.compile(
    r"\bnix(?:-shell|-env)?[ \t][^\n;&|]{0,200}?(?:[#.]|(?<=[ \t])-p[ \t]+(?:[\w.-]+[ \t]+){0,9})"
    rf"{_ENGINE}(?:_[\d_]+)?(?![\w-])"
)
# `apt-get install -y unzip terraform=1.9.8-1`, with all packages up to the end of the command
_MANAGER: Final = re.compile(
    r"\b(?:apt|apt-get|apk|brew|choco|conda|dnf|mamba|microdnf|micromamba|pacman|scoop|snap|winget|yum|zypper)\b"
    r"[^\n;&|#]{0,200}?[ \t](?:install|add|-S\w*)\b(?P<packages>(?:[^\n\\;&|#]|\\\r?\n)*)"
)
# One of these: `terraform`, `terraform=1.9.8-1`, `hashicorp/tap/terraform`, `Hashicorp.Terraform`
_PACKAGE: Final = re.compile(
    r"(?<=[\s\"'=])(?i:hashicorp\.|opentofu\.|[\w-]+/(?:tap/)?)?(?P<tool>(?i:terraform|tofu|opentofu|terragrunt))"
    rf"(?:(?:=|-(?=v?\d|\$)){_VERSION})?(?=[\s\"'*)\\-]|@[a-z]|\Z)(?!-[a-z])"
)
# `/opt/terraform/1.9.8`, `terraform-1.9.8 plan`, `TF=terraform_1.9`, `module load terraform/1.9.8`
_STANDS: Final = re.compile(
    rf"(?<![\w:/.${{}}~-])(?:[\w.${{}}~-]*+/)+{_ENGINE}[-_/]?v?(?:\d+\.\d+(?:\.\d+)?)"
    r"(?:_(?:linux|darwin|windows)_\w+)?(?=[/\s\"':]|\Z)"
    r"|(?<![\w./-])(?P<program>terraform|tofu|terragrunt)[-_]?v?\d+(?:\.\d+)*"
    r"(?=[ \t]+(?:-chdir|init|plan|apply)\b)"
    r"|(?<![<>=!])=[ \t]*[\"']?(?P<named>terraform|tofu|terragrunt)[-_]?v?\d+\.\d+(?:\.\d+)?"
    r"(?=[\"']?[ \t]*(?:[\r\n;]|\Z))"
    rf"|(?<![\w./-])(?P<file>terraform|tofu)_(?:{_LITERAL})(?=_(?:{_PACKAGED}))"
    rf"|\bmodule[ \t]+load[ \t][^\n;&|]{{0,200}}?\b(?P<module>terraform|tofu|opentofu|terragrunt)/[\w.-]+"
)
"""A folder, program or module with a release in its name."""
_NUMBERED: Final = re.compile(r"(?:terraform|tofu|terragrunt)[-_/]?v?\d|\bmodule[ \t]+load")
"""What each of those holds, and few files do."""

# An option of the command that tells a version for all of its packages.
_TOLD: Final = re.compile(rf"[ \t]--?version[= \t]+{_VERSION}")
_READ_CLOSER: Final = ("aqua-checksums.json", "devbox.json", ".tool-versions", ".prototools")
_CODE: Final = (".tf", ".tofu")
"""The scripts of builds and of machines stand in them."""
_SAYS: Final = re.compile(r"(?m)^[ \t]*echo\b[^\n;&|]*")
_NEWEST: Final = "it installs the newest release there is"
_OF_A_SET: Final = "Nix takes the release that a package set has"
_UNTOLD: Final = (
    (("install-opentofu.", "/releases/latest"), _LATEST, _NEWEST),
    (("nix ", "nix-shell", "nix-env"), _OF_NIX, _OF_A_SET),
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """But lists of tools, which read like a command."""
    runs = may_choose(path) or "ockerfile" in path.name or path.suffix in _CODE
    return runs and path.name not in _READ_CLOSER


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """Of a download the release stands twice, in the folder and in the name: two pins.

    A package manager that is told no version takes the newest it knows.
    """
    sheet = Sheet(source, NAME, scope(source.path))
    used = [pattern for word, pattern in _INSTALLS if word in sheet.code]
    matches = (match for pattern in used for match in pattern.finditer(sheet.code))
    uses = {Span(*match.span("version")): TOOLS[match["tool"]] for match in matches if _chooses(match)}
    uses |= _unpacked(sheet, uses)
    yield from _versions(sheet, uses)
    for words, pattern, why in _UNTOLD:
        for match in pattern.finditer(sheet.code) if any(word in sheet.code for word in words) else ():
            yield sheet.unknown(TOOLS[match["tool"]], Span(*match.span("tool")), why)
    if source.path.suffix not in _CODE:  # whose folders may be called after a release
        yield from _called_after(sheet, uses)
    for command in _MANAGER.finditer(_SAYS.sub(lambda said: " " * len(said[0]), sheet.code)):
        yield from _packages(sheet, Span(*command.span("packages")))


def _unpacked(sheet: Sheet, uses: Mapping[Span, Tool]) -> Mapping[Span, Tool]:
    """The names of packages that the same file downloads, where they stand alone."""
    downloaded = {span.of(sheet.code) for span in uses}
    found = _PACKAGE_FILE.finditer(sheet.code) if downloaded else ()
    alone = (match for match in found if match["version"] in downloaded)
    return {Span(*match.span("version")): TOOLS[match["tool"]] for match in alone}


def _called_after(sheet: Sheet, uses: Mapping[Span, Tool]) -> Iterator[Pin]:
    """What is there already under the name of a release: another name would not install another release."""
    lines = sheet.lines(_NUMBERED)
    for match in (match for line in lines for match in _STANDS.finditer(sheet.code, *line)):
        part = next(part for part in ("tool", "program", "named", "file", "module") if match[part])
        if not any(Span(*match.span()).contains(span) for span in uses):
            why = f"which release {match[0].split()[-1].lstrip('=')} is only its name says"
            yield sheet.unknown(TOOLS[match[part]], Span(*match.span(part)), why)


def _chooses(match: re.Match[str]) -> bool:
    """Installing whatever a variable says does not choose it: a file does."""
    return not _is_filled(match["version"]) or match.groupdict().get("uses", "") is not None


def _is_filled(version: str) -> bool:
    return version[0] in "$%{<+"


def _packages(sheet: Sheet, packages: Span) -> Iterator[Pin]:
    """Of each engine among the packages, the release it is told by itself, or the command as a whole."""
    told = _TOLD.search(sheet.code, packages.start, packages.end)
    for package in _PACKAGE.finditer(sheet.code, packages.start, packages.end):
        tool, version = TOOLS[package["tool"].lower()], package if package["version"] else told
        if version:
            yield from _versions(sheet, {Span(*version.span("version")): tool})
        else:
            yield sheet.unknown(tool, Span(*package.span("tool")), _NEWEST)


def _versions(sheet: Sheet, uses: Mapping[Span, Tool]) -> Iterator[Pin]:
    """A pin for each place, and one for each variable, however often it is used."""
    variables = set()
    for span, tool in sorted(uses.items()):
        said = span.of(sheet.code)
        if not _is_filled(said):
            yield sheet.pin(tool, span)
        elif (tool, said) not in variables:
            variables.add((tool, said))
            why = f"the {TITLES[tool]} that is installed is filled in when it runs"
            yield from filled.chosen(sheet, tool, span, why)
