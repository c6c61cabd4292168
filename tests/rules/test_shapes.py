"""The lines that real pipelines have, in the kinds of files they stand in, and what is said of them.

Each stands for a shape that was found in the repository named beside it; its words are ours.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from migrate.model import Estate
from migrate.pipelines import PIPELINES
from migrate.rules import ESTATE_RULES
from tests.estate.world import NET, TABLE, site, world
from tests.pipelines.reading import check, found
from tests.rules.test_runs import estate, pin

OTHERS: Final = {"unreadable", "not-covered", "table-owner", "removed-argument"}
"""They speak of files, tables and flags."""
KINDS: Final = {kind.NAME: kind for kind in PIPELINES}
RULES: Final = {rule.NAME: rule for rule in ESTATE_RULES if rule.NAME not in OTHERS}


class Shape(Struct, frozen=True):
    """A rule, a file of one kind, and the lines at which the rule speaks: `4 broken`."""

    rule: str
    kind: str
    path: str
    seen_in: str
    text: str
    said: str
    after: tuple[str, str] | None = None
    """What the step that settles it replaces."""
    release: str = "1.11.4"


INIT = ("terraform init", "terraform init -reconfigure")

SHAPES: Final = [
    Shape(
        "needs-reconfigure", "makefile", "net/Makefile",
        "ministryofjustice/staff-device-dns-dhcp-infrastructure: a container, named by a variable",
        """\
RUN := docker run --rm -v $(PWD):/net -w /net $(IMAGE)
.PHONY: init
init: ## terraform init (make init ENV=dev)
\t@$(RUN) terraform init --backend-config="key=$$ENV.tfstate" # kept
""",
        "4 broken",
        ("init --", "init -reconfigure --"),
    ),
    Shape(
        "needs-reconfigure", "jenkinsfile", "Jenkinsfile",
        "agarciamiravet/devopsdaysmad-inspec-gcp: a dir block in the workspace",
        """\
pipeline {
  agent any // one of ours
  stages { stage('init') { steps {
    dir("${env.WORKSPACE}/net") {
      sh "terraform init -input=false"   /* kept */
    }
  } } }
}
""",
        "5 broken",
        INIT,
    ),
    Shape(
        "needs-reconfigure", "gitlab", ".gitlab-ci.yml",
        "public files with GitLab's own layout: a before_script and a cache for all jobs",
        """\
cache: &kept   # of every job
  key: "$CI_COMMIT_REF_SLUG"
  paths: [ '${TF_ROOT}/.terraform/' ]
before_script:
  - cd ${TF_ROOT}
  - 'terraform init -backend-config="key=net.tfstate"'
plan:
  script: [terraform plan]
  cache: *kept
""",
        "6 unknown",
        INIT,
    ),
    Shape(
        "lock-false-on-apply", "jenkinsfile", "Jenkinsfile",
        "public Jenkinsfiles, ten of the first ten with these words: the lock is off for good",
        """\
stage('Apply') {
  when { expression { params.ACTION == 'apply' } }
  steps {
    withAWS(credentials: 'aws', region: 'eu-west-1') { dir('net') {
      // sh 'terraform apply -lock=false'
      sh 'terraform apply -lock=false -auto-approve tfplan'
    } }
  }
}
""",
        "6 broken",
    ),
    Shape(
        "lock-false-on-apply", "script", "deploy.sh",
        "a public script that deploys an example: refresh and apply in a subshell",
        """\
(
  cd net || exit
  terraform refresh -lock=false
  terraform plan -lock=false
  terraform apply -lock=false -auto-approve || { log_error "Terraform failed"; exit 1; }
)
""",
        "3 broken, 5 broken",
    ),
    Shape(
        "lock-false-on-apply", "github_workflow", ".github/workflows/apply.yml",
        "public workflows: a service that deploys itself",
        """\
jobs:
  deploy:
    steps:
      - name: Terraform Apply
        working-directory: net
        run: terraform apply -lock=false -auto-approve -var-file=tfvars/${{ vars.TF_VARS_FILE }}
""",
        "6 broken",
    ),
    Shape(
        "lock-false-on-plan", "other_pipeline", ".drone.yml",
        "UKHomeOffice/dq-tf-infra: scripts at anchors that steps name",
        """\
