"""Who holds which policies, as source says: roles, users and groups with what is attached to them; and which
roles Terraform is run as.

One directory of Terraform is one module; what leads out of it (a variable, another module's output, a policy
of AWS's own) is not followed and stands in a layer's `unseen`.
"""

from migrate.roles import cloudformation
from migrate.roles.buckets import Guard, guards, unplaced
from migrate.roles.directory import holders
from migrate.roles.documents import Documents
from migrate.roles.fill import acting
from migrate.roles.limits import limits
from migrate.roles.module import Module, module
from migrate.roles.runners import RoleName, named_in, of_providers
from migrate.roles.who import ELSEWHERE, both, loose

__all__ = [
    "ELSEWHERE",
    "Documents",
    "Guard",
    "Module",
    "RoleName",
    "acting",
    "both",
    "cloudformation",
    "guards",
    "holders",
    "limits",
    "loose",
    "module",
    "named_in",
    "of_providers",
    "unplaced",
]
