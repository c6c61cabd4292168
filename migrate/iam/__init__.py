"""IAM policies as values: what they grant, what a lock needs, and the least difference between the two."""

from migrate.iam.address import Address, Workspace, Workspaces
from migrate.iam.doubt import Doubt
from migrate.iam.grant import Addition, Hold, least
from migrate.iam.judge import Answer, Decision, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class, Finding, LockVerdict, lock_verdict
from migrate.iam.needs import lock_needs
from migrate.iam.policy import Flaw, Policy, Statement
from migrate.iam.question import Client, Need, Question, Writing
from migrate.iam.read import Reading, is_policy, read_policy
from migrate.iam.request import Absence, Caller, Request
from migrate.iam.target import TRIO, Grant, Scope, Target

__all__ = [
    "TRIO",
    "Absence",
    "Addition",
    "Address",
    "Answer",
    "Caller",
    "Class",
    "Client",
    "Decision",
    "Doubt",
    "Finding",
    "Flaw",
    "Grant",
    "Hold",
    "Judge",
    "Kind",
    "Layer",
    "LockVerdict",
    "Need",
    "Policy",
    "Question",
    "Reading",
    "Request",
    "Scope",
    "Statement",
    "Target",
    "Workspace",
    "Workspaces",
    "Writing",
    "is_policy",
    "least",
    "lock_needs",
    "lock_verdict",
    "read_policy",
]
