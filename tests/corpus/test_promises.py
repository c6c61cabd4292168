"""What an audit must say of what other programs find, shown on invented audits."""

from collections.abc import Sequence

from tests import hashicorp
from tests.corpus.program import Audit, Mention, Site
from tests.corpus.promises import broken_by
from tests.corpus.reference import Token
from tests.corpus.sites import site


def audit(*sites: Site, mentions: Sequence[Mention] = ()) -> Audit:
    return {
        "summary": {"unaccounted": 0},
        "states": [],
        "sites": list(sites),
        "mentions": list(mentions),
        "refusals": [],
        "unreadable": [],
    }


def backend(**attributes: hashicorp.Tree) -> dict[str, hashicorp.Attributes]:
    return {"net/main.tf": {"terraform": [{"backend": {"s3": [dict(attributes)]}}]}}


def reader(*configs: hashicorp.Tree) -> dict[str, hashicorp.Attributes]:
    named: hashicorp.Attributes = {
        f"net{at}": [{"backend": "s3", "config": config}] for at, config in enumerate(configs)
    }
    return {"net/main.tf": {"data": {"terraform_remote_state": named}}}


def broken(found: Audit, trees: dict[str, hashicorp.Attributes], *tokens: Token) -> list[str]:
    return [one.promise for one in broken_by(found, trees, tokens)]


def test_a_backend_is_one_site_with_its_attributes() -> None:
    tree = backend(bucket="acme", dynamodb_table="${var.table}")
    assert broken(audit(site("writer", bucket="acme", expressions=("table",))), tree) == []
    assert broken(audit(), tree) == ["writer misread", "writers miscounted"]
    assert broken(audit(site("writer", bucket="acme")), tree) == ["writer misread"]


def test_a_backend_in_a_template_is_a_generator() -> None:
    assert broken(audit(site("generator", bucket="acme")), backend(bucket="acme")) == []


def test_a_backend_counted_twice_is_one_too_many() -> None:
    twice = audit(site("writer", bucket="acme"), site("writer", bucket="acme"))
    assert broken(twice, backend(bucket="acme")) == ["writers miscounted"]


def test_an_empty_string_counts_as_unset() -> None:
    assert broken(audit(site("writer", bucket="acme")), backend(bucket="acme", dynamodb_table="")) == []


def test_a_reader_is_one_site_and_a_literal_one_has_its_attributes() -> None:
    assert broken(audit(site("reader", bucket="acme")), reader({"bucket": "acme"})) == []
    assert broken(audit(site("reader", bucket="else")), reader({"bucket": "acme"})) == ["reader misread"]
    assert broken(audit(site("reader")), reader("${merge({}, var.net)}")) == []
    assert broken(audit(), reader("${local.net}")) == ["readers miscounted"]


def test_a_reader_of_expressions_alone_takes_no_site_from_one_that_says_more() -> None:
    found = audit(site("reader", bucket="acme"), site("reader", expressions=("bucket",)))
    assert broken(found, reader({"bucket": "${each.value.bucket}"}, {"bucket": "acme"})) == []


def test_a_token_has_a_fate() -> None:
    inside, outside = Token("net/main.tf", 4, "dynamodb_table"), Token("Makefile", 7, "dynamodb_table")
    mention: Mention = {"path": "Makefile", "line": 7, "token": "dynamodb_table", "looks_like": "pipeline"}
    assert broken(audit(site("reader")), {}, inside) == []
    assert broken(audit(mentions=[mention]), {}, outside) == []
    assert broken(audit(), {}, inside, outside) == ["token without fate", "token without fate"]
