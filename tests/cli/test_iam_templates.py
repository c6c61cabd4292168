"""`iam check` on policies in templates of CloudFormation that a template engine fills in first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

ROLE = """\
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Ci:
    Type: AWS::IAM::Role
    Properties:
      RoleName: ci
      Policies:
        - PolicyName: state
          PolicyDocument:
            Version: "2012-10-17"
            Statement:
"""
STATE = """\
              - Effect: Allow
                Action: [s3:GetObject, s3:PutObject]
                Resource: arn:aws:s3:::acme-state/*
"""
DELETE = """\
              - Effect: Allow
                Action:
                  - s3:DeleteObject
                Resource: arn:aws:s3:::acme-state/*
"""
DENY = DELETE.replace("Allow", "Deny")
BESIDE = """\
  Delete:
    Type: AWS::IAM::Policy
    Properties:
      PolicyName: delete
      Roles: [!Ref Ci]
      PolicyDocument:
        Statement: {Effect: Allow, Action: s3:DeleteObject, Resource: "arn:aws:s3:::acme-state/*"}
"""


def under(text: str, mark: str = "{% if prod %}", end: str = "{% endif %}") -> str:
    return f"{mark}\n{text}{end}\n"


ACT = "                  - s3:DeleteObject\n"
OK = "ok role/ci"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (ROLE + STATE, "s3:DeleteObject: nothing in the identity policies allows it"),
        (ROLE + STATE + DELETE, OK),
        (under(ROLE + STATE + DELETE), OK),
        (ROLE + STATE + under(DELETE), "s3:DeleteObject: not known: it hangs on {% if prod %} →"),
        (ROLE + STATE + DELETE + under(DENY), "s3:DeleteObject: not known: it hangs on {% if prod %} →"),
        (
            ROLE + STATE + under(DELETE, "{{- if .Values.prod }}", "{{- end }}"),
            "s3:DeleteObject: not known: it hangs on {{- if .Values.prod }} →",
        ),
        (
            ROLE + STATE + under("{% else %}\n" + DELETE),
            "s3:DeleteObject: not known: it hangs on {% if prod %} … else →",
        ),
        (ROLE + STATE + under(under(DELETE, "{% for one in all %}", "{% endfor %}")), "for one in all %} →"),
        (ROLE + STATE + under(DELETE) * 501, "one of more than 1,000 choices of a template, around"),
        (
            ROLE + "{% if a %}\n{% elif b %}\n" + STATE + "{% else %}\n" + DELETE + "{% endif %}\n",
            "s3:DeleteObject: not known: it hangs on {% if a %} … else … else",
        ),
        (ROLE + STATE + under(BESIDE), "s3:DeleteObject: not known: it hangs on {% if prod %} →"),
        (
            ROLE + STATE + DELETE.replace(ACT, ACT + under(ACT)),
            "{% if prod %} decides what of it is written)",
        ),
        (
            ROLE + STATE + DELETE + DENY.replace("acme-state", "{{ bucket }}"),
            "s3:DeleteObject: not known: {{ bucket }} in Resource arn:aws:s3:::{{ bucket }}/* →",
        ),
        (
            ROLE + STATE + DELETE + DENY.replace("acme-state", "{{resolve:ssm:/bucket}}"),
            "s3:DeleteObject: not known: {{resolve:ssm:/bucket}} in Resource",
        ),
        (
            ROLE + STATE + DELETE + DENY.replace("s3:Delete", "{{ act }}"),
            "DeleteObject: not known: {{ act }}Object",
        ),
        (ROLE + STATE + DELETE + "{{ more }}\n", "(ci.yaml:19: what {{ more }} brings is not known)"),
        (ROLE + "{% include 'a' %}\n" + STATE + DELETE, "what {% include 'a' %} brings is not known)"),
        (ROLE + STATE + DELETE + "Outputs: {A: {Value: x}}\n{{ more }}\n", OK),
    ],
)
def test_what_an_engine_may_leave_out_or_bring_is_not_known(
    template: str, said: str, new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "iam", "check", new_repo("net", {"main.tf": TABLE, "ci.yaml": template}).path)
    known = 2 if "nothing in" in said else 0 if said == OK else 6
    assert (ran.code, said in " ".join(ran.out.split())) == (known, True), ran.out
