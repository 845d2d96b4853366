"""What every kind of metadata says of the ledger as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

NAME = "inference-ledger"
TITLE = "Inference ledger: an audited ledger of LLM-inference benchmarks"
CREATOR = "The inference-ledger maintainers"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
DESCRIPTION = (
    "Benchmarks of large-language-model inference, one record for each run at one operating point, with unit, scope, "
    "token kind and statistic of every number, the conditions that its source states and those that it does not, the "
    "findings of the checks, and the audit log of every change; beside them accelerators, models, engines and sources, "
    "and simulated points of speculative decoding."
)


@dataclass(frozen=True, slots=True)
class About:
    """This export: where it will be found (None if that was not said), its last day, the version of its tables."""

    url: str | None
    published: str | None
    version: str


def about(connection: DuckDBPyConnection, url: str | None) -> About:
    """What the warehouse says of itself: its day is that of the last step in the audit logs."""
    found = connection.execute(
        "SELECT (SELECT max(day) FROM audit), layout, tools_version FROM warehouse"
    ).fetchone()
    assert found is not None
    day, layout, tools_version = found
    # Two builds of one program differ in nothing but the data, which the day tells.
    version = tools_version if tools_version[:1].isdigit() else "0.0.0"
    return About(url, day.isoformat() if day else None, f"{version}+layout.{layout}")
