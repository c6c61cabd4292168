from migrate.pipelines import dockerfile as plug
from tests.pipelines.reading import check, held, runs

TEXT = """\
FROM alpine
RUN cd /w && \\
    terraform init -backend=false
RUN terraform init
CMD ["terraform", "plan"]
"""


def test_instructions() -> None:
    assert runs(plug, "Dockerfile", TEXT) == [
        "3: terraform init -backend=false @ ?",
        "4: terraform init @ ?",
        "5: terraform plan @ ?",
    ]
    assert held(plug, "ci.Dockerfile", TEXT)[1] == ("init", "False", "False")


def test_what_looks_like_a_list_and_is_none() -> None:
    text = """\
CMD ["terraform", "plan"
CMD ["terraform"]
CMD ["sh", "-x"]
ENTRYPOINT ["/bin/tofu", "apply", "-lock=false"]
"""
    assert runs(plug, "Dockerfile", text) == ["4: opentofu apply -lock=false @ ?"]


def test_earthly() -> None:
    text = "plan:\n  FROM hashicorp/terraform:1.11.4\n  RUN --secret KEY -- terraform apply -lock=false\n"
    assert runs(plug, "Earthfile", text) == ["3: terraform apply -lock=false @ ?"]


def test_an_edit_keeps_all_else() -> None:
    check(plug, "Dockerfile", TEXT, TEXT.replace("terraform init\n", "terraform init -reconfigure\n"))
