"""Things and a key in; the things by it out."""

from migrate.grouping import grouped


def test_keys_and_things_stay_in_their_order() -> None:
    assert list(grouped(["net", "app", "dns", "auth"], lambda word: word[0]).items()) == [
        ("n", ["net"]),
        ("a", ["app", "auth"]),
        ("d", ["dns"]),
    ]


def test_nothing_is_in_no_group() -> None:
    assert grouped([], len) == {}
    assert 4 not in grouped(["net"], len)
