"""The calibration: constants out of layer tables, terms out of speedups, and what is refused or left out."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ledger_of_speedups import (
    FITS,
    H100,
    TERMS,
    lawful,
    ledger,
    record,
    three_sources,
    without_tau,
    write,
)

from tools.cli.app import run
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.sweep.accuracy import ALL, accuracy, evaluate, scored_points
from tools.sweep.calibration.efficiencies import ByHand, Layers
from tools.sweep.calibration.fit import fit, left_out
from tools.sweep.calibration.layers import fit_layers, read_table
from tools.sweep.calibration.predict import constant, predict
from tools.sweep.calibration.steps import Bench
from tools.sweep.calibration.store import Calibration
from tools.sweep.measured.points import measured


def bench_of(catalog: Catalog) -> Bench:
    return Bench(catalog, measured(catalog).points, Layers(FITS))


def test_a_fit_finds_the_speedups_that_known_terms_gave(tmp_path: Path) -> None:
    bench = bench_of(lawful(tmp_path, three_sources()))
    made = fit(bench, np.ones(24, dtype=np.bool_))
    assert not made.refused
    errors = np.abs(bench.steps(made.terms).speedup(bench.tau) / bench.speedup - 1)
    # Overheads are drawn towards their start, so a fit of few points is near and not exact.
    assert np.median(errors) < 0.02
    assert errors.max() < 0.05


def test_rates_of_the_baseline_tell_the_overhead_of_a_step(tmp_path: Path) -> None:
    bench = bench_of(lawful(tmp_path, three_sources(), timed=True))
    made = fit(bench, np.ones(24, dtype=np.bool_)).terms
    # A speedup alone hardly depends on it; the constants behind are 2 ms and 0.8 ms.
    assert 1.5e-3 < made.of("vllm").step_s < 2.5e-3
    assert made.of("sglang").step_s < 0.8 * made.of("vllm").step_s


def test_a_source_left_out_is_predicted_from_the_others(tmp_path: Path) -> None:
    records = three_sources()
    bench = bench_of(lawful(tmp_path, records))
    at = np.array([point.source == "two" for point in bench.points])
    honest = left_out(bench, np.ones(24, dtype=np.bool_))["two"].terms
    errors = bench.steps(honest).speedup(bench.tau)[at] / bench.speedup[at] - 1
    assert np.abs(errors).max() < 0.05
    # Whatever that source measured does not move the fit without it.
    for value in records:
        if value["sources"][0]["source_id"] == "two":
            value["results"][0]["value"] *= 0.5
    write(tmp_path, records)
    assert left_out(bench_of(Catalog(tmp_path)), np.ones(24, dtype=np.bool_))["two"].terms == honest


def test_terms_that_end_outside_the_physical_are_refused(tmp_path: Path) -> None:
    # Speedups of half a percent: no overhead in the range makes a step two hundred times as long.
    bench = bench_of(lawful(tmp_path, three_sources(), bent=lambda speedup: speedup / 200))
    made = fit(bench, np.ones(24, dtype=np.bool_))
    assert made.refused
    assert all("end of the physical range" in why for why in made.refused.values())


def layer_rows(corner: float) -> list[dict[str, Any]]:
    """Operator times of an H100 at e_m 0.8, e_f 0.6 and 5 us a kernel."""
    bandwidth, peak = 3.35e12, 989.4e12
    rows = []
    for m in (1, 4, 16, 64, 256, 1024, 4096):
        for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (28672, 8192), (8192, 28672)):
            read, compute = n * k * 2 / bandwidth / 0.8, 2 * m * n * k / peak / 0.6
            seconds = (read**corner + compute**corner) ** (1 / corner) + 5e-6
            rows.append(
                {"op": "gemm", "system": "h100_sxm", "dtype": "bfloat16", "m": m, "n": n, "k": k}
                | {"latency_ms": seconds * 1e3, "source_repo": "some/repo", "source_commit": "abc"}
            )
    return rows


def layer_table(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_layer_times_give_back_the_constants_they_were_made_with(tmp_path: Path, catalog: Catalog) -> None:
    (made,) = fit_layers(catalog, [read_table(layer_table(tmp_path / "layers.csv", layer_rows(2.0)))])
    assert (made["accelerator"], made["rows"], made["sources"]) == (H100, 42, ["some/repo@abc"])
    expected = {"memory_efficiency": 0.8, "compute_efficiency": 0.6, "corner": 2.0, "kernel_us": 5.0}
    assert made["values"] == pytest.approx(expected, rel=0.02)
    assert "refused" not in made


def test_a_corner_that_the_rows_do_not_tell_is_refused(tmp_path: Path, catalog: Catalog) -> None:
    (made,) = fit_layers(catalog, [read_table(layer_table(tmp_path / "layers.csv", layer_rows(60.0)))])
    assert "corner" in made["refused"]
    # Refused constants are not used.
    other = {**made, "accelerator": "nvidia-h200-sxm-141gb"}
    assert Layers([*FITS, other]).of("nvidia-h200-sxm-141gb", "bf16").corner == 2.0


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "", "\x00\xff"])
def test_a_file_that_is_no_layer_table_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.csv"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ToolsError, match=r"other\.csv"):
        read_table(path)


def test_rate_and_time_pairs_are_speedups(tmp_path: Path) -> None:
    base = {"technique": "autoregressive", "unit": "tok/s", "value": 100}
    rate = {"metric": "tps_aggregate", "value": 180, "unit": "tok/s", "baseline": base}
    time = {
        "metric": "tpot_ms",
        "value": 5,
        "unit": "ms",
        "baseline": {"technique": "autoregressive", "unit": "ms", "value": 8},
    }
    catalog = ledger(
        tmp_path,
        [record("a", "vllm", 8, 2, results=[rate]), record("b", "vllm", 8, 2, results=[time])],
    )
    first, second = measured(catalog).points
    assert (first.speedup, first.plain_s) == (1.8, 0.08)
    assert second.speedup == pytest.approx(1.6)


def test_what_cannot_be_simulated_is_counted_by_reason(tmp_path: Path) -> None:
    other = {"metric": "speedup_ratio", "value": 1, "unit": "ratio", "baseline": {"technique": "eagle3"}}
    catalog = ledger(
        tmp_path,
        [
            record("a", "vllm", 1, 2, conditions={}),
            record("b", "vllm", 1, 2, accelerator_ids=None, hardware={"system_name": "H9000"}),
            record("c", "vllm", 1, 2, model_id=None),
            record("d", "vllm", 1, 2, technique={"kind": "hydra"}),
            record("e", "vllm", 1, 2, results=[other]),
            record("f", "vllm", 1, 2, evidence="analytical"),
        ],
    )
    found = measured(catalog)
    assert not found.points
    assert found.left_out == {
        "computed, not measured": 1,
        "no accelerator": 1,
        "no batch size and no concurrency": 1,
        "no cost model of the draft `hydra`": 1,
        "the baseline is no plain decoding": 1,
        "the model has no record": 1,
    }


def test_what_is_assumed_is_named_and_what_is_stated_is_not(tmp_path: Path) -> None:
    catalog = ledger(
        tmp_path,
        [
            record("a", "vllm", 1, 2),
            record(
                "b",
                "vllm",
                1,
                2,
                accelerator_ids=None,
                hardware={"system_name": "H100"},
                precision=None,
                conditions={"concurrency": 8},
            ),
        ],
    )
    stated, open_ = measured(catalog).points
    assert {one.name for one in stated.assumed} == {"draft head"}
    assert {one.name: one.value for one in open_.assumed if one.name != "draft head"} == {
        "batch size": "8",
        "accelerator": H100,
        "precision": "bf16",
        "accelerators": "1",
        "context": "400",
    }


def test_an_acceptance_length_is_inferred_from_the_rest_of_the_curve_only(tmp_path: Path) -> None:
    records = [without_tau(record("a", "vllm", batch, 2)) for batch in (1, 8, 32)]
    for value, speedup in zip(records, (1.8, 1.6, 1.4), strict=True):
        value["results"][0]["value"] = speedup
    bench = bench_of(ledger(tmp_path, records))
    # By 1 + c gamma = 1.4 the lengths are 2.52, 2.24 and 1.96; points come in the order of their ids: 1, 32, 8.
    made = predict(bench, constant(bench, 0.2))
    assert made.tau == pytest.approx([(1.96 * 2.24) ** 0.5, (2.52 * 2.24) ** 0.5, (2.52 * 1.96) ** 0.5])


def test_a_speedup_above_its_acceptance_length_takes_its_baseline_out_of_the_score(tmp_path: Path) -> None:
    records = [record("a", "vllm", 8, gamma) for gamma in (2, 4)] + [record("b", "vllm", 8, 2)]
    records[0]["results"][0]["value"] = 2.5
    points = measured(ledger(tmp_path, records)).points
    scored, why = scored_points(points)
    assert scored.tolist() == [False, False, True]
    assert why == {"speedups over this baseline exceed their acceptance length": 2}


def test_the_true_calibration_is_scored_as_exact_and_its_intervals_hold(tmp_path: Path) -> None:
    catalog = lawful(tmp_path, three_sources())
    rows = {
        row.cost_model: row
        for row in accuracy(evaluate(catalog, Calibration(FITS, TERMS, {})))
        if (row.source, row.tau) == (ALL, "stated")
    }
    assert rows["calibrated"].median_error < 1e-3
    assert rows["calibrated"].coverage == 1
    assert rows["constant"].median_error > 0.1


def test_the_bench_agrees_with_the_roofline_of_the_sweep(tmp_path: Path) -> None:
    from tools.sweep.roofline.choice import setting
    from tools.sweep.roofline.parameters import engine_parameters

    value = record("a", "vllm", 16, 2, technique={"kind": "eagle", "gamma": 2, "acceptance_length": 2.0})
    catalog = ledger(tmp_path, [value])
    (point,) = measured(catalog).points
    from tools.sweep.accuracy import spec_sheets

    bench = Bench(catalog, [point], ByHand())
    one = np.array([1.0])
    times = setting(catalog, point.choice, engine_parameters("vllm")).times(one * 16, one * 2, one * 512)
    assert bench.steps(spec_sheets()).speedup(bench.tau) == pytest.approx(2.0 / times.cost)


def test_calibrate_writes_what_its_check_finds_current(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = three_sources()
    lawful(tmp_path, records)
    root = ["--root", str(tmp_path)]
    assert run(["sweep", "calibrate", *root]) == 0
    assert run(["sweep", "calibrate", "--check", *root]) == 0
    assert "everything is current" in capsys.readouterr().err
    stored = json.loads((tmp_path / "generated" / "calibration" / "calibration.json").read_text("utf-8"))
    assert set(stored["left_out"]) == {"one", "two", "three"}
    assert run(["sweep", "validate", *root]) == 0
    assert "| all sources | stated | 24 |" in capsys.readouterr().out
    records[0]["results"][0]["value"] *= 0.9
    write(tmp_path, records)
    before = (tmp_path / "generated" / "calibration" / "calibration.json").read_bytes()
    assert run(["sweep", "calibrate", "--check", *root]) == 1
    assert "out of date generated/calibration/calibration.json" in capsys.readouterr().out
    assert (tmp_path / "generated" / "calibration" / "calibration.json").read_bytes() == before


@pytest.mark.parametrize(
    ("lacking", "says"),
    [("layers.json", "name the tables once"), ("data", "a calibration needs 10")],
)
def test_a_calibration_without_its_ground_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lacking: str, says: str
) -> None:
    ledger(tmp_path, [record("a", "vllm", 1, 2)])
    if lacking == "layers.json":
        (tmp_path / "generated" / "calibration" / "layers.json").unlink()
    assert run(["sweep", "calibrate", "--root", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err
