"""What accounts hold: read live as the operator's configuration says, or from answers that were saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

import click
from msgspec.structs import replace

from migrate.campaign.access.accounts import Eyes, View, live, saved
from migrate.campaign.access.questions import Asked
from migrate.campaign.access.verdicts import Around
from migrate.cli.options import Scope
from migrate.cli.voice import Progress, wrong
from migrate.config import Access
from migrate.errors import RelockError
from migrate.files import load, printable
from migrate.iam.gaad import Account, read_account
from migrate.iam.holder import Surroundings

C = TypeVar("C", bound=click.Command)

_NOBODY: Final = "no entry of aws: names any bucket of these states, so nothing was contacted"
_LIVE: Final = click.option(
    "--live",
    is_flag=True,
    help="Read the accounts that aws: of the operator's configuration names for these buckets.",
)
_SAVED: Final = click.option(
    "--gaad",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A saved answer of aws iam get-account-authorization-details (repeatable); nothing is contacted.",
)


def with_accounts(command: C) -> C:
    """Give a command `--live` and `--gaad`."""
    return _LIVE(_SAVED(command))


def read_accounts(
    asked: Scope, of: Sequence[Asked], around: Around, *, live: bool, gaad: Sequence[Path]
) -> View:
    """Live or from files. `around` is what source knows of buckets, which no file has.

    Raises RelockError where no entry names a bucket.
    """
    if live and gaad:
        raise click.UsageError("--live and --gaad are two ways to ask: say one of them")
    view = _read_live(asked, of) if live else _read_saved(asked, of, gaad, around)
    for why in view.unread:
        wrong(f"unreadable {printable(why)}")
    return view


def not_read(view: View) -> tuple[str, ...]:
    """What a report says of what could not be read: nobody there is known to lock, or not to."""
    return tuple(f"Not read: {why}." for why in view.unread)


def nothing_of(bucket: str) -> Surroundings:
    """What is known of a bucket where source is not asked."""
    return Surroundings()


def _read_live(asked: Scope, of: Sequence[Asked]) -> View:
    with Progress("reading roles and policies: page") as progress:
        seen = live(of, asked.operator.says.aws, _sign_in, progress.step)
    if of and not (seen.buckets or seen.unread):
        raise RelockError(_NOBODY, "", _entry(of))
    return seen


def _entry(of: Sequence[Asked]) -> str:
    buckets = printable(", ".join(dict.fromkeys(f'"{one.state.bucket}"' for one in of)))
    return f'add to the file that --config gives: aws: [{{buckets: [{buckets}], account: "111122223333"}}]'


def _sign_in(entry: Access, region: str) -> Eyes:
    from migrate.aws import Reader  # noqa: PLC0415  boto3 takes its time, and other commands do without

    return Reader(entry.account, profile=entry.profile, role=entry.role, region=region)


def _read_saved(asked: Scope, of: Sequence[Asked], files: Sequence[Path], around: Around) -> View:
    """Every file that can be read; one that cannot is told in `unread`."""
    read = [_account(file) for file in files]
    view = saved([one for one in read if isinstance(one, Account)], asked.operator.says.aws, around, of)
    return replace(view, unread=(*view.unread, *(one for one in read if isinstance(one, str))))


def _account(file: Path) -> Account | str:
    try:
        tree: object = json.loads(load(file))
    except RelockError as error:
        return f"{file}: {error.what}"
    except (ValueError, RecursionError) as error:
        return f"{file}: no JSON, or cut off: {error}"
    return read_account(tree if isinstance(tree, list) else [tree], str(file))
