"""Manifests, playbooks and scripts in, the Terraform code in them out, edited where it stands."""

from __future__ import annotations

import pytest

from migrate.dialects import inlaid
from migrate.model import Known, LockWish, Site
from tests.pairs import check_change, refusal, sides, source

CROSSPLANE, CROSSPLANE_DUAL = sides("""\
 kind: ProviderConfig
 spec:
   configuration: |
     terraform {
       backend "s3" {
         bucket         = "acme-state"
         key            = "net.tfstate"
         dynamodb_table = "acme-locks"
+        use_lockfile   = true
       }
     }
     provider "aws" {}
""")
CONTROLLER, CONTROLLER_RETIRED = sides("""\
 spec:
   backendConfig:
     customConfiguration: |
       backend "s3" {
-        bucket         = "acme-state"
-        dynamodb_table = "acme-locks"
-        use_lockfile   = true
+        bucket       = "acme-state"
+        use_lockfile = true
       }
   interval: 1m
""")
HELM, HELM_DUAL = sides("""\
 {{- if .Values.state }}
 kind: ConfigMap
 data:
   backend.tf: |
     terraform {
       backend "s3" {
         bucket         = {{ .Values.bucket | quote }}
         key            = "net.tfstate"
         dynamodb_table = "{{ .Values.locks }}"
+        use_lockfile   = true
       }
     }
 {{- end }}
""")
PIPELINE, PIPELINE_DUAL = sides("""\
 init:
   script:
     - |
       cat > backend.tf <<EOF
       terraform {
         backend "s3" {
           bucket         = "${BUCKET}"
           key            = "net-$(date +%F)-${{ matrix.stage }}.tfstate"
           dynamodb_table = "$LOCKS"
+          use_lockfile   = true
         }
       }
       EOF
     - curl -w '%{http_code}' "${URL#https}"
""")
SCRIPT, SCRIPT_DUAL = sides("""\
 #!/bin/sh
 cat > "$1/backend.tf" <<EOF
 terraform {
   backend "s3" {
     bucket         = "acme-state"
     key            = "`basename $1`.tfstate"
     dynamodb_table = "acme-locks"
+    use_lockfile   = true
   }
 }
 EOF
""")
READER, READ = sides("""\
 spec:
   forProvider:
     module: |
       data "terraform_remote_state" "net" {
         backend = "s3"
         config = {
-          bucket         = "acme-state"
-          dynamodb_table = "acme-locks"
+          bucket = "acme-state"
         }
       }
""")
CONDITION = """\
data:
  backend.tf: |
    backend "s3" {
      bucket = "acme-state"
      {{- if .Values.locks }}
      dynamodb_table = {{ .Values.locks | quote }}
      {{- end }}
    }
"""
NOT_ITS_OWN = """\
# backend "s3" {}
run: |
  # backend "s3" {}
  grep 'backend "s3" {' main.tf
  backend "s3" {
    dynamodb_table = "never closed
"""


def found(path: str, text: str) -> tuple[Site, ...]:
    return inlaid.find(source(path, text)).items


@pytest.mark.parametrize(
    ("path", "text", "literals"),
    [
        (
            "aws.yaml",
            CROSSPLANE,
            {"bucket": "acme-state", "key": "net.tfstate", "dynamodb_table": "acme-locks"},
        ),
        ("templates/state.yaml", HELM, {"key": "net.tfstate"}),
        (".gitlab-ci.yml", PIPELINE, {}),
        ("bin/init.sh", SCRIPT, {"bucket": "acme-state", "dynamodb_table": "acme-locks"}),
        ("bin/init", SCRIPT, {"bucket": "acme-state", "dynamodb_table": "acme-locks"}),
        ("one.yaml", 'x: |\n  terraform { backend "s3" { key = "net" } }\n', {"key": "net"}),
    ],
)
def test_finds_a_backend(path: str, text: str, literals: dict[str, str]) -> None:
    """What a shell or an engine fills in is unknown."""
    assert inlaid.claims(source(path, text).path, text.encode())
    (site,) = found(path, text)
    assert (site.role, site.name, site.why_not) == ("generator", "backend.s3", None)
    assert {s.name: s.value.value for s in site.settings if isinstance(s.value, Known)} == literals


@pytest.mark.parametrize(
    ("path", "before", "wish", "after"),
    [
        ("aws.yaml", CROSSPLANE, LockWish.DUAL, CROSSPLANE_DUAL),
        ("app.yaml", CONTROLLER, LockWish.RETIRE, CONTROLLER_RETIRED),
        ("templates/state.yaml", HELM, LockWish.DUAL, HELM_DUAL),
        (".gitlab-ci.yml", PIPELINE, LockWish.DUAL, PIPELINE_DUAL),
        ("bin/init.sh", SCRIPT, LockWish.DUAL, SCRIPT_DUAL),
        ("net.yaml", READER, LockWish.READ, READ),
    ],
)
def test_edits(path: str, before: str, wish: LockWish, after: str) -> None:
    check_change(inlaid, path, before, after, wish)


def test_a_condition_is_left_to_people() -> None:
    assert refusal(inlaid, "templates/state.yaml", CONDITION, LockWish.DUAL) == (
        6,
        "`dynamodb_table = {{ .Values.locks | quote }}` stands under a condition of the template",
        "in line 6: write `use_lockfile = true` beside it, in every branch",
    )


UNREADABLE = SCRIPT.replace("bucket", "bucket = =")


@pytest.mark.parametrize(
    "text", [NOT_ITS_OWN, UNREADABLE, 'x: "backend \\"s3\\" {}"\n', 'backend "s3" {\n' * 50_000]
)
def test_leaves_alone(text: str) -> None:
    assert not found("a.yaml", text)


@pytest.mark.parametrize("path", ["README.yaml", "main.tf", "main.py", "state.json"])
def test_is_not_asked(path: str) -> None:
    """Documentation speaks of backends, programs and Terraform's own code have dialects of their own."""
    assert not inlaid.claims(source(path, "").path, b"")
