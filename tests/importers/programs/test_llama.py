"""llama-bench in each of its forms, and llama-batched-bench."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, lines, numbers
from tests.importers.programs.runs import as_sql, changed, llama_row

TABLE = """\
ggml_cuda_init: found 1 CUDA devices (Total VRAM: 24564 MiB):
  Device 0: Example GPU, compute capability 8.9, VMM: yes, VRAM: 24564 MiB
| model                  |       size |     params | backend    | ngl | fa |            test |                  t/s |
| ---------------------- | ---------: | ---------: | ---------- | --: | -: | --------------: | -------------------: |
| llama 7B Q4_0          |   3.56 GiB |     6.74 B | CUDA       |  99 |  1 |           pp512 |      4501.50 ± 12.25 |
| llama 7B Q4_0          |   3.56 GiB |     6.74 B | CUDA       |  99 |  1 |  tg128 @ d32768 |         37.29 ± 0.00 |
| llama 7B Q4_0          |   3.56 GiB |     6.74 B | CUDA       |  99 |  1 |     pp512+tg128 |        420.00 ± 0.26 |

build: 0253fb21f (9187)
"""
OLD = changed(
    llama_row(),
    {"backends": object, "n_ubatch": object, "split_mode": object, "cuda": True, "metal": False, "f16_kv": True,
     "mul_mat_q": True, "n_depth": object, "use_mmap": object, "flash_attn": object, "type_k": object,
     "type_v": object},
)  # fmt: skip
NEW = llama_row(
    flash_attn=-1,
    n_gpu_layers=-1,
    devices="auto",
    n_cpu_moe=0,
    load_mode="mmap",
    use_mmap=object,
    n_depth=4096,
)


def as_csv(row: dict[str, Any]) -> str:
    plain = {
        key: int(value) if isinstance(value, bool) else value
        for key, value in row.items()
        if key[:8] != "samples_"
    }
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(plain)
    csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(plain.values())
    return stream.getvalue()


FORMS = {"2023": [OLD], "2025": [llama_row()], "2026": [NEW]}


@pytest.mark.parametrize("version", FORMS)
def test_each_version_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    golden(f"import-llama-bench-{version}.yaml", take(FORMS[version]).text)


@pytest.mark.parametrize(
    "text", [json.dumps([llama_row()]), lines(llama_row()), as_csv(llama_row()), as_sql(llama_row())]
)
def test_every_form_has_the_same_rate_and_conditions(text: str, take: Take) -> None:
    record = take(text).only
    assert numbers(record) == {"decode_tok_s mean": 49.0, "decode_tok_s std": 1.0}
    assert record["model_id"] == "example-7b"
    assert record["accelerator_ids"] == ["example-card-24gb"]
    assert record["engine"]["commit"] == "2739a71e"
    assert record["conditions"]["batch_size"] == 1
    assert absent(record).keys() == {"warmup"}
    assert "alice" not in str(record)


@pytest.mark.parametrize(
    ("changes", "metric", "scenario"),
    [
        ({"n_prompt": 100, "n_gen": 0}, "prefill_tok_s", "prefill_only"),
        ({"n_prompt": 0, "n_gen": 100}, "decode_tok_s", "decode_only"),
        ({"n_prompt": 60, "n_gen": 40}, "mixed_phase_tok_s", "fixed_batch"),
    ],
)
def test_one_key_is_another_metric_by_its_test(
    changes: dict[str, int], metric: str, scenario: str, take: Take
) -> None:
    record = take([llama_row(**changes)]).only
    assert f"{metric} mean" in numbers(record)
    assert record["conditions"]["scenario"] == scenario


def test_depth_is_no_input_length(take: Take) -> None:
    conditions = take([llama_row(n_depth=4096)]).only["conditions"]
    assert conditions["context_depth"] == 4096
    assert conditions["input_length"]["nominal"] == 0


def test_layers_on_a_gpu_say_nothing_of_one_being_there(take: Take) -> None:
    record = take([llama_row(backends="CPU", gpu_info="")]).only
    assert "accelerator_ids" not in record
    assert {
        "condition": "hardware",
        "reason": "not_applicable",
        "note": "the processor did the work",
    } in record["absent"]


def test_remote_machines_are_told_and_not_named(take: Take) -> None:
    taken = take([llama_row(backends="RPC", gpu_info="RPC[10.0.0.7:50052]")])
    assert "hardware" in absent(taken.only)
    assert "10.0.0.7" not in taken.text


def test_a_private_text_in_a_harmless_place_is_left_out_and_told(take: Take) -> None:
    taken = take([llama_row(split_mode="/home/planted/x", build_commit=None, build_number=None)])
    assert "flags" not in taken.only["engine"]
    assert "planted" not in taken.text
    assert any("/engine/flags looks like a path" in remark for remark in taken.batch.remarks)


def test_several_devices_count(take: Take) -> None:
    assert take([llama_row(gpu_info="Example GPU, Example GPU")]).only["hardware"]["accelerator_count"] == 2
    alone = take([llama_row(gpu_info="Example GPU, Example GPU", split_mode="none")]).only
    assert "accelerator_count" not in alone["hardware"]


def test_one_repetition_has_no_deviation(take: Take) -> None:
    row = llama_row(samples_ns=[2040816326], samples_ts=[49.0], stddev_ts=0.0)
    assert numbers(take([row]).only) == {"decode_tok_s mean": 49.0}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"avg_ts": 98.0}, "the mean of samples_ts 49"),
        ({"samples_ns": [1, 2]}, "repetition 1: 100 tokens"),
        ({"avg_ts": 0.0}, "nothing was measured"),
        ({"n_gen": 0}, "no token"),
        ({"n_gen": None}, "nobody knows what was run"),
        ({"samples_ts": object, "samples_ns": object, "avg_ns": 1}, "in avg_ns"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(changes: dict[str, Any], reason: str, take: Take) -> None:
    assert reason in take([llama_row(**changes)]).reason


def test_sql_gives_the_reviewed_record(take: Take, golden: Callable[[str, str], None]) -> None:
    golden("import-llama-bench-sql.yaml", take(as_sql(llama_row())).text)


def test_every_statement_of_sql_is_a_row(take: Take) -> None:
    prefill = llama_row(n_prompt=512, n_gen=0, avg_ns=10448979592)
    taken = take(as_sql(llama_row(), prefill) + as_sql(llama_row(n_depth=4096)))
    assert [record["conditions"]["test"] for record in taken.records] == ["tg100", "pp512", "tg100 @ d4096"]


@pytest.mark.parametrize("path", ["it's.gguf", "a', 'b.gguf", "two\nlines.gguf"])
def test_a_row_of_sql_whose_values_cannot_be_told_apart_is_refused(path: str, take: Take) -> None:
    taken = take(as_sql(llama_row(model_filename=path), llama_row()))
    assert len(taken.records) == 1
    assert "another number of values" in taken.reasons[0]
    assert "gguf" not in taken.reasons[0]


def test_sql_that_breaks_off_costs_the_last_row_alone(take: Take) -> None:
    taken = take(as_sql(llama_row(), llama_row(n_depth=4096))[:-40])
    assert len(taken.records) == 1
    assert "cut off" in taken.reasons[0]


def test_a_table_is_read_with_the_log_around_it(take: Take, golden: Callable[[str, str], None]) -> None:
    taken = take(TABLE)
    golden("import-llama-bench-table.yaml", taken.text)
    first, second, third = taken.records
    assert numbers(first) == {"prefill_tok_s mean": 4501.5, "prefill_tok_s std": 12.25}
    assert numbers(second) == {"decode_tok_s mean": 37.29}
    assert second["conditions"]["context_depth"] == 32768
    assert numbers(third)["mixed_phase_tok_s mean"] == 420.0
    assert all(record["accelerator_ids"] == ["example-card-24gb"] for record in taken.records)
    assert first["engine"]["version"] == "b9187"


def test_a_table_alone_lacks_devices_and_build(take: Take) -> None:
    bare = "\n".join(line for line in TABLE.splitlines() if line.startswith("|"))
    assert absent(take(bare).records[0]).keys() == {"hardware", "engine_version", "warmup"}


def test_a_table_row_that_breaks_off_is_refused(take: Take) -> None:
    cut = TABLE[: TABLE.index("420.00")]
    taken = take(cut)
    assert len(taken.records) == 2
    assert "is it cut off?" in taken.reasons[0]


BATCHED = """\
|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   128 |     64 |    4 |    768 |    0.500 |  1024.00 |    2.000 |   128.00 |    2.500 |   307.20 |
"""
BATCHED_ROW = {
    "n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "is_pp_shared": 0, "n_gpu_layers": 99,
    "n_threads": 8, "n_threads_batch": 8, "pp": 128, "tg": 64, "pl": 4, "n_kv": 768, "t_pp": 0.5, "speed_pp": 1024.0,
    "t_tg": 2.0, "speed_tg": 128.0, "t": 2.5, "speed": 307.2,
}  # fmt: skip


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_batched_bench_gives_the_reviewed_record(
    form: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take(BATCHED if form == "table" else lines(BATCHED_ROW))
    golden(f"import-llama-batched-bench-{form}.yaml", taken.text)
    found = numbers(taken.only)
    assert found["prefill_tok_s"] == 1024.0
    assert found["decode_tok_s"] == 128.0
    assert found["prefill_latency_ms unstated"] == 500.0
    assert taken.only["conditions"]["batch_size"] == 4


def test_a_shared_prompt_is_processed_once(take: Take) -> None:
    shared = {**BATCHED_ROW, "is_pp_shared": 1, "n_kv": 384, "speed_pp": 256.0, "speed": 153.6}
    assert take(lines(shared)).only["conditions"]["dataset_kind"] == "shared_prefix"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"speed_tg": 32.0}, "the row has 32"), ({"n_kv": 700}, "N_KV is 700"), ({"pl": 0}, "nobody knows")],
)
def test_a_batched_row_that_contradicts_itself_is_refused(
    changes: dict[str, Any], reason: str, take: Take
) -> None:
    assert reason in take(lines({**BATCHED_ROW, **changes})).reason
