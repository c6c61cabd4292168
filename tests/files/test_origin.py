"""A repository's identity from the text of its git configuration."""

import pytest

from migrate.files.origin import identity, origin_url


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ("", None),
        ('[remote "origin"]\n\turl = https://github.com/acme/net.git\n', "https://github.com/acme/net.git"),
        ('[remote "origin"] url=git@acme.example:a/b\n', "git@acme.example:a/b"),
        ('[REMOTE "origin"]\n  URL = "https://h/a/b" # ours\n', "https://h/a/b"),
        ('[remote "origin"]\nurl = https://h/a/b ; ours\nurl = https://h/second\n', "https://h/a/b"),
        ('[remote "origin"]\nurl = https://h/\\\na/b\n', "https://h/a/b"),
        ("[remote.origin]\nurl = https://h/a/b\n", "https://h/a/b"),
        ('[remote "upstream"]\nurl = https://h/a/b\n[core]\nurl = x\n', None),
        ('# [remote "origin"]\n# url = https://h/a/b\n', None),
    ],
)
def test_origin_is_read_from_text(config: str, url: str | None) -> None:
    assert origin_url(config) == url


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/acme/net.git", "github.com/acme/net"),
        ("https://x-access-token:ghs_secret@github.com/acme/net", "github.com/acme/net"),
        ("https://GitHub.com:443/acme/net/", "github.com/acme/net"),
        ("https://h.example/acme/net?token=secret#x", "h.example/acme/net"),
        ("git@github.com:acme/net.git", "github.com/acme/net"),
        ("github.com:acme/net.git", "github.com/acme/net"),
        ("ssh://git@h.example:7999/acme/net.git", "h.example/acme/net"),
        ("https://gitlab.example/group/sub/net.git", "gitlab.example/group/sub/net"),
        ("/srv/git/net.git", None),
        ("../net", None),
        ("file:///srv/git/net.git", None),
        ("ext::sh -c 'touch /tmp/x'", None),
        ("https://h/a/../../b", None),
        ("https://[h/a", None),
        ("https://h/a\x1b[31m/b", None),
        ("", None),
    ],
)
def test_identity_is_host_owner_and_name_without_credentials(url: str, name: str | None) -> None:
    assert identity(url) == name
