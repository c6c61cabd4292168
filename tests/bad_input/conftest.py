from tests.bad_input.forges import clone, forge
from tests.cli.conftest import desk
from tests.github.fixtures import host, services

__all__ = ["clone", "desk", "forge", "host", "services"]
