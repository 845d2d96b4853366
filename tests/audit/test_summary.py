"""What a change does to the data, as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from tools.audit.summary import Summary, summarize, summary_json
from tools.audit.summary_pages import headline, summary_markdown, summary_text, tables
from tools.audit.tables import MOST_ROWS, Table, escaped, markdown
from tools.audit.versions import Changes, Pair, Version
from tools.finding import Finding, Level, Location

SCHEMAS = Path(__file__).parents[2] / "schemas" / "output"
CASES = Path(__file__).parents[1] / "cases" / "ledger" / "data"
RUN = "data/benchmarks/example-run.yaml"
HOSTILE = "a | b `c` <img src=x> @somebody #1 [x](http://y)\n# heading\x1b[31m \u202e"


def before(path: str = RUN) -> str:
    return (CASES.parent / path).read_text(encoding="utf-8")


def entry(action: str, *changes: str, date: str = "2026-04-01", reason: str = "read again") -> str:
    told = (
        f"  - date: {date}\n    by: third-curator\n    action: {action}\n    reason: {json.dumps(reason)}\n"
    )
    told += "    evidence: [{source_id: example-log, locator: line 12}]\n"
    return told + ("    changes:\n" + "".join(f"      - {{{c}}}\n" for c in changes) if changes else "")


def pair(old: str | None, new: str | None, file: str = RUN, **more: Any) -> Pair:
    versions = [None if text is None else Version(file, text.encode()) for text in (old, new)]
    return Pair(*versions, **more)


def summary(*pairs: Pair) -> Summary:
    warning = Finding("a-rule", Level.WARNING, RUN, Location(3, 1), "a new warning", record="example-run")
    return summarize(
        Changes("0123456789abcdef" * 2 + "01234567", pairs), "main", None, [warning] if pairs else ()
    )


def a_lot() -> Summary:
    text = before().replace("value: 1998.05", "value: 2001.5").replace("version: 0.10.0", "version: 0.10.1")
    text = text.replace("  concurrency: 32\n", "").replace(
        "absent:\n", "absent:\n  - {condition: load, reason: not_stated}\n"
    )
    text += entry("correction", "path: /results/0/value, from: 1998.05, to: 2001.5", reason=HOSTILE)
    text += entry(
        "condition_audit",
        "path: /conditions/concurrency, from: 32",
        "path: /absent/0, to: {condition: load, reason: not_stated}",
    )
    text += entry("reclassification", "path: /results/1/metric, from: itl_ms, to: ttft_ms", date="2026-04-02")
    speedup = before("data/benchmarks/example-speedup.yaml")
    retracted = speedup.replace("status: verified", "status: retracted") + entry(
        "retraction", "path: /status, from: verified, to: retracted"
    )
    place = "data/benchmarks/example-speedup.yaml"
    model, engine = "data/models/example-7b.yaml", "data/engines/example-engine.yaml"
    return summary(
        pair(before(), text),
        pair(speedup, retracted, place),
        pair(None, before().replace("id: example-run", "id: other-run"), "data/benchmarks/other-run.yaml"),
        pair(None, before(model), "data/models/other-7b.yaml"),
        pair(before(engine), None, engine, follows="data/engines/other.yaml"),
        pair(before(model), f"notes: new\n# new\n{before(model)}", model),
        pair("a: [", before(engine), "data/engines/mended.yaml"),
        Pair(
            Version("data/models/old.yaml", b"id: old\nlayers: 1\naudit: []\n"),
            Version(
                "data/models/new.yaml",
                f"id: new\nlayers: 1\naudit:\n{entry('moved', 'path: /id, from: old, to: new')}".encode(),
            ),
        ),
    )


def test_everything_is_told_once() -> None:
    told = summary_json(a_lot())
    assert [(step["record"], step["action"]) for step in told["steps"]] == [
        ("example-run", "correction"),
        ("example-run", "condition_audit"),
        ("example-run", "reclassification"),
        ("example-speedup", "retraction"),
        ("new", "moved"),
    ]
    assert told["steps"][0]["changes"] == [
        {
            "path": "/results/0/value",
            "about": "tps_aggregate",
            "unit": "tok/s",
            "factor": pytest.approx(1.00172668),
            "from": 1998.05,
            "to": 2001.5,
        }
    ]
    assert "from" not in told["steps"][1]["changes"][1]
    assert [(f["rule"], f["pointer"]) for f in told["unexplained"]] == [
        ("entry-without-change", "/audit/4/changes/0/from"),
        ("change-without-entry", "/engine/version"),
    ]
    assert [(f["record"], f["stated"]) for f in told["added"]] == [("other-run", 7), ("other-7b", None)]
    assert told["gone"][0]["now"] == "data/engines/other.yaml"
    assert told["moved"] == [
        {"record": "old", "kind": "model", "file": "data/models/old.yaml", "now": "data/models/new.yaml"}
    ]
    assert told["absences"] == [
        {"record": "example-run", "condition": "load", "reason": "not_stated", "would_need": ""}
    ]
    assert told["completeness"] == [{"record": "example-run", "before": 7, "after": 6}]
    assert told["rewritten"] == ["example-7b"]
    assert told["unread"] == ["data/engines/mended.yaml"]
    assert told["warnings"][0]["message"] == "a new warning"


def schemas() -> Callable[[str], Any]:
    documents = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")}
    registry = Registry().with_resources((d["$id"], Resource.from_contents(d)) for d in documents.values())
    return lambda name: jsonschema.Draft202012Validator(documents[name], registry=registry)


@pytest.mark.parametrize("told", [summary(), a_lot()], ids=["nothing", "a lot"])
def test_the_json_is_what_its_schema_says(told: Summary) -> None:
    schemas()("diff.schema.json").validate(json.loads(json.dumps(summary_json(told))))


def test_nothing_changed() -> None:
    assert headline(summary()) == "no record differs"
    assert tables(summary()) == []


def test_the_pages(golden: Callable[[str, str], None]) -> None:
    golden("diff.txt", summary_text(a_lot()))
    golden("diff.md", summary_markdown(a_lot()))


def test_nothing_of_a_record_becomes_markup() -> None:
    page = summary_markdown(a_lot())
    assert "<img" not in page
    assert "@somebody" not in page
    assert "\n# heading" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    for line in page.splitlines():
        if line.startswith("|"):
            assert line.replace("\\|", "").count("|") in (2, 4, 5, 6)
    assert "\x1b" not in summary_text(a_lot())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("`x`", "\\`x\\`"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("  two\n\tlines ", "two lines"),
        ("batch-1, 3.5%", "batch-1, 3.5%"),
    ],
)
def test_escaped(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_a_long_table_says_what_it_leaves_out() -> None:
    rows = tuple(((f"r{n}",), ("x", "y")) for n in range(MOST_ROWS + 5))
    page = markdown(Table("Many", ("record", "what"), rows))
    assert "… and 5 more" in page
    assert f"| r{MOST_ROWS - 1} | x<br>y |" in page
    assert f"| r{MOST_ROWS} |" not in page
