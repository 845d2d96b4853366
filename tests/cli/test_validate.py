"""`tools validate` from the outside: exit codes, formats, candidates, and files of every bad kind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

FOUNDING = "sd-medusa-batch32-degradation"


def findings(output: str) -> list[dict[str, object]]:
    return json.loads(output)["findings"]  # type: ignore[no-any-return]


def test_records_of_the_ledger_are_clean(tools) -> None:
    """One in a hundred, against all of them; `make check` asks of all."""
    paths = sorted((Path(__file__).parents[2] / "data").glob("*/*.yaml"))[::100]
    done = tools("validate", "--strict", "--format", "json", *paths)
    summary = json.loads(done.stdout)["summary"]
    assert done.returncode == 0
    assert summary["errors"] == 0
    assert summary["records"] == len(paths) > 40
    assert set(summary) == {"files", "records", "errors", "warnings", "infos", "acknowledged", "seconds"}


def test_a_broken_founding_record_is_refused_with_its_line(tools, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "data" / "benchmarks" / f"{FOUNDING}.yaml").read_text()
    broken = tmp_path / f"{FOUNDING}.yaml"
    broken.write_text(text.replace("metric: speedup_ratio", "metric: decode_tok_s", 1))
    done = tools("validate", broken, "--format", "json")
    assert done.returncode == 1
    found = findings(done.stdout)
    line = next(n for n, row in enumerate(broken.read_text().splitlines(), 1) if "unit: ratio" in row)
    assert ("metric-unit-incompatible", line) in {(f["rule"], f["line"]) for f in found}
    assert "audit-replay-mismatch" in {f["rule"] for f in found}
    assert "tok/s" in done.stdout


def test_an_unchanged_copy_outside_the_ledger_is_clean(tools, tmp_path: Path) -> None:
    copy = tmp_path / f"{FOUNDING}.yaml"
    copy.write_bytes((Path(__file__).parents[2] / "data" / "benchmarks" / f"{FOUNDING}.yaml").read_bytes())
    done = tools("validate", copy)
    assert done.returncode == 0, done.stdout


def test_a_candidate_is_judged_against_the_ledger(tools, ledger: Path, tmp_path: Path) -> None:
    record = (ledger / "data" / "benchmarks" / "example-run.yaml").read_text()
    candidate = tmp_path / "another-run.yaml"
    candidate.write_text(record.replace("id: example-run", "id: another-run"))
    assert tools("validate", candidate, "--root", ledger).returncode == 0
    candidate.write_text(candidate.read_text().replace("model_id: example-7b", "model_id: example-7bb"))
    done = tools("validate", candidate, "--root", ledger)
    assert done.returncode == 1
    assert "unresolved-reference" in done.stdout
    assert "example-7b" in done.stdout


@pytest.mark.parametrize("name", ["text", "json", "sarif", "github", "junit"])
def test_every_format_tells_the_finding(tools, ledger: Path, name: str) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    done = tools("validate", "--root", ledger, "--format", name)
    assert done.returncode == 1
    assert "schema-violation" in done.stdout
    assert "broken.yaml" in done.stdout


def test_strict_makes_warnings_fail(tools, ledger: Path) -> None:
    path = ledger / "data" / "engines" / "example-engine.yaml"
    text = path.read_text()
    assert "status: verified" in text
    entry = (
        "  - date: 2026-11-30\n    by: somebody\n    action: retraction\n    reason: withdrawn\n"
        "    evidence: [{record_id: example-engine, locator: /name}]\n"
        "    changes: [{path: /status, from: verified, to: retracted}]\n"
    )
    path.write_text(text.replace("status: verified", "status: retracted") + entry)
    assert tools("validate", "--root", ledger).returncode == 0
    assert tools("validate", "--root", ledger, "--strict").returncode == 1


BAD_FILES = {
    "empty": b"",
    "only-a-comment": b"# nothing\n",
    "binary": bytes(range(256)) * 40,
    "nul": b"id: a\x00b\n",
    "brackets": b"[" * 10_000,
    "braces": b"a: " + b"{a: " * 10_000,
    "deep-block": b"".join(b" " * n + b"a:\n" for n in range(400)),
    "alias-bomb": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "billion-laughs": b"a: &a [x]\n" + b"".join(b"k%d: &k%d [*a, *a]\n" % (n, n) for n in range(500)),
    "two-documents": b"id: a\n---\nid: b\n",
    "a-list": b"- id: a\n",
    "a-scalar": b"hello\n",
    "a-number": b"1" * 5000 + b"\n",
    "not-utf8": "id: größe\n".encode("latin-1"),
    "utf16": "id: a\n".encode("utf-16"),
    "bom": b"\xef\xbb\xbfid: a\n",
    "tabs": b"id:\ta\n",
    "merge": b"x: &x {a: b}\ny:\n  <<: *x\n",
    "twice": b"id: a\nid: b\n",
    "infinite": b"id: a\nvalue: .inf\nother: 1e999\n",
    "huge-integer": b"id: a\nvalue: " + b"9" * 30 + b"\n",
    "one-long-line": b"id: " + b"x" * 900_000 + b"\n",
    "many-keys": b"".join(b"k%d: 1\n" % n for n in range(5_000)),
    "kind-of-another": b"id: kind-of-another\nkind: benchmark\n",
    "odd-types": b"id: 7\nkind: {}\nstatus: []\nsources: 3\naudit: {a: [1, {}]}\nparameters: x\n",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_content_is_a_finding_and_stops_nothing(tools, ledger: Path, name: str) -> None:
    (ledger / "data" / "models" / f"{name}.yaml").write_bytes(BAD_FILES[name])
    (ledger / "data" / "models" / "zz-last.yaml").write_text("id: zz-first\n")
    done = tools("validate", "--root", ledger, "--format", "json")
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    files = {str(finding["file"]) for finding in findings(done.stdout)}
    assert f"data/models/{name}.yaml" in files
    assert "data/models/zz-last.yaml" in files


def test_a_fifty_megabyte_file_is_refused_unread(tools, ledger: Path) -> None:
    path = ledger / "data" / "models" / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    done = tools("validate", "--root", ledger, "--format", "json")
    assert {"file-too-large"} == {f["rule"] for f in findings(done.stdout)}


def test_odd_names_are_listed(tools, ledger: Path) -> None:
    models = ledger / "data" / "models"
    for name in ("with space.yaml", "größe.yaml", "数字.yaml", "UPPER.yaml", "line\nbreak.yaml"):
        (models / name).write_text("id: a\n", encoding="utf-8")
    done = tools("validate", "--root", ledger, "--format", "json")
    files = {str(finding["file"]) for finding in findings(done.stdout)}
    assert {"data/models/with space.yaml", "data/models/größe.yaml", "data/models/数字.yaml"} <= files
    for name in ("text", "github", "sarif", "junit"):
        assert "Traceback" not in tools("validate", "--root", ledger, "--format", name).stderr


def test_misplaced_files_are_findings(tools, ledger: Path) -> None:
    (ledger / "data" / "models" / "a.yml").write_text("id: a\n")
    (ledger / "data" / "modells").mkdir()
    (ledger / "data" / "modells" / "b.yaml").write_text("id: b\n")
    (ledger / "data" / "models" / "deeper").mkdir()
    (ledger / "data" / "models" / "deeper" / "c.yaml").write_text("id: c\n")
    done = tools("validate", "--root", ledger, "--format", "json")
    found = {(f["rule"], f["file"]) for f in findings(done.stdout)}
    assert ("misplaced-file", "data/models/a.yml") in found
    assert ("misplaced-file", "data/modells/b.yaml") in found
    assert any(
        rule == "misplaced-file" and str(file).startswith("data/models/deeper") for rule, file in found
    )


def test_links_and_devices_are_findings(tools, ledger: Path) -> None:
    models = ledger / "data" / "models"
    (models / "loop-a.yaml").symlink_to("loop-b.yaml")
    (models / "loop-b.yaml").symlink_to("loop-a.yaml")
    (models / "dangling.yaml").symlink_to("nowhere.yaml")
    (models / "inward").symlink_to(models, target_is_directory=True)
    os.mkfifo(models / "pipe.yaml")
    (models / "folder.yaml").mkdir()
    done = tools("validate", "--root", ledger, "--format", "json")
    assert done.returncode == 1
    by_file = {str(f["file"]): f["rule"] for f in findings(done.stdout)}
    for name in ("loop-a", "loop-b", "dangling", "pipe"):
        assert by_file[f"data/models/{name}.yaml"] == "unreadable-file"
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_a_finding(tools, ledger: Path) -> None:
    path = ledger / "data" / "models" / "example-7b.yaml"
    path.chmod(0)
    done = tools("validate", "--root", ledger, "--format", "json")
    assert "unreadable-file" in {f["rule"] for f in findings(done.stdout)}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("validate", "nowhere.yaml"), "nowhere.yaml"),
        (("validate", "--root", "/nonexistent"), "no ledger"),
        (("validate", "--format", "xml"), "xml"),
        (("history", "sd-medusa-batch32-degradatoin"), "sd-medusa-batch32-degradation"),
        (("show", FOUNDING, "--as-of", "yesterday"), "YYYY-MM-DD"),
        (("show", FOUNDING, "--as-of", "2026-02-30"), "2026-02-30"),
        (("explain", "speedup-without-base"), "speedup-without-baseline"),
        (("frobnicate",), "frobnicate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_call_is_told_what_is_wrong(tools, arguments: tuple[str, ...], says: str) -> None:
    done = tools(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "text", ["title: no kind at all\n", "kind: benhcmark\nid: x\n", "kind: [a]\n", "[]\n"]
)
def test_a_candidate_of_no_known_kind_is_a_finding(tools, ledger: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    (tmp_path / "y.yaml").write_text("kind: model\n")
    done = tools("validate", tmp_path / "x.yaml", tmp_path / "y.yaml", "--root", ledger, "--format", "json")
    assert done.returncode == 1
    found = findings(done.stdout)
    assert {str(f["file"])[-6:] for f in found} == {"x.yaml", "y.yaml"}
    assert [f["rule"] for f in found if str(f["file"]).endswith("x.yaml")] == ["schema-violation"]


def test_a_refused_word_is_told_once(tools, ledger: Path) -> None:
    path = ledger / "data" / "benchmarks" / "example-run.yaml"
    path.write_text(path.read_text().replace("concurrency: 32", "concurrency: .nan"))
    found = findings(tools("validate", "--root", ledger, "--format", "json").stdout)
    assert [f["rule"] for f in found] == ["non-finite-number"]


def test_a_version_without_quotes_is_shown_as_written(tools, ledger: Path) -> None:
    path = ledger / "data" / "benchmarks" / "example-run.yaml"
    path.write_text(path.read_text().replace("version: 0.10.0", "version: 0.10"))
    found = findings(tools("validate", "--root", ledger, "--format", "json").stdout)
    assert '"0.10"' in str(found[0]["hint"])
