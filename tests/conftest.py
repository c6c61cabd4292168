"""What every test shares: an environment that is nobody's own, and a last line that says what was skipped."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import hypothesis
import pytest

from tests import repo, secrets

pytest_plugins = ("tests.aws.store", "tests.cli.desk", "tests.github.fixtures")
"""Fixtures of several rooms: imported into each of them, one of a session would be made for each."""

# How long an example takes says more about the machine than about the code; a red run must be red again.
hypothesis.settings.register_profile("house", deadline=None, derandomize=os.environ.get("CI") == "true")
hypothesis.settings.load_profile("house")

THEIRS = (
    "AWS_",
    "TF_",
    "GIT_",
    "GITHUB_",
    "GITLAB_",
    "GITEA_",
    "GH_",
    "TFRELOCK_",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "PIP_",
    "NODE_OPTIONS",
)
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
"""In small letters or capitals; every server of a test is on this machine."""


@pytest.fixture(autouse=True, scope="session")
def nobodys_environment() -> Iterator[None]:
    """No credential, profile, token or git configuration of the person at the desk reaches a test."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(THEIRS) or name.lower() in PROXIES:
                patch.delenv(name)
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patch.setenv("AWS_CONFIG_FILE", os.devnull)
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("XDG_CONFIG_HOME", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("XDG_CACHE_HOME", str(Path(__file__).parent.parent / ".cache"))
        yield


@pytest.fixture(autouse=True, scope="session")
def interrupts_count() -> Iterator[None]:
    """Also where the tests run in the background of a shell or under `nohup`, which have them ignored."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    yield
    for request, handler in before.items():
        signal.signal(request, handler)


@pytest.fixture(autouse=True, scope="session")
def no_token_is_kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No file that a run leaves behind (reports, logs, stores, clones) holds a token."""
    yield
    assert secrets.kept(tmp_path_factory.getbasetemp()) == []


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[[str, Mapping[str, str | bytes]], repo.Repo]:
    """Makes a repository `acme/<name>` in the test's own folder, with an origin on a made-up host."""

    def make(name: str, files: Mapping[str, str | bytes]) -> repo.Repo:
        return repo.make(tmp_path / name, files, f"https://git.acme.example/acme/{name}.git")

    return make


def skipped(config: pytest.Config) -> Counter[str]:
    """Why tests were skipped, and how many for each reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.getreports("skipped") if isinstance(reporter, pytest.TerminalReporter) else []
    return Counter(reason(report) for report in reports)


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In continuous integration a skipped test is a failed run: nobody reads a green one."""
    if os.environ.get("CI") == "true" and skipped(session.config) and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests counted, by `record_property("counted", …)`: it is told of runs in several processes too."""
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, text in report.user_properties:
            if name == "counted":
                terminalreporter.write_line(str(text))


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of a run; pytest's own count comes before it."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if isinstance(reporter, pytest.TerminalReporter) and not hasattr(config, "workerinput"):
        why = skipped(config)
        reasons = "; ".join(f"{text} ({count})" for text, count in sorted(why.items()))
        reporter.write_line(f"skipped: {why.total()}{': ' if why else ''}{reasons}")
