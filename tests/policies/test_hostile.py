"""Whatever stands in a file: every policy source answers, and after its edit there is nothing left to do."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrate.compose import compose
from migrate.iam.target import Grant, Target
from migrate.model import Refusal, Source, Suggestion
from migrate.policies import POLICIES, PolicyPlug
from migrate.text import Conflict, Op
from tests.pairs import source
from tests.policies import test_json_in_hcl, test_plain_json, test_policy_document
from tests.policies.pairs import WISH

SEEDS = [
    text
    for module in (test_plain_json, test_json_in_hcl, test_policy_document)
    for _, *texts in module.CHANGES
    for text in texts
]
SIGNS = [
    *("{", "}", "[", "]", '"', "${", "$${", "&{", "}", "%{", "<<E\n", "E\n", "#", "//", "/*", "*/", ",", "="),
    *(":", "\n", "\r\n", "\\", "\ufeff", "\ue000", "é", "*", "?", "arn:", "s3:*", '"Statement"', "concat("),
]
EVERY = Grant((*WISH.targets, Target(None)))


@st.composite
def hostile(draw: st.DrawFn) -> str:
    """A policy with pieces taken out, doubled, and put in."""
    text: str = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.sampled_from(["", *SIGNS])) + text[end:]
    return text


@settings(max_examples=300)
@given(hostile() | st.text(), st.sampled_from(POLICIES))
def test_every_text_gets_an_answer_and_no_edit_leaves_work(text: str, plug: PolicyPlug) -> None:
    given_ = source("iam.tf", text)
    after = _edited(plug, given_)
    if after is not None and after != text:
        again = plug.find(replace(given_, text=after))
        assert not again.problems
        assert _edited(plug, replace(given_, text=after)) in (after, None)


def _edited(plug: PolicyPlug, given_: Source) -> str | None:
    """The text after the edit; None where one policy is not edited."""
    ops: list[Op] = []
    for found in plug.find(given_).items:
        answer = plug.edit({given_.path: given_}, found, EVERY)
        if isinstance(answer, Refusal | Suggestion):
            return None
        ops += answer.get(given_.path, ())
    after = compose(given_.text, ops)
    return None if isinstance(after, Conflict) else after
