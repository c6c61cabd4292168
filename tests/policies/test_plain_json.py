"""Policies in JSON files: the least statement, laid out as its neighbour."""

from pathlib import PurePosixPath

import pytest

from migrate.policies import plain_json
from tests.pairs import sides, source
from tests.policies.pairs import check_change, check_untouched, notes, refusal

STATE = '"arn:aws:s3:::acme-state/net/terraform.tfstate"'

ONE_LINE = f'{{"Effect": "Allow", "Action": ["s3:*Object"], "Resource": {STATE}}}'
ADDED = (
    '{ "Sid": "TerraformStateLockFile", "Effect": "Allow", '
    '"Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], '
    f'"Resource": {STATE[:-1]}.tflock" }}'
)

CHANGES = [
    (
        "exact key: all three, as a statement of its own",
        *sides("""\
 {
   "Version": "2012-10-17",
   "Statement": [
     {
       "Sid": "State",
       "Effect": "Allow",
       "Action": [
         "s3:GetObject",
         "s3:PutObject"
       ],
       "Resource": "arn:aws:s3:::acme-state/net/terraform.tfstate"
     },
     {
+      "Sid": "TerraformStateLockFile",
+      "Effect": "Allow",
+      "Action": [
+        "s3:GetObject",
+        "s3:PutObject",
+        "s3:DeleteObject"
+      ],
+      "Resource": "arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"
+    },
+    {
       "Effect": "Allow",
       "Action": "s3:ListBucket",
       "Resource": "arn:aws:s3:::acme-state"
     }
   ]
 }
"""),
    ),
    (
        "last in the list, four blanks, another order, lists on one line",
        *sides("""\
 {
     "Statement": [
         {
             "Action": ["s3:GetObject", "s3:PutObject"],
             "Resource": ["arn:aws:s3:::acme-state", "arn:aws:s3:::acme-state/*"],
             "Effect": "Allow"
+        },
+        {
+            "Sid": "TerraformStateLockFile",
+            "Action": ["s3:DeleteObject"],
+            "Resource": ["arn:aws:s3:::acme-state/*.tflock"],
+            "Effect": "Allow"
         }
     ]
 }
"""),
    ),
    (
        "one line",
        f'{{"Statement": [{ONE_LINE}]}}\n',
        f'{{"Statement": [{ONE_LINE}, {ADDED}]}}\n',
    ),
    (
        "brackets that share their lines",
        *sides("""\
 {
   "Statement": [{
     "Effect": "Allow",
     "Action": "s3:*",
     "Resource": "arn:aws:s3:::acme-state/net/terraform.tfstate"
   }, {
+    "Sid": "TerraformStateLockFile",
+    "Effect": "Allow",
+    "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
+    "Resource": "arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"
+  }, {
     "Effect": "Deny",
     "Action": "s3:*",
     "Resource": "arn:aws:s3:::acme-audit/*"
   }]
 }
"""),
    ),
    (
        "a single statement becomes a list",
        """{
\t"Statement": {
\t\t"Effect": "Allow",
\t\t"Action": ["s3:GetObject", "s3:PutObject"],
\t\t"Resource": "arn:aws:s3:::acme-state/*"
\t}
}
""",
        """{
\t"Statement": [
\t\t{
\t\t\t"Effect": "Allow",
\t\t\t"Action": ["s3:GetObject", "s3:PutObject"],
\t\t\t"Resource": "arn:aws:s3:::acme-state/*"
\t\t},
\t\t{
\t\t\t"Sid": "TerraformStateLockFile",
\t\t\t"Effect": "Allow",
\t\t\t"Action": ["s3:DeleteObject"],
\t\t\t"Resource": "arn:aws:s3:::acme-state/*.tflock"
\t\t}
\t]
}
""",
    ),
    (
        "conditions and callers are copied; what only a Put can meet is not asked of the others",
        *sides("""\
 {
   "Version": "2012-10-17",
   "Statement": [
     {
       "Effect": "Allow",
       "Principal": {
         "AWS": [
           "arn:aws:iam::111122223333:role/ci",
           "arn:aws:iam::111122223333:role/ops"
         ]
       },
       "Action": [
         "s3:PutObject"
       ],
       "Resource": [
         "arn:aws:s3:::acme-state/*"
       ],
       "Condition": {
         "StringEquals": {
           "s3:x-amz-server-side-encryption": "AES256",
           "aws:SourceVpce": "vpce-1"
         }
       }
+    },
+    {
+      "Sid": "TerraformStateLockFile",
+      "Effect": "Allow",
+      "Principal": {
+        "AWS": [
+          "arn:aws:iam::111122223333:role/ci",
+          "arn:aws:iam::111122223333:role/ops"
+        ]
+      },
+      "Action": [
+        "s3:GetObject",
+        "s3:DeleteObject"
+      ],
+      "Resource": [
+        "arn:aws:s3:::acme-state/*.tflock"
+      ],
+      "Condition": {
+        "StringEquals": {
+          "aws:SourceVpce": "vpce-1"
+        }
+      }
     }
   ]
 }
"""),
    ),
    (
        "below the root, with expressions of a template and a variable of IAM",
        *sides("""\
 {
   "Type": "AWS::IAM::ManagedPolicy",
   "PolicyDocument": {
     "Version": "2012-10-17",
     "Statement": [
       {
         "Effect": "Allow",
         "Action": ["s3:GetObject", "s3:PutObject", "dynamodb:PutItem", "dynamodb:DeleteItem"],
         "Resource": [
           "arn:${partition}:s3:::${bucket}/$${aws:username}/*",
           "arn:${partition}:dynamodb:*:*:table/acme-locks"
         ]
+      },
+      {
+        "Sid": "TerraformStateLockFile",
+        "Effect": "Allow",
+        "Action": ["s3:DeleteObject"],
+        "Resource": [
+          "arn:${partition}:s3:::${bucket}/$${aws:username}/*.tflock"
+        ]
       }
     ]
   }
 }
"""),
    ),
]


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_changes(before: str, after: str) -> None:
    check_change(plain_json, "iam/ci.json", before, after)


