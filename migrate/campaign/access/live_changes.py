"""What differs between two views of accounts: documents before and after, and the commands that put them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from migrate.campaign.access.accounts import View
from migrate.iam.kept import Inline, Kept, Managed, OfBucket, Other
from migrate.iam.quota import DEFAULT
from migrate.weighed import LiveChange


def changes(before: View, after: View) -> Iterator[LiveChange]:
    """Every document that is new or not as it was, by account and name."""
    for account, documents in sorted(after.documents.items()):
        had, most = before.documents.get(account, {}), after.quotas.get(account, DEFAULT).versions
        for name, one in sorted(documents.items()):
            old = had.get(name)
            if old is None or old.text != one.text:
                yield _change(account, old, one, _served(after, account, name), most)
    for bucket, near in sorted(after.buckets.items()):
        was = before.buckets[bucket].document
        if near.document and was and was.text != near.document.text:
            yield _change(near.owner or "", was, near.document, (), DEFAULT.versions)


def _served(view: View, account: str, name: str) -> tuple[str, ...]:
    """Everybody whose rights the document says, whether they asked for it or not."""
    return tuple(
        str(holder)
        for holder in view.holders
        if holder.caller.account == account
        and any(policy.name == name for layer in holder.layers for policy in layer.policies)
    )


def _change(account: str, old: Kept | None, new: Kept, holders: tuple[str, ...], versions: int) -> LiveChange:
    """No name of IAM has a colon: two documents never share a file, whatever their names."""
    stem = ":".join(quote(part, safe="@=+,") for part in (account, *str(new.keeper).split("/")))
    file, undo = f"{stem}.json", f"{stem}.before.json"
    return LiveChange(
        account=account,
        name=str(new.keeper),
        holders=holders,
        before=old.text if old else None,
        after=new.text,
        file=file,
        undo_file=undo,
        commands=tuple(_put(new, file, account, versions)),
        undo=tuple(_undo(old, new, undo, account)),
        patch=json.dumps(_patch(old, new)),
    )


def _put(one: Kept, file: str, account: str, versions: int) -> Iterator[str]:
    """`versions`: as many as a managed policy may have."""
    document = f"file://{file}"
    match one.keeper:
        case Inline(owner=owner, owner_name=whose, name=name):
            owned = ("iam", f"put-{owner}-policy", f"--{owner}-name", whose)
            yield _aws(*owned, "--policy-name", name, "--policy-document", document)
        case Managed(arn=arn) as managed:
            if len(managed.versions) >= versions:  # the oldest makes room, and that is said as a command
                yield _aws(
                    "iam", "delete-policy-version", "--policy-arn", arn, "--version-id", _oldest(managed)
                )
            version = ("iam", "create-policy-version", "--policy-arn", arn)
            yield _aws(*version, "--policy-document", document, "--set-as-default")
        case OfBucket(bucket=bucket):
            whole = ("s3api", "put-bucket-policy", "--bucket", bucket, "--policy", document)
            yield _aws(*whole, "--expected-bucket-owner", account)
        case Other():
            return


def _undo(old: Kept | None, new: Kept, file: str, account: str) -> Iterator[str]:
    match new.keeper:
        case Inline(owner=owner, owner_name=whose, name=name) if old is None:
            command = ("iam", f"delete-{owner}-policy", f"--{owner}-name", whose)
            yield _aws(*command, "--policy-name", name)
        case Managed(arn=arn, current=current):
            command = ("iam", "set-default-policy-version", "--policy-arn", arn)
            yield _aws(*command, "--version-id", current)
        case _ if old:
            yield from _put(old, file, account, DEFAULT.versions)
        case _:
            return


def _oldest(managed: Managed) -> str:
    spare = [one for one in managed.versions if one != managed.current]
    return min(spare, key=lambda one: int(one.removeprefix("v")))


def _aws(*words: str) -> str:
    return shlex.join(["aws", *words])


def _patch(old: Kept | None, new: Kept) -> Sequence[Mapping[str, object]]:
    """RFC 6902, with a test in front that the document is the one that was read."""
    after: Mapping[str, object] = json.loads(new.text)
    if old is None:
        return [{"op": "add", "path": "", "value": after}]
    before: Mapping[str, object] = json.loads(old.text)
    had, has = before["Statement"], after["Statement"]
    test = {"op": "test", "path": "/Statement", "value": had}
    if not isinstance(had, list) or not isinstance(has, list):
        return [test, {"op": "replace", "path": "/Statement", "value": has}]
    added = [place for place, one in enumerate(has) if one not in had]
    return [test, *({"op": "add", "path": f"/Statement/{place}", "value": has[place]} for place in added)]
