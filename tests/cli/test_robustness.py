"""The command on a hostile machine and with hostile text: one sentence and the right exit code, never a traceback."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.records.characters import UNWRITABLE
from tools.records.json_text import json_text
from tools.records.parse import parse

FOUNDING = "sd-medusa-batch32-degradation"
REPOSITORY = Path(__file__).resolve().parents[2]
HOSTILE = "a\x07b\x1b[2Jc\rd\x85e\u2028f\u202eg\u2066h"
VERBS = (
    ("validate",),
    ("fmt", "--check"),
    ("history", FOUNDING),
    ("show", FOUNDING),
    ("rules",),
    ("explain", "unresolved-reference"),
    ("generate", "--check"),
    ("--help",),
)
SILENT = (("fmt", "--check"),)
"""Calls that have nothing to say on stdout when all is well."""


def harmless(text: str) -> bool:
    return not UNWRITABLE.search(text) and "\r" not in text


def shell(line: str, *arguments: str | Path, cwd: Path = REPOSITORY) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `tools` is the command and $1 ... are the arguments."""
    preamble = f'tools() {{ {sys.executable} -m tools "$@"; }}; PYTHONPATH={REPOSITORY}; export PYTHONPATH; '
    call = ["bash", "-c", preamble + line, "bash", *map(str, arguments)]
    return subprocess.run(call, cwd=cwd, capture_output=True, text=True, check=False, timeout=60)


def break_a_record(ledger: Path) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")


# Where output goes.


TO = {"closed": ">&-", "full": ">/dev/full", "not for writing": "1</dev/null"}


@pytest.mark.parametrize(
    ("verb", "to"),
    [
        # Every verb on a full disk; the other ways fail before a verb has said anything.
        *((verb, "full") for verb in VERBS if verb[0] != "generate"),
        *((verb, to) for verb in (("fmt", "--check"), ("rules",)) for to in ("closed", "not for writing")),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_output_that_cannot_be_written(excerpt: Path, verb: tuple[str, ...], to: str) -> None:
    done = shell(f'tools "$@" {TO[to]}', *verb, cwd=excerpt)
    if verb in SILENT and to != "closed":
        assert done.returncode == 0
        return
    assert done.returncode == 2
    assert done.stderr.count("error:") == 1
    assert "output" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full"], ids=["closed", "full"])
def test_messages_that_nobody_can_read_change_nothing(ledger: Path, to: str) -> None:
    assert shell(f'tools fmt --check --root "$1" {to}', ledger).returncode == 0
    assert shell(f"tools show nothing-of-that-name {to}").returncode == 2
    break_a_record(ledger)
    done = shell(f'tools validate --root "$1" {to}', ledger)
    assert done.returncode == 1
    assert "broken.yaml" in done.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_reader_that_goes_away_hides_no_findings(ledger: Path, form: str) -> None:
    def call() -> tuple[int, str]:
        reader, writer = os.pipe()
        os.close(reader)
        arguments = [sys.executable, "-m", "tools", "validate", "--root", str(ledger), "--format", form]
        done = subprocess.run(
            arguments, cwd=REPOSITORY, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
        os.close(writer)
        return done.returncode, done.stderr

    assert call() == (0, "")
    break_a_record(ledger)
    assert call() == (1, "")


def test_a_reader_that_goes_away_does_not_stop_a_writer(ledger: Path) -> None:
    for path in ledger.glob("data/*/*.yaml"):
        path.write_text(path.read_text().replace(": ", ":   ", 3))
    assert shell('set -o pipefail; tools fmt --root "$1" | true', ledger).returncode == 0
    assert shell('tools fmt --check --root "$1"', ledger).returncode == 0


def test_a_slow_reader_gets_all() -> None:
    code = (
        "import os, sys; os.set_blocking(1, False)\n"
        "from tools.cli.streams import Streams; streams = Streams()\n"
        "print('x' * 1_000_000); sys.exit(str(streams.fault()))"
    )
    done = shell('"$1" -c "$2" | (sleep 0.3; wc -c)', sys.executable, code)
    assert (done.stdout.strip(), done.stderr) == ("1000001", "None\n")


# What the system refuses.


@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS if verb[0] in ("validate", "fmt", "history", "generate")]
)
def test_a_folder_that_is_gone(tmp_path: Path, verb: tuple[str, ...]) -> None:
    gone = 'mkdir "$1/gone"; cd "$1/gone"; rmdir "$1/gone"; shift; tools "$@"'
    done = shell(gone, tmp_path, *verb)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the current folder is gone" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENOENT])
@pytest.mark.parametrize(
    "name", [None, f"/{HOSTILE}\n::error::x", b"/\xff"], ids=["unnamed", "named", "bytes"]
)
def test_whatever_the_system_refuses(
    tools, monkeypatch: pytest.MonkeyPatch, code: int, name: str | bytes | None
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code), name) if name else OSError(code, os.strerror(code))

    monkeypatch.setattr("tools.checks.select.select", refuse)
    for verb in ("validate", "fmt"):
        done = tools(verb)
        assert (done.returncode, done.stdout) == (2, "")
        assert harmless(done.stderr)
        assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["error", "help"]


# tools fmt on files that cannot be formatted.


