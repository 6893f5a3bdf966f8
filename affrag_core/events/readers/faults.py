"""From an error about a row to a fault that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affrag_core.errors import EventError
from affrag_core.events.readers.columns import Columns
from affrag_core.events.readers.rows import RawRow, shown
from affrag_core.events.report import Fault, Part

LONGEST_REASON = 300
_TIME = "Write it as 2024-01-31, as 2024-01-31T18:00:00Z, or as seconds since 1970; or leave it empty."
_VECTOR = "Write a JSON list of finite numbers, as long as the other vectors, or leave it empty so that it can be made from the text."
_AFFECT = "Give both valence and arousal as numbers on the file's scale (say which it is), or leave both empty."
_RELATED = "Bring the event in first, or mend the id. Several ids in a cell are apart by ; or |, or stand in a JSON list."
_ADVICE = {
    "id": "Give the row an id that no other row has.",
    "text": "Write what happened as text.",
    "timestamp": _TIME,
    "valid_from": _TIME + " It must not be after valid_until.",
    "valid_until": _TIME,
    "kind": "Write STATIC, VERSIONED or EVENT, or leave it empty for STATIC.",
    "doc_type": "Write one word for the source, or leave it empty.",
    "supersedes_id": "Write the id of the event that this one replaces, or leave it empty.",
    "emotion": "Write one word for the feeling, or valence and arousal, or leave it empty.",
    "valence": _AFFECT,
    "arousal": _AFFECT,
    "semantic_vec": _VECTOR,
    "emotional_vec": _VECTOR,
    "metadata": "Write a JSON object, or leave it empty.",
    "source": _RELATED,
    "target": _RELATED,
    "edges": _RELATED,
    "relation": "Write a word for the relation, or leave it empty.",
    "attributes": "Write a JSON object, or leave it empty.",
}


def fault_of(
    error: EventError, row: RawRow, event_id: str | None, fields: Mapping[str, Any], columns: Columns, part: Part = "event"
) -> Fault:
    """The fault of a row that raised `error`, naming the file's column where it is called otherwise than the field."""
    name = error.field
    column = next((c for c in columns.fields.get(name, ()) if row.values.get(c) is not None), name)
    reason = error.message if len(error.message) <= LONGEST_REASON else error.message[:LONGEST_REASON] + "..."
    if column != name:
        reason += f' (column "{shown(column)}")'
    value = shown(fields[name]) if name in fields else ""
    return Fault(row.number, event_id, name, value, reason, advice_for(name), row.raw, part)


def advice_for(name: str) -> str:
    """What to do about a field."""
    return _ADVICE.get(name, "Mend the value, or leave it empty.")
