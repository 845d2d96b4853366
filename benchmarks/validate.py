"""How fast `tools validate` is, beside two schema-only validators on the same files in the same run.

    python -m benchmarks.validate [RECORDS ...]

For each size a ledger is made and the whole command is timed, start-up included: cold (no cache), warm (nothing
changed) and on one file. check-jsonschema and Sourcemeta's `jsonschema` check benchmark files of the same ledger
against the same bundled schema. Sourcemeta has two modes: exhaustive (its default, with good messages) and
`--fast`. The slow peers get at most `PEER_SAMPLE` files and are compared by rate. Then the stages are timed one by
one in a single process, and so is every rule (`benchmarks.rule_cost`). Times are medians of `RUNS` runs; a peer that
takes minutes runs once.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.corpus import REPOSITORY, make_ledger
from benchmarks.rule_cost import rule_cost
from tools.records.catalog import Catalog
from tools.records.parse import Document, parse
from tools.schema.references import references
from tools.schema.validate import faults

RUNS = 3
PEER_SAMPLE = 1000
STAGE_SAMPLE = 2000
TOOLS = [sys.executable, "-m", "tools"]
LEFT_OUT = ("TOOLS_ROOT", "PYTHONDONTWRITEBYTECODE")
"""Variables that would change what is measured: another ledger, or Python compiling itself at every start."""


def timed(command: Sequence[str], cwd: Path, expected: int = 0) -> tuple[float, float]:
    """(seconds, peak megabytes) of one run of a command; ends the measurement on another exit code."""
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != expected:
            output.seek(0)
            told = output.read().decode(errors="replace")[-2000:]
            sys.exit(f"{' '.join(command)[:200]} gave {process.returncode}:\n{told}")
    return seconds, usage.ru_maxrss / 1024


def median(run: Callable[[], float]) -> float:
    """Median of `RUNS` runs."""
    return statistics.median(run() for _ in range(RUNS))


def whole_commands(root: Path, records: int) -> None:
    """Time the complete command and its peers on one ledger."""
    folder = root / "data" / "benchmarks"
    sample = root / "sample"
    sample.mkdir()
    for path in sorted(folder.glob("*.yaml"))[:PEER_SAMPLE]:
        shutil.copy(path, sample)
    cache = root / ".cache" / "validate.json"

    def cold() -> float:
        cache.unlink(missing_ok=True)
        return timed([*TOOLS, "validate"], root)[0]

    peak = timed([*TOOLS, "validate", "--no-cache", "--jobs", "1"], root)[1]
    cold_s = median(cold)
    warm_s = median(lambda: timed([*TOOLS, "validate"], root)[0])
    one_s = median(lambda: timed([*TOOLS, "validate", str(folder / "run-000000.yaml")], root)[0])
    sampled = len(list(sample.iterdir()))
    schema = str(REPOSITORY / "generated" / "schemas" / "benchmark.schema.json")
    python = [sys.executable, "-m"]
    check_jsonschema = [*python, "check_jsonschema", "--schemafile", schema, *map(str, sample.iterdir())]
    sourcemeta = [*python, "sourcemeta_jsonschema", "validate", schema, "--extension", ".yaml"]
    peers = {
        "check-jsonschema": sampled / timed(check_jsonschema, root)[0],
        "sourcemeta, exhaustive": sampled / timed([*sourcemeta, str(sample)], root)[0],
        "sourcemeta, --fast": records / median(lambda: timed([*sourcemeta, "--fast", str(folder)], root)[0]),
    }
    print(f"\n{records:,} records")
    print(f"  tools validate, cold       {cold_s:8.2f} s {records / cold_s:10,.0f} records/s")
    print(f"  tools validate, unchanged  {warm_s:8.2f} s {records / warm_s:10,.0f} records/s")
    print(f"  tools validate, one file   {one_s:8.2f} s")
    print(f"  peak memory, one process   {peak:8.0f} MB")
    for name, rate in peers.items():
        print(f"  {name:26} {rate:21,.0f} records/s   ours, cold: {records / cold_s / rate:.2f} times")


def stages(root: Path, records: int) -> None:
    """Time each stage by itself, in this process."""
    entries = [entry for entry in Catalog(root).files() if entry.kind == "benchmark"][:STAGE_SAMPLE]
    spent: dict[str, float] = {}

    def stage(name: str, run: Callable[[], object]) -> None:
        started = time.perf_counter()
        run()
        spent[name] = time.perf_counter() - started

    contents: list[bytes] = []
    stage("read", lambda: contents.extend(Path(entry.path).read_bytes() for entry in entries))
    documents: list[Document] = []
    stage("parse", lambda: documents.extend(parse(content) for content in contents))
    faults("benchmark", documents[0].value)
    stage("schema", lambda: [faults("benchmark", document.value) for document in documents])
    list(references("benchmark", documents[0].value))
    stage("references", lambda: [list(references("benchmark", document.value)) for document in documents])
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
                rule_cost(root)


def python_start() -> float:
    """Seconds that the interpreter takes to do nothing."""
    return median(lambda: timed([sys.executable, "-c", "pass"], REPOSITORY)[0])


if __name__ == "__main__":
    main()
