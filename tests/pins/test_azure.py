from migrate.model import Suggestion
from migrate.pins import azure
from tests.pairs import source
from tests.pins.pairs import pins

TEXT = """\
steps:
  - task: TerraformInstaller@1  # the newest
  - task: TerraformInstaller@1
    inputs: {terraformVersion: 1.9.8}
  - task: ms-devlabs.terraform.TerraformInstaller@0
    displayName: install
  - task: TerraformTaskV4@4
"""


def test_finds() -> None:
    newest = "installs the newest release of the day"
    assert pins(azure, "azure-pipelines.yml", TEXT) == [
        ("terraform", f"? TerraformInstaller@1 {newest}", ".", 2),
        ("terraform", f"? ms-devlabs.terraform.TerraformInstaller@0 {newest}", ".", 5),
    ]


def test_says_what_to_add() -> None:
    given = source("azure-pipelines.yml", TEXT)
    answer = azure.edit({given.path: given}, azure.find(given).items[0], "1.11.4")
    assert isinstance(answer, Suggestion)
    assert answer.text == "terraformVersion: 1.11.4"
