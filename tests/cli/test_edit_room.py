"""What AWS lets one role keep: a grant for which there is no room is refused, with what to do instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

POLICY = """\
resource "aws_iam_role_policy" "%(name)s" {
  role = aws_iam_role.ci.id
  policy = jsonencode({
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject"]
        Resource = [%(resources)s]
      },
    ]
  })
}
"""
ROLE = 'resource "aws_iam_role" "ci" {\n  name = "ci"\n}\n'
ATTACHED = """
resource "aws_iam_role_policy_attachment" "a%d" {
  role       = aws_iam_role.ci.name
  policy_arn = "arn:aws:iam::aws:policy/Acme%d"
}
"""


def policy(name: str, bucket: str, more: int) -> str:
    """A policy on one bucket and on `more` characters of others."""
    others = [f"arn:aws:s3:::acme-data/{at:074}/*" for at in range(more // 100)]
    return POLICY % {"name": name, "resources": ", ".join(f'"{one}"' for one in (f"{bucket}/*", *others))}


STATE = "arn:aws:s3:::acme-state"


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ((3_000, 3_000), ""),
        ((4_900, 5_100), "role/ci: its inline policies would have 10,"),
        ((9_000, 900), "role/ci: its inline policies would have 10,"),
    ],
    ids=["room", "two that are too long together", "one that leaves none to the other"],
)
def test_all_inline_policies_of_a_role_count_together(
    sizes: tuple[int, int], said: str, new_repo: New, capsys: Capture
) -> None:
    text = ROLE + policy("state", STATE, sizes[0]) + policy("data", "arn:aws:s3:::acme-app", sizes[1])
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": text})
    ran = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert (ran.code, said in ran.err) == (5 if said else 0, True)
    assert ("TerraformStateLockFile" in (repo.path / "iam.tf").read_text()) is not bool(said)


@pytest.mark.parametrize(
    ("attached", "remedy"),
    [
        (9, "→ grant the lock in a managed policy, attached to the same role"),
        (10, "→ 10 managed policies are attached, of 10: join two of them, or ask AWS for more"),
    ],
)
def test_what_to_do_instead_depends_on_what_is_attached(
    attached: int, remedy: str, new_repo: New, capsys: Capture
) -> None:
    text = ROLE + policy("state", STATE, 4_900) + policy("data", "arn:aws:s3:::acme-app", 5_100)
    more = "".join(ATTACHED % (at, at) for at in range(attached))
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": text + more})
    assert remedy in " ".join(run(capsys, "edit", "--phase", "iam", repo.path).err.split())
