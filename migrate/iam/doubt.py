"""What stands between a question and a definite answer."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

DoubtKind: TypeAlias = Literal[
    "key", "symbol", "variable", "principal", "account", "operator", "policy", "layer", "action", "tangle"
]


class Doubt(Struct, frozen=True, order=True):
    """One thing that is not known and could turn the answer.

    `key`: a context key nobody told; `symbol`: an expression of the source; `variable`: a policy variable
    the request does not have (AWS only says that the statement may then be invalid); `principal` and
    `account`: whose role or bucket it is; `operator`: a comparison IAM does not define; `policy`: whether one
    is in force; `layer`: a policy nobody could read; `tangle`: patterns too many to count. `name` is that
    key, symbol or layer, or what the policy hangs on, `element` what is in doubt as written. `scope` is empty
    where the doubt has one answer in all requests of a run, else it names the request.
    """

    kind: DoubtKind
    name: str
    element: str = ""
    scope: str = ""
