"""HCL expressions in, what they come to out; whatever is not certain stays unknown, with its text."""

from __future__ import annotations

import pytest

from migrate.evaluation.evaluate import Data, Made, evaluated
from migrate.model import Unknown


class Local:
    """A scope of a few locals, without functions of its own."""

    def look(self, name: str, /) -> Data | Unknown:
        given = Made({"name": "vpc"}, whole=True)
        local = Made({"env": "dev", "on": True, "names": ("a", "b"), "given": given})
        return local if name == "local" else Unknown(name)

    def call(self, name: str, arguments: tuple[Data, ...], /) -> Data | Unknown:
        return Unknown(f"{name}()")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('"acme"', "acme"),
        ("12", "12"),
        ("null", None),
        ('"${local.env}-locks"', "dev-locks"),
        ('"${local.on}"', "true"),
        ('"$${local.env}\\t"', "${local.env}\t"),
        ("local.names[1]", "b"),
        ('local["env"]', "dev"),
        ('local.env == "dev" ? "d" : "p"', "d"),
        ('local.env != "dev" ? "d" : "p"', "p"),
        ('var.x ? "same" : "same"', "same"),
        ('try(local.env, "none")', "dev"),
        ('try(local.given.other.deep, local.given.name, "none")', "vpc"),
        ('format("%s-%%-%s", local.env, "x")', "dev-%-x"),
        ('replace("a-b", "-", "_")', "a_b"),
        ('split("/", "a/b")[0]', "a"),
        ('basename("a/b/")', "b"),
        ('basename("/")', "/"),
        ('basename("")', "."),
        ('dirname("./a/../b/c")', "b"),
        ('dirname("a")', "."),
        ('trimsuffix(upper("a.tf"), ".TF")', "A"),
        ('["a", local.env]', ("a", "dev")),
        ("{ a = local.env, b = var.x }", Made({"a": "dev", "b": Unknown("var.x")}, whole=True)),
    ],
)
def test_comes_to(expression: str, value: Data) -> None:
    assert evaluated(expression, Local()) == value


@pytest.mark.parametrize(
    "expression",
    [
        "var.x",
        "local.other",
        "local.names[7]",
        '"${var.x}-locks"',
        'var.x ? "a" : "b"',
        'try(var.x, "none")',
        'try(local.other, "none")',
        "local.given.other",
        "var.x ? local.names : local.names",
        "lower(var.x)",
        "upper(local.names)",
        'trimprefix(var.x, "a")',
        'format("%d", 3)',
        'format("%s")',
        'replace("a1", "/[0-9]/", "")',
        'lookup(local, "env")',
        "<<EOT\na\nEOT",
        'local.env == var.x ? "a" : "b"',
        '{ a = "b", (var.x) = "c" }',
    ],
)
def test_is_not_known(expression: str) -> None:
    assert isinstance(evaluated(expression, Local()), Unknown)