x-scripts:
  plan: &tf-plan
    # secrets first
    - source $${SECRETS}
    - terragrunt plan -lock=false -out=plan_$${AWS_ENV}
steps:
  - name: plan
    commands: *tf-plan
""",
        "5 broken",
    ),
    Shape(
        "lock-false-on-plan", "github_workflow", ".github/workflows/drift.yml",
        "spack/spack-infrastructure: a nightly look for drift",
        """\
jobs:
  drift:
    runs-on: ubuntu-latest
    defaults: {run: {working-directory: net}}
    steps:
      - run: terraform plan -lock=false -detailed-exitcode -input=false -out=tfplan > plan.txt
""",
        "6 broken",
    ),
    Shape(
        "no-lock-timeout", "circleci", ".circleci/config.yml",
        "a public config whose plan waits: what it does not say of its apply",
        """\
commands:
  plan:
    steps:
      - run: {name: Plan, command: terraform plan -out=plan -lock-timeout=60s, working_directory: net}
  apply:
    steps:
      - run: {name: Apply, command: terraform apply plan, working_directory: net}
""",
        "7 broken",
    ),
    Shape(
        "no-lock-timeout", "github_workflow", ".github/workflows/merge.yml",
        "cds-snc/notification-terraform: waits; CMSgov/beneficiary-fhir-data: through a function of its own",
        """\
jobs:
  apply:
    steps:
      - run: |
          cd net
          terragrunt apply --terragrunt-non-interactive -auto-approve -lock-timeout=10m
          with_unlock terraform plan -no-color
""",
        "7 broken",
    ),
    Shape(
        "no-serialisation", "azure", ".azuredevops/steps/apply.yaml",
        "NHSDigital/dtos-devops-templates: a template of steps under a deployment",
        """\
jobs:
  - deployment: apply
    environment: ${{ parameters.env }}
    strategy: {runOnce: {deploy: {steps: [{bash: cd net && terraform apply net.tfplan}]}}}
  - job: destroy
    steps:
      - task: TerraformTaskV4@4
        inputs: {command: destroy, workingDirectory: net}
""",
        "4 unknown, 7 broken",
    ),
    Shape(
        "no-serialisation", "buildspec", "buildspec_apply.yml",
        "aws-samples/aws-codepipeline-terraform-cicd-samples: the project says how many builds run",
        """\
version: 0.2
phases:
  build:
    commands:
      - cd net
      - terraform apply --auto-approve tfplan
""",
        "6 unknown",
    ),
    Shape(
        "no-serialisation", "github_workflow", ".github/workflows/apply.yml",
        "ministryofjustice/modernisation-platform: concurrency of one job",
        """\
on: push
jobs:
  held:
    concurrency: net
    steps: [{run: terraform -chdir=net apply tfplan}]
  free:
    steps: [{run: terraform -chdir=net apply tfplan}]
""",
        "7 broken",
    ),
    Shape(
        "saved-plan-crosses-phase", "other_pipeline", ".drone.yml",
        "UKHomeOffice/dq-tf-infra: applied when somebody promotes the build",
        """\
steps:
  - name: plan
    commands: [terragrunt plan -out=plan_dev]
  - name: apply
    commands: [terragrunt apply -auto-approve plan_dev]
    when: {event: promote}
""",
        "5 broken",
    ),
    Shape(
        "saved-plan-crosses-phase", "azure", "azure/steps/apply.yaml",
        "NHSDigital/dtos-devops-templates: a plan that comes as an artefact",
        """\
steps:
  - download: current
    artifact: $(PLANS)
  - bash: |
      cd net
      terraform apply -auto-approve -input=false $(PLANS)/$(ENVIRONMENT).tfplan
""",
        "6 unknown",
    ),
    Shape(
        "output-parsed", "jenkinsfile", "vars/urls.groovy",
        "hmcts/cnp-jenkins-library: the step returns what was printed",
        """\
def call() {
  dir('net') {
    String all = sh(script: "terraform output -json", returnStdout: true).trim()
    sh label: 'show', script: 'terraform output -json'
  }
}
""",
        "3 broken",
        release="1.15.1",
    ),
    Shape(
        "output-parsed", "makefile", "net/Makefile",
        "ministryofjustice/network-access-control-infrastructure: a variable of make",
        """\
