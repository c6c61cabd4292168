from migrate.model import Refusal
from migrate.pins import hermit
from tests.pins.pairs import moved, pins

LINK = "bin/.terraform-1.9.8.pkg"


def test_finds() -> None:
    assert pins(hermit, LINK, ".terraform-1.9.8.pkg") == [("terraform", "1.9.8", ".", 1)]
    assert pins(hermit, "bin/.terragrunt-0.67.3.pkg", ".terragrunt-0.67.3.pkg") == [
        ("terragrunt", "0.67.3", ".", 1)
    ]


def test_is_told_and_not_edited() -> None:
    answer = moved(hermit, LINK, ".terraform-1.9.8.pkg", "1.11.4")
    assert isinstance(answer, Refusal)
    assert answer.remedy == "hermit install terraform-1.11.4"
