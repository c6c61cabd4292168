from tests.github.fixtures import host, services

__all__ = ["host", "services"]
