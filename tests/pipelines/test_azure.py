from migrate.pipelines import azure as plug
from tests.pipelines.reading import check, held, runs

PATH = "azure-pipelines.yml"
TEXT = """\
pool:
  vmImage: ubuntu-latest
steps:
  - script: terraform init
    workingDirectory: $(System.DefaultWorkingDirectory)/net
  - task: TerraformTaskV4@4
    inputs:
      command: apply
      commandOptions: '-lock=false tfplan'
      workingDirectory: net
  - bash: terraform plan
  - task: Cache@2
    inputs:
      path: net/.terraform
"""


def test_scripts_and_tasks() -> None:
    assert runs(plug, PATH, TEXT) == [
        "4: terraform init @ net",
        "6: terraform apply -lock=false tfplan @ net",
        "11: terraform plan @ .",
        "14: - cache net/.terraform @ net",
    ]


def test_a_task_by_its_whole_name() -> None:
    """As the marketplace shows it, and templates of NHSDigital shorten it."""
    whole = TEXT.replace("TerraformTaskV4@4", "ms-devlabs.terraform-tasks.terraform-task.TerraformTaskV1@0")
    assert runs(plug, PATH, whole) == runs(plug, PATH, TEXT)
    assert runs(plug, PATH, whole.replace("TerraformTaskV1@0", "TerraformInstaller@0"))[1:] == [
        "11: terraform plan @ .",
        "14: - cache net/.terraform @ net",
    ]


def test_what_holds_two_runs_apart() -> None:
    assert held(plug, PATH, TEXT)[0] == ("init", "False", "False")
    assert held(plug, PATH, f"lockBehavior: sequential\n{TEXT}")[0] == ("init", "True", "False")
    own = "jobs:\n- deployment: d\n  environment: prod\n  pool: ours\n  steps:\n  - script: terraform apply\n"
    assert held(plug, PATH, own) == [("apply", "?", "?")]


def test_an_edit_keeps_all_else() -> None:
    check(plug, PATH, TEXT, TEXT.replace("terraform init", "terraform init -reconfigure"))
