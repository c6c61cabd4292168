import pytest

from migrate.model import Refusal
from migrate.pins import build_tool
from tests.pins.pairs import check, moved, pins

BRINGS = "? the terraform plugin brings a release of its own, and is told none"
SUM = "f9a95c24c77091a1ae0ca2539f39ccfb2639c59934858fada6f4950541386fad"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("build.gradle", "terraform { executable version : '1.9.8' }\n", ["1.9.8"]),
        ("build.gradle", "terraform {\n  toolchain {\n    executableByVersion('1.9.8')\n  }\n}\n", ["1.9.8"]),
        ("build.gradle", "nodejs { executableByVersion('1.9.8') }\n", []),
        ("build.gradle", "terraform {\n}\nnodejs { executable version: '1.9.8' }\n", []),
        ("build.gradle", "ext.terraformVersion = '1.9.8'\next.gsonVersion = '1.2.3'\n", ["1.9.8"]),
        ("build.gradle", "terraformVersion '1.9.8'\nset('tfVersion', '1.9.7')\n", ["1.9.8", "1.9.7"]),
        ("build.gradle", 'plugins {\n  id "org.ysb33r.terraform" version "1.0.0"\n}\n', [BRINGS]),
        ("build.gradle", 'plugins {\n  id "org.ysb33r.terraform" version "1.0.0" apply false\n}\n', []),
        ("build.gradle.kts", 'terraform { executable(mapOf("version" to "1.9.8")) }\n', ["1.9.8"]),
        ("build.gradle.kts", 'infra { terraformVersion.set("1.9.8") }\n', ["1.9.8"]),
        ("build.gradle.kts", 'extra["terraformVersion"] = "1.9.8"\n', ["1.9.8"]),
        ("pom.xml", "<terraform.version>1.9.8</terraform.version>\n", ["1.9.8"]),
        ("pom.xml", "<configuration><tfVersion>1.9.8</tfVersion></configuration>\n", ["1.9.8"]),
        ("pom.xml", "<version>1.9.8</version><terraform.maven.version>1.0</terraform.maven.version>\n", []),
        ("Directory.Build.props", "<TerraformVersion>1.9.8</TerraformVersion>\n", ["1.9.8"]),
        ("gradle.properties", "systemProp.terraform.version=1.9.8\na.provider.version=1.1\n", ["1.9.8"]),
        ("pants.toml", '[download-terraform]\nknown_versions = ["1"]\nversion = "1.9.8"\n', ["1.9.8"]),
        ("pants.ci.toml", '[download-terraform]\nargs = []\n[black]\nversion = "1.9.8"\n', []),
        ("pants.toml", 'backend_packages = [\n  "pants.backend.experimental.terraform",\n]\n', [BRINGS]),
        ("MODULE.bazel", 'tf.download(\n  tflint_version = "0.5.3",\n  version = "1.9.8",\n)\n', ["1.9.8"]),
        ("MODULE.bazel", 'bazel_dep(name = "rules_tf", version = "0.0.10")\n', []),
        ("WORKSPACE", 'terraform_register_toolchains(version = "1.9.8")\n', ["1.9.8"]),
        ("tools/deps.bzl", 'terraform_register_toolchains("1.9.8")\n', ["1.9.8"]),
        ("WORKSPACE", f'download_terraform_versions({{\n  "1.9.8": "{SUM}",\n}})\n', ["1.9.8"]),
    ],
)
def test_finds(path: str, text: str, expected: list[str]) -> None:
    assert [version for _, version, _, _ in pins(build_tool, path, text)] == expected


def test_whose_release_it_is() -> None:
    text = 'tf.download(\n  use_tofu = True,\n  version = "1.9.1",\n)\n'
    assert pins(build_tool, "MODULE.bazel", text) == [("opentofu", "1.9.1", ".", 3)]
    text = "<terragrunt.version>0.67.1</terragrunt.version>\n"
    assert pins(build_tool, "examples/pom.xml", text) == [("terragrunt", "0.67.1", "examples", 1)]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "build.gradle",
            "// 1.9.8\nterraform {\n    executable version : '1.9.8' // 1.9.8\n}\n",
            "// 1.9.8\nterraform {\n    executable version : '1.11.4' // 1.9.8\n}\n",
        ),
        (
            "pom.xml",
            "<terraform.version>1.9.8</terraform.version>\n<gson.version>1.9.8</gson.version>\n",
            "<terraform.version>1.11.4</terraform.version>\n<gson.version>1.9.8</gson.version>\n",
        ),
        (
            "MODULE.bazel",
            'tf.download(tflint_version = "1.9.8", version = "1.9.8")\n',
            'tf.download(tflint_version = "1.9.8", version = "1.11.4")\n',
        ),
    ],
)
def test_changes(path: str, before: str, after: str) -> None:
    check(build_tool, path, before, after)


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        (
            "pants.toml",
            '[download-terraform]\nversion = "1.9.8"\n',
            "Pants takes a release with its checksums",
        ),
        (
            "WORKSPACE",
            f'download_terraform_versions({{"1.9.8": "{SUM}"}})\n',
            "a checksum of the old release stands in this file",
        ),
    ],
)
def test_leaves_a_release_with_checksums(path: str, text: str, why: str) -> None:
    answer = moved(build_tool, path, text, "1.11.4")
    assert isinstance(answer, Refusal)
    assert answer.why == why
