"""`tools fmt` on many files: forked workers tell the same as one process, and stop as one would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tools.checks import form
from tools.errors import InternalError
from tools.records.layout import format_document
from tools.records.parse import Document, parse
from tools.schema.load import key_order

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = 320
"""Enough files for workers to be forked, and not a whole number of their chunks."""


def text_of(number: int) -> str:
    """A model's record: every 20th is not in canonical form, and every 90th has none."""
    if number % 90 == 7:
        return "a: [\n"
    gap = "   " if number % 20 == 3 else " "
    return f"id:{gap}model-{number:04}\nkind: model\nname: Model {number}  # as its card has it\nlayers: 32\n"


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A ledger of many models."""
    folder = tmp_path / "ledger" / "data" / "models"
    folder.mkdir(parents=True)
    for number in range(FILES):
        (folder / f"model-{number:04}.yaml").write_text(text_of(number))
    return tmp_path / "ledger"


def texts(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(root.glob("data/*/*"))}


def test_workers_tell_the_same_as_one_process(tools, many: Path) -> None:
    before = texts(many)
    checked = [tools("fmt", "--check", "--root", many, "--jobs", jobs) for jobs in ("1", "2")]
    assert checked[0] == checked[1]
    assert checked[0].returncode == 1
    changing = [f"data/models/model-{n:04}.yaml" for n in range(FILES) if n % 20 == 3 and n % 90 != 7]
    assert checked[0].stdout.splitlines() == [f"would change {name}" for name in changing]
    assert checked[0].stderr.count("left as it is") == 4
    assert texts(many) == before


def test_workers_write_the_same_as_one_process(tools, many: Path) -> None:
    before = texts(many)
    done = {}
    for jobs in ("1", "2"):
        for name, content in before.items():
            (many / "data" / "models" / name).write_bytes(content)
        done[jobs] = tools("fmt", "--root", many, "--jobs", jobs), texts(many)
    assert done["1"] == done["2"]
    assert "16 changed, 4 left as they are" in done["1"][0].stderr
    assert tools("fmt", "--check", "--root", many).stdout == ""


def test_a_fault_in_a_worker_is_told_as_in_one_process(
    tools, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lossy(document: Document, order: Any) -> str:
        if "model-0230" in document.text:
            raise InternalError("the layout lost something of model-0230")
        return format_document(document, order)

    monkeypatch.setattr("tools.schema.canonical.format_document", lossy)
    told = [tools("fmt", "--check", "--root", many, "--jobs", jobs) for jobs in ("1", "2")]
    assert told[0] == told[1]
    assert told[0].returncode == 3
    assert told[0].stdout.splitlines()[-1] == "would change data/models/model-0223.yaml"
    assert told[0].stderr.endswith("error: the layout lost something of model-0230\n")


def test_a_crash_in_a_worker_shows_where_it_happened(
    tools, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crashing(entry: Any) -> form.Form:
        raise ZeroDivisionError(entry.id)

    monkeypatch.setattr(form, "form_of", crashing)
    done = tools("fmt", "--root", many, "--jobs", "2")
    assert done.returncode == 3
    assert "in crashing" in done.stderr
    assert "ZeroDivisionError: model-0000" in done.stderr
    assert "this is a fault of the program" in done.stderr


def test_what_was_written_meanwhile_is_not_written_over(
    tools, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = many / "data" / "models" / "model-0003.yaml"
    corrected = target.read_text().replace("layers: 32", "layers:  48")
    forms_of = form.forms_of

    def overtaken(*arguments: Any) -> Any:
        for found in forms_of(*arguments):
            if found.entry.id == target.stem:
                target.write_text(corrected)
            yield found

    monkeypatch.setattr(form, "forms_of", overtaken)
    assert f"changed data/models/{target.name}" in tools("fmt", "--root", many, "--jobs", "2").stdout
    assert "layers: 48\n" in target.read_text()


@pytest.mark.parametrize("text", ["# a\nb: 1.50  # c\n", "id: x\nvalue: 1.50\n", "a: [1.0, 2e3]  # both\n"])
def test_a_text_that_its_value_alone_does_not_give_can_be_canonical(text: str) -> None:
    assert format_document(parse(text.encode()), key_order("model")) == text


def test_an_interruption_ends_the_workers_and_leaves_whole_files(many: Path) -> None:
    before = texts(many)
    slow = (
        # Whoever starts the tests in the background has interrupts ignored.
        "import signal, sys, time; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from tools.checks import form, workers; from tools.cli.app import run\n"
        "original = form.form_of\n"
        "def slow(entry): time.sleep(0.05); return original(entry)\n"
        "form.form_of, workers.CHUNK = slow, 10; sys.exit(run(sys.argv[1:]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow, "fmt", "--root", str(many), "--jobs", "2"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    # As a terminal does it: every process of the group is told.
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "interrupted"
    assert "Traceback" not in said
    assert set(texts(many)) == set(before)
    for name, content in texts(many).items():
        assert content in (before[name], before[name].replace(b"   ", b" ", 1))
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    else:
        pytest.fail("a worker is still there")
