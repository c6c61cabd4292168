from pathlib import PurePosixPath

import pytest

from migrate.dialects import renamed
from migrate.model import LockWish
from tests.pairs import block, check_change, check_untouched, source

TABLE = block('bucket         = "acme-state"', 'dynamodb_table = "acme-locks"')
BOTH = block('bucket         = "acme-state"', 'dynamodb_table = "acme-locks"', "use_lockfile   = true")
LOCKFILE = block('bucket       = "acme-state"', "use_lockfile = true")
BESIDE = '\nlocals {\n  workspace = "acme"\n}\n'


@pytest.mark.parametrize("path", ["net/dev_backend.tfvars", "net/backend.tf.disabled"])
@pytest.mark.parametrize("beside", ["", BESIDE], ids=["alone", "with locals"])
def test_changes(path: str, beside: str) -> None:
    check_change(renamed, path, TABLE + beside, BOTH + beside, LockWish.DUAL)
    check_change(renamed, path, BOTH + beside, LOCKFILE + beside, LockWish.RETIRE)


LEFT_ALONE = {
    "both locks": BOTH,
    "another backend": 'terraform {\n  backend "gcs" {\n    bucket = "acme"\n  }\n}\n',
    "variables": 'backend = "s3"\ndynamodb_table = "acme-locks"\n',
    "no code at all": 'a "backend" is {{ what\n',
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_leaves_alone(text: str) -> None:
    check_untouched(renamed, "net/dev_backend.tfvars", text, LockWish.DUAL)


def test_a_file_of_variables_is_no_backend_and_no_mistake() -> None:
    found = renamed.find(source("net/prod.tfvars", LEFT_ALONE["no code at all"]))
    assert (found.items, found.problems) == ((), ())


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        ("dev_backend.tfvars", True),
        ("backend.tf.disabled", True),
        ("backend.tf~", True),
        ("backend.tf_", True),
        ("providers.tf-template", True),
        ("backend.tf", False),
        ("backend.tf.json", False),
        ("backend.tf.tmpl", False),
        ("backend.tftpl", False),
        ("main.tofu", False),
    ],
)
def test_claims_what_terraform_does_not_load(path: str, claimed: bool) -> None:
    assert renamed.claims(PurePosixPath(path), b"") is claimed
