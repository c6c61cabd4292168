"""What an act plays on: two releases of Terraform, an AWS, and a folder of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.demo.checkout import HOLD, Checkout
from migrate.demo.cloud import REGION, Cloud
from migrate.demo.program import Desk
from migrate.terraform import Terraform

BUCKET: Final = "acme-state"
TABLE: Final = "acme-locks"

IN_TABLE: Final = f'dynamodb_table = "{TABLE}"'
IN_LOCKFILE: Final = "use_lockfile   = true"

NOBODY_TO_ASK: Final = """\
    skip_credentials_validation = true
    skip_requesting_account_id  = true"""
"""Our AWS has nobody to ask who we are; what is not asked cannot fail."""


class Stage(Struct, frozen=True):
    old: Terraform
    new: Terraform
    cloud: Cloud
    desk: Desk
    folder: Path

    def set_up(self) -> None:
        """The bucket and the table of all acts, and somebody's desk."""
        self.desk.furnish()
        self.cloud.make_bucket(BUCKET)
        self.cloud.make_table(TABLE)

    def within(self, name: str) -> "Stage":
        """The same in a folder further down."""
        return replace(self, folder=self.folder / name)

    def checkout(self, who: str, terraform: Terraform, text: str) -> Checkout:
        """A new checkout of a root that is one file."""
        folder = self.folder / who
        folder.mkdir(parents=True)
        checkout = Checkout(who, terraform, folder, self.cloud.env)
        checkout.write(text)
        return checkout


def backend(key: str, lock: str) -> str:
    """A `terraform` block whose state has this key and this line about its lock."""
    return f"""\
terraform {{
  required_version = ">= 1.5"

  backend "s3" {{
    bucket         = "{BUCKET}"
    key            = "{key}"
    region         = "{REGION}"
    {lock}
    encrypt        = true

{NOBODY_TO_ASK}
  }}
}}
"""


def resource(name: str) -> str:
    """Something to make, in whose middle an apply can be held."""
    return f"""
resource "terraform_data" "{name}" {{
  provisioner "local-exec" {{
    command = "{HOLD}"
  }}
}}
"""


def reader(key: str) -> str:
    """A root's look at another one's state, with the table that everybody names out of habit."""
    settings: Mapping[str, str] = {"bucket": BUCKET, "key": key, "region": REGION, "dynamodb_table": TABLE}
    lines = "\n".join(f'    {name:14} = "{value}"' for name, value in settings.items())
    return f"""
data "terraform_remote_state" "net" {{
  backend = "s3"
  config = {{
{lines}

{NOBODY_TO_ASK}
  }}
}}

output "network" {{
  value = data.terraform_remote_state.net.outputs
}}
"""
