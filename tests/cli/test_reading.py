"""`tools history`, `show`, `rules`, `explain` and the command as a whole."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
import typer

from tools.cli.app import app
from tools.cli.verbs import VERBS, all_commands
from tools.records.parse import parse

FOUNDING = "sd-medusa-batch32-degradation"
REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_history_tells_every_step_in_order(tools) -> None:
    done = tools("history", FOUNDING)
    assert done.returncode == 0
    told = [
        done.stdout.index(text)
        for text in ("2026-10-04", "w5-schema", "w6-benchmarks", "w10-bench-formatid", "2026-11-30")
    ]
    assert told == sorted(told)
    assert "decode_tok_s" in done.stdout


def test_the_record_as_filed(tools) -> None:
    done = tools("show", FOUNDING, "--as-of", "2026-10-03", "--format", "json")
    record = json.loads(done.stdout)
    assert record["results"][0]["metric"] == "decode_tok_s"
    assert record["results"][0]["value"] == 0
    assert "unit" not in record["results"][0]
    assert "accelerator_ids" not in record
    assert "absent" not in record


def test_shown_as_it_stands_is_the_file(tools) -> None:
    done = tools("show", FOUNDING)
    path = REPOSITORY / "data" / "benchmarks" / f"{FOUNDING}.yaml"
    assert parse(done.stdout.encode()).value == parse(path.read_bytes()).value


NEED_MORE = {"declare-absent", "acknowledge", "sweep"}
"""Their examples run elsewhere: two need something to have happened (tests/cli/test_correct.py), and one the numbers of
the whole study (tests/sweep/test_study.py)."""


def loaded() -> dict[str, Any]:
    """Every verb with its module."""
    return all_commands(typer.main.get_command(app))


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in NEED_MORE])
def test_every_example_in_a_help_text_runs(tools, excerpt: Path, verb: str) -> None:
    help_text = typer.main.get_command(app).get_command(None, verb).help or ""
    examples = re.findall(r"^\s*Example: tools (.+)$", help_text, re.MULTILINE)
    assert examples, f"{verb} has no example"
    for example in examples:
        # What is generated belongs to the repository, not to a ledger.
        done = tools(*shlex.split(example), **({} if verb == "generate" else {"cwd": excerpt}))
        assert done.returncode == 0, done.stdout + done.stderr


def test_help_names_every_verb(tools) -> None:
    done = tools("--help")
    assert done.returncode == 0
    for verb in VERBS:
        assert verb in done.stdout


def test_help_loads_no_heavy_library() -> None:
    heavy = (
        "yaml",
        "jsonschema_rs",
        "rich",
        "rapidfuzz",
        "multiprocessing",
        "tools.checks",
        "tools.records",
        "tools.schema",
    )
    code = (
        f"import sys; from tools.cli import app; print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_output_is_plain_when_it_is_not_a_terminal(tools, excerpt: Path) -> None:
    for arguments in (("history", FOUNDING), ("rules",), ("explain", "unresolved-reference"), ("validate",)):
        assert "\x1b" not in tools(*arguments, cwd=excerpt).stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    piped = f"{sys.executable} -m tools rules | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", piped], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in done.stderr


def test_derived_files_are_current(tools) -> None:
    done = tools("generate", "--check")
    assert done.returncode == 0, done.stdout


def test_formatting_changes_nothing_the_second_time(tools, ledger: Path) -> None:
    path = ledger / "data" / "models" / "example-7b.yaml"
    path.write_text("# kept\n" + path.read_text().replace(": ", ":   ", 3))
    assert tools("fmt", "--check", "--root", ledger).returncode == 1
    assert tools("fmt", "--root", ledger).returncode == 0
    assert path.read_text().startswith("# kept\n")
    assert tools("fmt", "--check", "--root", ledger).returncode == 0
    assert tools("validate", "--root", ledger).returncode == 0


def test_every_verb_is_listed_and_loads() -> None:
    # A word of the language, such as import, has a module with _ at its end.
    modules = {
        path.stem.removesuffix("_").replace("_", "-") for path in (REPOSITORY / "tools" / "cli").glob("*.py")
    }
    assert list(loaded()) == list(VERBS)
    assert set(VERBS) <= modules
    for name in modules - set(VERBS) - {"--init-"}:
        word = name.replace("-", "_")
        module = import_module(f"tools.cli.{word}")
        assert not isfunction(getattr(module, word, None)), f"tools.cli.{word} is a verb that is not listed"
