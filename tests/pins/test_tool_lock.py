import pytest

from migrate.model import Refusal
from migrate.pins import tool_lock
from tests.pins.pairs import moved, pins

AQUA = (
    '{"checksums": [{"id": "github_release/github.com/opentofu/opentofu/v1.8.1/tofu_1.8.1_linux_amd64.zip"}]}'
)
MISE = '[[tools.jq]]\nversion = "1.7.1"\n\n[[tools.terraform]]\nversion = "1.9.8"\nbackend = "aqua:x/y"\n'
PROTO = '[[tools.terragrunt]]\nbackend = "asdf"\nversion = "0.67.3"\n'


@pytest.mark.parametrize(
    ("path", "text", "expected", "remedy"),
    [
        (
            "net/aqua-checksums.json",
            AQUA,
            ("opentofu", "1.8.1", "net", 1),
            "set 1.11.4 in aqua's configuration and run `aqua update-checksum`",
        ),
        ("mise.lock", MISE, ("terraform", "1.9.8", ".", 5), "run `mise use terraform@1.11.4`"),
        (
            "devbox.lock",
            '{"packages": {"terraform@1.9.8": {"version": "1.9.8"}}}',
            ("terraform", "1.9.8", ".", 1),
            "run `devbox add terraform@1.11.4`",
        ),
        (
            ".protolock",
            PROTO,
            ("terragrunt", "0.67.3", ".", 3),
            "run `proto pin terragrunt 1.11.4 --resolve` and `proto install`",
        ),
    ],
)
def test_what_is_locked_is_told_and_left_to_its_tool(
    path: str, text: str, expected: tuple[str, str, str, int], remedy: str
) -> None:
    assert pins(tool_lock, path, text) == [expected]
    answer = moved(tool_lock, path, text, "1.11.4")
    assert isinstance(answer, Refusal)
    assert answer.remedy == f"{remedy}, then run this again"
