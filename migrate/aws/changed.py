"""What to say when a request that could change nothing has changed something after all."""

from __future__ import annotations

import json
import shlex
from typing import Final

from migrate.errors import RelockError
from migrate.estate.endpoints import is_aws
from migrate.iam.asking import LockObject

BODY: Final = json.dumps(
    {
        "ID": "tfrelock",
        "Operation": "iam check --self",
        "Info": "no lock: a question that this store should have refused; delete this object",
    }
).encode()
"""What would stand there if a store took the question for a lock; Terraform shows it to whoever comes."""

_IGNORES = "the store does not heed If-Match, and nothing more was asked"


def written(lock: LockObject, endpoint: str, version: str | None) -> RelockError:
    """A PUT succeeded: what stands there is ours."""
    what = f"a PUT on a condition that nothing meets has written an object of ours: {_IGNORES}"
    return RelockError(what, str(lock), f"undo it: {_delete(lock, endpoint, version)}")


def deleted(lock: LockObject, endpoint: str, version: str | None) -> RelockError:
    """A DELETE succeeded: a HEAD just before had found no lock; one taken since is gone."""
    what = (
        f"a DELETE on a condition that nothing meets was carried out: {_IGNORES}. No lock was there just "
        "before; a run that took it in that moment holds it no more"
    )
    if version is None:
        return RelockError(what, str(lock), "undo it: nothing to put back; see that no run is in progress")
    return RelockError(what, str(lock), f"undo it: {_delete(lock, endpoint, version)}")


def _delete(lock: LockObject, endpoint: str, version: str | None) -> str:
    """Deletes what was written, or the marker that a delete has left."""
    words = ["aws", "s3api", "delete-object", "--bucket", lock.bucket, "--key", lock.key]
    words += ["--version-id", version] if version else []
    words += [] if is_aws(endpoint) else ["--endpoint-url", endpoint]
    return shlex.join(words)
