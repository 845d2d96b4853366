"""For every format: an output with known truth imports to exactly that truth, whatever the numbers are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.programs.conftest import SIGNED, laid_out, lines, numbers
from tests.importers.programs.runs import as_sql, inferencex_run, llama_row, sglang_run, vllm_run
from tools.importers.batch import Batch
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.files import Found
from tools.importers.programs.intake import Intake
from tools.records.catalog import Catalog
from tools.records.parse import parse

FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MS = st.floats(0.001, 1e6, allow_nan=False).filter(lambda value: value > 0)
LONG = st.floats(1e3, 1e6)
"""Seconds of a run: as long as the longest latency that is drawn."""

COUNT = st.integers(1, 10**7)


@pytest.fixture(scope="module")
def imports(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Take a content in as the frame does, without the rules: made-up numbers need not be plausible."""
    root = tmp_path_factory.mktemp("properties")
    names = Names(Catalog(laid_out(root / "ledger")))

    def call(content: str) -> list[dict[str, Any]]:
        path = root / "file"
        path.write_text(content, encoding="utf-8")
        intake = Intake(
            Batch(names.catalog, root, SIGNED),
            names,
            Citation("example-log", "run"),
            (),
            "self",
            lambda *_: (),
        )
        intake.take(Found(path, "file"))
        assert not intake.batch.refusals
        return [parse(text.encode()).value for text in intake.batch.texts.values()]  # type: ignore[misc]

    return call


@FEW
@given(COUNT, COUNT, COUNT, LONG, st.lists(MS, min_size=6, max_size=6), st.one_of(st.just("inf"), MS))
def test_vllm_bench_serve(
    imports: Any, requests: int, prompts: int, tokens: int, seconds: float, latencies: list[float], rate: Any
) -> None:
    keys = ("mean_ttft_ms", "p99_ttft_ms", "mean_tpot_ms", "std_tpot_ms", "mean_itl_ms", "median_e2el_ms")
    run = vllm_run(
        num_prompts=requests, completed=requests, total_input_tokens=prompts, total_output_tokens=tokens,
        duration=seconds, request_rate=rate, output_throughput=tokens / seconds,
        **dict(zip(keys, latencies, strict=True)),
    )  # fmt: skip
    (record,) = imports(json.dumps(run))
    found = numbers(record)
    assert found["tps_aggregate"] == tokens / seconds
    ours = (
        "ttft_ms mean",
        "ttft_ms p99",
        "tpot_ms mean",
        "tpot_ms std",
        "inter_chunk_ms mean",
        "e2e_latency_ms p50",
    )
    assert [found[name] for name in ours] == latencies
    assert record["counts"] == {
        "requests": requests, "completed": requests, "failed": 0, "input_tokens": prompts, "output_tokens": tokens,
        "duration_s": seconds,
    }  # fmt: skip
    assert record["conditions"]["request_rate"] == rate
    assert record["conditions"]["input_length"] == {"mean": prompts / requests}


@FEW
@given(COUNT, COUNT, LONG, MS, st.integers(1, 10**5), st.floats(0, 1))
def test_sglang_bench_serving(
    imports: Any, completed: int, tokens: int, seconds: float, latency: float, nominal: int, ratio: float
) -> None:
    run = sglang_run(
        completed=completed, total_output_tokens=tokens, duration=seconds, output_throughput=tokens / seconds,
        mean_ttft_ms=latency, random_output_len=nominal, random_range_ratio=ratio,
    )  # fmt: skip
    (record,) = imports(lines(run))
    assert numbers(record)["tps_aggregate"] == tokens / seconds
    assert numbers(record)["ttft_ms mean"] == latency
    length = record["conditions"]["output_length"]
    assert (length["nominal"], length["mean"]) == (nominal, tokens / completed)
    assert length["kind"] == ("exact" if ratio == 1 else "upper")


