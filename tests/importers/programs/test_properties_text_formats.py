"""For the formats that are text, not JSON: what a program prints of a known truth imports to the digits it printed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.programs.conftest import SIGNED, laid_out, numbers
from tools.importers.batch import Batch
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.content import read_content
from tools.importers.programs.files import Found
from tools.importers.programs.intake import Intake
from tools.importers.programs.registry import format_named
from tools.records.catalog import Catalog
from tools.records.parse import parse

FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
HUNDREDTHS = st.integers(1, 10**8).map(lambda number: f"{number / 100:.2f}")
"""A figure as `%.2f` prints it; 0.00 is none, and has tests of its own."""
SECONDS = st.floats(0.001, 1e3)
COUNT = st.integers(1, 10**7)


def several(
    one: st.SearchStrategy[dict[str, Any]], by: str, most: int
) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Some rows of one file that differ in a member: a row that a file repeats is one record."""
    return st.lists(one, min_size=1, max_size=most, unique_by=lambda row: row[by])


Import = Callable[[str, str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def imports(tmp_path_factory: pytest.TempPathFactory) -> Import:
    """Take a content in as the frame does, without the rules; the format is told by the content alone."""
    root = tmp_path_factory.mktemp("text-formats")
    names = Names(Catalog(laid_out(root / "ledger")))

    def call(name: str, content: str) -> list[dict[str, Any]]:
        path = root / "file"
        path.write_text(content, encoding="utf-8")
        batch = Batch(names.catalog, root, SIGNED)
        intake = Intake(batch, names, Citation("example-log", "run"), (), "self", lambda *_: ())
        assert format_named(name).recognise(read_content(path))
        intake.take(Found(path, "file"))
        assert not batch.refusals
        return [parse(text.encode()).value for text in batch.texts.values()]  # type: ignore[misc]

    return call


LATENCIES = {
    f"{word} {name} (ms)": f"{metric} {statistic}"
    for name, metric in {
        "TTFT": "ttft_ms", "TPOT": "tpot_ms", "ITL": "inter_chunk_ms", "E2EL": "e2e_latency_ms"
    }.items()
    for word, statistic in {"Mean": "mean", "Median": "p50", "P99": "p99"}.items()
}  # fmt: skip
RATES = {
    "Request throughput (req/s)": "requests_per_s",
    "Output token throughput (tok/s)": "tps_aggregate",
    "Total Token throughput (tok/s)": "total_tok_s",
}
SERVED: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "completed": COUNT,
        "failed_percent": st.integers(0, 1),
        "input_tokens": COUNT,
        "output_tokens": COUNT,
        "duration": st.integers(10**5, 10**8).map(lambda number: f"{number / 100:.2f}"),
        "figures": st.fixed_dictionaries(dict.fromkeys([*RATES, *LATENCIES], HUNDREDTHS)),
        "rate": st.one_of(st.just("inf"), st.floats(0.01, 1e4)),
        "cap": st.one_of(st.none(), st.integers(1, 4096)),
        "lengths": st.tuples(st.integers(1, 10**5), st.integers(1, 10**5)),
    }
)


def console_of(run: dict[str, Any], failed: int) -> str:
    """The console output of one run, with the line of its arguments."""
    block = {
        "Successful requests": run["completed"],
        "Failed requests": failed,
        "Benchmark duration (s)": run["duration"],
        "Total input tokens": run["input_tokens"],
        "Total generated tokens": run["output_tokens"],
        **run["figures"],
    }
    sent, got = run["lengths"]
    said = (
        f"Namespace(dataset_name='random', random_input_len={sent}, random_output_len={got}, random_prefix_len=0, "
        f"random_range_ratio=0.0, header=['a=b, c=d'], num_prompts={run['completed'] + failed}, "
        f"request_rate={run['rate']}, burstiness=1.0, max_concurrency={run['cap']}, model='owner/example-7b', "
        "num_warmups=0, ignore_eos=True)"
    )
    rows = [f"{label + ':':<40} {value:<10}" for label, value in block.items()]
    return "\n".join([said, f"{' Serving Benchmark Result ':=^50}", *rows, "=" * 50, ""])


@FEW
@given(several(SERVED, "duration", 2))
def test_vllm_console(imports: Import, runs: list[dict[str, Any]]) -> None:
    failures = [run["completed"] * run["failed_percent"] // 100 for run in runs]
    records = imports("vllm-console", "".join(map(console_of, runs, failures)))
    for record, run, failed in zip_longest(records, runs, failures):
        requests = run["completed"] + failed
        assert record["counts"] == {
            "requests": requests, "completed": run["completed"], "failed": failed,
            "input_tokens": run["input_tokens"], "output_tokens": run["output_tokens"],
            "duration_s": float(run["duration"]),
        }  # fmt: skip
        ours = {**RATES, **LATENCIES}
        assert numbers(record) == {ours[label]: float(text) for label, text in run["figures"].items()}
        conditions = record["conditions"]
        assert conditions["request_rate"] == run["rate"]
        assert conditions.get("concurrency_cap") == run["cap"]
        held = run["cap"] is not None and run["cap"] < requests
        unlimited = "closed_loop" if held else "burst"
        assert conditions["scenario"] == (
            unlimited if run["rate"] == "inf" else "other" if held else "open_loop"
        )
        for side, nominal in zip(("input", "output"), run["lengths"], strict=True):
            mean = run[f"{side}_tokens"] / run["completed"]
            assert conditions[f"{side}_length"] == {"nominal": nominal, "mean": mean, "kind": "exact"}


TESTED: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "prompt": st.integers(0, 10**5),
        "generated": st.integers(0, 10**5),
        "depth": st.one_of(st.just(0), st.integers(1, 10**6)),
        "rate": HUNDREDTHS,
        "spread": st.one_of(st.just("0.00"), HUNDREDTHS),
        "layers": st.integers(0, 999),
    }
).filter(lambda row: bool(row["prompt"] or row["generated"]))


