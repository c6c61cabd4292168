"""Invented sites of an audit."""

from tests.corpus.program import Site


def site(role: str, *, lock: str = "table", expressions: tuple[str, ...] = (), **fields: str | None) -> Site:
    """A site of `net/main.tf`; each of `expressions` is a field whose value is one."""
    return {
        "states": ["s3://acme-state/net.tfstate"],
        "path": "net/main.tf",
        "line": 2,
        "end_line": 5,
        "dialect": "terraform",
        "role": role,
        "lock": lock,
        "bucket": fields.get("bucket"),
        "key": fields.get("key"),
        "region": fields.get("region"),
        "workspace_key_prefix": fields.get("workspace_key_prefix"),
        "table": fields.get("table"),
        "unknown": {field: f"var.{field}" for field in expressions},
        "why_not": None,
    }