@FEW
@given(
    st.integers(0, 4096), st.integers(0, 4096), st.lists(st.integers(10**6, 10**12), min_size=2, max_size=5)
)
def test_llama_bench(imports: Any, prompt: int, generated: int, times: list[int]) -> None:
    generated += prompt == generated == 0
    rates = [(prompt + generated) * 1e9 / time for time in times]
    row = llama_row(
        n_prompt=prompt, n_gen=generated, samples_ns=times, samples_ts=rates, avg_ts=sum(rates) / len(rates)
    )
    (record,) = imports(json.dumps([row]))
    metric = "mixed_phase_tok_s" if prompt and generated else "prefill_tok_s" if prompt else "decode_tok_s"
    assert numbers(record)[f"{metric} mean"] == sum(rates) / len(rates)
    assert record["results"][0]["repeats"] == rates
    assert record["conditions"]["input_length"]["nominal"] == prompt


@FEW
@given(
    st.integers(1, 4096),
    st.integers(1, 4096),
    st.integers(1, 256),
    st.floats(0.01, 100),
    st.floats(0.01, 100),
)
def test_llama_batched_bench(
    imports: Any, prompt: int, generated: int, batch: int, first: float, then: float
) -> None:
    row = {
        "pp": prompt, "tg": generated, "pl": batch, "n_kv": batch * (prompt + generated), "t_pp": first, "t_tg": then,
        "t": first + then, "speed_pp": batch * prompt / first, "speed_tg": batch * generated / then,
        "speed": batch * (prompt + generated) / (first + then),
    }  # fmt: skip
    (record,) = imports(lines(row))
    found = numbers(record)
    assert found["prefill_tok_s"] == row["speed_pp"]
    assert found["decode_tok_s"] == row["speed_tg"]
    assert found["batch_latency_ms unstated"] == pytest.approx((first + then) * 1000, rel=1e-15)


@FEW
@given(COUNT, COUNT, MS)
def test_vllm_bench_throughput(imports: Any, requests: int, tokens: int, seconds: float) -> None:
    run = {
        "elapsed_time": seconds, "num_requests": requests, "total_num_tokens": tokens,
        "requests_per_second": requests / seconds, "tokens_per_second": tokens / seconds,
    }  # fmt: skip
    (record,) = imports(json.dumps(run))
    assert numbers(record) == {"requests_per_s": requests / seconds, "total_tok_s": tokens / seconds}


