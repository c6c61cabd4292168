"""The folder in which Terraform keeps providers for many directories, and what a directory may take from it.

Terraform takes a package from there only where the dependency lock has the checksum of its content. Any
other it writes anew, in place (hashicorp/terraform:internal/providercache/installer.go): half of one, from an
init that was broken off, and a whole one whose lock was made on another kind of machine.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from migrate.errors import RelockError

_PROVIDER: Final = re.compile(r'(?m)^provider "([^"]+)" \{\s*version\s*=\s*"([^"]+)"([^}]*)')
_CONTENT: Final = re.compile(r'"(h1:[^"]+)"')
"""The checksum of an unpacked package; those of another kind are of what is downloaded."""
_MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64", "i686": "386"}
_DIRECTORY: Final = re.compile(r'(?m)^\s*plugin_cache_dir\s*=\s*"([^"]+)"')
_VARIABLE: Final = re.compile(r"\$\{?(\w+)\}?|^~(?=/)")
_PRIVATE: Final = ".tfrelock-"
_FORGOTTEN: Final = 24 * 3600.0
"""Seconds after which nobody fetches into a private folder any more: its run was killed."""


class Provider(Struct, frozen=True):
    """One release of a provider for this machine: its path in a cache, and the checksums that it may have."""

    place: str
    checksums: frozenset[str] = frozenset()


def locked(lock: bytes) -> tuple[Provider, ...]:
    """The providers of a `.terraform.lock.hcl`."""
    machine = platform.machine().lower()
    system = f"{sys.platform}_{_MACHINES.get(machine, machine)}"
    found = _PROVIDER.findall(lock.decode("utf-8", "replace"))
    return tuple(
        Provider(f"{source}/{version}/{system}", frozenset(_CONTENT.findall(rest)))
        for source, version, rest in found
    )


def checksum(package: Path) -> str:
    """That of an unpacked package, as a dependency lock spells it: `h1:`, of names and contents."""
    total = hashlib.sha256()
    names = {path.relative_to(package).as_posix(): path for path in package.rglob("*") if path.is_file()}
    for name in sorted(names):
        with names[name].open("rb") as file:
            line = f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n"
        total.update(line.encode("utf-8", "surrogateescape"))
    return f"h1:{base64.b64encode(total.digest()).decode()}"


class PluginCache(Struct, frozen=True):
    """A folder in which Terraform keeps providers for all directories."""

    folder: Path

    def checksum(self, place: str) -> str | None:
        """That of what is at a place, "" if that cannot be read, None if nothing is there."""
        package = (self.folder / place).resolve()
        try:
            return checksum(package) if package.is_dir() else None
        except OSError:
            return ""  # Terraform will try, and say why

    def private(self, stack: ExitStack) -> Path:
        """A folder on the same disk that is gone when the stack is closed."""
        with self._written():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._tidy()
            made = stack.enter_context(TemporaryDirectory(prefix=_PRIVATE, dir=self.folder))
            private = Path(made, "cache")
            private.mkdir()
        return private

    def take_over(self, private: Path) -> None:
        """Move in what was fetched, each package whole; what is there already stays."""
        with self._written():
            for package in private.glob("*/*/*/*/*"):
                place = self.folder / package.relative_to(private)
                place.parent.mkdir(parents=True, exist_ok=True)
                try:
                    package.rename(place)
                except OSError:
                    if not place.exists():
                        raise

    def _tidy(self) -> None:
        """Take away what runs that were killed have left."""
        for left in self.folder.glob(f"{_PRIVATE}*"):
            with suppress(FileNotFoundError):  # another run takes away its own
                if time.time() - left.stat().st_mtime > _FORGOTTEN:
                    shutil.rmtree(left, ignore_errors=True)

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = f"the plugin cache cannot be written: {(error.strerror or str(error)).lower()}"
            raise RelockError(why, str(self.folder), "name another in TF_PLUGIN_CACHE_DIR") from None


def cache_of(environ: Mapping[str, str]) -> PluginCache | None:
    """The plugin cache that Terraform uses in this environment, if it is told to use one.

    Raises RelockError where its name means another folder in each directory.
    """
    given = environ.get("TF_PLUGIN_CACHE_DIR")
    if given is None:
        texts = (file.read_text("utf-8", "replace") for file in _configurations(environ) if file.is_file())
        named = next((found[1] for text in texts if (found := _DIRECTORY.search(text))), "")
        given = _VARIABLE.sub(lambda name: environ.get(name[1] or "HOME", ""), named)
    if given and not Path(given).is_absolute():
        raise RelockError("the plugin cache is another one in each directory", given, "name it from / on")
    return PluginCache(Path(given)) if given else None


def _configurations(environ: Mapping[str, str]) -> Sequence[Path]:
    """Where Terraform and OpenTofu read their own settings, the first first."""
    if own := environ.get("TF_CLI_CONFIG_FILE"):
        return [Path(own)]
    home = Path(environ.get("HOME", "/"))
    return [home / ".terraformrc", *sorted(home.glob(".terraform.d/*.tfrc")), home / ".tofurc"]
