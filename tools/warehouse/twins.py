"""The twins below generated/: measured speculative records, each simulated at its own conditions by every cost model.

They lie in one Parquet file with columns of its own, which the module that writes it explains, and become rows of
`simulated` that name the benchmark they stand beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

NAME = "twins"
"""The simulation that holds them all."""
TITLE = "Measured speculative records, each simulated at its own conditions"
COST_MODEL = "several"
"""What stands for the cost model of all; each point names its own."""
FILE = Path("generated") / "twins" / "twins.parquet"
OF_RECORDS = "SEMI JOIN benchmarks USING (record_id)"
"""Leaves out the twins of records that are gone: they would pass for points of a sweep."""
COLUMNS: Mapping[str, str] = {
    "twin_of": "twin.record_id",
    # Of several speedups a twin is of the first.
    "twin_result_index": (
        "(SELECT min(r.result_index) FROM results r "
        "WHERE r.record_id = twin.record_id AND r.metric = 'speedup_ratio')"
    ),
    "assumed": "list_transform(twin.assumed, lambda one: concat(one.name, ' ', one.value))",
    "cost_model": "twin.cost_model",
    "gamma": "twin.gamma",
    "batch_size": "twin.batch_size",
    "context": "twin.context",
    "speedup": "twin.speedup",
    "speedup_low": "twin.interval_low",
    "speedup_high": "twin.interval_high",
    "acceptance_length": "twin.tau",
}
"""Columns of `simulated` and the SQL of each over a row `twin` of the file; the record's own figures are not copied."""
