"""Modules from elsewhere that are given a state's bucket or lock table for roles they make.

What such a module grants does not stand here, so nothing is edited: the statement that it needs is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl
from migrate.iam.policy import Policy
from migrate.iam.target import Grant, lock_patterns
from migrate.model import Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.sites import made_by
from migrate.spelling import written
from migrate.spelling.written import PolicyWish, Written

NAME: Final = "module_input"

_HOLDING: Final = re.compile("source")
_GRANTING: Final = re.compile(r"(?i)iam|role|oidc|polic|permission|access")
_STRING: Final = re.compile(r'"([^"\\]*)"')
_PUT: Final = "s3:PutObject"
_WHY: Final = "what this module grants does not stand here: its roles need this statement"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu")


def find(source: Source, /) -> Found[Written]:
    """Every call of a module from elsewhere whose name, source or inputs speak of roles."""
    named = ((f"module.{one.labels[0]}", Policy((), span=one.span)) for one in _calls(source))
    return Found(written.all_of(source, NAME, named, made_by(source)))


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    given = set(_STRING.findall(found.span.of(source.text)))
    locks = list(dict.fromkeys(_locks(given, wish))) if isinstance(wish, Grant) else []
    return Suggestion(found.place, _statement(locks), _WHY) if locks else {}


def _calls(source: Source) -> Iterator[hcl.Block]:
    for block in hcl.blocks(source.text, ("module",), _HOLDING).blocks:
        match block.value("source"):
            case hcl.Literal(str(path)) if not path.startswith((".", "/")):
                said = " ".join((*block.labels, path, *(str(one.name) for one in block.arguments)))
                if len(block.labels) == 1 and _GRANTING.search(said):
                    yield block
            case _:
                pass


def _locks(given: set[str], wish: Grant) -> Iterator[str]:
    """The locks of the states whose bucket the module is given together with a lock table or their Put."""
    if _PUT not in given and not any(_names(text, table) for text in given for table in wish.tables):
        return
    for target in wish.targets:
        if target.address and any(_names(text, target.address.bucket) for text in given):
            yield from lock_patterns(target.address, wish.scope, workspaces=target.workspaces)


def _names(text: str, name: str) -> bool:
    """Whether a string is a name, or an ARN that ends in it."""
    return text in (name, f"{name}/*") or text.endswith((f":{name}", f"/{name}", f":{name}/*"))


def _statement(locks: list[str]) -> str:
    statement = {
        "Sid": "TerraformStateLockFile",
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
        "Resource": locks,
    }
    return json.dumps(statement, indent=2)
