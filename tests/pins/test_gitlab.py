from migrate.model import Suggestion
from migrate.pins import gitlab
from tests.pairs import source
from tests.pins.pairs import pins

TEXT = """\
include:
  - template: Terraform/Base.latest.gitlab-ci.yml  # brings an image
  - template: Terraform-Module.gitlab-ci.yml
  - template: Security/SAST.gitlab-ci.yml
  - component: $CI_SERVER_FQDN/components/opentofu/full-pipeline@2.8.1
  - component: gitlab.com/components/opentofu/validate-plan-apply@2.8.1
    inputs: {opentofu_version: 1.8.1}
"""


def test_finds() -> None:
    component = "$CI_SERVER_FQDN/components/opentofu/full-pipeline@2.8.1"
    assert pins(gitlab, ".gitlab-ci.yml", TEXT) == [
        ("terraform", "? Terraform/Base.latest.gitlab-ci.yml brings an image that GitLab chooses", ".", 2),
        ("opentofu", f"? {component} brings the release that the component chooses", ".", 5),
    ]
    one = "include:\n  template: Terraform.gitlab-ci.yml\n"
    assert [line for *_, line in pins(gitlab, "ci/.gitlab/plan.yml", one)] == [2]


def test_says_what_to_add() -> None:
    given = source(".gitlab-ci.yml", TEXT)
    answers = [gitlab.edit({given.path: given}, pin, "1.11.4") for pin in gitlab.find(given).items]
    assert all(isinstance(answer, Suggestion) for answer in answers)
    assert [answer.text for answer in answers] == [
        "a job with an image of 1.11.4",
        "opentofu_version: 1.11.4",
    ]
