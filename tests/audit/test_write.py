"""A change and its entry reach the file together, or the file stays as it was."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from tools.audit.actions import Plan, correction, retraction
from tools.audit.amendment import Signature, Step, Verb
from tools.audit.replay import replay
from tools.audit.write import Written, write
from tools.errors import ToolsError
from tools.finding import START, Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.edit import replace_file
from tools.records.parse import Json, parse
from tools.records.revise import node_of

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"
SIGNED = Signature("me", date(2026, 3, 9), "Because.")
RUN = "example-run"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(CASE_LEDGER, tmp_path / "ledger")
    return tmp_path / "ledger"


def file_of(root: Path) -> Path:
    return root / "data" / "benchmarks" / f"{RUN}.yaml"


def correcting(place: str, value: Json) -> Plan:
    return correction(SIGNED, [Step(Verb.PUT, place, node_of(value))])


def content(_: Entry, __: bytes) -> Sequence[Finding]:
    return ()


def written(root: Path, plan: Plan, **options: bool) -> Written:
    return write(root, Catalog(root).require(RUN), plan, content, **options)


def test_value_and_entry(root: Path) -> None:
    before = file_of(root).read_text()
    done = written(root, correcting("/results/0/value", 2000.5))
    after = file_of(root).read_text()
    assert (done.before, done.after) == (before, after)
    assert after.startswith(before.replace("1998.05", "2000.5"))
    assert after.endswith("      - {path: /results/0/value, from: 1998.05, to: 2000.5}\n")
    assert not done.is_refused


def test_a_dry_run_writes_nothing_and_shows_all(root: Path) -> None:
    before = file_of(root).read_bytes()
    done = written(root, correcting("/results/0/value", 2000.5), dry_run=True)
    assert file_of(root).read_bytes() == before
    diff = done.diff("x.yaml", "x.yaml").splitlines()
    assert diff[:2] == ["--- a/x.yaml", "+++ b/x.yaml"]
    assert [line for line in diff[2:] if line.startswith("-")] == [
        "-  - {metric: tps_aggregate, value: 1998.05, unit: tok/s}"
    ]


def test_what_is_judged_is_what_would_be_written(root: Path) -> None:
    before = file_of(root).read_bytes()
    seen: list[tuple[str, bytes]] = []

    def refuse(entry: Entry, proposed: bytes) -> list[Finding]:
        seen.append((entry.id, proposed))
        assert file_of(root).read_bytes() == before
        return [Finding("some-rule", Level.ERROR, "x.yaml", START, "no")]

    done = write(root, Catalog(root).require(RUN), correcting("/results/0/value", -1), refuse)
    assert done.is_refused
    assert file_of(root).read_bytes() == before
    assert seen == [(RUN, done.after.encode())]
    assert b"value: -1" in seen[0][1]


def test_a_warning_refuses_nothing(root: Path) -> None:
    def warn(_: Entry, __: bytes) -> list[Finding]:
        return [Finding("some-rule", Level.WARNING, "x.yaml", START, "hm")]

    done = write(root, Catalog(root).require(RUN), correcting("/results/0/value", 1), warn)
    assert not done.is_refused
    assert file_of(root).read_text() == done.after


def test_line_ends_and_comments_stay(root: Path) -> None:
    text = file_of(root).read_text().replace("id: example-run\n", "id:   example-run  # as the file\n")
    file_of(root).write_bytes(text.replace("\n", "\r\n").encode())
    written(root, correcting("/results/0/value", 2000.5))
    after = file_of(root).read_bytes().decode()
    assert after.count("\n") == after.count("\r\n")
    assert after.replace("\r\n", "\n").startswith(text.replace("1998.05", "2000.5"))
    assert replay(parse(after.encode()).value).faults == ()


def test_a_retracted_record_is_corrected_later(root: Path) -> None:
    written(root, retraction(SIGNED))
    written(root, correcting("/results/0/value", 2000.5))
    value = parse(file_of(root).read_bytes()).value
    assert isinstance(value, dict)
    assert value["status"] == "retracted"
    assert [state.get("status") for state in replay(value).contents] == ["verified"] * 3 + ["retracted"] * 2


@pytest.mark.parametrize(
    ("call", "number", "hint"),
    [("fsync", errno.ENOSPC, "disk is full"), ("open", errno.EROFS, "read-only")],
)
def test_a_disk_that_fails(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, hint: str
) -> None:
    before = file_of(root).read_bytes()
    real = getattr(os, call)

    def fail(*arguments: object, **options: object) -> object:
        if call == "open" and ".tmp" not in str(arguments[0]):
            return real(*arguments, **options)
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(ToolsError) as caught:
            written(root, correcting("/results/0/value", 2000.5))
    assert hint in caught.value.hint
    assert file_of(root).read_bytes() == before
    assert sorted(path.name for path in file_of(root).parent.iterdir()) == [
        "example-run.yaml",
        "example-speedup.yaml",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(root: Path) -> None:
    before = file_of(root).read_bytes()
    file_of(root).parent.chmod(0o555)
    try:
        with pytest.raises(ToolsError, match="cannot write"):
            written(root, correcting("/results/0/value", 2000.5))
        assert written(root, correcting("/results/0/value", 2000.5), dry_run=True).changes
    finally:
        file_of(root).parent.chmod(0o755)
    assert file_of(root).read_bytes() == before


def test_a_write_protected_file_stays(root: Path) -> None:
    before = file_of(root).read_bytes()
    file_of(root).chmod(0o444)
    if os.access(file_of(root), os.W_OK):
        pytest.skip("root may write everywhere")
    with pytest.raises(ToolsError, match="write-protected"):
        written(root, correcting("/results/0/value", 2000.5))
    assert file_of(root).read_bytes() == before


def test_leftovers_of_a_killed_writer_go(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    other = file_of(root).with_name("other.yaml")
    before = set(other.parent.iterdir())
    monkeypatch.setattr(Path, "replace", die)
    monkeypatch.setattr(Path, "unlink", die)
    for path in (other, file_of(root)):
        with pytest.raises(KeyboardInterrupt):
            replace_file(path, "half a rec")
    monkeypatch.undo()
    assert len(set(other.parent.iterdir()) - before) == 2
    written(root, correcting("/results/0/value", 2000.5))
    (left,) = set(other.parent.iterdir()) - before
    written(root, correcting("/results/0/value", 2001.5))
    assert left.exists()


def test_the_second_writer_sees_what_the_first_wrote(root: Path) -> None:
    judged = threading.Barrier(2, timeout=10)

    def wait(_: Entry, __: bytes) -> list[Finding]:
        judged.wait()
        return []

    entry = Catalog(root).require(RUN)
    first = threading.Thread(target=write, args=(root, entry, correcting("/results/0/value", 1.5), wait))
    second = threading.Thread(target=write, args=(root, entry, correcting("/results/1/value", 2.5), content))
    first.start()
    while not judged.n_waiting:
        pass
    second.start()
    judged.wait()
    for writer in (first, second):
        writer.join(10)
    value = parse(file_of(root).read_bytes()).value
    story = replay(value)
    assert story.faults == ()
    assert [len(entry.changes) for entry in story.entries] == [0, 1, 1, 1]
    assert story.entries[-1].changes[0].path == "/results/1/value"


def test_what_is_no_record_is_left_alone(root: Path) -> None:
    entry = Catalog(root).require(RUN)
    for text in ("id: [", "- 1\n", "id: x\nid: y\n"):
        file_of(root).write_text(text)
        with pytest.raises(ToolsError, match="cannot be read"):
            write(root, entry, correcting("/results/0/value", 1), content)
        assert file_of(root).read_text() == text
    file_of(root).unlink()
    with pytest.raises(ToolsError, match="cannot be read"):
        write(root, entry, correcting("/results/0/value", 1), content)
