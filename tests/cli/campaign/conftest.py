from tests.cli.conftest import desk
from tests.github.fixtures import host, services

__all__ = ["desk", "host", "services"]
