"""The roles, users, groups and buckets of one CloudFormation template, each with its policies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.glob import Glob, Wild
from migrate.iam.holder import Holder, HolderKind
from migrate.iam.managed import managed
from migrate.iam.policy import Policy, Word
from migrate.iam.variables import plain
from migrate.jsontree import Array, Mistake, Node, Object, Text
from migrate.model import Place, Source, Unknown
from migrate.roles.buckets import Guard, guard
from migrate.roles.fill import filled
from migrate.roles.who import Held, Who, alone, both
from migrate.spelling import cfn_words
from migrate.spelling.cfn_tree import conditions, is_template, is_yaml, resources, template
from migrate.spelling.guarded import Guards
from migrate.spelling.written import Written
from migrate.text import Lines, Span

_KINDS: Final[Mapping[str, HolderKind]] = {
    "AWS::IAM::Role": "role",
    "AWS::IAM::User": "user",
    "AWS::IAM::Group": "group",
}
_OF_POLICIES: Final = ("Policy", "ManagedPolicy", "RolePolicy", "UserPolicy")
_POLICIES: Final = tuple(f"AWS::IAM::{kind}" for kind in _OF_POLICIES)
_MANAGED: Final = "AWS::IAM::ManagedPolicy"
_NAMES: Final = ("RoleName", "UserName", "GroupName", "BucketName", "TableName")
_LISTS: Final = ("Roles", "Users", "Groups", "RoleName", "UserName")
_WORD: Final = re.compile(r"\w+")
_NAMED: Final = re.compile(r"([\w:]+?)(?:\.(\w+))?")


class Template(Struct, frozen=True):
    holders: tuple[Holder, ...] = ()
    guards: tuple[Guard, ...] = ()


def read(source: Source, written: Sequence[Written]) -> Template:
    """Every holder of the template; a policy that it attaches to nobody it makes stands for itself."""
    if not is_template(source.text):
        return Template()
    root = template(source.text, yaml=is_yaml(source))
    if root is None or isinstance(root, Mistake):
        return Template()
    reading = _Reading(source, root, written)
    return Template(tuple(who.holder() for who in reading.who()), tuple(reading.guards()))


class _Reading:
    def __init__(self, source: Source, root: Object, written: Sequence[Written]) -> None:
        self._source = source
        self._written = written
        self._resources = {name: (kind, properties) for name, kind, properties in resources(root)}
        self._conditions = conditions(root)
        self._lines = Lines(source.text)
        self._guards = Guards(source.text)
        self._used: set[str] = set()

    def who(self) -> tuple[Who, ...]:
        found = {
            name: self._own(name, _KINDS[kind], properties)
            for name, (kind, properties) in self._resources.items()
            if kind in _KINDS
        }
        others = [
            one
            for name, (kind, properties) in self._resources.items()
            if kind in _POLICIES
            for one in self._attached(name, properties, found)
        ]
        for users, groups in self._members(found):
            self._join(found, users, groups)
        return (*found.values(), *others)

    def guards(self) -> Iterator[Guard]:
        for name, (kind, properties) in self._resources.items():
            if kind == "AWS::S3::BucketPolicy":
                place, found = self._place(properties.span), self._document(properties)
                bucket = properties.get("Bucket")
                called = f"{name} {self._target(bucket) if bucket else ''}"
                yield guard(Guard(self._bucket(bucket), place, called=called), found, self._hangs_on(name))

    def _bucket(self, node: Node | None) -> Glob:
        """What a bucket may be called, as far as its name is written."""
        own = self._resources.get(self._target(node)) if node else None
        named = own[1].get("BucketName") if own else node
        parts = cfn_words.parts_of(self._source.text, named) if named else None
        return plain(Word(parts), wild=False).widest if parts else Glob((Wild.ANY,))

    def _own(self, name: str, kind: HolderKind, properties: Object) -> Who:
        hangs_on = self._hangs_on(name)
        who = Who(kind, self._name(name) or name, self._place(properties.span), hangs_on)
        for item in _items(properties.get("Policies")):
            who.keep(self._document(item), hangs_on)
        for item in _items(properties.get("ManagedPolicyArns")):
            who.attach(self._by_arn(item), hangs_on)
        boundary = properties.get("PermissionsBoundary")
        if boundary:
            who.bound(self._by_arn(boundary))
        return who

    def _attached(self, name: str, properties: Object, found: Mapping[str, Who]) -> Iterator[Who]:
        """A policy given to those it names; one that names nobody of this template is held by others."""
        policies = self._document(properties)
        named = [item for key in _LISTS for item in _items(properties.get(key))]
        held = [self._held(item, found) for item in named]
        for who, among in (one for each in held for one in each):
            hold = who.attach if self._resources[name][0] == _MANAGED else who.keep
            hold(policies, both(among, self._hangs_on(name)))
        sure = all(any(not among for _, among in each) for each in held)
        unheld = not sure or not (named or name in self._used)
        if unheld and not isinstance(policies, Unknown):
            yield alone(f"{self._source.path}#{name}", self._place(properties.span), policies)

    def _held(self, item: Node, found: Mapping[str, Who]) -> Sequence[Held]:
        """Whom an item of a list means: a function that nobody follows may mean each of whom it speaks."""
        if isinstance(item, Text):
            return [(who, "") for who in found.values() if who.name == item.value]
        if self._target(item) in found:
            return [(found[self._target(item)], "")]
        words, place = set(_WORD.findall(item.span.of(self._source.text))), self._place(item.span)
        return [(who, f"whoever is meant at {place}") for name, who in found.items() if name in words]

    def _members(self, found: Mapping[str, Who]) -> Iterator[tuple[Sequence[Held], Iterable[Node]]]:
        """Users with the groups that they are in."""
        for name, (kind, properties) in self._resources.items():
            if kind == "AWS::IAM::User":
                yield [(found[name], "")], _items(properties.get("Groups"))
            elif kind == "AWS::IAM::UserToGroupAddition":
                users = [one for user in _items(properties.get("Users")) for one in self._held(user, found)]
                yield users, _items(properties.get("GroupName"))

    def _join(self, found: Mapping[str, Who], users: Sequence[Held], groups: Iterable[Node]) -> None:
        """What groups hold, their users hold; of a group from elsewhere it is not known."""
        for group in groups:
            held = self._held(group, found)
            for user, among in users:
                for who, of_both in held:
                    user.join(who, both(among, of_both))
                if not held:
                    user.keep(Unknown(f"group {group.span.of(self._source.text)}"))

    def _hangs_on(self, name: str) -> str:
        condition = f"Condition {self._conditions[name]}" if name in self._conditions else ""
        return both(condition, self._guards.around(self._resources[name][1].span.start, 0))

    def _document(self, node: Node) -> tuple[Policy, ...] | Unknown:
        """The policy of its `PolicyDocument`; what makes one instead, such as `Fn::If`, is not followed."""
        document = node.get("PolicyDocument") if isinstance(node, Object) else None
        found = next((one for one in self._written if document and one.span == document.span), None)
        if found is None:
            return Unknown(f"the policy at {self._place((document or node).span)}")
        return (replace(filled(found.policy, self._value), name=f"{found.path}:{found.line}"),)

    def _by_arn(self, node: Node) -> tuple[Policy, ...] | Unknown:
        target = self._target(node)
        if target in self._resources and self._resources[target][0] in _POLICIES:
            self._used.add(target)
            return self._document(self._resources[target][1])
        parts = cfn_words.parts_of(self._source.text, node) or ()
        arn = str(Word(parts)).replace("${AWS::Partition}", "aws")
        own = managed(arn)
        return (own,) if own else Unknown(arn or "a managed policy")

    def _target(self, node: Node) -> str:
        """The logical name that a reference means."""
        parts = cfn_words.parts_of(self._source.text, node) or ()
        found = _NAMED.fullmatch(str(Word(parts)).removeprefix("${").removesuffix("}"))
        return found[1] if found else ""

    def _value(self, expression: str) -> str | Unknown:
        """What a name in a substitution comes to: a bucket's or a table's own, its ARN, the partition."""
        if expression == "AWS::Partition":
            return "aws"
        found = _NAMED.fullmatch(expression)
        name = self._name(found[1]) if found else None
        kind = self._resources[found[1]][0] if found and found[1] in self._resources else ""
        match found and found[2], kind:
            case None, _ if name:
                return name
            case "Arn", "AWS::S3::Bucket" if name:
                return f"arn:aws:s3:::{name}"
            case "Arn", "AWS::DynamoDB::Table" if name:
                return f"arn:aws:dynamodb:*:*:table/{name}"
            case _:
                return Unknown(expression)

    def _name(self, logical: str) -> str | None:
        _, properties = self._resources.get(logical, ("", None))
        named = (properties.get(key) for key in _NAMES) if properties else ()
        return next((node.value for node in named if isinstance(node, Text)), None)

    def _place(self, span: Span) -> Place:
        return Place(self._source.repo, self._source.path, self._lines.line(span.start))


def _items(node: Node | None) -> Iterable[Node]:
    if isinstance(node, Array):
        return node.items
    return (node,) if node else ()
