"""Which records differ between two states of a ledger, and which of them are one record under two names."""

from __future__ import annotations

from pathlib import Path

import pytest
from scratch import Scratch

from tools.audit.versions import Changes, Pair, between, is_record, since

A = "data/models/a.yaml"
TEXT = "id: {id}\nkind: {kind}\nlayers: {layers}\naudit:\n  - {{action: created, reason: filed}}\n"
MOVED = "  - {{action: moved, reason: r, changes: [{{path: {path}, from: {old}, to: {new}}}]}}\n"


def text(name: str, kind: str = "model", layers: int = 1) -> str:
    return TEXT.format(id=name, kind=kind, layers=layers)


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    repository = Scratch.start(tmp_path / "ledger")
    for name in ("a", "b", "c"):
        repository.write(f"data/models/{name}.yaml", text(name, layers=ord(name)))
    repository.commit()
    return repository


def named(changes: Changes) -> list[tuple[str | None, str | None, str]]:
    return [
        (pair.before and pair.before.file, pair.after and pair.after.file, pair.follows)
        for pair in changes.pairs
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (A, True),
        ("data/models/.a.yaml", False),
        ("data/models/a.yml", False),
        ("data/models/deep/a.yaml", False),
        ("data/other/a.yaml", False),
        ("data/aliases.csv", False),
        ("models/a.yaml", False),
    ],
)
def test_what_is_a_record(path: str, expected: bool) -> None:
    assert is_record(path) is expected


def test_nothing_differs(scratch: Scratch) -> None:
    assert since(scratch.root, "main").pairs == ()
    assert between(scratch.root, "main", "HEAD").pairs == ()


def test_a_touched_file_with_the_same_bytes_is_left_out(scratch: Scratch) -> None:
    place = scratch.root / A
    content = place.read_bytes()
    place.unlink()
    place.write_bytes(content)
    scratch.git("rm", "--quiet", "--cached", A)
    assert since(scratch.root, "main").pairs == ()


def test_the_folder_and_a_commit_tell_the_same(scratch: Scratch) -> None:
    scratch.git("switch", "--quiet", "--create", "topic")
    scratch.write(A, text("a", layers=7))
    (scratch.root / "data/models/b.yaml").unlink()
    scratch.write("data/models/new.yaml", text("new"))
    scratch.write("data/aliases.csv", "kind,alias,id\n")
    here = since(scratch.root, "main")
    scratch.commit()
    assert named(here) == [(A, A, ""), ("data/models/b.yaml", None, ""), (None, "data/models/new.yaml", "")]
    assert named(between(scratch.root, "main", "topic")) == named(here)
    assert [(p.before and p.before.value, p.after and p.after.value) for p in here.pairs] == [
        (p.before and p.before.value, p.after and p.after.value)
        for p in between(scratch.root, "main", "topic").pairs
    ]
    pair = here.pairs[0]
    assert pair.after is not None
    assert (pair.after.id, pair.after.kind) == ("a", "model")


def test_another_id_with_and_without_a_word(scratch: Scratch) -> None:
    (scratch.root / A).unlink()
    target = "data/models/z.yaml"
    scratch.write(target, text("z", layers=ord("a")))
    assert named(since(scratch.root, "main")) == [(A, None, target), (None, target, "")]
    scratch.write(target, text("z", layers=7) + MOVED.format(path="/id", old="a", new="z"))
    assert named(since(scratch.root, "main")) == [(A, target, "")]
    scratch.write(target, text("z", layers=7) + MOVED.format(path="/id", old="b", new="z"))
    assert named(since(scratch.root, "main")) == [(A, None, ""), (None, target, "")]


def test_another_kind_with_and_without_a_word(scratch: Scratch) -> None:
    (scratch.root / A).unlink()
    target = "data/engines/a.yaml"
    scratch.write(target, text("a", "engine", layers=99))
    assert named(since(scratch.root, "main")) == [(None, target, ""), (A, None, target)]
    scratch.write(target, text("a", "engine") + MOVED.format(path="/kind", old="model", new="engine"))
    assert named(since(scratch.root, "main")) == [(A, target, "")]


def test_a_record_that_is_still_there_was_not_moved(scratch: Scratch) -> None:
    target = "data/models/z.yaml"
    scratch.write(target, text("z") + MOVED.format(path="/id", old="a", new="z"))
    assert named(since(scratch.root, "main")) == [(None, target, "")]


def test_a_file_from_elsewhere_stands_for_the_record_it_would_be(scratch: Scratch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "draft.yaml"
    elsewhere.write_text(text("a", layers=7), encoding="utf-8")
    (pair,) = since(scratch.root, "main", {A: elsewhere}).pairs
    assert pair.after is not None
    assert pair.after.value is not None
    assert pair.after.value["layers"] == 7
    assert (scratch.root / A).read_text(encoding="utf-8") == text("a", layers=ord("a"))


def test_what_cannot_be_read_has_no_value(scratch: Scratch) -> None:
    scratch.write(A, "a: [")
    (scratch.root / "data/models/b.yaml").unlink()
    (scratch.root / "data/models/b.yaml").symlink_to("c.yaml")
    scratch.commit()
    for changes in (since(scratch.root, "HEAD~1"), between(scratch.root, "HEAD~1", "HEAD")):
        assert named(changes) == [(A, A, ""), ("data/models/b.yaml", "data/models/b.yaml", "")]
        assert all(pair.after is not None and pair.after.value is None for pair in changes.pairs)


def test_a_data_folder_that_became_a_link_holds_what_it_held(scratch: Scratch) -> None:
    (scratch.root / "data").rename(scratch.root / "elsewhere")
    (scratch.root / "data").symlink_to("elsewhere", target_is_directory=True)
    assert since(scratch.root, "main").pairs == ()
    assert Pair(None, None).file == ""
