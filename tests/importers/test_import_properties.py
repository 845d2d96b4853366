"""Any table with a known truth imports to exactly that truth."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
from decimal import Decimal
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.conftest import ALIASES, CASE_LEDGER, MAP, read
from tools.records.layout import render
from tools.schema.validate import faults

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Co", "Cn", "Zl", "Zp", "Cf")), max_size=20
)
NUMBER = st.one_of(
    st.integers(0, 10**9).map(str),
    st.decimals(0, 10**6, places=3, allow_nan=False).map(str),
)
ROW = st.fixed_dictionaries(
    {
        "rate": st.one_of(st.just(""), NUMBER),
        "ttft_s": st.one_of(st.just(""), NUMBER),
        "batch": st.one_of(st.just(""), st.integers(1, 4096).map(str)),
        "model": st.sampled_from(["", "Example Seven", "example-7b", "Twofold", "Example"]),
        "note": TEXT,
        "state": st.sampled_from(["ok", "ok", "ok", "bad"]),
    }
)
KNOWN = {"Example Seven": "example-7b", "example-7b": "example-7b"}
IMPORTED = {
    **MAP,
    "refuse": [{"when": {"state": "bad"}, "reason": "it is bad"}],
    "fields": [
        *MAP["fields"],
        {"field": "/model_id", "column": "model", "names": "model"},
        {"field": "/conditions/batch_size", "column": "batch"},
        {"field": "/notes", "column": "note"},
    ],
    "results": [
        {"metric": "tps_aggregate", "column": "rate", "unit": "tok/s"},
        {"metric": "ttft_ms", "statistic": "p50", "column": "ttft_s", "unit": "s"},
    ],
}


@given(
    st.lists(ROW, min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig"]),
    st.permutations(["run", "rate", "ttft_s", "batch", "model", "note", "state"]),
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_a_table_imports_to_its_truth(rows: list, end: str, encoding: str, columns: list) -> None:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, lineterminator=end)
    writer.writeheader()
    for index, row in enumerate(rows):
        writer.writerow({"run": f"r{index}", **row})
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        shutil.copytree(CASE_LEDGER, here / "ledger")
        (here / "ledger" / "data" / "aliases.csv").write_text(ALIASES, encoding="utf-8")
        (here / "t.csv").write_bytes(stream.getvalue().encode(encoding))
        (here / "map.yaml").write_text(render(IMPORTED), encoding="utf-8")
        imported = read(here / "t.csv", here / "map.yaml", here / "ledger")
    assert not imported.reading.faults
    wanted = {f"r{index}": row for index, row in enumerate(rows)}
    filed = {
        name: row for name, row in wanted.items() if row["state"] == "ok" and (row["rate"] or row["ttft_s"])
    }
    twins = len(imported.batch.duplicates)
    records = imported.records
    assert set(records) <= set(filed)
    assert len(records) + twins == len(filed)
    assert imported.reasons.count("it is bad") == sum(row["state"] == "bad" for row in rows)
    for name, record in records.items():
        row = filed[name]
        assert record.get("model_id") == KNOWN.get(row["model"])
        assert record.get("conditions", {}).get("batch_size") == (int(row["batch"]) if row["batch"] else None)
        assert record.get("notes") == (" ".join(row["note"].split()) or None)
        values = {result["metric"]: Decimal(repr(result["value"])) for result in record["results"]}
        assert values.get("tps_aggregate") == (Decimal(row["rate"]) if row["rate"] else None)
        milliseconds = Decimal(row["ttft_s"]) * 1000 if row["ttft_s"] else None
        assert values.get("ttft_ms") == (None if milliseconds is None else Decimal(repr(float(milliseconds))))
        absent = {gap["condition"] for gap in record["absent"]}
        assert ("model" in absent) == ("model_id" not in record)
        assert ("load" in absent) == (not row["batch"])
        assert not faults("benchmark", record)
