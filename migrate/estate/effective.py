"""One ordered choice of inputs → the configuration Terraform would use: settings, lock, state, table.

Later inputs win, setting by setting (tried: a `-backend-config` wins over the block and over an earlier one).
An empty string or null is unset; `use_lockfile` may come as a quoted boolean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from migrate.estate.endpoints import is_aws, spelled
from migrate.model import ANY_ACCOUNT, Fact, Known, Lock, Setting, Site, StateId, Table, Unknown, Unresolved
from migrate.wishes import TABLE, is_unset, may_be_empty

Settings = Mapping[str, Setting]


def joined(inputs: Iterable[Site]) -> Settings:
    """The settings of all inputs by name; of one name the last."""
    return {_MODERN.get(setting.name, setting.name): setting for site in inputs for setting in site.settings}


_MODERN: Final = {"lock_table": "dynamodb_table"}
"""What Terragrunt passes on by another name (terragrunt s3/config.go)."""


def text(settings: Settings, name: str) -> Fact[str] | None:
    """A setting as text: None where absent, null or empty; Unknown with its expression where no literal."""
    setting = settings.get(name)
    if setting is None or is_unset(setting):
        return None
    return setting.value if isinstance(setting.value, Unknown) else Known(str(setting.value.value))


def names_table(site: Site) -> bool:
    """Whether this reader or writer names a lock table (an expression is one too)."""
    return text(joined([site]), "dynamodb_table") is not None


def names_lock(site: Site) -> bool:
    """Whether it names a table or the lockfile, whatever it says of them."""
    return any(site.setting(name) for name in (*TABLE, "use_lockfile"))


def lockfile(settings: Settings) -> Fact[bool]:
    """Whether `use_lockfile` is on; Terraform takes the strings "true" and "false" for booleans."""
    setting = settings.get("use_lockfile")
    match setting.value if setting else Known(None):
        case Unknown(why=why):
            return Unknown(f"use_lockfile is {why}", "write use_lockfile as a literal")
        case Known(value):
            return Known(value is True or value == "true")


def lock(settings: Settings, *, complete: bool) -> Fact[Lock]:
    """What this configuration locks with. `complete`: bucket and key are there, nothing else adds to it."""
    table, file = _is_given(settings, "dynamodb_table"), lockfile(settings)
    if isinstance(file, Unknown):
        return file
    named = settings.get("dynamodb_table")
    if named and may_be_empty(named):
        return Unknown(
            "dynamodb_table may be empty: there may be no lock in a table",
            "write dynamodb_table as a literal",
        )
    if not complete and not table:
        return Unknown(
            "the rest of this configuration is in a block, file or flag that was not found",
            "name the file in .tfrelock.yaml under backend_config",
        )
    if table:
        return Known(Lock.BOTH if file.value else Lock.TABLE)
    return Known(Lock.LOCKFILE if file.value else Lock.NONE)


def bucket(settings: Settings) -> Fact[str] | None:
    """The bucket as text. Behind an access point, which Terraform takes for one (tried), may be any."""
    said = text(settings, "bucket")
    if isinstance(said, Known) and is_behind_access_point(settings):
        return Unknown(f"the bucket behind {said.value}", "name the bucket itself")
    return said


def is_behind_access_point(settings: Settings) -> bool:
    """Whether the ARN or the alias of an access point stands in the place of the bucket."""
    said = text(settings, "bucket")
    return isinstance(said, Known) and bool(_ACCESS_POINT.search(said.value))


_ACCESS_POINT: Final = re.compile(r"\Aarn:|-s3alias\Z")


def state(settings: Settings, site: Site, choice: str) -> StateId | Unresolved:
    """The state, where bucket, key and endpoint are known; else one that equals itself alone.

    `choice` tells apart the several configurations of one block.
    """
    where, key, endpoint = bucket(settings), text(settings, "key"), _spoken_to(settings, _S3)
    if isinstance(where, Known) and isinstance(key, Known) and isinstance(endpoint, Known):
        return StateId(where.value, key.value, endpoint.value or None)
    return Unresolved(site.repo, site.path, f"{site.name}{choice}")


def table(settings: Settings) -> Table | None:
    """The lock table as named, or None where none is. It is in the account of the role that is assumed."""
    name = text(settings, "dynamodb_table")
    if name is None:
        return None
    at = _spoken_to(settings, _DYNAMODB)
    arn = _TABLE.fullmatch(name.value) if isinstance(name, Known) else None
    if arn:
        return Table(Known(arn["name"]), Known(arn["region"]), Known(arn["account"]), at)
    return Table(name, text(settings, "region") or _NO_REGION, _account(settings), at)


_NO_REGION: Final = Unknown("no region is set in this configuration", "set region in the backend")
_TABLE: Final = re.compile(
    r"arn:[\w-]+:dynamodb:(?P<region>[\w-]+):(?P<account>\d{12}):table/(?P<name>[\w.-]+)"
)
_ROLE: Final = re.compile(r"arn:[\w-]+:iam::(\d{12}):role/.*")


def _account(settings: Settings) -> Fact[str]:
    """Of two spellings of the role Terraform takes one; what it runs as without one source does not say, but
    that of one profile is another one than that of another, for all we know.
    """
    match text(settings, "assume_role.role_arn") or text(settings, "role_arn"):
        case None:
            profile = text(settings, "profile")
            name = profile.value if isinstance(profile, Known) else profile and profile.why
            return Unknown(f"the account of the profile {name}", ANY_ACCOUNT.settle) if name else ANY_ACCOUNT
        case Known(arn):
            role = _ROLE.fullmatch(arn)
            return Known(role[1]) if role else Unknown(arn)
        case unknown:
            return unknown


_S3: Final = ("endpoints.s3", "endpoint")
_DYNAMODB: Final = ("endpoints.dynamodb", "dynamodb_endpoint")


def _spoken_to(settings: Settings, names: tuple[str, ...]) -> Fact[str]:
    """The endpoint of a service in one spelling; empty where it is AWS's own."""
    said = next((one for one in (text(settings, name) for name in names) if one), None)
    if isinstance(said, Unknown):
        return said
    return Known(spelled(said.value) if said and not is_aws(said.value) else "")


def is_complete(settings: Settings) -> bool:
    """Bucket and key are both given (either may still be an expression), so no further input is needed."""
    return _is_given(settings, "bucket") and _is_given(settings, "key")


def _is_given(settings: Settings, name: str) -> bool:
    setting = settings.get(name)
    return setting is not None and not is_unset(setting)