LEAVES_ALONE = [
    (
        "granted already",
        f'{{"Statement": [{{"Effect": "Allow", "Action": "s3:*", "Resource": {STATE[:-1]}*"}}]}}',
    ),
    ("a reader", f'{{"Statement": [{{"Effect": "Allow", "Action": "s3:GetObject", "Resource": {STATE}}}]}}'),
    (
        "another bucket",
        '{"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::acme-web/*"}]}',
    ),
    ("a trust policy", '{"Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": "*"}]}'),
    ("no policy", '{"name": "dynamodb:PutItem", "Statement": "none"}'),
    ("not JSON, and no policy", "// s3:GetObject\n"),
]


@pytest.mark.parametrize("text", [row[1] for row in LEAVES_ALONE], ids=[row[0] for row in LEAVES_ALONE])
def test_leaves_alone(text: str) -> None:
    check_untouched(plain_json, "iam/ci.json", text)
    assert plain_json.find(source("iam/ci.json", text)).problems == ()


def test_a_deny_is_never_weakened() -> None:
    text = """{"Statement": [
{"Effect": "Allow", "Action": "s3:*", "Resource": "*"},
{"Effect": "Deny", "Action": "s3:DeleteObject", "Resource": "arn:aws:s3:::acme-state/*"}]}
"""
    why = "it denies the lock arn:aws:s3:::acme-state/*.tflock, and a further Allow cannot help"
    assert refusal(plain_json, "iam/ci.json", text) == (3, why)


def test_an_expression_that_was_taken_for_the_bucket_is_told() -> None:
    text = (
        '{"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::${state_bucket}/*"}]}'
    )
    assert notes(plain_json, "ci.json", text) == []
    assert notes(plain_json, "ci.json", text.replace("s3:*", "s3:PutObject")) == [
        "ci.json:1: ${state_bucket} is taken to mean the state"
    ]


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ("arn:aws:s3:::{{ state_bucket }}/*", ["arn:aws:s3:::", "{{ state_bucket }}", "/*"]),
        (
            "arn:aws:s3:::%{ if all }*%{ else }acme/*%{ endif }",
            ["arn:aws:s3:::", "%{ if all }*%{ else }acme/*%{ endif }"],
        ),
        ("${arn}%{ if all }/*%{ endif }", ["${arn}", "%{ if all }/*%{ endif }"]),
        ("arn:aws:s3:::acme%state/{*}", ["arn:aws:s3:::acme%state/{*}"]),
        ("acme/${aws:username}/*", ["acme/${aws:username}/*"]),
        ("acme/$${aws:username}/*", ["acme/${aws:username}/*"]),
    ],
)
def test_what_others_fill_in_is_not_told(resource: str, words: list[str]) -> None:
    text = f'{{"Statement": [{{"Effect": "Deny", "Action": "s3:*", "Resource": "{resource}"}}]}}'
    (found,) = plain_json.find(source("ci.json.tftpl", text)).items
    (resources,) = [one.resources for one in found.policy.statements]
    assert resources
    assert [part if isinstance(part, str) else part.symbol for part in resources.words[0].parts] == words


@pytest.mark.parametrize(
    ("text", "kind", "line", "why"),
    [
        (
            '{"Statement": [\n  ${jsonencode(extra)}\n]}',
            "template",
            2,
            "this is a template whose expressions are more than texts: a value should stand here",
        ),
        (
            '{"Statement": [\n  {"Effect": "Allow",}\n]}',
            "unparsable",
            2,
            "this policy is not JSON: nothing stands between the comma and }",
        ),
    ],
)
def test_a_policy_that_cannot_be_read_is_a_problem(text: str, kind: str, line: int, why: str) -> None:
    (problem,) = plain_json.find(source("ci.json", text)).problems
    assert (problem.kind, problem.where.line, problem.why) == (kind, line, why)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.json", True),
        ("a.json.tpl", True),
        ("a.json.j2", True),
        ("a.tftpl", True),
        ("main.tf.json", False),
        ("a.yaml", False),
    ],
)
def test_which_files_are_claimed(path: str, expected: bool) -> None:
    assert plain_json.claims(PurePosixPath(path), b"") is expected
