"""A writer that is killed, and writers at the same time: no change is lost, no file is left half written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from tools.audit.replay import replay
from tools.records.parse import parse

REPOSITORY = Path(__file__).resolve().parents[2]
WRITES = 100
RECORDS = 20

# Takes its records in turn and corrects each to the number of the write; says so when the write is done.
WRITER = """
import sys
from datetime import date
from pathlib import Path
from tools.audit.actions import correction
from tools.audit.amendment import Signature, Step, Verb
from tools.audit.write import write
from tools.records.catalog import Catalog
from tools.records.tree import Scalar

root, name, start, end, records = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
catalog = Catalog(root)
for number in range(start, end):
    entry = catalog.require(f"source-{number % records}")
    signed = Signature(name, date(2026, 1, 1), f"Write {number} of {name}.")
    step = Step(Verb.PUT, f"/{name}", Scalar(number))
    write(root, entry, correction(signed, [step]), lambda *_: ())
    print(number, flush=True)
"""


def start(root: Path, name: str, first: int, records: int, writes: int = WRITES) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), name, str(first), str(writes), str(records)],
        stdout=subprocess.PIPE,
        cwd=REPOSITORY,
        text=True,
    )


def make_ledger(root: Path, records: int) -> Path:
    folder = root / "data" / "sources"
    folder.mkdir(parents=True)
    for number in range(records):
        text = f"id: source-{number}\nkind: source\none: -1\nother: -1\naudit:\n  - {{action: created, reason: x}}\n"
        (folder / f"source-{number}.yaml").write_text(text)
    return folder


def writes_in(folder: Path, name: str) -> list[int]:
    """The writes of one writer that reached the files; every file is whole and its log replays."""
    found = []
    for path in folder.glob("*.yaml"):
        document = parse(path.read_bytes())
        assert document.problems == []
        story = replay(document.value)
        assert story.faults == ()
        mine = [change.to_value for e in story.entries for change in e.changes if e.by == name]
        found += mine
        assert story.contents[-1][name] == (mine[-1] if mine else -1)
    return sorted(found)  # type: ignore[type-var]


def test_a_writer_killed_at_any_instant_loses_nothing(tmp_path: Path) -> None:
    folder = make_ledger(tmp_path, RECORDS)
    chance = random.Random(7)
    next_write = 0
    while next_write < WRITES:
        with start(tmp_path, "one", next_write, RECORDS) as writer:
            assert writer.stdout is not None
            told = [int(line) for _, line in zip(range(chance.randint(8, 40)), writer.stdout, strict=False)]
            os.kill(writer.pid, signal.SIGKILL)
            told += [int(line) for line in writer.stdout.read().split()]
        done = writes_in(folder, "one")
        # All that was told is there, and at most the one that was under way.
        assert done == list(range(len(done)))
        assert told[-1] + 1 <= len(done) <= told[-1] + 2
        next_write = len(done)
    assert writes_in(folder, "one") == list(range(WRITES))


def test_two_writers_of_the_same_records_both_land(tmp_path: Path) -> None:
    folder = make_ledger(tmp_path, 2)
    with start(tmp_path, "one", 0, 2, 12) as one, start(tmp_path, "other", 0, 2, 12) as other:
        assert one.communicate(timeout=60)[0].split() == other.communicate(timeout=60)[0].split()
    assert one.returncode == other.returncode == 0
    assert writes_in(folder, "one") == writes_in(folder, "other") == list(range(12))
    assert sorted(path.suffix for path in folder.iterdir()) == [".yaml", ".yaml"]
