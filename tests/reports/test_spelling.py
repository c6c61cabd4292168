from migrate.dialects import terraform
from migrate.reports import spelling
from tests.pairs import block, source


def test_an_expression_is_told_by_the_name_of_its_field() -> None:
    text = block('bucket = "acme-state"', "key = var.key", 'dynamodb_table = "${var.env}-locks"')
    (site,) = terraform.find(source("net/backend.tf", text)).items
    assert spelling.expressions(site) == {"key": "var.key", "table": '"${var.env}-locks"'}
