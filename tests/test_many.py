"""Commands in many directories at once, and the plugin cache that they share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.terraform.many import Many, Task
from migrate.terraform.plugin_cache import PluginCache, Provider, cache_of, checksum, locked
from tests.permissions import binding

HOST = "registry.terraform.io/acme/net"
PACKAGE = f"{HOST}/1.0.0/linux_amd64"
EMPTY = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
PROVIDER = Provider(PACKAGE, frozenset({EMPTY}))

FETCHES = f"""\
echo "$@" >> "$LOG"
case "$*" in
*-backend=false*) mkdir -p "$TF_PLUGIN_CACHE_DIR/{PACKAGE}"; sleep 0.2 ;;
*) [ -d "$SHARED/{PACKAGE}" ] && echo warm >> "$LOG" ;;
esac
"""


def test_the_providers_of_a_dependency_lock() -> None:
    lock = b"""\
provider "registry.terraform.io/acme/net" {
  version     = "1.0.0"
  constraints = "~> 1.0"
  hashes = [
    "h1:one=",
    "h1:two=",
    "zh:00ff",
  ]
}

provider "registry.terraform.io/acme/web" {
  version = "2.0.0"
}
"""
    net, web = locked(lock)
    assert net.place.startswith("registry.terraform.io/acme/net/1.0.0/")
    assert net.checksums == {"h1:one=", "h1:two="}
    assert web.place.startswith("registry.terraform.io/acme/web/2.0.0/")
    assert web.checksums == frozenset()
    assert locked(b"") == ()


def test_the_checksum_of_a_package_is_that_of_a_dependency_lock(tmp_path: Path) -> None:
    """What golang.org/x/mod/sumdb/dirhash makes of it; real Terraform agrees in tests/real/test_reinit.py."""
    assert checksum(tmp_path) == EMPTY
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/LICENSE").write_text("free\n")
    (tmp_path / "provider").write_bytes(b"\0")
    assert checksum(tmp_path) == "h1:L65GZPKI2ulzqf3p0XVKzwAmuNUX0BGAI+hRIUCySug="


@pytest.mark.parametrize(
    ("environ", "file", "expected"),
    [
        ({"TF_PLUGIN_CACHE_DIR": "/c"}, 'plugin_cache_dir = "/other"\n', "/c"),
        ({}, 'plugin_cache_dir   = "$HOME/.cache/tf"\n', "HOME/.cache/tf"),
        ({}, 'plugin_cache_dir = "~/p"\n', "HOME/p"),
        ({}, '# plugin_cache_dir = "/c"\n', None),
        ({"DISK": "/d"}, 'plugin_cache_dir = "${DISK}/p"\n', "/d/p"),
        ({"TF_PLUGIN_CACHE_DIR": ""}, 'plugin_cache_dir = "/other"\n', None),
        ({}, "", None),
    ],
)
def test_which_cache_terraform_uses(
    environ: Mapping[str, str], file: str, expected: str | None, tmp_path: Path
) -> None:
    (tmp_path / ".terraformrc").write_text(file)
    found = cache_of({**environ, "HOME": str(tmp_path)})
    assert (str(found.folder).replace(str(tmp_path), "HOME") if found else None) == expected


def test_a_folder_of_settings_names_a_cache_too(tmp_path: Path) -> None:
    (tmp_path / ".terraform.d").mkdir()
    (tmp_path / ".terraform.d/ours.tfrc").write_text('plugin_cache_dir = "/c"\n')
    assert cache_of({"HOME": str(tmp_path)}) == PluginCache(Path("/c"))
    assert cache_of({"HOME": str(tmp_path), "TF_CLI_CONFIG_FILE": "/dev/null"}) is None


def test_a_cache_that_is_another_one_in_each_directory_is_refused() -> None:
    with pytest.raises(RelockError) as caught:
        cache_of({"TF_PLUGIN_CACHE_DIR": "../cache"})
    assert (caught.value.where, caught.value.try_this) == ("../cache", "name it from / on")


def made(
    tmp_path: Path, count: int, providers: tuple[Provider, ...] | None, does: str = FETCHES
) -> tuple[list[Task], PluginCache]:
    """Tasks of a program that fetches a provider into the cache it is told, or does something else."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{does}")
    program.chmod(0o755)
    cache = PluginCache(tmp_path / "cache")
    env = {"LOG": str(tmp_path / "log"), "SHARED": str(cache.folder), "PATH": "/usr/bin:/bin"}
    command = (str(program), "init")
    return [Task(str(number), command, tmp_path, env, providers) for number in range(count)], cache


def test_a_cold_provider_is_fetched_once_and_moved_in_whole(tmp_path: Path) -> None:
    tasks, cache = made(tmp_path, 6, (PROVIDER,))
    assert sorted(ended.code for ended in Many(tasks, 4, cache).run()) == [0] * 6
    log = (tmp_path / "log").read_text().splitlines()
    assert log[0] == "init -backend=false -input=false -lockfile=readonly"
    assert (log.count("init"), log.count("warm"), len(log)) == (6, 6, 13)
    assert [path.name for path in cache.folder.iterdir()] == ["registry.terraform.io"]


