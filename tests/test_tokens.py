from hypothesis import given
from hypothesis import strategies as st

from migrate.tokens import Tokens

words = st.binary(min_size=1, max_size=9) | st.text("abc", min_size=1, max_size=7).map(str.encode)


@given(names=st.sets(words, max_size=12), data=st.lists(words, max_size=9).map(b"".join))
def test_finds_what_is_there(names: set[bytes], data: bytes) -> None:
    there = {name for name in names if name in data}
    assert Tokens(names).all_in(data) == there
    assert Tokens(names).any_in(data) == bool(there)
