"""How far the cost models are off at the measured speedups of this ledger, held against the table that is kept.

The predictions are computed anew with the stored calibration, without fitting. A median error that is more than half
a point above the one in generated/calibration/accuracy.csv ends with exit code 1; `tools sweep calibrate` renews it.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from tools.records.catalog import Catalog
from tools.sweep.accuracy import accuracy, evaluate
from tools.sweep.calibration.report import aims, markdown
from tools.sweep.calibration.store import FOLDER, load

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = 0.005
"""By how much a median error may grow."""


def main() -> int:
    """Prints the table and what became worse."""
    started = time.perf_counter()
    rows = accuracy(evaluate(Catalog(ROOT), load(ROOT)))
    print(markdown(rows))
    print("\n".join(aims(rows)))
    with (ROOT / FOLDER / "accuracy.csv").open(encoding="utf-8", newline="") as lines:
        kept = {
            (row["cost_model"], row["source"], row["tau"]): float(row["median_error"])
            for row in csv.DictReader(lines)
        }
    worse = [
        f"{row.cost_model}, {row.source}, {row.tau}: {row.median_error:.1%}, kept {before:.1%}"
        for row in rows
        if (before := kept.get((row.cost_model, row.source, row.tau))) is not None
        and row.median_error > before + ALLOWED
    ]
    print("\n".join(worse) or "nothing became worse", f"({time.perf_counter() - started:.1f} s)")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
