import pytest

from migrate.hcl.cut import cut

ALL = frozenset({"a", "b", "backend", "c", "data", "module", "terraform", "é"})

FOUND = {
    "blocks": ('terraform {\n}\n\nmodule "a" {\n}\n', ["terraform {\n}", 'module "a" {\n}']),
    "an unquoted label": ("backend s3 {}\n", ["backend s3 {}"]),
    "no blanks": ('data"a""b"{}\n', ['data"a""b"{}']),
    "braces in strings": ('a {\n  x = "}"\n  y = "{"\n}\n', ['a {\n  x = "}"\n  y = "{"\n}']),
    "braces in comments": ("a {\n  # }\n  // }\n  /* } */\n}\n", ["a {\n  # }\n  // }\n  /* } */\n}"]),
    "braces in heredocs": ("a {\n  x = <<-E\n  }\n  E\n}\n", ["a {\n  x = <<-E\n  }\n  E\n}"]),
    "a quote in a template in a string": ('a {\n  x = "${f("}")}"\n}\n', ['a {\n  x = "${f("}")}"\n}']),
    "an escaped template": ('a {\n  x = "$${"\n}\n', ['a {\n  x = "$${"\n}']),
    "an escaped quote": ('a {\n  x = "\\"}"\n}\n', ['a {\n  x = "\\"}"\n}']),
    "a comment in the header": ("a /* { */ {}\n", ["a /* { */ {}"]),
    "a comment before the header": ("/* a\n*/ a {}\n", ["a {}"]),
    "a byte order mark": ("\ufeffa {}\n", ["a {}"]),
    "CRLF": ("a {\r\n}\r\nb {\r\n}\r\n", ["a {\r\n}", "b {\r\n}"]),
    "objects are no blocks": ("x = {\n}\ny = merge(\n  {}\n)\n", []),
    "blocks inside of heredocs are none": ("x = <<E\na {\n}\nE\nb {}\n", ["b {}"]),
    "a heredoc ends at its marker alone": ("x = <<E\nEE\nE}\n  E\na {}\n", ["a {}"]),
    "a shift is no heredoc": ("a { x = 1 << 2 }\n", ["a { x = 1 << 2 }"]),
    "nothing": ("", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pieces"), FOUND.values(), ids=FOUND)
def test_finds(text: str, pieces: list[str]) -> None:
    found = cut(text, ALL)
    assert [piece.span.of(text) for piece in found.pieces] == pieces
    assert found.broken is None


BROKEN = {
    "a string over two lines": ('a {}\nb {\n  x = "y\n}\n', 1, '"y'),
    "a brace too many": ("a {}\n}\nb {}\n", 1, "}\nb"),
    "a brace too few": ("a {}\nb {\n", 1, "{\n"),
    "an endless heredoc": ("x = <<E\n", 0, "<<E"),
    "an endless comment": ("a {} /* b {}", 1, "/* b"),
    "Jinja, whose braces come in pairs": ("{% if a %}\na {}\n{% endif %}\n", 1, "{% if"),
    "a brace without a header": ("{}\n", 0, "{}"),
    "nested out of reason": ("a {" * 300, 0, "{a {"),
}


@pytest.mark.parametrize(("text", "whole", "broken"), BROKEN.values(), ids=BROKEN)
def test_says_where_it_is_no_hcl(text: str, whole: int, broken: str) -> None:
    found = cut(text, ALL)
    assert len(found.pieces) == whole
    assert found.broken is not None
    assert text.startswith(broken, found.broken)


@pytest.mark.parametrize(
    "other",
    [
        'b "x" {\n  y = { z = "}" } # }\n}\n',
        'b "x" {\n  y {\n    z {}\n  }\n}\n',
        'b {\n  y = "${z}"\n}\n',
        "b {\n  y = <<E\na {}\nE\n}\n",
        "  b {}\n",
        "ab {}\n",
    ],
)
def test_blocks_of_other_types_may_be_left_out_and_hide_nothing(other: str) -> None:
    text = f"{other}a {{ x = 1 }}\n{other}"
    found = cut(text, frozenset({"a"}))
    assert [p.span.of(text) for p in found.pieces if p.type == "a"] == ["a { x = 1 }"]
    assert found.broken is None
