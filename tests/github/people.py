"""Who may review on a GitHub of our own, and who was asked to."""

from collections.abc import Mapping

from msgspec import Struct

from tests.forge_server import Json, Pull
from tests.github.openapi import Description, Tree


class People(Struct, frozen=True):
    """Collaborators everywhere; the token is `user`'s."""

    known: frozenset[str] = frozenset({"ada", "grace", "octocat"})
    user: str = "octocat"

    def ask(self, pull: Pull, body: Tree) -> str:
        """Ask people and teams; gives why none was asked, or nothing."""
        people, teams = body["reviewers"], body["team_reviewers"]
        assert isinstance(people, list)
        assert isinstance(teams, list)
        if set(people) - self.known:
            return "Reviews may only be requested from collaborators."
        if self.user in people:
            return "Review cannot be requested from pull request author."
        pull.asked += map(str, [*people, *teams])
        return ""

    def happened(self, pull: Pull, query: Mapping[str, str], description: Description) -> list[Json]:
        """Of the events of a proposal those that asked somebody."""
        page, count = int(query.get("page", "1")), int(query.get("per_page", "30"))
        return [self._event(who, description) for who in pull.asked[(page - 1) * count : page * count]]

    def _event(self, who: str, description: Description) -> Json:
        person = who in self.known
        kind, schema, name = ("reviewer", "simple-user", "login") if person else ("team", "team", "slug")
        known: Tree = {f"requested_{kind}": description.filled(schema, {name: who})}
        return description.filled("review-requested-issue-event", {"event": "review_requested", **known})