def test_one_whose_providers_nobody_knows_runs_alone(tmp_path: Path) -> None:
    program = tmp_path / "alone"
    program.write_text('#!/bin/sh\nmkdir "$LOCK" || exit 9\nsleep 0.1\nrmdir "$LOCK"\n')
    program.chmod(0o755)
    env = {"LOCK": str(tmp_path / "busy"), "PATH": "/usr/bin:/bin"}
    tasks = [Task(str(number), (str(program),), tmp_path, env, None) for number in range(4)]
    assert [ended.code for ended in Many(tasks, 4, PluginCache(tmp_path / "cache")).run()] == [0] * 4


HALF = FETCHES.replace("sleep 0.2", "exit 1").replace("*) [", "*) sleep 0.1; [")


def test_what_a_broken_fetch_left_is_not_moved_in(tmp_path: Path) -> None:
    """Half a provider may be there, and would be taken for a whole one."""
    tasks, cache = made(tmp_path, 2, (PROVIDER,), HALF)
    assert [ended.code for ended in Many(tasks, 2, cache).run()] == [1, 1]
    assert list(cache.folder.iterdir()) == []


def test_what_somebody_else_has_moved_in_meanwhile_stays(tmp_path: Path) -> None:
    cache, private = PluginCache(tmp_path / "cache"), tmp_path / "private"
    for folder, text in ((cache.folder, "theirs"), (private, "ours")):
        (folder / PACKAGE).mkdir(parents=True)
        (folder / PACKAGE / "provider").write_text(text)
    cache.take_over(private)
    assert (cache.folder / PACKAGE / "provider").read_text() == "theirs"


@pytest.mark.parametrize("checksums", [frozenset(), frozenset({"h1:other="})], ids=["none", "another"])
def test_one_whose_lock_has_another_checksum_than_the_cache_runs_alone(
    checksums: frozenset[str], tmp_path: Path
) -> None:
    """Terraform writes the package anew, in place; to fetch it apart would not spare that."""
    alone = '#!/bin/sh\nmkdir "$SHARED.busy" || exit 9\nsleep 0.1\nrmdir "$SHARED.busy"\n'
    tasks, cache = made(tmp_path, 4, (Provider(PACKAGE, checksums),), f'echo "$@" >> "$LOG"\n{alone}')
    (cache.folder / PACKAGE).mkdir(parents=True)
    assert [ended.code for ended in Many(tasks, 4, cache).run()] == [0] * 4
    assert (tmp_path / "log").read_text() == "init\n" * 4


def test_what_cannot_be_read_has_no_checksum(tmp_path: Path) -> None:
    cache = PluginCache(tmp_path)
    (tmp_path / PACKAGE).mkdir(parents=True)
    assert cache.checksum(PACKAGE) == EMPTY
    (tmp_path / PACKAGE / "caf\udce9").touch()
    assert cache.checksum(PACKAGE) == "h1:XJe9boJncgoYS32H7pkGZ4kXzpGyghyX7kYbtjHJKr0="
    (tmp_path / PACKAGE / "caf\udce9").chmod(0)
    with binding():
        assert cache.checksum(PACKAGE) == ""
    assert cache.checksum(f"{HOST}/2.0.0/linux_amd64") is None


def test_what_a_killed_run_left_in_the_cache_goes_after_a_day(tmp_path: Path) -> None:
    tasks, cache = made(tmp_path, 1, (PROVIDER,))
    for name in (".tfrelock-old", ".tfrelock-new"):
        (cache.folder / name / "cache").mkdir(parents=True)
    os.utime(cache.folder / ".tfrelock-old", (0, 0))
    (cache.folder / ".tfrelock-gone").symlink_to("nowhere")  # as one that another run takes away meanwhile
    assert [ended.code for ended in Many(tasks, 1, cache).run()] == [0]
    left = [".tfrelock-gone", ".tfrelock-new", "registry.terraform.io"]
    assert sorted(path.name for path in cache.folder.iterdir()) == left


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tasks, cache = made(tmp_path, 1, (PROVIDER,))
    cache.folder.write_text("a file")
    with pytest.raises(RelockError) as caught:
        list(Many(tasks, 1, cache).run())
    assert (caught.value.where, caught.value.what) == (
        str(cache.folder),
        "the plugin cache cannot be written: file exists",
    )


def test_one_that_does_not_end_is_ended(tmp_path: Path) -> None:
    task = Task("slow", ("sleep", "60"), tmp_path, {"PATH": "/usr/bin:/bin"})
    (ended,) = Many([task], 2, None, limit=0.1).run()
    assert (ended.code, ended.said) == (1, b"it did not end in time and was ended\n")


UNFETCHED = f"""\
case "$*" in *-backend=false*) exit 1 ;; esac
[ -d "$SHARED.busy" ] && exit 9
[ -d "$SHARED/{PACKAGE}" ] && exit 0
mkdir -p "$SHARED.busy" "$SHARED/{PACKAGE}"
sleep 0.3
rmdir "$SHARED.busy"
"""
"""It fills the shared cache itself; while it does, its provider seems to be there."""


def test_one_that_fills_the_cache_itself_runs_alone_to_its_end(tmp_path: Path) -> None:
    tasks, cache = made(tmp_path, 3, (PROVIDER,), UNFETCHED)
    assert [ended.code for ended in Many(tasks, 3, cache).run()] == [0, 0, 0]


def test_what_still_runs_ends_with_us(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin"}
    tasks = [Task("quick", ("true",), tmp_path, env), Task("slow", ("sleep", "60"), tmp_path, env)]
    runs = Many(tasks, 2, None).run()
    assert next(runs).task.name == "quick"
    runs.close()
