import json

from hypothesis import given
from hypothesis import strategies as st

from migrate.dialects import terraform
from migrate.reports import spelling
from migrate.reports.spelling import Json
from tests.pairs import block, source


def test_an_expression_is_told_by_the_name_of_its_field() -> None:
    text = block('bucket = "acme-state"', "key = var.key", 'dynamodb_table = "${var.env}-locks"')
    (site,) = terraform.find(source("net/backend.tf", text)).items
    assert spelling.expressions(site) == {"key": "var.key", "table": '"${var.env}-locks"'}


text = st.text() | st.text(st.characters(max_codepoint=0x80)) | st.just("\ud800 of a name that is no UTF-8")
document: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


@given(
    items=st.lists(document, min_size=1, max_size=4),
    other=document.filter(lambda value: not isinstance(value, list)),
)
def test_json_is_one_line_for_each_item_of_a_list_at_the_top(items: list[Json], other: Json) -> None:
    lines = ",\n    ".join(map(json.dumps, items))
    expected = f'{{\n  "items": [\n    {lines}\n  ],\n  "other": {json.dumps(other)}\n}}\n'
    assert spelling.dumps({"items": items, "other": other}) == expected