@FEW
@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=9))
def test_vllm_bench_latency(imports: Any, seconds: list[float]) -> None:
    mean = sum(seconds) / len(seconds)
    run = {
        "avg_latency": mean,
        "latencies": seconds,
        "percentiles": {"50": sorted(seconds)[len(seconds) // 2]},
    }
    (record,) = imports(json.dumps(run))
    assert numbers(record)["batch_latency_ms mean"] == pytest.approx(mean * 1000, rel=1e-15)
    assert record["results"][0]["derived_from"]["original"]["value"] == mean


@FEW
@given(st.floats(0.001, 10), st.floats(1, 1e5), st.floats(1, 1e5), st.integers(1, 512))
def test_inferencex(imports: Any, tpot: float, output: float, prompt: float, load: int) -> None:
    run = inferencex_run(
        conc=load, median_tpot=tpot, median_intvty=1 / tpot, tput_per_gpu=output + prompt, output_tput_per_gpu=output,
        input_tput_per_gpu=prompt,
    )  # fmt: skip
    (record,) = imports(json.dumps(run))
    found = numbers(record)
    assert found["tpot_ms p50"] == pytest.approx(tpot * 1000, rel=1e-15)
    assert found["tok_s_per_user p50"] == 1 / tpot
    assert found["output_tok_s_per_accelerator"] == output
    assert record["conditions"]["concurrency"] == load


BATCH = st.tuples(st.integers(1, 512), st.integers(1, 10**5), st.integers(2, 10**4))


@FEW
@given(BATCH, st.floats(0.001, 100), st.floats(0.001, 1), st.floats(0, 100))
def test_sglang_batch_in_the_process(
    imports: Any, shape: tuple[int, int, int], first: float, step: float, rest: float
) -> None:
    batch, prompt, generated = shape
    whole = first + rest
    run = {
        "run_name": "x", "batch_size": batch, "input_len": prompt, "output_len": generated, "prefill_latency": first,
        "prefill_throughput": batch * prompt / first, "median_decode_latency": step,
        "median_decode_throughput": batch / step, "total_latency": whole,
        "overall_throughput": batch * (prompt + generated) / whole,
    }  # fmt: skip
    (record,) = imports(lines(run))
    found = numbers(record)
    assert found["prefill_tok_s"] == run["prefill_throughput"]
    assert found["decode_tok_s p50"] == run["median_decode_throughput"]
    assert found["step_time_ms p50"] == pytest.approx(step * 1000, rel=1e-15)
    assert found["mixed_phase_tok_s"] == run["overall_throughput"]
    assert record["conditions"]["input_length"]["nominal"] == prompt


@FEW
@given(BATCH, st.floats(0.01, 1000), st.floats(0.05, 0.95), st.booleans())
def test_sglang_batch_of_a_server(
    imports: Any, shape: tuple[int, int, int], seconds: float, share: float, is_streamed: bool
) -> None:
    batch, prompt, generated = shape
    whole, first = round(seconds, 4), round(seconds * share, 4) or 0.0001
    run = {
        "run_name": "x", "batch_size": batch, "input_len": prompt, "output_len": generated, "latency": whole,
        "output_throughput": round(batch * generated / seconds, 2),
        "overall_throughput": round(batch * (prompt + generated) / seconds, 2),
    }  # fmt: skip
    if is_streamed:
        run |= {
            "last_ttft": first, "input_throughput": round(batch * prompt / (seconds * share), 2),
            "output_throughput": round(batch * generated / (seconds * (1 - share)), 2),
            "last_gen_throughput": -1.0, "acc_length": -1.0,
        }  # fmt: skip
    (record,) = imports(lines(run))
    found = numbers(record)
    assert found["total_tok_s"] == run["overall_throughput"]
    assert found.get("tps_aggregate") == (None if is_streamed else run["output_throughput"])
    assert "decode_tok_s" not in found
    assert found.get("prefill_tok_s") == run.get("input_throughput")


@FEW
@given(COUNT, COUNT, COUNT, MS)
def test_sglang_offline_throughput(
    imports: Any, requests: int, prompts: int, tokens: int, seconds: float
) -> None:
    run = {
        "backend": "engine", "successful_requests": requests, "total_latency": seconds,
        "total_input_tokens": prompts, "total_output_tokens": tokens, "request_throughput": requests / seconds,
        "input_throughput": prompts / seconds, "output_throughput": tokens / seconds,
        "total_throughput": (prompts + tokens) / seconds, "last_gen_throughput": -1,
    }  # fmt: skip
    (record,) = imports(lines(run))
    assert numbers(record) == {
        "requests_per_s": requests / seconds, "input_tok_s": prompts / seconds, "tps_aggregate": tokens / seconds,
        "total_tok_s": (prompts + tokens) / seconds,
    }  # fmt: skip
    assert record["counts"] == {
        "completed": requests, "input_tokens": prompts, "output_tokens": tokens, "duration_s": seconds,
    }  # fmt: skip


@FEW
@given(
    st.integers(0, 4096), st.integers(1, 4096), st.floats(0.1, 10**5), st.text(st.characters(codec="latin-1"))
)
def test_llama_bench_as_sql(imports: Any, prompt: int, generated: int, rate: float, file: str) -> None:
    file = "".join(letter for letter in file if letter.isprintable() and letter != "'")
    row = llama_row(
        n_prompt=prompt, n_gen=generated, avg_ts=rate, avg_ns=(prompt + generated) / rate * 1e9, stddev_ts=0,
        samples_ns=object, samples_ts=object, model_filename=file,
    )  # fmt: skip
    (record,) = imports(as_sql(row))
    metric = "mixed_phase_tok_s" if prompt else "decode_tok_s"
    assert numbers(record) == {f"{metric} mean": rate}
    assert record["conditions"]["output_length"]["nominal"] == generated
