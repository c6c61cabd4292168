"""Templates in, what they say of a lock out; edited between the marks of their engine, or refused."""

from __future__ import annotations

import pytest

from migrate.dialects import remote_state, template, terraform
from migrate.model import Known, LockWish, Site
from tests.pairs import block, check_change, check_untouched, refusal, sides, source

JINJA = """\
{% if flavour == "oss" -%}
terraform {
  required_version = ">= {{ version }}"
  backend "s3" {
    bucket         = "{{ bucket }}"
    key            = "net"
    dynamodb_table = "{{ locks | default("acme-locks") }}"
    region         = {{ region }}
  }
}
{% else -%}
terraform {
  backend "remote" {
    organization = "{{ organisation }}"
  }
}
{% endif %}
"""
TERRAFORM = """\
terraform {
  backend "s3" {
    bucket         = "${bucket}"
    key            = "net"
    %{~ if role != "" ~}
    role_arn       = "${role}"
    %{~ endif ~}
    dynamodb_table = "${locks}"
  }
}
"""
GO = """\
terraform {
  backend "s3" {
    {{- /* the state of one stack */}}
    bucket         = {{ .Bucket | quote }}
    key            = "net"
    dynamodb_table = {{ .Locks | quote }}
  }
}
"""
SHELL = """\
terraform {
  backend "s3" {
    bucket         = "${BUCKET}"
    key            = "$KEY"
    dynamodb_table = "@LOCKS@"
  }
}
"""
RUBY = """\
terraform {
  backend "s3" {
    bucket         = "<%= @bucket %>"
    key            = "net"
    dynamodb_table = "acme-locks"
    <% if @role %>
    role_arn       = "<%= @role %>"
    <% end %>
  }
}
"""
READER, READ = sides("""\
 {# one for each network #}
 data "terraform_remote_state" "{{ name }}" {
   backend = "s3"
   config = {
-    bucket         = "acme-state"
-    dynamodb_table = "acme-locks"
-    key            = "{{ name }}"
+    bucket = "acme-state"
+    key    = "{{ name }}"
   }
 }
""")
TWO, OF_TWO_READ = sides("""\
 terraform {
   required_version = "{{ version }}"
   backend "s3" {
     bucket         = "{{ bucket }}"
     dynamodb_table = "{{ locks }}"
   }
 }

 data "terraform_remote_state" "net" {
   backend = "s3"
   config = {
-    bucket         = "{{ bucket }}"
-    dynamodb_table = "{{ locks }}"
+    bucket = "{{ bucket }}"
   }
 }
""")
RETIRED = """\
terraform {
  backend "s3" {
    bucket       = "${BUCKET}"
    key          = "$KEY"
    use_lockfile = true
  }
}
"""
OPTIONAL = """\
terraform {
  backend "s3" {
    bucket = "acme-state"
    key    = "net"
{% if locks %}
    dynamodb_table = "{{ locks }}"
{% endif %}
  }
}
"""
BROUGHT = """\
terraform {
  backend "s3" {
    bucket = "acme-state"
    key    = "net"
    {{ include "acme.locks" . }}
  }
}
"""


def with_lockfile(text: str) -> str:
    """`text` with the line below that of its table."""
    lines = text.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("    dynamodb_table"))
    return "".join((*lines[: at + 1], "    use_lockfile   = true\n", *lines[at + 1 :]))


def found(path: str, text: str) -> tuple[Site, ...]:
    return template.find(source(path, text)).items


@pytest.mark.parametrize(
    ("path", "text", "role", "literals"),
    [
        ("backend.jinja", JINJA, "generator", {"key": "net"}),
        ("backend.tf.tftpl", TERRAFORM, "generator", {"key": "net"}),
        ("backend.tf.tmpl", GO, "generator", {"key": "net"}),
        ("backend.tf.tmpl", SHELL, "generator", {}),
        ("backend.tf.erb", RUBY, "generator", {"key": "net", "dynamodb_table": "acme-locks"}),
        ("net.tf.j2", READER, "reader", {"bucket": "acme-state", "dynamodb_table": "acme-locks"}),
        ("{{ name }}/backend.tf", SHELL, "generator", {}),
    ],
)
def test_finds(path: str, text: str, role: str, literals: dict[str, str]) -> None:
    """What an engine fills in is unknown, what stands under a condition too."""
    (site,) = found(path, text)
    assert (site.role, site.exclusive, site.why_not) == (role, False, None)
    assert {s.name: s.value.value for s in site.settings if isinstance(s.value, Known)} == literals


PLAIN = block('key = "net"')
CALL = 'module "a" {\n  source = "./a"\n  name   = {{ name }}\n}\n'


@pytest.mark.parametrize(
    "text",
    [
        f"{{% if oss -%}}\n{PLAIN}{{% endif %}}\n",
        block('key    = "net"', "bucket = <%= bucket %>"),
        block('key = "net"', "{{- if .lock }}", 'bucket = "acme"', "{{- end }}"),
        f"{PLAIN}{CALL}",
    ],
)
def test_code_that_is_none_for_its_marks_is_read_as_a_template(text: str) -> None:
    given = source("net/main.tf", text)
    (site,) = template.find(given).items
    assert (site.role, site.name) == ("generator", "backend.s3")
    assert [s.value for s in site.settings if s.name == "key"] == [Known("net")]
    assert [*terraform.find(given).items, *remote_state.find(given).items] == []
    assert template.find(given).problems == ()


