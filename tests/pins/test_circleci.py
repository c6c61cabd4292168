from migrate.pins import circleci
from tests.pins.pairs import check, pins

TEXT = """\
version: 2.1
orbs:
  tf: circleci/terraform@3.2.1
  node: circleci/node@5
executors:
  tf/default:
    docker: [{image: cimg/base:stable}]
jobs:
  plan:
    executor: tf/default   # how raft-tech/TANF-app has it
    steps:
      - tf/install
      - node/install
  apply:
    executor: {name: tf/default, tag: "1.9.8"}
    steps:
      - tf/install:
          terraform_version: 1.9.8
      - tf/install: {arch: amd64}
"""
DEFAULT = "brings the release that its orb chooses"


def test_finds() -> None:
    assert pins(circleci, ".circleci/config.yml", TEXT) == [
        ("terraform", f"? tf/default {DEFAULT}", ".", 10),
        ("terraform", "1.9.8", ".", 15),
        ("terraform", f"? tf/install {DEFAULT}", ".", 12),
        ("terraform", f"? tf/install {DEFAULT}", ".", 19),
    ]
    assert pins(circleci, ".circleci/config.yml", TEXT.replace("circleci/terraform", "acme/files")) == []
    part = "apply:\n  executor: terraform/default\n"
    assert pins(circleci, ".circleci/jobs.yml", part) == [
        ("terraform", f"? terraform/default {DEFAULT}", ".", 2)
    ]


def test_changes() -> None:
    check(circleci, ".circleci/config.yml", TEXT, TEXT.replace('"1.9.8"', '"1.11.4"'))
