"""No definite answer is contradicted by any world that is left open: policies and requests at random."""

from collections.abc import Iterator
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrate.iam.glob import Glob, Hole, Wild, exact, join
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Condition, Effect, Element, Named, Policy, Principals, Statement, Word
from migrate.iam.request import Absence, Caller, Request, Value
from migrate.iam.weights import account_doubt

BUCKET = "arn:aws:s3:::st/"
CALLER = "arn:aws:iam::111122223333:role/ci"
KEYS = ("k", "l")
VALUES = ("a", "b")

words = st.sampled_from(["a", "b", "a*", "*", "${k}", "c"]).map(lambda text: Word((text,)))
resources = st.sampled_from(
    [
        "*",
        BUCKET + "*",
        BUCKET + "a",
        BUCKET + "a/*",
        BUCKET + "?",
        BUCKET + "*/b",
        BUCKET + "${k}/*",
        BUCKET + "${l}",
    ]
).map(lambda text: Word((text,))) | st.just(Word((BUCKET, Hole("var.x"))))
operators = st.sampled_from(
    [
        *("StringEquals", "StringNotEquals", "StringLike", "StringNotLike", "Null", "Bool"),
        *(
            "StringEqualsIfExists",
            "ForAnyValue:StringLike",
            "ForAllValues:StringEquals",
            "StringEqualsIgnoreCase",
        ),
    ]
)
conditions = st.builds(
    Condition,
    operators,
    st.sampled_from(KEYS),
    st.lists(words | st.just(Word(("true",))), min_size=1, max_size=2).map(tuple),
)
effects: st.SearchStrategy[Effect] = st.sampled_from(["Allow", "Allow", "Deny"])
principals = st.sampled_from(["*", CALLER, "111122223333", "arn:aws:iam::111122223333:role/other"]).map(
    lambda text: Principals((Named("AWS", Word((text,))),))
)


def policies(
    who: st.SearchStrategy[Principals | None], *hanging: str
) -> st.SearchStrategy[tuple[Policy, ...]]:
    actions = st.sampled_from(["s3:PutObject", "s3:Put*", "*", "s3:GetObject"]).map(
        lambda text: (Word((text,)),)
    )
    statement = st.builds(
        Statement,
        effects,
        st.builds(Element, actions, st.sampled_from([False, False, True])),
        st.builds(
            Element, st.lists(resources, min_size=1, max_size=2).map(tuple), st.sampled_from([False, True])
        ),
        who,
        st.lists(conditions, max_size=2).map(tuple),
    )
    made = st.lists(statement, min_size=1, max_size=3).map(tuple)
    one = st.builds(Policy, made, hangs_on=st.sampled_from(("", *hanging)))
    return st.lists(one, min_size=1, max_size=1 + len(hanging)).map(tuple)


layers = st.builds(
    lambda identity, bucket, boundary: [
        Layer(Kind.IDENTITY, identity),
        Layer(Kind.BUCKET, bucket),
        *(Layer(Kind.BOUNDARY, policies) for policies in boundary),
    ],
    policies(st.none(), "count"),
    st.just(()) | policies(principals, "bucket"),
    st.lists(policies(st.none()), max_size=1),
)
ANYTHING = Element((Word(("*",)),))
MORE = Policy((Statement("Allow", ANYTHING, ANYTHING, Principals((Named("AWS", Word((CALLER,))),))),))
of_anything = st.builds(
    Statement,
    effects,
    st.just(ANYTHING),
    st.just(ANYTHING),
    principals,
    st.just(()) | st.lists(conditions, max_size=1).map(tuple),
)
plain = st.lists(of_anything, max_size=2).map(lambda found: (Policy(tuple(found)),))
few = st.fixed_dictionaries({Kind.BUCKET: plain}, optional={Kind.IDENTITY: plain, Kind.BOUNDARY: plain}).map(
    lambda found: [Layer(kind, policies) for kind, policies in found.items()]
)
values: st.SearchStrategy[Value] = st.sampled_from(
    [Absence.UNKNOWN, Absence.UNKNOWN, Absence.MISSING, ("a",), ("b",)]
)
requests = st.builds(
    Request,
    st.just("s3:PutObject"),
    st.sampled_from([exact(BUCKET + "a"), exact(BUCKET + "a/b"), join([BUCKET, Wild.SEGMENT, "/b"])]),
    st.sampled_from(["111122223333", "444455556666", None]),
    st.fixed_dictionaries(dict.fromkeys(KEYS, values)),
)


def worlds(request: Request) -> Iterator[Request]:
    """The request with everything known, in every way that is left open."""
    choices = [_open(request.context[key]) for key in KEYS]
    owners = [request.owner] if request.owner else ["111122223333", "444455556666"]
    for owner, found in product(owners, product(*choices)):
        context: dict[str, Value] = dict(zip(KEYS, found, strict=True))
        yield replace(request, owner=owner, context=context, others=Absence.MISSING)


