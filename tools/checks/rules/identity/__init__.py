"""Names, references, citations, dates and the status: what keeps the records of a ledger one whole."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.identity import (
    date_in_future,
    duplicate_id,
    id_differs_from_name,
    impossible_date,
    kind_differs_from_folder,
    misplaced_file,
    refers_to_itself,
    retracted_reference,
    source_without_locator,
    status_without_entry,
    uncited_source,
    unresolved_reference,
)

RULES: tuple[Rule, ...] = (
    id_differs_from_name.RULE,
    kind_differs_from_folder.RULE,
    duplicate_id.RULE,
    misplaced_file.RULE,
    unresolved_reference.RULE,
    refers_to_itself.RULE,
    retracted_reference.RULE,
    uncited_source.RULE,
    source_without_locator.RULE,
    impossible_date.RULE,
    date_in_future.RULE,
    status_without_entry.RULE,
)