@FEW
@given(
    several(TESTED, "rate", 4),
    st.integers(1, 4),
    st.integers(1, 10**6),
    st.integers(0, 16**9 - 1),
)
def test_llama_bench_table(
    imports: Import, rows: list[dict[str, Any]], devices: int, number: int, commit: int
) -> None:
    build = f"{commit:09x}"
    log = [f"  Device {index}: Example GPU, compute capability 8.9, VMM: yes" for index in range(devices)]
    log += [
        "| model | size | params | backend | ngl | test | t/s |",
        "| --- | --: | --: | --- | --: | --: | --: |",
    ]
    tests = []
    for row in rows:
        halves = [f"{word}{row[side]}" for word, side in (("pp", "prompt"), ("tg", "generated")) if row[side]]
        tests.append("+".join(halves) + (f" @ d{row['depth']}" if row["depth"] else ""))
        log.append(
            f"| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | {row['layers']:>3} | {tests[-1]:>15} "
            f"| {row['rate'] + ' ± ' + row['spread']:>20} |"
        )
    log += ["", f"build: {build} ({number})", ""]
    records = imports("llama-bench-table", "\n".join(log))
    for record, row, test in zip_longest(records, rows, tests):
        both = row["prompt"] and row["generated"]
        metric = "mixed_phase_tok_s" if both else "prefill_tok_s" if row["prompt"] else "decode_tok_s"
        truth = {f"{metric} mean": float(row["rate"]), f"{metric} std": float(row["spread"])}
        assert numbers(record) == {name: value for name, value in truth.items() if value}
        conditions = record["conditions"]
        assert conditions["test"] == test
        assert conditions["input_length"]["nominal"] == row["prompt"]
        assert conditions["output_length"]["nominal"] == row["generated"]
        assert conditions.get("context_depth", 0) == row["depth"]
        assert record["hardware"]["accelerator_count"] == devices
        assert (record["engine"]["version"], record["engine"]["commit"]) == (f"b{number}", build)
        assert f"n_gpu_layers {row['layers']}" in record["engine"]["flags"].split(", ")


SPREADS = {"Mean": "mean", "Median": "p50", "P99": "p99"}
IN_SECONDS = {
    f"{word} {name} (ms)": f"{metric} {statistic}"
    for name, metric in {"TTFT": "ttft_ms", "TPOT": "tpot_ms", "E2E Latency": "e2e_latency_ms"}.items()
    for word, statistic in SPREADS.items()
}
SITE_ROW: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "lengths": st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)),
        "load": st.integers(1, 4096),
        "ranks": st.integers(1, 72),
        "split": st.one_of(st.none(), st.tuples(st.integers(1, 72), st.integers(1, 72))),
        "rates": st.tuples(st.floats(0.01, 1e5), st.floats(0.01, 1e5)),
        "latencies": st.fixed_dictionaries(dict.fromkeys(IN_SECONDS, SECONDS)),
    }
)


def site_cells(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the download; its speeds are the reciprocals of its TPOT, in tokens per second."""
    (sent, got), (output, prompt) = row["lengths"], row["rates"]
    prefill, decode = row["split"] or ("", "")
    speeds = {
        f"{word} Interactivity (tok/s/user)": 1 / row["latencies"][f"{word} TPOT (ms)"] for word in SPREADS
    }
    return {
        "Model": "owner/example-7b", "ISL": sent, "OSL": got, "Hardware": "ex100", "Framework": "sglang",
        "Precision": "fp8", "TP": row["ranks"], "Concurrency": row["load"], "Date": "2026-06-02",
        "Throughput/GPU (tok/s)": output + prompt, "Output Throughput/GPU (tok/s)": output,
        "Input Throughput/GPU (tok/s)": prompt, **row["latencies"], **speeds,
        "Disaggregated": "true" if row["split"] else "false", "Num Prefill GPUs": prefill, "Num Decode GPUs": decode,
        "Spec Decoding": "none",
    }  # fmt: skip


@FEW
@given(several(SITE_ROW, "load", 3))
def test_inferencex_csv(imports: Import, rows: list[dict[str, Any]]) -> None:
    cells = [site_cells(row) for row in rows]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(cells[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(cells)
    records = imports("inferencex-csv", f"# Data from InferenceX.\n{stream.getvalue()}")
    for record, row in zip_longest(records, rows):
        output, prompt = row["rates"]
        of_output, of_prompt = ("decode_", "prefill_") if row["split"] else ("", "")
        assert numbers(record) == {
            "total_tok_s_per_accelerator": output + prompt,
            f"output_tok_s_per_{of_output}accelerator": output,
            f"input_tok_s_per_{of_prompt}accelerator": prompt,
            **{
                IN_SECONDS[key]: float(Fraction(repr(value)) * 1000)
                for key, value in row["latencies"].items()
            },
            "tok_s_per_user p50": 1 / row["latencies"]["Median TPOT (ms)"],
            "tok_s_per_user p1": 1 / row["latencies"]["P99 TPOT (ms)"],
        }
        pools = zip(("prefill_accelerators", "decode_accelerators"), row["split"] or (), strict=False)
        assert record.get("disaggregation", {}) == dict(pools)
        conditions = record["conditions"]
        assert conditions["concurrency"] == conditions["concurrency_cap"] == row["load"]
        nominal = (conditions["input_length"]["nominal"], conditions["output_length"]["nominal"])
        assert nominal == row["lengths"]
        assert record["parallelism"]["tensor"] == row["ranks"]
