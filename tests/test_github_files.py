"""What GitHub, editors and other ledgers read of this repository: workflows, the action, hooks, forms, labels.

Nothing here can be run by GitHub in a test, so the files are held to what they rest on (the schema, the command
line, one another), and the scripts in them are carried out as they stand.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from scratch import Scratch

from tools.cli.app import app
from tools.cli.verbs import all_commands
from tools.records.catalog import FOLDERS
from tools.schema.editor_copy import STAMP, editor_path

ROOT = Path(__file__).resolve().parents[1]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.y*ml"))
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.y*ml") if path.stem != "config")
HOOKS = ROOT / ".pre-commit-hooks.yaml"
ACTION = ROOT / "action.yml"
FILES = [
    *WORKFLOWS,
    *sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.y*ml")),
    GITHUB / "labels.yml",
    ACTION,
    HOOKS,
]
CASE_LEDGER = ROOT / "tests" / "cases" / "ledger"

CALL = re.compile(r"""(?:^|[\s/"`])tools"? ((?:[a-z]+(?:-[a-z]+)*)(?: explain)?)""")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
OTHERS = re.compile(r"\b(pip|git|make|gh|venv)\b")
LABEL = re.compile(r"labels\.\*\.name, '([^']+)'")


def read(path: Path) -> Any:
    """A file with every scalar as text, so that a workflow's `on` stays a word."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def by_name(paths: list[Path]) -> list[Any]:
    return [pytest.param(path, id=path.name) for path in paths]


def scripts(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Every script of a workflow or action, with the variables of its step."""
    file = read(path)
    jobs = file["jobs"].values() if "jobs" in file else [file["runs"]]
    for job in jobs:
        for step in job["steps"]:
            if "run" in step:
                yield step["run"], step.get("env", {})


def step(path: Path, name: str) -> str:
    """The script of the step with this name."""
    file = read(path)
    jobs = file["jobs"].values() if "jobs" in file else [file["runs"]]
    (found,) = [step["run"] for job in jobs for step in job["steps"] if step.get("name") == name]
    return str(found)


def terms(word: str) -> list[dict[str, Any]]:
    vocabulary = json.loads((ROOT / "schemas" / "vocabulary.schema.json").read_text(encoding="utf-8"))
    return list(vocabulary["$defs"][word]["oneOf"])


def labels() -> dict[str, str]:
    return {label["name"]: label["description"] for label in read(GITHUB / "labels.yml")}


def command(words: str) -> Any:
    """The verb that is called, or a failure that names it."""
    found: Any = typer.main.get_command(app)
    for word in words.split():
        if not hasattr(found, "commands"):
            # A word after a verb is its argument.
            return found
        commands = all_commands(found)
        assert word in commands, f"there is no `tools {words}`"
        found = commands[word]
    return found


def check_call(text: str) -> None:
    """Every verb in a script exists, and its verbs take the options of all lines that call no other program."""
    lines = text.replace("\\\n", " ").splitlines()
    parameters = [given for line in lines for words in CALL.findall(line) for given in command(words).params]
    known = {name: given.type for given in parameters for name in given.opts}
    for line in lines:
        if OTHERS.search(line) and not CALL.search(line):
            continue
        for option in OPTION.findall(line):
            assert option in known, f"no verb of this script takes {option}: {line.strip()}"
        for option, value in re.findall(r"(--[a-z-]+) ([a-z]+)\b", line):
            choices = [
                str(getattr(choice, "value", choice)) for choice in getattr(known[option], "choices", ())
            ]
            assert not choices or value in choices, f"{option} {value}"


@pytest.mark.parametrize("path", by_name(FILES))
def test_every_file_is_yaml(path: Path) -> None:
    assert yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", by_name([*WORKFLOWS, ACTION]))
def test_nothing_from_outside_gets_into_a_script(path: Path) -> None:
    for script, _ in scripts(path):
        assert "${{" not in script


@pytest.mark.parametrize("path", by_name(WORKFLOWS))
def test_a_workflow_has_no_secrets_and_reads_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "secrets" not in "".join(EXPRESSION.findall(text))
    workflow = read(path)
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(workflow["on"])
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        if "write" in job.get("permissions", {}).values():
            uses = [step.get("uses", "") for step in job["steps"]]
            assert not any("run" in step for step in job["steps"])
            assert not any(use.startswith(("actions/checkout", "./")) for use in uses)
            assert {"pull_request.head.repo.full_name", "github.repository"} <= set(
                re.findall(r"(?:github\.repository|pull_request\.head\.repo\.full_name)", job["if"])
            )


@pytest.mark.parametrize("path", by_name([*WORKFLOWS, ACTION]))
def test_actions_come_from_github_at_a_version(path: Path) -> None:
    for use in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8")):
        assert re.fullmatch(r"(actions|github)/[a-z/-]+@v[0-9]+", use)


@pytest.mark.parametrize("job", ["records", "apart"])
def test_a_checkout_keeps_no_token(job: str) -> None:
    steps = read(GITHUB / "workflows" / "validate.yml")["jobs"][job]["steps"]
    checkouts = [step["with"] for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    for checkout in checkouts:
        assert checkout["persist-credentials"] == "false"
        if checkout["ref"] == "${{ env.HEAD }}":
            assert checkout["fetch-depth"] == "0"
        else:
            assert (checkout["ref"], checkout["path"]) == ("${{ env.BASE }}", "base")


def test_only_tools_of_the_base_are_called() -> None:
    for script, _ in scripts(GITHUB / "workflows" / "validate.yml"):
        assert not re.search(r"(?<![\w.])head/", script)
        for place in re.findall(r"(\S*)/bin/", script):
            assert place == "base/.venv"


@pytest.mark.parametrize("path", by_name([*WORKFLOWS, ACTION]))
def test_every_call_exists(path: Path) -> None:
    for script, variables in scripts(path):
        if CALL.search(script):
            check_call(script)
            for value in variables.values():
                assert not OPTION.search(value)


def test_the_mass_change_option_exists() -> None:
    given = read(GITHUB / "workflows" / "validate.yml")["jobs"]["records"]["env"]["MASS_CHANGE"]
    (option,) = OPTION.findall(given)
    assert option in {name for parameter in command("validate").params for name in parameter.opts}


@pytest.mark.parametrize("hook", read(HOOKS), ids=lambda hook: hook["id"])
def test_a_hook_calls_what_exists(hook: dict[str, str]) -> None:
    check_call(hook["entry"])
    assert hook["language"] == "python"
    if "files" in hook:
        pattern = re.compile(hook["files"])
        for folder in FOLDERS.values():
            assert pattern.search(f"data/{folder}/some-id.yaml")
        for other in (
            "data/aliases.csv",
            "data/models/x.yaml.txt",
            "tests/data/models/x.yaml",
            "data/x.yaml",
        ):
            assert not pattern.search(other)


@pytest.mark.parametrize("path", [ROOT / "docs" / "pull-requests.md", GITHUB / "PULL_REQUEST_TEMPLATE.md"])
def test_the_pages_name_what_exists(path: Path) -> None:
    for call in re.findall(r"`(tools [^`]+)`|^(tools .+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        check_call("".join(call))


def test_the_page_lists_inputs_and_labels() -> None:
    page = (ROOT / "docs" / "pull-requests.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", page, re.MULTILINE))
    inputs = read(ACTION)["inputs"]
    assert rows.keys() == inputs.keys() | labels().keys()
    for name, description in labels().items():
        assert rows[name] == description
    for name, given in inputs.items():
        assert f"| `{given['default']}` |" in page or name == "base"
    for name in re.findall(r"^ {10}([a-z-]+): ", page.partition("uses: OWNER/")[2], re.MULTILINE):
        assert name in inputs


@pytest.mark.parametrize("form", by_name(FORMS))
def test_a_form_asks_for_exactly_the_eight_conditions(form: Path) -> None:
    fields = [field for field in read(form)["body"] if "id" in field]
    conditions = terms("condition")
    assert len(conditions) == 8
    asked = [field for field in fields if field["id"] in {condition["const"] for condition in conditions}]
    assert [(field["id"], field["attributes"]["label"]) for field in asked] == [
        (condition["const"], condition["title"]) for condition in conditions
    ]
    for field, condition in zip(asked, conditions, strict=True):
        hint = f"If it is not stated, this would recover it: {condition['x-would-need']}."
        assert field["attributes"]["description"] == f"{condition['description']} {hint}"
        assert field["validations"]["required"] == str(form.stem == "contribute-measurement").lower()


@pytest.mark.parametrize("form", by_name(FORMS))
def test_a_form_is_one_that_github_takes(form: Path) -> None:
    given = read(form)
    assert given.keys() == {"name", "description", "title", "labels", "body"}
    fields = [field for field in given["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    titles = [field["attributes"]["label"] for field in fields]
    assert len(names) == len(set(names))
    assert len(titles) == len(set(titles))
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names)
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown"}


def test_the_forms_offer_the_words_of_the_schema() -> None:
    fields = {
        field.get("id"): field for field in read(GITHUB / "ISSUE_TEMPLATE/contribute-measurement.yml")["body"]
    }
    benchmark = json.loads((ROOT / "schemas" / "benchmark.schema.json").read_text(encoding="utf-8"))
    offered = {"evidence": terms("evidence"), "measured_by": benchmark["properties"]["measured_by"]["oneOf"]}
    for name, words in offered.items():
        assert fields[name]["attributes"]["options"] == [word["const"] for word in words]


def test_every_label_that_is_used_exists() -> None:
    used = {label for form in FORMS for label in read(form)["labels"]}
    for workflow in WORKFLOWS:
        used.update(LABEL.findall(workflow.read_text(encoding="utf-8")))
    used.update(re.findall(r"label ([a-z-]*-ok)\b", "".join(s for w in WORKFLOWS for s, _ in scripts(w))))
    assert used == labels().keys()
    for label in read(GITHUB / "labels.yml"):
        assert re.fullmatch(r"[0-9a-f]{6}", label["color"])
        assert len(label["description"]) <= 100


def test_the_owners_cover_every_file() -> None:
    lines = (GITHUB / "CODEOWNERS").read_text(encoding="utf-8").splitlines()
    patterns = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert patterns[0] == "*"
    for pattern in patterns[1:]:
        assert (ROOT / pattern.strip("/")).is_dir()


def test_an_editor_finds_the_schema_of_every_folder() -> None:
    settings = json.loads((ROOT / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    assert settings["yaml.schemas"] == {
        f"./{editor_path(kind)}": f"data/{folder}/*.yaml" for kind, folder in FOLDERS.items()
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\nsetup: .venv/.ready {STAMP}\n" in makefile
    assert f"\n{STAMP}: | .venv/.ready\n\t$(BIN)/tools generate --editor\n" in makefile
    extensions = json.loads((ROOT / ".vscode" / "extensions.json").read_text(encoding="utf-8"))
    assert "redhat.vscode-yaml" in extensions["recommendations"]


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Carry out a step as a runner does: bash, stopping at the first failure, in the workspace."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "TOOLS_"))}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def workspace(tmp_path: Path) -> tuple[Path, Scratch, str]:
    """What the checkouts leave: a branch of the small ledger in `head/`, installed tools in `base/`; and the base."""
    shutil.copytree(CASE_LEDGER, tmp_path / "head")
    scratch = Scratch.start(tmp_path / "head")
    scratch.write("tools/rule.py", "strict = True\n")
    base = scratch.commit("the base")
    scratch.git("switch", "--quiet", "--create", "topic")
    (tmp_path / "base" / ".venv").mkdir(parents=True)
    (tmp_path / "base" / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    return tmp_path, scratch, base


HOSTILE = "data/models/$(touch pwned)`touch pwned`;'\"\n::error::x.yaml"


@pytest.mark.parametrize(
    ("files", "meant", "code", "said"),
    [
        (["data/models/new.yaml", "README.md", "docs/a page.md", "generated/x.json"], "false", 0, "apart"),
        (["tools/rule.py", ".github/workflows/validate.yml"], "false", 0, "apart"),
        (["data/models/new.yaml", "tools/new.py"], "false", 1, "::error "),
        ([HOSTILE, "docs.py"], "false", 1, "::error "),
        (["data/models/new.yaml", "nested/README.md"], "false", 1, "::error "),
        (["data/models/new.yaml", "tools/rule.py"], "true", 0, "::notice "),
    ],
)
def test_data_and_system_are_kept_apart(
    workspace: tuple[Path, Scratch, str], files: list[str], meant: str, code: int, said: str
) -> None:
    _, scratch, base = workspace
    scratch.git("switch", "--quiet", "main")
    scratch.write("tools/elsewhere.py", "moved_on = True\n")
    later = scratch.commit("main moves on")
    scratch.git("switch", "--quiet", "topic")
    for file in files:
        scratch.write(file, "changed\n")
    head = scratch.commit("a contribution")
    script = step(GITHUB / "workflows" / "validate.yml", "Data apart from the system")
    for start in (base, later):
        done = run(script, scratch.root, BASE=start, HEAD=head, BOTH_MEANT=meant)
        assert (done.returncode, done.stderr) == (code, "")
        assert said in done.stdout
        assert len(done.stdout.splitlines()) == 1
    assert not (scratch.root / "pwned").exists()


def test_a_hand_edit_fails_with_annotation_and_summary(workspace: tuple[Path, Scratch, str]) -> None:
    folder, scratch, base = workspace
    model = scratch.root / "data/models/example-7b.yaml"
    scratch.write("data/models/example-7b.yaml", model.read_text().replace("layers: 32", "layers: 33"))
    scratch.commit("an edit by hand")
    workflow = GITHUB / "workflows" / "validate.yml"
    summary = folder / "page.md"
    told = {"BASE": base, "MASS_CHANGE": "", "RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(summary)}

    done = run(step(workflow, "Validate"), folder, **told)
    assert done.returncode == 1, done.stderr
    assert re.search(r"^::error file=data/models/example-7b\.yaml,line=[0-9]+,", done.stdout, re.MULTILINE)

    done = run(step(workflow, "Summary of what changes"), folder, **told)
    assert done.returncode == 0, done.stderr
    assert "example-7b" in summary.read_text()

    done = run(step(workflow, "Findings as SARIF"), folder, **told)
    assert done.returncode == 0, done.stderr
    assert json.loads((folder / "records.sarif").read_text())["runs"][0]["results"]


def test_the_action_checks_a_ledger_of_another_repository(workspace: tuple[Path, Scratch, str]) -> None:
    folder, scratch, base = workspace
    scratch.commit("nothing")
    (folder / "ledger-tools").mkdir()
    (folder / "ledger-tools" / "bin").symlink_to(Path(sys.executable).parent)
    given = {"ROOT": "head", "BASE": base, "STRICT": "true", "FORMAT": "text", "MASS_CHANGE": "true"}
    told = {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "output")}
    done = run(step(ACTION, "Validate"), folder, **given, **told)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "output").read_text() == f"report={folder}/ledger-report\n"
    assert (folder / "ledger-report").read_text() == done.stdout
    assert "no findings" in done.stdout