def test_formatting_goes_on_past_what_it_cannot_format(tools, ledger: Path, tmp_path: Path) -> None:
    good, odd, none = (tmp_path / f"{name}.yaml" for name in ("z-good", "a-odd", "b-none"))
    good.write_text("id:   z-good\nkind:   model\n")
    odd.write_text("id: a-odd\nkind: spaceship\n")
    none.write_text("[1, 2]\n")
    done = tools("fmt", odd, none, good, "--root", ledger)
    assert done.returncode == 1
    assert done.stderr.count("left as it is") == 2
    assert done.stderr.endswith("3 files: 1 changed, 2 left as they are\n")
    assert good.read_text() == "id: z-good\nkind: model\n"
    assert odd.read_text() == "id: a-odd\nkind: spaceship\n"


def test_formatting_goes_on_past_what_cannot_be_written(
    tools, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted(ledger.glob("data/*/*.yaml"))
    for path in paths:
        path.write_text(path.read_text().replace(": ", ":   ", 3))
    refused, replace = paths[1], os.replace

    def refuse(source: Any, target: Any) -> None:
        if Path(target) == refused:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    done = tools("fmt", "--root", ledger)
    assert done.returncode == 2
    assert done.stdout.splitlines() == [f"changed {p.relative_to(ledger)}" for p in paths if p != refused]
    assert done.stderr.count("error: cannot write") == 1
    assert f"{len(paths) - 1} changed, 1 could not be written" in done.stderr
    monkeypatch.undo()
    assert tools("fmt", refused, "--root", ledger).stderr == "1 file: 1 changed\n"


def test_files_are_named_so_that_nothing_moves(tools, ledger: Path) -> None:
    folder = ledger / "data" / "models"
    text = (folder / "example-7b.yaml").read_text()
    (folder / f"{HOSTILE}.yaml").write_text(text.replace(": ", ":   ", 3))
    (folder / f"{HOSTILE}-2.yaml").write_text("a: [")
    for arguments in (("fmt", "--check"), ("fmt",)):
        done = tools(*arguments, "--root", ledger)
        assert done.returncode == 1
        assert harmless(done.stdout)
        assert harmless(done.stderr)
        assert len(done.stdout.splitlines()) == 1
        assert "data/models/a\ufffdb" in done.stdout


# Text that comes from elsewhere.


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", HOSTILE),
        ("show", f"{HOSTILE}\n::error::x"),
        ("history", FOUNDING, f"/{HOSTILE}"),
        ("validate", f"/nowhere/{HOSTILE}"),
        ("validate", "--root", f"/nowhere/{HOSTILE}"),
        ("validate", "--base", HOSTILE),
        ("fmt", f"/nowhere/{HOSTILE}\n::error::x"),
        ("explain", HOSTILE),
        (HOSTILE,),
        ("show", FOUNDING, f"--{HOSTILE}"),
        ("show", FOUNDING, "--as-of", HOSTILE),
        ("show", FOUNDING, "--format", HOSTILE),
    ],
    ids=lambda arguments: arguments[0] if arguments[0] != HOSTILE else "no verb",
)
def test_an_error_quotes_nothing_that_moves_the_cursor(tools, arguments: tuple[str, ...]) -> None:
    done = tools(*arguments)
    assert done.returncode == 2
    assert harmless(done.stderr)
    assert len(done.stderr.splitlines()) <= 2
    assert done.stderr.startswith("error: ")


def places(value: Any, at: str = "") -> list[str]:
    """Pointers of all text in a record."""
    if isinstance(value, str):
        return [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, below in items for place in places(below, f"{at}/{key}")]


def put(value: Any, pointer: str, new: str) -> None:
    *above, last = pointer.split("/")[1:]
    for token in above:
        value = value[int(token) if isinstance(value, list) else token]
    value[int(last) if isinstance(value, list) else last] = new


def hostile_records() -> Iterator[Any]:
    """The founding record with all its text hostile, with all that its log does not hang on, and with the rest."""
    record = parse((REPOSITORY / "data" / "benchmarks" / f"{FOUNDING}.yaml").read_bytes()).value
    keys = {place.rpartition("/")[2] for place in places(record)}
    assert {"action", "by", "reason", "path", "from", "to", "locator", "title"} <= keys
    hinges = {"id", "kind", "path", "date", "action", "source_id", "record_id"}
    for some in (keys, keys - hinges, {"action", "source_id"}, {"path"}):
        changed = json.loads(json.dumps(record))
        for place in places(record):
            if place.rpartition("/")[2] in some:
                put(changed, place, HOSTILE)
        yield changed


def test_no_text_of_a_record_moves_the_cursor(tools, ledger: Path) -> None:
    path = ledger / "data" / "benchmarks" / "hostile.yaml"
    for value in hostile_records():
        path.write_text(json_text(value))
        for call in (
            ("history", "hostile"),
            ("history", "hostile", "--format", "markdown"),
            ("history", "hostile", "--format", "json"),
            ("history", "hostile", "/results/0/value"),
            ("history", "hostile", "/results/0/value", "--format", "markdown"),
            ("show", "hostile"),
            ("show", "hostile", "--format", "json"),
        ):
            done = tools(*call, "--root", ledger)
            assert done.returncode in (0, 1), done.stderr
            assert harmless(done.stdout), call
            assert harmless(done.stderr)


def test_json_keeps_the_text_and_stays_readable(tools, ledger: Path) -> None:
    text = f"é 漢 ½ 😀 {HOSTILE}\u2029\x7f\u061c\ufeff\n\t"
    path = ledger / "data" / "models" / "hostile.yaml"
    path.write_text(json_text({"id": "hostile", "kind": "model", "name": text}))
    done = tools("show", "hostile", "--format", "json", "--root", ledger)
    assert harmless(done.stdout)
    assert "é 漢 ½ 😀" in done.stdout
    assert json.loads(done.stdout)["name"] == text