def _open(value: Value) -> list[Value]:
    return [Absence.MISSING, ("a",), ("b",), ("other",)] if value is Absence.UNKNOWN else [value]


def concrete(resource: Glob) -> list[Glob]:
    """`c` is a letter that no statement names: there are more of one letter than those."""
    if resource.literal is not None:
        return [resource]
    return [exact(f"{BUCKET}{name}/b") for name in ("a", "b", "c", "zz")]


def filled(layers: list[Layer], text: str, *in_force: str) -> list[Layer]:
    """The same policies with `text` where an expression of the source stood, and those that are in force."""
    return [
        replace(one, policies=tuple(_filled(p, text) for p in one.policies if p.hangs_on in ("", *in_force)))
        for one in layers
    ]


def _filled(policy: Policy, text: str) -> Policy:
    told = tuple(_told(statement, text) for statement in policy.statements)
    return replace(policy, statements=told, hangs_on="")


def _told(statement: Statement, text: str) -> Statement:
    assert statement.resources
    told = tuple(
        Word(tuple(text if isinstance(part, Hole) else part for part in word.parts))
        for word in statement.resources.words
    )
    return replace(statement, resources=replace(statement.resources, words=told))


@settings(max_examples=450, deadline=None)
@given(layers, requests)
def test_a_definite_answer_holds_in_every_world(layers: list[Layer], request_: Request) -> None:
    answer = Judge(Caller(CALLER), layers).decide(request_).answer
    if answer not in (Answer.ALLOWED, Answer.DENIED):
        return
    for told in (filled(layers, "a", "count"), filled(layers, "zz", "bucket"), filled(layers, "zz", "count")):
        judge = Judge(Caller(CALLER), told)
        for world, resource in product(worlds(request_), concrete(request_.resource)):
            assert judge.decide(replace(world, resource=resource)).answer is answer


parts = st.sampled_from(["*", BUCKET + "a/*", BUCKET + "a/b", BUCKET + "?/*", BUCKET + "${k}/*"]).map(
    lambda text: (Word((text,)),)
)
of_parts = st.builds(
    Statement, effects, st.just(ANYTHING), st.builds(Element, parts, st.booleans()), st.none(), st.just(())
)


@settings(max_examples=100, deadline=None)
@given(st.lists(of_parts, min_size=1, max_size=3), st.sampled_from(VALUES))
def test_partly_means_some_are_allowed_and_some_denied(statements: list[Statement], key: str) -> None:
    judge = Judge(Caller(CALLER), [Layer(Kind.IDENTITY, (Policy(tuple(statements)),))])
    every = join([BUCKET, Wild.SEGMENT, "/b"])
    request_ = Request("s3:PutObject", every, "111122223333", {"k": (key,)})
    assume(judge.decide(request_).answer is Answer.PARTLY)
    answers = {judge.decide(replace(request_, resource=one)).answer for one in concrete(every)}
    assert answers == {Answer.ALLOWED, Answer.DENIED}


@settings(max_examples=150, deadline=None)
@given(layers | few, requests)
def test_an_unknown_answer_hangs_on_its_doubts_alone(layers: list[Layer], request_: Request) -> None:
    judge = Judge(Caller(CALLER), layers)
    answer, doubts = judge.decide(request_).answer, judge.decide(request_).doubts
    assert bool(doubts) == (answer is Answer.UNKNOWN)
    for world in (dict.fromkeys(doubts, True), dict.fromkeys(doubts, False)):
        assert not set(judge.decide(request_, world.get).doubts) & set(doubts)


@settings(max_examples=500, deadline=None)
@given(few, requests, st.sampled_from([Kind.BUCKET, Kind.IDENTITY, Kind.BOUNDARY]))
def test_a_definite_answer_holds_whatever_an_unread_layer_grants(
    layers: list[Layer], request_: Request, kind: Kind
) -> None:
    hidden = [replace(one, unseen="it was denied") if one.kind is kind else one for one in layers]
    answer = Judge(Caller(CALLER), hidden).decide(request_).answer
    if answer not in (Answer.ALLOWED, Answer.DENIED):
        return
    for more in ((), (MORE,)):
        told = [replace(one, policies=one.policies + more) if one.kind is kind else one for one in layers]
        assert Judge(Caller(CALLER), told).decide(request_).answer is answer


@settings(max_examples=150, deadline=None)
@given(layers, st.lists(requests, min_size=2, max_size=4))
def test_what_was_asked_before_changes_no_answer(layers: list[Layer], asked: list[Request]) -> None:
    judge = Judge(Caller(CALLER), layers)
    for told in (None, True, False):
        given = None if told is None else {account_doubt(): told}.get
        for request_ in asked:
            assert (
                judge.decide(request_, given).answer
                is Judge(Caller(CALLER), layers).decide(request_, given).answer
            )
