import pytest

from migrate.model import Suggestion
from migrate.pins import jenkinsfile
from tests.pairs import source
from tests.pins.pairs import pins


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tools { terraform 'terraform-0.11.7' }", ("terraform", "terraform-0.11.7")),
        ("  terraform 'terraform'  // in tools {", ("terraform", "terraform")),
        ('"org.acme.TerraformInstallation" "terraform-1.9"', ("terraform", "terraform-1.9")),
        ("TF_HOME = tool('terraform-0.11.7')", ("terraform", "terraform-0.11.7")),
        ("def tf = tool name: 'OpenTofu 1.8', type: 'tofu'", ("opentofu", "OpenTofu 1.8")),
        ("// def tf = tool 'terraform'", None),
        ("def tf = tool 'tf-1.9'", ("terraform", "tf-1.9")),
        ("def tfsec = tool 'tfsec'", None),
        ("sh 'terraform init'", None),
        ("def jdk = tool 'jdk-21'", None),
    ],
)  # fmt: skip
def test_finds(line: str, expected: tuple[str, str] | None) -> None:
    """As tool names stand in public Jenkinsfiles."""
    found = [(engine, said) for engine, said, _, _ in pins(jenkinsfile, "Jenkinsfile", f"{line}\n")]
    why = "? which release the tool {} is, the Jenkins controller says"
    assert found == ([(expected[0], why.format(expected[1]))] if expected else [])


def test_the_controller_is_not_edited() -> None:
    given = source("Jenkinsfile", "tool 'terraform'\n")
    (pin,) = jenkinsfile.find(given).items
    answer = jenkinsfile.edit({given.path: given}, pin, "1.11.4")
    assert isinstance(answer, Suggestion)
    assert answer.text == "a tool with 1.11.4"
