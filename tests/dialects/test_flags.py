"""Command lines in, flags and their edits out."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.dialects import flags
from migrate.model import Known, LockWish, Refusal, Suggestion, Unknown
from migrate.proof import Unproved, prove
from tests import pairs
from tests.pairs import source


def edited(text: str, wish: LockWish) -> str | Refusal:
    """The text after the wish is carried out on every flag, as it would be given out."""
    given = source("Makefile", text)
    answer = pairs.edited(flags, given, wish)
    assert not isinstance(answer, Suggestion)
    if isinstance(answer, str) and answer != text:
        vote = prove(flags, given, answer, flags.find(given).items, wish)
        assert isinstance(vote, Unproved)
        assert not vote.blocks, vote.why
    return answer


TABLE = "dynamodb_table=acme-locks"
UNCLEAR = "where this flag ends is not clear"
DUAL_FLAG = "-backend-config=use_lockfile=true"
ESCAPED_FLAG = '-backend-config=\\"use_lockfile=true\\"'


@pytest.mark.parametrize(
    ("before", "dual", "retired"),
    [
        (
            "terraform init -backend-config=dynamodb_table=acme -input=false\n",
            f"terraform init -backend-config=dynamodb_table=acme {DUAL_FLAG} -input=false\n",
            "terraform init -input=false\n",
        ),
        (
            'x:\n\tinit \\\n\t -backend-config="dynamodb_table=$(T)" \\\n\t -input=false\n',
            (
                'x:\n\tinit \\\n\t -backend-config="dynamodb_table=$(T)" '
                '-backend-config="use_lockfile=true" \\\n\t -input=false\n'
            ),
            "x:\n\tinit \\\n\t -input=false\n",
        ),
        (
            "run: tofu init -backend-config=dynamodb_table=${{ vars.T }}\n",
            f"run: tofu init -backend-config=dynamodb_table=${{{{ vars.T }}}} {DUAL_FLAG}\n",
            "run: tofu init\n",
        ),
        (
            'export TF_CLI_ARGS_init="-backend-config=dynamodb_table=acme -reconfigure"\n',
            f'export TF_CLI_ARGS_init="-backend-config=dynamodb_table=acme {DUAL_FLAG} -reconfigure"\n',
            'export TF_CLI_ARGS_init=" -reconfigure"\n',
        ),
        (
            'args: ["init", "-backend-config=dynamodb_table=acme", "-x"]\n',
            f'args: ["init", "-backend-config=dynamodb_table=acme", "{DUAL_FLAG}", "-x"]\n',
            'args: ["init", "-x"]\n',
        ),
        (
            "arguments = ['init', '-backend-config=dynamodb_table=acme']\n",
            f"arguments = ['init', '-backend-config=dynamodb_table=acme', '{DUAL_FLAG}']\n",
            "arguments = ['init']\n",
        ),
        (
            'x = ["-backend-config=dynamodb_table=${local.t}"]\n',
            f'x = ["-backend-config=dynamodb_table=${{local.t}}", "{DUAL_FLAG}"]\n',
            "x = []\n",
        ),
        (
            'args: "init -backend-config=\\"dynamodb_table=acme\\" -x"\n',
            f'args: "init -backend-config=\\"dynamodb_table=acme\\" {ESCAPED_FLAG} -x"\n',
            'args: "init -x"\n',
        ),
        (
            "run: 'tofu init -backend-config=''dynamodb_table=acme'''\n",
            (
                "run: 'tofu init -backend-config=''dynamodb_table=acme'' "
                "-backend-config=''use_lockfile=true'''\n"
            ),
            "run: 'tofu init'\n",
        ),
        (
            'terraform init "-backend-config=dynamodb_table=$T" -x\n',
            f'terraform init "-backend-config=dynamodb_table=$T" "{DUAL_FLAG}" -x\n',
            "terraform init -x\n",
        ),
        (
            "commandOptions: '-backend-config=\"dynamodb_table=acme\" -x'\n",
            (
                'commandOptions: \'-backend-config="dynamodb_table=acme" '
                '-backend-config="use_lockfile=true" -x\'\n'
            ),
            "commandOptions: ' -x'\n",
        ),
        (
            "commandOptions: '-backend-config=\"dynamodb_table=acme\"'\n",
            'commandOptions: \'-backend-config="dynamodb_table=acme" -backend-config="use_lockfile=true"\'\n',
            "commandOptions: ''\n",
        ),
        (
            'args+=("-backend-config=dynamodb_table=$T")\n',
            f'args+=("-backend-config=dynamodb_table=$T" "{DUAL_FLAG}")\n',
            "args+=()\n",
        ),
        (
            'i:\n\ttofu init -backend-config="dynamodb_table=$(subst ",,$(T:"%"=%))"\\\n\t -x\n',
            (
                'i:\n\ttofu init -backend-config="dynamodb_table=$(subst ",,$(T:"%"=%))" '
                '-backend-config="use_lockfile=true"\\\n\t -x\n'
            ),
            "i:\n\ttofu init\\\n\t -x\n",
        ),
        (
            "i:\n\ttofu init -backend-config=dynamodb_table=$(if $(T),$(T),acme locks) -x\n",
            f"i:\n\ttofu init -backend-config=dynamodb_table=$(if $(T),$(T),acme locks) {DUAL_FLAG} -x\n",
            "i:\n\ttofu init -x\n",
        ),
        (
            'extra_arguments "b" {\n  arguments = ["-backend-config=dynamodb_table=l"]\n}\n',
            (
                'extra_arguments "b" {\n  arguments = ["-backend-config=dynamodb_table=l", '
                f'"{DUAL_FLAG}"]\n}}\n'
            ),
            'extra_arguments "b" {\n  arguments = []\n}\n',
        ),
        (
            'if [ -n "$T" ]; then\n  args+=(-backend-config="dynamodb_table=$T")\nfi\n',
            (
                'if [ -n "$T" ]; then\n  args+=(-backend-config="dynamodb_table=$T" '
                '-backend-config="use_lockfile=true")\nfi\n'
            ),
            'if [ -n "$T" ]; then\n  args+=()\nfi\n',
        ),
        (
            'def call() {\n  sh "terraform init -backend-config=dynamodb_table=${env.LOCKS}"\n}\n',
            (
                'def call() {\n  sh "terraform init -backend-config=dynamodb_table=${env.LOCKS} '
                f'{DUAL_FLAG}"\n}}\n'
            ),
            'def call() {\n  sh "terraform init"\n}\n',
        ),
        (
            "(terraform init -backend-config=dynamodb_table=$T; x)\n",
            f"(terraform init -backend-config=dynamodb_table=$T {DUAL_FLAG}; x)\n",
            "(terraform init; x)\n",
        ),
        (
            "echo $(terraform init -backend-config=dynamodb_table=$T)>x\n",
            f"echo $(terraform init -backend-config=dynamodb_table=$T {DUAL_FLAG})>x\n",
            "echo $(terraform init)>x\n",
        ),
        (
            "terraform init -backend-config=dynamodb_table={{ .T }}-<NAME> -x\n",
            f"terraform init -backend-config=dynamodb_table={{{{ .T }}}}-<NAME> {DUAL_FLAG} -x\n",
            "terraform init -x\n",
        ),
        (
            'terraform init -backend-config=dynamodb_table="$(locks "$E")" -x\n',
            f'terraform init -backend-config=dynamodb_table="$(locks "$E")" {DUAL_FLAG} -x\n',
            "terraform init -x\n",
        ),
        (
            "run: |\n  tofu init \\\n    -backend-config=dynamodb_table=${{ vars.T }} \\\n    -x\n",
            (
                "run: |\n  tofu init \\\n    -backend-config=dynamodb_table=${{ vars.T }} "
                f"{DUAL_FLAG} \\\n    -x\n"
            ),
            "run: |\n  tofu init \\\n    -x\n",
        ),
        (
            "args:\n  - init\n  - -backend-config=dynamodb_table=acme\n  - -x\n",
            f"args:\n  - init\n  - -backend-config=dynamodb_table=acme\n  - {DUAL_FLAG}\n  - -x\n",
            "args:\n  - init\n  - -x\n",
        ),
        (
            'args:\n- -x\n- "-backend-config=dynamodb_table=acme" # it\n',
            f'args:\n- -x\n- "-backend-config=dynamodb_table=acme" # it\n- "{DUAL_FLAG}"\n',
            "args:\n- -x\n",
        ),
        (
            'x = [\n  "-backend-config=dynamodb_table=${local.t}",\n  "-x",\n]\n',
            f'x = [\n  "-backend-config=dynamodb_table=${{local.t}}",\n  "{DUAL_FLAG}",\n  "-x",\n]\n',
            'x = [\n  "-x",\n]\n',
        ),
        (
            "args: [init, -backend-config=dynamodb_table=acme, -x]\n",
            f"args: [init, -backend-config=dynamodb_table=acme, {DUAL_FLAG}, -x]\n",
            "args: [init, -x]\n",
        ),
        (
            "i:\n\t$(call run,-backend-config=dynamodb_table=acme,x)\n",
            f"i:\n\t$(call run,-backend-config=dynamodb_table=acme {DUAL_FLAG},x)\n",
            "i:\n\t$(call run,,x)\n",
        ),
        (
            "init -backend-config=dynamodb_table=acme # -backend-config=dynamodb_table=old\n",
            f"init -backend-config=dynamodb_table=acme {DUAL_FLAG} # -backend-config=dynamodb_table=old\n",
            "init # -backend-config=dynamodb_table=old\n",
        ),
        (
            'init -backend-config="dynamodb_table=a\\"b\\"" -x\n',
            'init -backend-config="dynamodb_table=a\\"b\\"" -backend-config="use_lockfile=true" -x\n',
            "init -x\n",
        ),
    ],
    ids=[
        "one line",
        "a line that goes on",
        "a workflow",
        "an environment variable",
        "an item of a list",
        "the last item",
        "the only item",
        "quotes within quotes",
        "quotes within quotes of YAML",
        "a word in quotes",
        "all arguments as one value",
        "a value that is one argument",
        "a word of an array",
        "quotes in what make fills in, a backslash at the quote",
        "blanks and commas in what make fills in",
        "extra arguments of Terragrunt",
        "a word that is added if there is a table",
        "a library of Groovy",
        "a command that another one follows",
        "a command in another one",
        "a placeholder",
        "quotes around the value alone",
        "lines of a workflow",
        "an item with a line of its own",
        "the last of such items, in quotes",
        "such an item with a comma",
        "an item without quotes",
        "an argument of make's call",
        "a comment behind the command",
        "quotes in the value",
    ],
)
def test_a_flag_is_edited_as_one_token(before: str, dual: str, retired: str) -> None:
    assert edited(before, LockWish.DUAL) == dual
    assert edited(dual, LockWish.DUAL) == dual
    assert edited(before, LockWish.RETIRE) == retired
    assert edited(retired, LockWish.RETIRE) == retired


@pytest.mark.parametrize(
    ("text", "wish", "why"),
    [
        (f"args:\n  - -backend-config={TABLE}\n", LockWish.RETIRE, "on a line of its own"),
        (f'x = [\n  "-x",\n  "-backend-config={TABLE}"\n]\n', LockWish.DUAL, "on a line of its own"),
        (f"init -backend-config={TABLE} && init -backend-config={TABLE}\n", LockWish.DUAL, "twice"),
        (f"init -backend-config={TABLE} -backend-config=use_lockfile=$L\n", LockWish.DUAL, "is $L"),
        (
            f"init -backend-config={TABLE} -backend-config=use_lockfile=false\n",
            LockWish.RETIRE,
            "no lock would be left",
        ),
        (
            'terraform init \\\n  -backend-config "dynamodb_table=acme-locks"\n',
            LockWish.RETIRE,
            "the last line of a command",
        ),
        (
            f"cmd: |\n  tofu init \\\n    -backend-config={TABLE}\ndir: net\n",
            LockWish.RETIRE,
            "the last line of a command",
        ),
        (
            f"run: >-\n  tofu init\n  -backend-config={TABLE}\n  -input=false\n",
            LockWish.RETIRE,
            "the flag stands alone on its line",
        ),
        ('init -backend-config=dynamodb_table=$E"-locks" -x\n', LockWish.DUAL, UNCLEAR),
        ("init -backend-config='dynamodb_table='$T -x\n", LockWish.RETIRE, UNCLEAR),
        ('A="init -backend-config=dynamodb_table="$T" -x"\n', LockWish.DUAL, UNCLEAR),
        ("init -backend-config=dynamodb_table=`locks $E` -x\n", LockWish.DUAL, UNCLEAR),
        (f'{"x" * 10_000} -backend-config=dynamodb_table="a"\n', LockWish.DUAL, UNCLEAR),
        ("sh 'init -backend-config=dynamodb_table=' + table\n", LockWish.DUAL, UNCLEAR),
        ('sh "init -backend-config=dynamodb_table=acme-" + stage + " -x"\n', LockWish.DUAL, UNCLEAR),
        ('x = ["-backend-config=dynamodb_table=acme-" +\n  stage]\n', LockWish.DUAL, UNCLEAR),
        ('A="init -backend-config=dynamodb_table=acme-"$E\n', LockWish.RETIRE, UNCLEAR),
    ],
)
def test_refuses_with_what_to_write(text: str, wish: LockWish, why: str) -> None:
    answer = edited(text, wish)
    assert isinstance(answer, Refusal)
    assert why in answer.why


@pytest.mark.parametrize(
    "text",
    [
        "# terraform init -backend-config=dynamodb_table=x\n",
        "terraform init # -backend-config=use_lockfile=true\n",
        "terraform init x-backend-config=dynamodb_table=x\n",
        "terraform init -backend-config=key=x -backend-config=container_name=c\n",
        "terraform init -backend-config=dev.tfbackend\n",
        'TF_CLI_ARGS_init: "-backend-config=${{ inputs.backend-file }}"\n',
        'i:\n\tterraform init -backend-config="dynamodb_table=$(subst ",,$(T)"\n',
    ],
)
def test_leaves_alone(text: str) -> None:
    assert flags.find(source("Makefile", text)).items == ()


def test_a_lockfile_switched_off_is_switched_on() -> None:
    text = "terraform init -backend-config=use_lockfile=false\n"
    assert edited(text, LockWish.DUAL) == "terraform init -backend-config=use_lockfile=true\n"


@pytest.mark.parametrize("word", ["true", "1"])
def test_a_lockfile_is_on_in_the_words_that_terraform_takes(word: str) -> None:
    text = f"terraform init -backend-config=dynamodb_table=t -backend-config=use_lockfile={word}\n"
    assert edited(text, LockWish.DUAL) == text


@pytest.mark.parametrize(
    ("value", "fact"),
    [
        ("dynamodb_table=acme", Known("acme")),
        ('"dynamodb_table=acme"', Known("acme")),
        ("dynamodb_table='acme'", Known("acme")),
        ("dynamodb_table=$T", Unknown("$T")),
        (r'"assume_role={role_arn=\"a:b\"}"', Unknown(r"{role_arn=\"a:b\"}")),
        ('"dynamodb_table=`t`"', Unknown("`t`")),
        ('dynamodb_table=acme-"$T"', Unknown("acme-")),
    ],
)
def test_literals_are_known_and_what_is_filled_in_is_not(value: str, fact: Known[str] | Unknown) -> None:
    text = f"init -backend-config={value} -x\n"
    (site,) = flags.find(source("Makefile", text)).items
    assert site.settings[0].value == fact


@pytest.mark.parametrize(
    ("path", "claimed"), [("ci.yml", True), ("run.sh", True), ("a.md", False), ("a.py", False)]
)
def test_claims(path: str, claimed: bool) -> None:
    assert flags.claims(PurePosixPath(path), b"") is claimed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"run: >-\n  tofu init\n  -backend-config=key=a\n  -backend-config={TABLE}\n",
            ["key dynamodb_table"],
        ),
        (f"terraform init `\n  -backend-config=key=a `\n  -backend-config={TABLE}\n", ["key dynamodb_table"]),
        (
            f"terraform init ^\r\n  -backend-config=key=a ^\r\n  -backend-config={TABLE}\r\n",
            ["key dynamodb_table"],
        ),
        (
            f"# of init, -backend-config=region=x\n-backend-config=key=a\n-backend-config={TABLE}\n",
            ["key dynamodb_table"],
        ),
        (f"init -backend-config=key=a\ninit -backend-config={TABLE}\n", ["key", "dynamodb_table"]),
    ],
)
def test_flags_that_begin_their_lines_are_of_the_command_above(text: str, said: list[str]) -> None:
    found = flags.find(source("init.ps1", text)).items
    assert [" ".join(setting.name for setting in site.settings) for site in found] == said
