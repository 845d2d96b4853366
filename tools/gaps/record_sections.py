"""The sections about accelerators, models, engines and sources."""

from __future__ import annotations

from datetime import date
from typing import Final

from tools.gaps.dates import MOST_DAYS, stale, undated
from tools.gaps.facts import accelerators_lacking, doubtful_figures, models_lacking, unmeasured_ids
from tools.gaps.survey import Survey
from tools.gaps.table import Section, few, section
from tools.records.parse import Json

_SHOWN: Final = 10
"""Ids that a cell shows."""


def unmeasured(survey: Survey) -> Section:
    """Accelerators, models and engines that no benchmark was run on."""
    return section(
        "unmeasured",
        "Records without any benchmark",
        "`tools import` and `tools new benchmark` file a run",
        ("kind", "records", "without", "ids"),
        (
            (
                {"kind": kind, "records": total, "without": list[Json](ids)},
                (kind, total, len(ids), few(ids, _SHOWN)),
            )
            for kind, ids in unmeasured_ids(survey).items()
            if ids and (total := len(survey.records[kind]))
        ),
    )


def accelerator_facts(survey: Survey) -> Section:
    """Accelerators without facts of a roofline."""
    return section(
        "accelerator_facts",
        "Accelerators without facts that a roofline needs",
        "`tools backfill ID POINTER VALUE` adds one, with its basis and source",
        ("accelerator", "benchmarks", "missing"),
        (
            (
                {"accelerator": one.id, "benchmarks": one.benchmarks, "missing": list[Json](one.missing)},
                (one.id, one.benchmarks, ", ".join(one.missing)),
            )
            for one in accelerators_lacking(survey)
        ),
    )


def model_shapes(survey: Survey) -> Section:
    """Models that cannot be counted."""
    return section(
        "model_shapes",
        "Models whose shape is incomplete",
        "weights per pass or cache cannot be counted; most of the fields stand in its published configuration",
        ("model", "benchmarks", "missing"),
        (
            (
                {"model": one.id, "benchmarks": one.benchmarks, "missing": list[Json](one.missing)},
                (one.id, one.benchmarks, ", ".join(one.missing)),
            )
            for one in models_lacking(survey)
        ),
    )


def doubtful(survey: Survey) -> Section:
    """Figures of accelerators on weak ground."""
    return section(
        "doubtful_figures",
        "Figures on weak ground",
        "secondary: no page of the maker stands behind it; announced: said before the sale; disputed: sources "
        "disagree; `tools correct` or `tools confirm`, with the maker's document",
        ("accelerator", "benchmarks", "ground", "figures"),
        (
            (
                {
                    "accelerator": one.id,
                    "benchmarks": one.benchmarks,
                    "ground": one.ground,
                    "figures": list[Json](one.figures),
                },
                (one.id, one.benchmarks, one.ground, ", ".join(one.figures)),
            )
            for one in doubtful_figures(survey)
        ),
    )


def undated_sources(survey: Survey) -> Section:
    """Sources without a date of publication."""
    return section(
        "undated_sources",
        "Sources without a date of publication",
        "`tools backfill ID /published DAY`; a pinned commit has its day in the history of its repository",
        ("source", "cited by", "accessed", "commit"),
        (
            (
                {
                    "source": one.id,
                    "cited_by": one.cited_by,
                    "accessed": one.accessed,
                    "has_commit": one.is_pinned,
                },
                (one.id, one.cited_by, one.accessed or "not recorded", "pinned" if one.is_pinned else "none"),
            )
            for one in undated(survey)
        ),
    )


def stale_records(survey: Survey, today: date) -> Section:
    """Records that need another look."""
    return section(
        "stale",
        "Records that need another look",
        f"they rest on a withdrawn record, on an announcement, or are open for more than {MOST_DAYS} days",
        ("record", "kind", "benchmarks", "why"),
        (
            (
                {"record": one.id, "kind": one.kind, "benchmarks": one.benchmarks, "why": one.why},
                (one.id, one.kind, one.benchmarks, one.why),
            )
            for one in stale(survey, today)
        ),
    )
