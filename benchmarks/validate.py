"""How fast `tools validate` is, beside two schema-only validators on the same files in the same run.

    python -m benchmarks.validate [RECORDS ...]

For each size a ledger is made and the whole command is timed, start-up included: cold (no cache) and warm (nothing
changed). check-jsonschema and Sourcemeta's `jsonschema` check the same benchmark files against the same bundled
schema; check-jsonschema is slow enough that it gets at most `PEER_SAMPLE` files, and its rate is compared. Then the
stages are timed one by one in a single process. Times are medians of `RUNS` runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from benchmarks.corpus import REPOSITORY, make_ledger
from tools.checks.ledger import CatalogLedger
from tools.checks.rule import Record
from tools.checks.rules import RULES
from tools.records.catalog import Catalog
from tools.records.parse import parse
from tools.schema.references import references
from tools.schema.validate import faults

RUNS = 3
PEER_SAMPLE = 1000
STAGE_SAMPLE = 2000
TOOLS = [sys.executable, "-m", "tools"]


def timed(command: Sequence[str], cwd: Path, expected: int = 0) -> tuple[float, float]:
    """(seconds, peak megabytes of the largest process) of one run of a command; fails on another exit code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    started = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode != expected:
        sys.exit(f"{' '.join(command)} gave {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, max(before, after) / 1024


def median(run: Callable[[], float]) -> float:
    """Median of `RUNS` runs."""
    return statistics.median(run() for _ in range(RUNS))


def whole_commands(root: Path, records: int) -> None:
    """Time the complete command and its peers on one ledger."""
    folder = root / "data" / "benchmarks"
    cache = root / ".cache" / "validate.json"
    schema = REPOSITORY / "generated" / "schemas" / "benchmark.schema.json"
    environment = dict(os.environ)
    environment.pop("TOOLS_ROOT", None)

    def cold() -> float:
        cache.unlink(missing_ok=True)
        return timed([*TOOLS, "validate"], root)[0]

    peak = timed([*TOOLS, "validate", "--no-cache"], root)[1]
    cold_s = median(cold)
    warm_s = median(lambda: timed([*TOOLS, "validate"], root)[0])
    one_s = median(lambda: timed([*TOOLS, "validate", str(folder / "run-000000.yaml")], root)[0])
    sample = sorted(folder.glob("*.yaml"))[:PEER_SAMPLE]
    check_jsonschema = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema)]
    peer_s = timed([*check_jsonschema, *map(str, sample)], root)[0]
    sourcemeta = [sys.executable, "-m", "sourcemeta_jsonschema", "validate", str(schema), str(folder)]
    meta_s = median(lambda: timed([*sourcemeta, "--extension", ".yaml"], root)[0])
    cold_rate, peer_rate, meta_rate = records / cold_s, len(sample) / peer_s, records / meta_s
    print(f"\n{records:,} records")
    print(f"  tools validate, cold        {cold_s:8.2f} s {cold_rate:10,.0f} records/s   peak {peak:,.0f} MB")
    print(f"  tools validate, unchanged   {warm_s:8.2f} s")
    print(f"  tools validate, one file    {one_s:8.2f} s")
    print(
        f"  check-jsonschema            {peer_s:8.2f} s {peer_rate:10,.0f} records/s   ({len(sample):,} files)"
    )
    print(
        f"  sourcemeta jsonschema       {meta_s:8.2f} s {meta_rate:10,.0f} records/s   (schema only, first error)"
    )
    print(f"  ratio to check-jsonschema   {cold_rate / peer_rate:8.1f} times")
    print(f"  ratio to sourcemeta         {cold_rate / meta_rate:8.2f} times")


def stages(root: Path, records: int) -> None:
    """Time each stage by itself, in this process."""
    catalog = Catalog(root)
    ledger = CatalogLedger(catalog, date.today())
    entries = [entry for entry in catalog.files() if entry.kind == "benchmark"][:STAGE_SAMPLE]
    spent: dict[str, float] = {}

    def stage(name: str, run: Callable[[], object]) -> None:
        started = time.perf_counter()
        run()
        spent[name] = time.perf_counter() - started

    contents: list[bytes] = []
    stage("read", lambda: contents.extend(Path(entry.path).read_bytes() for entry in entries))
    documents = []
    stage("parse", lambda: documents.extend(parse(content) for content in contents))
    faults("benchmark", documents[0].value)
    stage("schema", lambda: [faults("benchmark", document.value) for document in documents])
    list(references("benchmark", documents[0].value))
    stage("references", lambda: [list(references("benchmark", document.value)) for document in documents])
    pairs = [
        Record(entry.id, entry.kind, entry.path, document.value, document)
        for entry, document in zip(entries, documents, strict=True)
        if isinstance(document.value, dict)
    ]
    for rule in RULES:
        check, gather = rule.check, rule.gather
        if check is not None:
            stage(f"rule {rule.name}", lambda check=check: [list(check(pair, ledger)) for pair in pairs])  # type: ignore[misc]
        if gather is not None:
            stage(f"gather {rule.name}", lambda gather=gather: [gather(pair, ledger) for pair in pairs])  # type: ignore[misc]
    print(f"\nstages, one process, {len(entries):,} of {records:,} records")
    for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {name:40} {seconds / len(entries) * 1e6:8.1f} us a record")


def main() -> None:
    """Run the sizes asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", nargs="*", type=int, default=[1_000, 10_000, 50_000])
    sizes = parser.parse_args().records
    help_s = median(lambda: timed([*TOOLS, "--help"], REPOSITORY)[0])
    print(f"tools --help {help_s * 1000:.0f} ms (of which Python itself {python_start() * 1000:.0f} ms)")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = make_ledger(Path(folder), size)
            whole_commands(root, size)
            if size == sizes[0]:
                stages(root, size)


def python_start() -> float:
    """Seconds that the interpreter takes to do nothing."""
    return median(lambda: timed([sys.executable, "-c", "pass"], REPOSITORY)[0])


if __name__ == "__main__":
    main()
