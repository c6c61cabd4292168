"""Where pipelines and scripts run Terraform. To add a kind of file: its module, its line in the list, its
test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.model import Run
from migrate.plug import Finder, LateFinder, joined

Pipeline: TypeAlias = Finder[Run]

_ENGINES: Final = (b"terraform", b"tofu", b"terragrunt")
_RUN: Final = (
    *joined(_ENGINES, (b" ", b"\n", b"\r", b"}", b".exe", b'" ', b"' ")),
    *joined((*_ENGINES, b"tf", b"tg"), (b".sh ",)),
    *(b"TF_CLI_ARGS", b"/tf ", b"/tg "),
)
"""What stands in a file that runs an engine, by its name or by a variable that is set to it, or may be; or
that gives arguments to whatever runs.
"""

_ACTIONS: Final = (
    *(b"dflook/terraform-", b"dflook/tofu-"),
    *(b"gruntwork-io/terragrunt-action@", b"hashicorp/terraform-github-actions@"),
)
_CACHED: Final = b".terraform"
_QUOTED: Final = (b'["terraform"', b'["tofu"', b'["terragrunt"')
_LISTED: Final = (
    *joined((b"[",), _ENGINES, (b",", b"]")),
    *joined((b'"',), _ENGINES, (b'"',)),
    *joined((b"'",), _ENGINES, (b"'",)),
    *(b"hashicorp/terraform:", b"opentofu/opentofu:"),
)
_ITEMS: Final = (b"--table-name", b"--request-items", b".Table(", b"TableName", b"table_name=")

SCRIPTS: Final[Sequence[LateFinder[Run]]] = [
    LateFinder(__name__, "github_workflow", (*_RUN, *_ACTIONS, _CACHED)),
    LateFinder(__name__, "gitlab", (*_RUN, _CACHED)),
    LateFinder(__name__, "circleci", (*_RUN, b"terraform/", b"terraform@", _CACHED)),
    LateFinder(__name__, "azure", (*_RUN, b"TerraformTask", b"TerraformCLI", _CACHED)),
    LateFinder(__name__, "buildspec", (*_RUN, _CACHED)),
    LateFinder(__name__, "other_pipeline", (*_RUN, *_LISTED)),
    LateFinder(__name__, "container_step", (*_RUN, *_LISTED)),
    LateFinder(__name__, "jenkinsfile", _RUN),
    LateFinder(__name__, "makefile", _RUN),
    LateFinder(__name__, "script", _RUN),
    LateFinder(__name__, "taskfile", _RUN),
    LateFinder(__name__, "task_list", _RUN),
    LateFinder(__name__, "atlantis", _RUN, ("atlantis.yaml", "atlantis.yml")),
    LateFinder(__name__, "dockerfile", (*_RUN, *_QUOTED)),
    LateFinder(__name__, "program", (*_RUN, *_LISTED)),
    LateFinder(__name__, "in_xml", _RUN),
    LateFinder(__name__, "unlock", _ITEMS),
    LateFinder(
        __name__, "other_yaml", (*_RUN, *_LISTED, b"TerraformTask", b"TerraformCLI", b"project_path:")
    ),
]
"""The kinds of files that are read as what they run."""

_ANYWHERE: Final = LateFinder[Run](
    __name__, "backend-config", (b"-backend-config", b"backend_config_file"), TERRAFORM=True
)

PIPELINES: Final[Sequence[LateFinder[Run]]] = [
    *SCRIPTS,
    _ANYWHERE,
    LateFinder(__name__, "variables", (b"-var-file", b".tfvars", b"TF_VAR_")),
    LateFinder(
        __name__, "in_hcl", (b"local-exec", b'"external"', b"buildspec", b"extra_arguments"), TERRAFORM=True
    ),
]

_NOTHING: Final = frozenset(
    {".tf", ".tofu", ".hcl", ".tfvars", ".md", ".mdx", ".rst", ".adoc", ".txt", ".html"}
)


def runs_nothing(path: PurePosixPath) -> bool:
    """Whether a file's name says that no kind of `SCRIPTS` reads it: prose, configuration but Terramate's."""
    return path.suffix in _NOTHING and not path.name.endswith(".tm.hcl")


_ANY_KIND: Final = ("other_yaml", _ANYWHERE.NAME)
"""They read files of any kind, each after the one before it."""


def distinct(runs: Iterable[Run]) -> Iterator[Run]:
    """Every run once: what is read in files of any kind, another may have read as its own."""
    taken: dict[PurePosixPath, list[Run]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: run.plug in _ANY_KIND and 1 + _ANY_KIND.index(run.plug)):
        others = taken[run.path] if run.plug in _ANY_KIND else ()
        if not any(run.span.overlaps(other.span) and other.plug != run.plug for other in others):
            taken[run.path].append(run)
            yield run
