"""Which configurations may mean a state though it is not theirs by name: those whose own is not known, and
those of the objects in which S3 keeps its workspaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.estate.effective import Settings, text
from migrate.model import Estate, Known, Stack, StateId, Unknown, Unresolved

_PREFIX: Final = Known("env:")
"""What the key of a workspace begins with where no `workspace_key_prefix` is set."""


def may_mean(settings: Settings, stack: Stack) -> bool:
    """Whether a configuration whose state is not known may mean this one: no part that is known differs."""
    if isinstance(stack.id, Unresolved):
        return True
    bucket, key = text(settings, "bucket"), text(settings, "key")
    if isinstance(bucket, Known) and bucket.value != stack.id.bucket:
        return False
    return not isinstance(key, Known) or key.value == stack.id.key or _is_workspace(key.value, stack)


def workspaces(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks whose state is one workspace of this one, named by the key of its object."""
    if isinstance(stack.id, StateId):
        for other in estate.nested.get(stack.id, ()):
            if isinstance(other.id, StateId) and _is_workspace(other.id.key, stack):
                yield other


def _is_workspace(key: str, stack: Stack) -> bool:
    """`env:/dev/net.tfstate` of `net.tfstate`."""
    if not isinstance(stack.id, StateId) or not key.endswith(f"/{stack.id.key}"):
        return False
    prefix, _, workspace = key.removesuffix(f"/{stack.id.key}").rpartition("/")
    said = (text(backend.settings, "workspace_key_prefix") or _PREFIX for backend in stack.backends)
    return bool(workspace) and any(isinstance(one, Unknown) or one.value.strip("/") == prefix for one in said)
