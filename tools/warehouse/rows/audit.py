"""The audit log of a record: its steps, what each rests on, and what each changed."""

from __future__ import annotations

import json

from tools.audit.entry import ABSENT, Slot, log_of, read_entries
from tools.checks.quantity import number
from tools.records.parse import Json
from tools.warehouse.fields import Row, mappings, text
from tools.warehouse.rows.setting import Filled, Setting, result_index


def audit_rows(setting: Setting, record_id: str, value: Json) -> Filled:
    """The rows of a record's log."""
    read = setting.fields("audit", "record#audit_entry")
    read_evidence = setting.fields("audit_evidence", "record#evidence_item")
    for index, item in mappings(log_of(value)):
        step: Row = {"record_id": record_id, "entry": index}
        yield "audit", {**step, **read(item)}
        for position, piece in mappings(item.get("evidence")):
            yield "audit_evidence", {**step, "position": position, **read_evidence(piece)}
    for entry in read_entries(value):
        for change in entry.changes:
            yield (
                "audit_changes",
                {
                    "record_id": record_id,
                    "entry": entry.index,
                    "change": change.index,
                    "path": change.path,
                    "result_index": result_index(change.path),
                    "had_value": change.from_value is not ABSENT,
                    "has_value": change.to_value is not ABSENT,
                    **_typed("before", change.from_value),
                    **_typed("after", change.to_value),
                },
            )


def _typed(name: str, slot: Slot) -> Row:
    if slot is ABSENT:
        return {}
    return {
        f"{name}_json": json.dumps(slot, ensure_ascii=False),
        f"{name}_text": text(slot),
        f"{name}_number": number(slot),
    }
