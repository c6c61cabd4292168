"""The fake GitHub of a test: one server and one checking proxy a run, one hub a test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from migrate.forges.github import connect
from migrate.forges.github.login import Endpoints
from migrate.forges.github.proposals import GitHub
from tests.forge_server import Server, serving
from tests.github import fake, openapi, prism


class Services(Struct, frozen=True):
    """Where they answer: the fake itself, and the proxy before it, started once asked for."""

    server: Server
    direct: str
    checked: Callable[[], str]
    description: openapi.Description


class Host(Struct, frozen=True):
    """One test's GitHub. `pauses` are the seconds our client would have waited."""

    hub: fake.Hub
    services: Services
    pauses: list[float]
    clients: list[GitHub]

    def where(self, *, checked: bool = True) -> Endpoints:
        """Not `checked` for answers that GitHub's description does not have."""
        api = self.services.checked() if checked else self.services.direct
        return Endpoints("github.com", api, git=self.services.direct)

    def status(self, commit: str) -> tuple[object, object] | None:
        """What stands beside a commit now of ours: state and words."""
        ours = [one for one in self.hub.statuses.get(commit, []) if one["context"] == "tfrelock/gate"]
        return (ours[-1]["state"], ours[-1]["description"]) if ours else None

    def client(self, *, checked: bool = True, key: str = fake.TOKEN, timeout: float = 20.0) -> GitHub:
        """Our client, as a command makes it."""
        client = connect(self.where(checked=checked), key, sleep=self.pauses.append, timeout=timeout)
        self.clients.append(client)
        return client


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    if not openapi.WHOLE.is_file():
        pytest.skip("GitHub's description of its API is not set up")
    folder = tmp_path_factory.mktemp("github")
    description = openapi.read()
    with serving(fake.Hub(folder, description)) as (server, direct), ExitStack() as proxy:

        @cache
        def checked() -> str:
            return proxy.enter_context(prism.checking(description, direct, folder))

        yield Services(server, direct, checked, description)


@pytest.fixture
def host(services: Services, tmp_path: Path) -> Iterator[Host]:
    hub = fake.Hub(tmp_path / "hub", services.description)
    services.server.hub = hub
    host = Host(hub, services, [], [])
    yield host
    hub.released.set()
    for client in host.clients:
        client.close()
