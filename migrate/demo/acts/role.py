"""A role that may put a lock and not delete it: seen before it runs, met by real Terraform, and cured."""

import json
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from migrate.demo import roles
from migrate.demo.beats import Beat, Meaning, Said, Scene, Shown, excerpt
from migrate.demo.checkout import Checkout
from migrate.demo.stage import BUCKET, IN_LOCKFILE, Stage, backend, resource
from migrate.terraform import Ran

NAME: Final = "role"
TITLE: Final = "The role that could lock and never unlock"

_ROLE: Final = "acme-ci"
_KEY: Final = "data/terraform.tfstate"
_LOCK: Final = f"{_KEY}.tflock"
_AGAIN: Final = "-replace=terraform_data.warehouse"
_LIVE: Final = ("--live", "--config", "../operator.yaml")
_CONFIG: Final = f'aws:\n  - {{buckets: ["{BUCKET}"], account: "{roles.ACCOUNT}"}}\n'
_ALLOWED: Final = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{BUCKET}"},
        {
            "Sid": "State",
            "Effect": "Allow",
            "Action": ["s3:GetObject", "s3:PutObject"],
            "Resource": f"arn:aws:s3:::{BUCKET}/*",
        },
    ],
}
_STUCK: Final = "STUCK-LOCK"
_RELEASE: Final = "Error releasing the state lock"
_ACQUIRE: Final = "Error acquiring the state lock"


def play(stage: Stage) -> Iterator[Beat]:
    yield Scene(
        f"The pipeline's role, {_ROLE}, may get and put what is in the bucket. It may delete nothing there, "
        "and with the table it never had to. A lockfile is deleted at the end of every run. So our program "
        "reads the account first:"
    )
    pipeline = _pipeline(stage)
    verdict = _asked(stage, pipeline, "check")
    words = excerpt(verdict.out, _STUCK, "s3:", "→")
    yield Said("", f"tfrelock iam check {' '.join(_LIVE)} .", words)
    yield Shown("the role is said to be stuck before it has run once", _STUCK in verdict.out)
    yield from _stuck(stage, pipeline)
    yield from _cured(stage, pipeline)
    yield Meaning(
        "Nothing warns of it: init passes, the policy has what Terraform's state needs, and the first run "
        "leaves its lock to everybody after it. The verdict is worth having before the line is merged, for "
        "every role there is."
    )


def _pipeline(stage: Stage) -> Checkout:
    """A root that somebody has applied, and whose pipeline runs as the role."""
    checkout = stage.checkout("pipeline", stage.new, backend(_KEY, IN_LOCKFILE) + resource("warehouse"))
    (stage.folder / "operator.yaml").write_text(_CONFIG, encoding="utf-8")
    roles.make_role(stage.cloud, _ROLE, json.dumps(_ALLOWED))
    checkout.init()
    return replace(checkout, env=roles.session(stage.cloud, _ROLE))


def _asked(stage: Stage, pipeline: Checkout, command: str, *options: str) -> Ran:
    """What `tfrelock iam` says of the account, to somebody who may read it."""
    arguments = ("iam", command, *_LIVE, *options, ".")
    return stage.desk.tfrelock(pipeline.folder, *arguments, aws=stage.cloud.env)


def _stuck(stage: Stage, pipeline: Checkout) -> Iterator[Beat]:
    yield Scene("It is merged all the same, and the pipeline applies:")
    with roles.policies_count(stage.cloud):
        first, second = pipeline.apply(), pipeline.run("plan")
    yield Said(
        "pipeline", "terraform apply", excerpt(first.err, _RELEASE, "failed to delete", "AccessDenied")
    )
    yield Shown("it has done its work, and its lock stays", first.code == 1 and _is_locked(stage))
    yield Scene("From now on nobody can run anything here:")
    yield Said(
        "pipeline", "terraform plan", excerpt(second.err, _ACQUIRE, "PreconditionFailed", "Operation:")
    )
    yield Shown("the next run is refused", second.code == 1 and _ACQUIRE in second.err)


def _cured(stage: Stage, pipeline: Checkout) -> Iterator[Beat]:
    """The diff is ours, the command is run by a person, and so the lock is removed."""
    printed = _asked(stage, pipeline, "diff", "--out", "cure")
    yield Scene("The least that cures it. It is printed, and never applied by this program:")
    shown = tuple(line for line in printed.out.splitlines() if line.startswith(("#   aws", "+  ")))
    yield Said("", f"tfrelock iam diff {' '.join(_LIVE)} --out cure .", shown)
    document = pipeline.folder / "cure" / f"{roles.ACCOUNT}:role:{_ROLE}:state.json"
    yield Scene("Somebody runs that command, and removes the lock that is left. The pipeline applies:")
    roles.put_policy(stage.cloud, _ROLE, document.read_text("utf-8"))
    stage.cloud.delete(BUCKET, _LOCK)
    with roles.policies_count(stage.cloud):
        passed = pipeline.apply(_AGAIN)
    yield Said("pipeline", "terraform apply", excerpt(passed.out, "Apply complete!"))
    yield Shown("it passes, and no lock is left", passed.code == 0 and not _is_locked(stage))


def _is_locked(stage: Stage) -> bool:
    return f"<Key>{_LOCK}</Key>" in stage.cloud.keys(BUCKET)
