from migrate.yamlvalues import values


def test_an_anchor_that_is_set_again_is_no_mistake() -> None:
    assert values("a: &x 1\nb: &x 2\nc: *x\n") == [{"a": "1", "b": "2", "c": "*"}]


def test_what_is_no_yaml_has_no_values() -> None:
    assert values("a: [\n") is None
