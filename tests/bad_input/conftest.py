from tests.bad_input.forges import clone, forge

__all__ = ["clone", "forge"]