@pytest.mark.parametrize(
    "text", [block('key = "{{ a }}"'), f"{PLAIN}{{% if a %}}\nlocals {{}}\n{{% endif %}}\n"]
)
def test_code_that_is_code_with_its_marks_is_none(text: str) -> None:
    assert template.find(source("net/main.tf", text)).items == ()


def test_a_template_of_code_that_cannot_be_read_is_a_problem_and_its_lines_are_told() -> None:
    text = block("{% if oss %}", 'bucket = "a" dynamodb_table = "l"', "{% endif %}")
    found = template.find(source("net/main.tf", text))
    assert [(problem.kind, problem.where.line) for problem in found.problems] == [("template", 3)]
    assert [(site.name, site.line, site.settings) for site in found.items] == [
        ("place.backend", 2, ()),
        ("place.dynamodb_table", 4, ()),
    ]


OTHERS = """\
data "terraform_remote_state" "dns" {
  backend = "gcs"
  config  = { bucket = "{{ bucket }}" }
}

data "aws_ami" "own" {
  owners = [data.terraform_remote_state.dns.outputs.{{ owner }}]
  backend = "s3"
}
"""


def test_a_reader_of_another_store_and_other_data_are_no_sites() -> None:
    assert found("main.tf.j2", OTHERS) == ()


def test_what_does_not_concern_a_site_is_no_edit() -> None:
    check_untouched(template, "backend.tf.tmpl", GO, LockWish.READ)
    check_untouched(template, "backend.tf.tmpl", GO, LockWish.ASSUME)


def test_what_is_brought_beside_a_block_is_not_in_it() -> None:
    beside = f"{{{{ header }}}}\n{GO}"
    check_change(template, "backend.tf.tmpl", beside, with_lockfile(beside), LockWish.DUAL)


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("backend.jinja", JINJA),
        ("backend.tf.tftpl", TERRAFORM),
        ("backend.tf.tmpl", GO),
        ("backend.tf.tmpl", SHELL),
        ("backend.tf.erb", RUBY),
        ("main.tf.j2", TWO),
    ],
)
def test_adds_the_lockfile_beside_the_table(path: str, before: str) -> None:
    check_change(template, path, before, with_lockfile(before), LockWish.DUAL)
    check_untouched(template, path, with_lockfile(before), LockWish.DUAL)


@pytest.mark.parametrize(
    ("path", "before", "wish", "after"),
    [
        ("backend.tf.tmpl", with_lockfile(SHELL), LockWish.RETIRE, RETIRED),
        ("net.tf.j2", READER, LockWish.READ, READ),
        ("main.tf.j2", TWO, LockWish.READ, OF_TWO_READ),
    ],
)
def test_drops_the_table(path: str, before: str, wish: LockWish, after: str) -> None:
    check_change(template, path, before, after, wish)


@pytest.mark.parametrize(
    ("text", "wish", "answer"),
    [
        (
            OPTIONAL,
            LockWish.DUAL,
            (
                6,
                '`dynamodb_table = "{{ locks }}"` stands under a condition of the template',
                "in line 6: write `use_lockfile = true` beside it, in every branch",
            ),
        ),
        (
            OPTIONAL,
            LockWish.RETIRE,
            (
                6,
                '`dynamodb_table = "{{ locks }}"` stands under a condition of the template',
                "in line 6: delete it, in every branch",
            ),
        ),
        (
            TERRAFORM,
            LockWish.ASSUME,
            (
                2,
                "role_arn: removed in Terraform 1.10, and not moved here",
                "move them into assume_role = { … } by hand",
            ),
        ),
        (
            BROUGHT,
            LockWish.DUAL,
            (
                5,
                'the table may come out of {{ include "acme.locks" . }}',
                "edit the map it comes from",
            ),
        ),
        (
            '{"backend": {"s3": {"dynamodb_table": "{{ locks }}"}}}\n',
            LockWish.DUAL,
            (
                1,
                "a template: what it writes here is known only when it is rendered",
                "look at what it writes, and change it by hand in the same steps",
            ),
        ),
    ],
)
def test_refuses(text: str, wish: LockWish, answer: tuple[int, str, str]) -> None:
    assert refusal(template, "backend.tf.tpl", text, wish) == answer


def test_every_line_that_names_a_lock_is_in_a_site() -> None:
    text = f'variable "use_lockfile" {{}}\n{OPTIONAL}# dynamodb_table\n  - lock_table: x\n'
    assert [(site.name, site.line) for site in found("a.tf.j2", text)] == [
        ("backend.s3", 3),
        ("place.use_lockfile", 1),
        ("place.lock_table", 12),
    ]


@pytest.mark.parametrize("mark", ["{%", "{{", "<%", "%{", "${", "{% if x %}", "{{#", "{% else %}", "{#"])
def test_marks_without_an_end_are_no_hang(mark: str) -> None:
    text = mark * 100_000 + "\n" + OPTIONAL
    assert all(site.role == "generator" for site in found("a.tf.j2", text))
