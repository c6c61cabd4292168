"""Programs in, what they say of a lock out; no wish is ever carried out."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.dialects import code
from migrate.model import Known, LockWish, Refusal, RepoId, Site, Source

TYPESCRIPT = """\
import { S3Backend } from "cdktf";

new S3Backend(this, {
  bucket: "acme-state",
  key: `net-${stage}`,
  region: 'eu-west-1',
  dynamodbTable: "acme-locks", // shared (with app)
});
"""
PYTHON = 'S3Backend(self, bucket="acme-state", key="net", dynamodb_table="acme-locks", encrypt=True)\n'
GO = """\
cdktf.NewS3Backend(stack, &cdktf.S3BackendConfig{
\tBucket: jsii.String("acme-state"),
\tKey: jsii.String("net"),
\tDynamodbTable: jsii.String("acme-locks"),
})
"""
CSHARP = """\
new S3Backend(this, new S3BackendConfig {
    Bucket = "acme-state", Key = "net", DynamodbTable = "acme-locks"
});
"""
JAVA = """\
new S3Backend(this, S3BackendConfig.builder()
    .bucket("acme-state").key("net").dynamodbTable("acme-locks").build());
"""
BUILDER = """\
S3Backend.Builder.create(this)
    .bucket("acme-state").key("net").dynamodbTable("acme-locks")
    .build()
"""
READER = """\
new DataTerraformRemoteStateS3(this, "net", {
  bucket: "acme-state", key: "net", dynamodbTable: "acme-locks"
});
"""
TEMPLATE = "new S3Backend(this, { bucket: 'acme', dynamodbTable: `${stage}-locks` });\n"
ARGUMENTS = 'run(["init", f"-backend-config=dynamodb_table={locks}"])\n'
GENERATOR = 'ROOT = f"""\nremote_state {{\n  config = {{ dynamodb_table = "{locks}" }}\n}}\n"""\n'
FORMAT = 'ROOT = """\nterraform {{\n  backend "s3" {{\n    bucket = "{bucket}"\n  }}\n}}\n"""\n'
ESCAPED = 'const root = "terraform { backend \\"s3\\" { region = \\"eu-west-1\\" } }";\n'
MAP = 'emit({"terraform": {"backend": {\n  "s3": {"bucket": bucket}}}})\n'
OTHER = 'args := []string{"init", "-backend-config=dynamodb_table=" + table}\nname := "lock_table"\n'


def found(path: str, text: str) -> tuple[Site, ...]:
    source = Source(RepoId("acme/net"), PurePosixPath(path), text)
    return code.find(source).items


@pytest.mark.parametrize(
    ("path", "text", "name", "role", "literals"),
    [
        ("main.ts", TYPESCRIPT, "code.S3Backend", "code", {"bucket", "region", "dynamodb_table"}),
        ("main.py", PYTHON, "code.S3Backend", "code", {"bucket", "key", "dynamodb_table", "encrypt"}),
        ("main.go", GO, "code.S3Backend", "code", {"bucket", "key", "dynamodb_table"}),
        ("Main.cs", CSHARP, "code.S3Backend", "code", {"bucket", "key", "dynamodb_table"}),
        ("Main.java", JAVA, "code.S3Backend", "code", {"bucket", "key", "dynamodb_table"}),
        ("Main.kt", BUILDER, "code.S3Backend", "code", {"bucket", "key", "dynamodb_table"}),
        ("main.ts", READER, "code.DataTerraformRemoteStateS3", "reader", {"bucket", "key", "dynamodb_table"}),
        ("main.ts", TEMPLATE, "code.S3Backend", "code", {"bucket"}),
        ("run.go", OTHER, "program", "code", set()),
        ("run.py", ARGUMENTS, "program", "code", set()),
        ("generate.py", GENERATOR, "program", "code", set()),
        ("generate.py", FORMAT, "program", "code", set()),
        ("generate.ts", ESCAPED, "program", "code", set()),
        ("backend.tf.json.template.py", MAP, "program", "code", set()),
    ],
)
def test_finds(path: str, text: str, name: str, role: str, literals: set[str]) -> None:
    (site,) = found(path, text)
    known = {s.name for s in site.settings if isinstance(s.value, Known)}
    assert (site.name, site.role, known) == (name, role, literals)


@pytest.mark.parametrize("text", [TYPESCRIPT, PYTHON, TEMPLATE, ARGUMENTS, GENERATOR, OTHER])
@pytest.mark.parametrize("wish", list(LockWish))
def test_never_edits(text: str, wish: LockWish) -> None:
    path = PurePosixPath("main.ts")
    source = Source(RepoId("acme/net"), path, text)
    (site,) = code.find(source).items
    answer = code.edit({path: source}, site, wish)
    assert answer == {} if wish is LockWish.ASSUME else isinstance(answer, Refusal)


@pytest.mark.parametrize(
    ("path", "text", "todo"),
    [
        ("main.ts", TYPESCRIPT, 'addOverride("terraform.backend.s3.use_lockfile", true);'),
        ("main.py", PYTHON, 'add_override("terraform.backend.s3.use_lockfile", True)'),
        ("main.go", GO, 'AddOverride(jsii.String("terraform.backend.s3.use_lockfile"), jsii.Bool(true))'),
        ("Main.cs", CSHARP, 'AddOverride("terraform.backend.s3.use_lockfile", true);'),
        ("Main.java", JAVA, 'addOverride("terraform.backend.s3.use_lockfile", true);'),
    ],
)
def test_says_what_to_write_in_its_language(path: str, text: str, todo: str) -> None:
    (site,) = found(path, text)
    given = {site.path: Source(site.repo, site.path, text)}
    dual, retire = (code.edit(given, site, wish) for wish in (LockWish.DUAL, LockWish.RETIRE))
    assert isinstance(dual, Refusal)
    assert isinstance(retire, Refusal)
    assert (dual.remedy, retire.remedy) == (
        f"in the stack: {todo}",
        "delete the table's argument from this call",
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_generate.py", FORMAT),
        ("tests/generate.py", FORMAT),
        ("generate_test.go", FORMAT),
        ("generate.spec.ts", ESCAPED),
        ("generate.py", '# backend "s3" {\n'),
        ("generate.py", 'say("use a backend \\"s3\\" block")\n'),
        ("store.py", 'open_store(backend="s3", key="dynamodb_tables")\n'),
        ("store.ts", '{"backend": {"s3_bucket": 1}}\n'),
    ],
)
def test_a_backend_that_is_only_tried_or_spoken_of_is_no_site(path: str, text: str) -> None:
    assert found(path, text) == ()


def test_every_token_of_a_program_is_in_a_site() -> None:
    (call, rest) = found("main.ts", TYPESCRIPT + "\nconst dynamodb_table = 1;\n")
    assert (call.line, call.end_line, rest.line) == (3, 8, 10)


def test_a_string_that_never_ends_is_no_hang() -> None:
    assert found("main.ts", 'new S3Backend(this, { bucket: "acme' + "(" * 200_000)[0].role == "code"