BASTION := $(shell terraform output -raw bastion_id)
show:
\tterraform output
""",
        "1 broken",
        release="1.15.0",
    ),
    Shape(
        "output-parsed", "script", "ci/url.sh",
        "brikis98/terraform-up-and-running-code and many more: a variable of the shell",
        'url=$(terraform output url)\ncurl "$url"\n',
        "1 broken",
        release="1.15.5",
    ),
    Shape(
        "unlock-script", "unlock", ".github/workflows/unlock.yml",
        "public workflows called Clear Terraform Lock",
        """\
jobs:
  unlock:
    steps:
      - run: |
          aws dynamodb delete-item \\
            --table-name acme-locks \\
            --key '{"LockID": {"S": "acme-state/net.tfstate"}}'
""",
        "5 broken",
    ),
    Shape(
        "unlock-script", "unlock", "bin/unlock.sh",
        "cds-snc/notification-terraform: the table of an environment that is taken down",
        """\
TABLE="acme-locks"
aws dynamodb delete-item \\
  --table-name "$TABLE" --key "$KEY"
""",
        "2 broken",
    ),
    Shape(
        "unlock-script", "circleci", ".circleci/config.yml",
        "GSA and others: force-unlock with an ID from somewhere",
        "jobs: {unlock: {steps: [{run: terraform -chdir=net force-unlock -force $LOCK_ID}]}}\n",
        "1 unknown",
    ),
    Shape(
        "init-upgrade", "github_workflow", ".github/workflows/merge.yml",
        "cds-snc/notification-terraform: every merge chooses providers anew",
        "jobs: {a: {steps: [{run: terragrunt init -upgrade}]}}\n",
        "1 broken",
    ),
    Shape(
        "init-upgrade", "script", "ci/init.sh",
        "tfutils/tfscaffold: init upgrades unless told otherwise",
        'cd net\nterraform init "${upgrade}" \\\n  -upgrade -lockfile=readonly\n',
        "2 broken",
    ),
    Shape(
        "cached-terraform-dir", "github_workflow", ".github/workflows/plan.yml",
        "public workflows: the lock file of providers is the key, the whole folder the value",
        """\
jobs:
  plan:
    steps:
      - uses: actions/cache@v4
        with:
          path: |
            ${{ env.TF_ROOT }}/.terraform
            ${{ env.TF_ROOT }}/.terraform.lock.hcl
          key: terraform-${{ hashFiles('**/.terraform.lock.hcl') }}
""",
        "7 broken",
    ),
    Shape(
        "cached-terraform-dir", "gitlab", ".gitlab-ci.yml",
        "GitLab's own template of Terraform and what follows it",
        'default:\n  cache:\n    key: "${TF_ROOT}"\n    paths:\n      - ${TF_ROOT}/.terraform/\n',
        "5 broken",
    ),
    Shape(
        "cached-terraform-dir", "circleci", ".circleci/config.yml",
        "public configs: saved for the next build of the branch",
        'jobs: {plan: {steps: [{save_cache: {key: "tf-{{ .Branch }}", paths: [net/.terraform]}}]}}\n',
        "1 broken",
    ),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.rule}-{shape.kind}-{shape.path}")
def test_what_is_said_of_it(shape: Shape) -> None:
    verdicts = RULES[shape.rule].check_estate(_estate(shape))
    said = dict.fromkeys(f"{v.where.line} {v.outcome.value}" for v in verdicts if v.where)
    assert ", ".join(said) == shape.said


@pytest.mark.parametrize("shape", [s for s in SHAPES if s.after], ids=lambda shape: shape.path)
def test_an_edit_keeps_all_but_one_token(shape: Shape) -> None:
    assert shape.after
    after = shape.text.replace(*shape.after)
    assert after != shape.text
    check(KINDS[shape.kind], shape.path, shape.text, after)


def test_every_rule_about_runs_is_seen_in_two_kinds_of_files() -> None:
    kinds = defaultdict(set)
    for shape in SHAPES:
        kinds[shape.rule].add(shape.path if shape.kind == "unlock" else shape.kind)
    assert {rule for rule, found in kinds.items() if len(found) >= 2} == RULES.keys()


def _estate(shape: Shape) -> Estate:
    runs = [replace(run, repo=NET) for run in found(KINDS[shape.kind], shape.path, shape.text)]
    return estate(*runs, pins=(pin(shape.release),), given=world(site("net/main.tf", TABLE)))
