"""The only room with boto3: who calls, one guarded question to a store, and the reading of an account.

`Caller` is whoever the environment says we are; `Reader` is signed in as the operator's configuration names
it. A backend block names no credentials, region or endpoint here.
"""

from migrate.aws.caller import Caller
from migrate.aws.reader import Reader

__all__ = ["Caller", "Reader"]
