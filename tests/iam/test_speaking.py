"""The quick look at what policies may speak of: it passes all that the close look would find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrate.iam.address import Address
from migrate.iam.bound import bound
from migrate.iam.glob import Hole
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Part, Word
from migrate.iam.speaking import objects, speaker
from migrate.iam.target import Target
from tests.iam.policies import allow, document

STATE = Address("acme-state", "net/terraform.tfstate")


def identity(*resources: str) -> Layer:
    return Layer(Kind.IDENTITY, (document(allow(["s3:PutObject", "s3:DeleteObject"], list(resources))),))


@pytest.mark.parametrize(
    ("resource", "may"),
    [
        ("arn:aws:s3:::acme-state/net/terraform.tfstate", True),
        ("arn:aws:s3:::acme-state/net/*", True),
        ("arn:aws:s3:::acme-state/*", True),
        ("arn:aws:s3:::acme-*/app/terraform.tfstate", True),
        ("arn:*:s3:::acme-state/app/terraform.tfstate", True),
        # in named workspaces
        ("arn:aws:s3:::acme-state/env:/prod/net/terraform.tfstate", True),
        ("arn:aws:s3:::acme-state/env:/*", True),
        ("arn:aws:s3:::acme-state/en*", True),
        # a role for each state: nothing of another's need be looked at
        ("arn:aws:s3:::acme-state/app/terraform.tfstate", False),
        ("arn:aws:s3:::acme-state/app/*", False),
        ("arn:aws:s3:::acme-state/env:/prod/app/terraform.tfstate", False),
        ("arn:aws:s3:::acme-data/*", False),
    ],
)
def test_what_a_resource_may_mean_of_a_state(resource: str, may: bool) -> None:
    assert speaker([identity(resource)]).may(objects(STATE)) is may


PIECES = ("aws", "*", "acme-state", "/", "net", "env:", "app", "?", "${aws:username}", ".tf", ":")
WORDS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join).map("arn:aws:s3:::acme-state/{}".format)
HOLES = st.sampled_from([(), (Hole("${local.partition}"),), (Hole("${var.state_bucket}"),)])
STATES = st.builds(
    Address,
    st.just("acme-state"),
    st.sampled_from(["net.tf", "net/app.tf", "app/net/.tf", "env:/net/net.tf", "net//app.tf"]),
    st.just(""),
    st.sampled_from(["env:", "net", "", "net/env:"]),
)


@given(WORDS, st.integers(0, 30), HOLES, STATES)
@settings(max_examples=400)
def test_what_the_close_look_finds_has_passed(
    text: str, at: int, hole: tuple[Part, ...], state: Address
) -> None:
    whole = identity(text)
    (policy,) = whole.policies
    (statement,) = policy.statements
    assert statement.resources
    word = Word((text[:at], *hole, text[at:])) if hole else statement.resources.words[0]
    resources = replace(statement.resources, words=(word,))
    layers = [Layer(Kind.IDENTITY, (replace(policy, statements=(replace(statement, resources=resources),)),))]
    assert speaker(layers).may(objects(state)) or not bound(layers, Target(state), None).speaks
