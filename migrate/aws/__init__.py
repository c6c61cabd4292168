"""The only room with boto3: who calls, and one guarded question to a store.

Credentials, region and endpoint come from the environment as AWS's own tools take them; a backend block names
none of them here.
"""

from migrate.aws.caller import Caller

__all__ = ["Caller"]
