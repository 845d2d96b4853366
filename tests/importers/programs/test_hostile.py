"""Whatever stands in the place of a member, the answer is a record or a refusal, and never a crash or a secret."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.programs.conftest import SIGNED, laid_out
from tests.importers.programs.runs import (
    CONSOLE,
    OFFLINE,
    PASSES,
    STREAMED,
    inferencex_run,
    llama_row,
    sglang_run,
    vllm_run,
)
from tools.importers.batch import Batch
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.files import Found
from tools.importers.programs.intake import Intake
from tools.records.catalog import Catalog

RUNS = {
    "vllm": {
        **vllm_run(),
        "ttfts": [0.1],
        "spec_decode_acceptance_rate": 1.0,
        "spec_decode_per_position_acceptance_rates": [0.5],
    },
    "sglang": sglang_run(),
    "llama": llama_row(),
    "inferencex": inferencex_run(),
    "throughput": {
        "elapsed_time": 50.0,
        "num_requests": 200,
        "total_num_tokens": 80,
        "requests_per_second": 4.0,
    },
    "passes": PASSES,
    "streamed": STREAMED,
    "offline": OFFLINE,
    "latency": {"avg_latency": 2.0, "latencies": [1.5, 2.5], "percentiles": {"50": 2.0}},
}
SECRETS = ("/home/planted/x", "http://planted.example", "sk-planted0123456789", "planted@host")
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(SECRETS),
    st.lists(st.one_of(st.none(), st.integers(), st.sampled_from(SECRETS)), max_size=3),
    st.dictionaries(st.text(max_size=4), st.one_of(st.integers(), st.sampled_from(SECRETS)), max_size=2),
)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What becomes of a content: the texts of its records, and the reasons of its refusals."""
    root = tmp_path_factory.mktemp("hostile")
    names = Names(Catalog(laid_out(root / "ledger")))

    def call(content: str) -> tuple[list[str], list[str]]:
        path = root / "file"
        path.write_text(content, encoding="utf-8", errors="surrogatepass")
        batch = Batch(names.catalog, root, SIGNED)
        Intake(batch, names, Citation("example-log", "run"), (), "self", lambda *_: ()).take(
            Found(path, "file")
        )
        return list(batch.texts.values()), [refusal.reason for refusal in batch.refusals]

    return call


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_member_may_be_anything(answer: Any, data: st.DataObject) -> None:
    run = RUNS[data.draw(st.sampled_from(sorted(RUNS)))]
    changed = {
        key: data.draw(ANYTHING) for key in data.draw(st.lists(st.sampled_from(sorted(run)), max_size=3))
    }
    texts, reasons = answer(json.dumps({**run, **changed}))
    assert texts or reasons
    assert "planted" not in "".join(texts)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(CONSOLE)), st.integers(0, len(CONSOLE)), st.text(max_size=6))
def test_a_log_may_be_damaged_anywhere(answer: Any, start: int, end: int, text: str) -> None:
    texts, reasons = answer(CONSOLE[:start] + text + CONSOLE[max(start, end) :])
    assert texts or reasons
    assert not {"alice", "corp", "planted"} & set("".join(texts).replace("/", " ").replace(".", " ").split())
