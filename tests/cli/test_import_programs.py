"""`tools import` of the output of programs, as somebody runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command
from tests.importers.programs.runs import vllm_run
from tools.importers.programs.registry import LISTED

CITED = ("--source", "example-log:run", "--by", "tester", "--root")


def test_the_command_writes_what_validates(tools: Command, ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(vllm_run()), encoding="utf-8")
    done = tools("import", "auto", path, *CITED, ledger)
    assert done.returncode == 0
    assert "1 file: 1 record imported, written to" in done.stderr
    assert "1 x vllm-bench-serve: it has num_prompts" in done.stderr
    assert "hardware: needs the accelerators of the server" in done.stderr
    assert tools("validate", "--root", ledger).returncode == 0
    again = tools("import", path, *CITED, ledger)
    assert again.returncode == 0
    assert "1 duplicate of records that stand already" in again.stderr


def test_the_command_refuses_with_an_exit_code_and_no_record(
    tools: Command, ledger: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(vllm_run(completed=450)), encoding="utf-8")
    refused = tools("import", "vllm-bench-serve", path, "--stdout", *CITED, ledger)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "--accept-failures takes it nevertheless" in refused.stderr
    missing = tools("import", "vlm-bench-serve", path, *CITED, ledger)
    assert missing.returncode == 2
    assert "there is no file vlm-bench-serve" in missing.stderr
    unsourced = tools("import", path, "--root", ledger)
    assert unsourced.returncode == 2
    assert "tools new source" in unsourced.stderr


def test_the_command_lists_the_formats(tools: Command) -> None:
    printed = tools("import", "--help").stdout
    assert all(name in printed for name in (*LISTED, "auto", "table"))
