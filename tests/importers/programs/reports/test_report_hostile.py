"""A report that is damaged anywhere gives a record or a refusal: no crash, no secret, and no silence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importers.programs.conftest import SIGNED
from tests.importers.programs.damage import damaged
from tests.importers.programs.reports.conftest import with_names
from tests.importers.programs.reports.test_report_formats import FORMS
from tools.importers.batch import Batch
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.files import Found
from tools.importers.programs.intake import Intake
from tools.records.catalog import Catalog

REPORTS = {name: form for name, form in FORMS.items() if isinstance(form, dict)}
PRINTED = {name: form for name, form in FORMS.items() if isinstance(form, str)}
MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What becomes of a content: all that is said of it."""
    root = tmp_path_factory.mktemp("hostile")
    names = Names(Catalog(with_names(root / "ledger")))

    def call(content: str) -> str:
        path = root / "file"
        path.write_text(content, encoding="utf-8", errors="surrogatepass")
        batch = Batch(names.catalog, root, SIGNED)
        intake = Intake(batch, names, Citation("example-log", "run"), (), "self", lambda *_: ())
        intake.take(Found(path, "file"))
        return "\n".join([*batch.texts.values(), *(refusal.reason for refusal in batch.refusals)])

    return call


@MANY
@given(st.data())
def test_any_member_at_any_depth_may_be_anything(answer: Any, data: st.DataObject) -> None:
    report = REPORTS[data.draw(st.sampled_from(sorted(REPORTS)))]
    said = answer(data.draw(damaged(report)))
    assert said
    assert "planted" not in said


@MANY
@given(st.data())
def test_a_print_may_be_damaged_anywhere(answer: Any, data: st.DataObject) -> None:
    text = PRINTED[data.draw(st.sampled_from(sorted(PRINTED)))]
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(len(text), start + 90)))
    put = data.draw(
        st.sampled_from(("", "NaN", "1e400", "-1", "|", "\r", ",", '"', "9" * 400, "0", "-0.0", "\n"))
    )
    said = answer(text[:start] + put + text[end:])
    assert said
    assert "planted" not in said


def test_what_has_the_shape_and_no_run_says_so(answer: Any) -> None:
    assert "no run in it" in answer(
        "| model | size | params | backend | test | t/s |\n|---|---|---|---|---|---|\n"
    )
