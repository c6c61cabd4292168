"""Holders of policies for tests."""

from migrate.iam.holder import Holder
from migrate.iam.layers import Kind, Layer
from migrate.iam.request import Caller
from migrate.model import By
from tests.iam.policies import CI, Json, layer


def role(
    name: str, *statements: Json, by: By = "seen", layers: tuple[Layer, ...] = (), partition: str = "aws"
) -> Holder:
    arn = CI.replace("acme-ci", name).replace(":aws:", f":{partition}:", 1) if by == "seen" else ""
    return Holder("role", name, Caller(arn), (layer(Kind.IDENTITY, *statements), *layers), by)
