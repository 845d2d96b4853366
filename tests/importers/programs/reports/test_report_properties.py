"""Whatever the truth of a run, each format gives exactly that truth back."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.programs.conftest import SIGNED, numbers
from tests.importers.programs.reports.guidellm_shapes import guidellm_new, guidellm_old
from tests.importers.programs.reports.loadgen import loadgen_server
from tests.importers.programs.reports.more_shapes import answers, leaderboard, llmperf, optimum, trtllm
from tests.importers.programs.reports.shapes import (
    aiperf_early,
    aiperf_new,
    genai_perf,
    stage,
)
from tests.importers.programs.reports.truth import Run
from tools.importers.batch import Batch
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.files import Found
from tools.importers.programs.intake import Intake
from tools.records.catalog import Catalog
from tools.records.parse import parse

MILLISECONDS = st.integers(20_000, 400_000).map(lambda microseconds: microseconds / 1000)
RUNS = st.builds(
    Run,
    requests=st.integers(100, 5000),
    concurrency=st.integers(1, 64),
    sent=st.integers(16, 4096),
    got=st.integers(8, 256).map(lambda steps: steps * 4),
    ttft_ms=MILLISECONDS,
    tpot_ms=MILLISECONDS.map(lambda value: value / 10),
)


Import = Callable[[Any], Batch]


@pytest.fixture(scope="module")
def imported(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Import:
    """Take a content in as the frame does, without the rules, which have tests of their own."""
    names, path = Names(Catalog(ledger)), tmp_path_factory.mktemp("property") / "file"

    def call(content: Any) -> Batch:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        batch = Batch(names.catalog, path.parent, SIGNED)
        intake = Intake(batch, names, Citation("example-log", "run"), (), "self", lambda *_: ())
        intake.take(Found(path, "file"))
        return batch

    return call


def times(value: float, factor: int) -> float:
    """A printed number in another unit, rounded once."""
    return float(Fraction(repr(value)) * factor)


def in_ms(run: Run) -> dict[str, float]:
    return {"ttft_ms p99": run.ttft_ms, "tpot_ms mean": run.tpot_ms, "e2e_latency_ms mean": run.e2e_ms}


def in_s(run: Run) -> dict[str, float]:
    return {
        "ttft_ms p99": times(run.ttft_ms / 1000, 1000),
        "e2e_latency_ms mean": times(run.e2e_ms / 1000, 1000),
    }


def rates(run: Run) -> dict[str, float]:
    return {"requests_per_s": run.rate, "tps_aggregate": run.rate * run.got}


TRUTHS: dict[str, tuple[Callable[[Run], Any], Callable[[Run], dict[str, float]]]] = {
    "mlperf": (
        loadgen_server,
        lambda run: {
            "ttft_ms p99": round(run.ttft_ms * 10**6) / 10**6,
            "tpot_ms mean": round(run.tpot_ms * 10**6) / 10**6,
            "samples_per_s": float(f"{run.rate:.9f}"),
        },
    ),
    "guidellm-old": (
        guidellm_old,
        lambda run: {**rates(run), "ttft_ms p99": run.ttft_ms, "tpot_ms mean": run.tpot_ms},
    ),
    "guidellm-new": (
        guidellm_new,
        lambda run: {**rates(run), "normalized_latency_ms_per_token p90": run.e2e_ms / run.got},
    ),
    "aiperf-early": (aiperf_early, lambda run: {**rates(run), **in_ms(run)}),
    "aiperf-new": (
        aiperf_new,
        lambda run: {**rates(run), **in_ms(run), "total_tok_s": run.rate * (run.sent + run.got)},
    ),
    "genai-perf": (genai_perf, lambda run: {**rates(run), **in_ms(run)}),
    "inference-perf": (stage, lambda run: {**rates(run), **in_s(run)}),
    "trtllm": (trtllm, lambda run: {**rates(run), **in_ms(run), "run_time_ms": run.seconds * 1000}),
    "llmperf": (llmperf, lambda run: {"tps_aggregate": run.rate * run.got, **in_s(run)}),
    "optimum": (optimum, lambda run: {"step_time_ms p99": times(run.tpot_ms / 1000, 1000)}),
    "mlenergy": (leaderboard, lambda run: {"tps_aggregate": run.rate * run.got, "itl_ms p50": run.tpot_ms}),
    "spec-bench": (answers, lambda run: {"acceptance_length": run.got / 4}),
}


@pytest.mark.parametrize("name", TRUTHS)
@given(run=RUNS)
@settings(
    deadline=None,
    max_examples=6,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_a_run_imports_to_its_truth(name: str, run: Run, imported: Import) -> None:
    build, truth = TRUTHS[name]
    batch = imported(build(run))
    assert not batch.refusals
    (text,) = batch.texts.values()
    record: Any = parse(text.encode()).value
    found = numbers(record)
    assert {key: found.get(key) for key in truth(run)} == truth(run)
    length = record["conditions"]["output_length"]
    assert length.get("mean", length.get("nominal")) == pytest.approx(run.got)


# Of every format the members of one level are replaced, each by the next of these.
OTHER_KINDS: tuple[Any, ...] = ([], "x", {"a": [None]}, None, -1, [[{}, 1]], {"unit": []}, [1, "y"])


@pytest.mark.parametrize(
    "name", ["aiperf-new", "guidellm-new", "inference-perf", "trtllm", "optimum", "mlenergy"]
)
def test_members_of_another_kind_give_a_refusal_or_a_record(name: str, imported: Import) -> None:
    whole = TRUTHS[name][0](Run())
    for number, key in enumerate(whole):
        batch = imported({**whole, key: OTHER_KINDS[number % len(OTHER_KINDS)]})
        assert batch.texts or batch.refusals
