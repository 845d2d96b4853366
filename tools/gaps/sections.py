"""The report: which sections there are, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from tools.gaps import record_sections, run_sections
from tools.gaps.runs import by_accelerator, by_model, by_source
from tools.gaps.survey import Survey
from tools.gaps.table import Section

GROUPS: Final = {
    "condition": "conditions",
    "source": "sources",
    "accelerator": "accelerators",
    "model": "models",
}
"""The section that groups absences by a word."""


def sections(survey: Survey, today: date, by: str | None = None) -> list[Section]:
    """All sections in the order of the report, or the one that groups absences `by` a word of `GROUPS`."""
    runs, groups = survey.benchmarks, run_sections.groups
    makers: dict[str, Callable[[], Section]] = {
        "conditions": lambda: run_sections.conditions(survey),
        "recoverable": lambda: run_sections.recoverable(survey),
        "sources": lambda: groups("sources", "source", by_source(runs, survey.scope)),
        "accelerators": lambda: groups("accelerators", "accelerator", by_accelerator(runs)),
        "models": lambda: groups("models", "model", by_model(runs)),
        "without_accelerator": lambda: run_sections.without_accelerator(survey),
        "unmeasured": lambda: record_sections.unmeasured(survey),
        "accelerator_facts": lambda: record_sections.accelerator_facts(survey),
        "model_shapes": lambda: record_sections.model_shapes(survey),
        "doubtful_figures": lambda: record_sections.doubtful(survey),
        "undated_sources": lambda: record_sections.undated_sources(survey),
        "drafts": lambda: run_sections.drafts(survey),
        "stale": lambda: record_sections.stale_records(survey, today),
    }
    return [make() for key, make in makers.items() if by is None or GROUPS[by] == key]
