"""Where a forge answers, and the token it is asked with: what a person or the environment says."""

from __future__ import annotations

import pytest

from migrate.errors import RelockError
from migrate.forges import HostModule, gitea, github, gitlab


def test_the_token_is_that_of_the_environment() -> None:
    gitlab.reach(None, {"GITLAB_TOKEN": "t"}, _refuse).close()
    gitea.reach("https://git.acme.example", {"GITEA_TOKEN": "t"}, _refuse).close()
    with pytest.raises(RelockError, match="no token for GitLab"):
        gitlab.reach(None, {"GITHUB_TOKEN": "t"}, _refuse)
    with pytest.raises(RelockError, match="no public host"):
        gitea.reach(None, {"GITEA_TOKEN": "t"}, _refuse)


@pytest.mark.parametrize(
    ("host", "token"), [(github, "GITHUB_TOKEN"), (gitlab, "GITLAB_TOKEN"), (gitea, "GITEA_TOKEN")]
)
def test_a_token_is_not_sent_in_the_clear(host: HostModule, token: str) -> None:
    with pytest.raises(RelockError, match="the forge's URL is not https"):
        host.reach("http://git.acme.example", {token: "t"}, _refuse)


@pytest.mark.parametrize("host", [github, gitlab, gitea])
@pytest.mark.parametrize("url", ["https://host:bad", "not a url", "https://", "https://[::1", "https://a\tb"])
def test_what_is_no_url_is_said(host: HostModule, url: str) -> None:
    with pytest.raises(RelockError, match="--forge-url: this is no URL of a forge"):
        host.reach(url, {"GITHUB_TOKEN": "t", "GITLAB_TOKEN": "t", "GITEA_TOKEN": "t"}, _refuse)


@pytest.mark.parametrize("value", ["s3cr3t\n", "s3 cr3t", "s3cr3tö"])
def test_what_is_no_token_is_not_shown(value: str) -> None:
    with pytest.raises(RelockError, match="GITLAB_TOKEN: it holds what no token does") as error:
        gitlab.reach(None, {"GITLAB_TOKEN": value}, _refuse)
    assert "s3" not in str(error.value)


@pytest.mark.parametrize(
    ("host", "token"), [(github, "GITHUB_TOKEN"), (gitlab, "GITLAB_TOKEN"), (gitea, "GITEA_TOKEN")]
)
def test_a_credential_in_the_url_is_not_taken(host: HostModule, token: str) -> None:
    with pytest.raises(RelockError) as error:
        host.reach("https://ada:s3cr3t@git.acme.example", {token: "t"}, _refuse)
    assert str(error.value).startswith("git.acme.example: the forge's URL holds a credential\n  try: ")
    assert "s3cr3t" not in str(error.value)


def _refuse(_: float) -> None:
    raise AssertionError
