"""Events and edges written back out: JSON lines exactly, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from affrag_core.errors import EventError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.events.spreadsheet import WRITTEN_AS, cell_text, guarded

EVENT_CSV_COLUMNS = (
    *("id", "text", "timestamp", "kind", "doc_type", "valid_from", "valid_until", "supersedes_id"),
    *("emotion", "valence", "arousal", "metadata", "semantic_vec", "emotional_vec", WRITTEN_AS),
)
EDGE_CSV_COLUMNS = ("source", "target", "relation", "attributes", WRITTEN_AS)


def to_jsonl(events: Iterable[Event] = (), edges: Iterable[Edge] = ()) -> bytes:
    """One JSON object a line, events first; `readers.read_events` gives every event and edge back exactly, float32 vectors among them.

    Beside the fields of `Event.to_dict` a row has ``written_as`` where plain JSON would leave something open: which vectors
    are float32, and that valence and arousal are on -1 to 1. `readers.read_edges` reads a file of edges alone.

    Raises
    ------
    EventError
        If metadata or attributes hold something that is no JSON.
    """
    lines = [_json_line(_event_row(event), "metadata", event.id) for event in events]
    lines += [_json_line(edge.to_dict(), "attributes", f"{edge.source} -> {edge.target}") for edge in edges]
    return b"".join(lines)


def events_csv(events: Iterable[Event]) -> bytes:
    """Events as CSV (UTF-8 with BOM), vectors and metadata as JSON in their cells; `readers.read_events` gives them back.

    Cells that a spreadsheet could run as a formula begin with an apostrophe, which the readers take off again. Not kept: an
    empty `doc_type`, which reads as ``general``, and half letters. JSON lines keep the first.
    """
    rows = [_event_row(event) for event in events]
    return _csv(EVENT_CSV_COLUMNS, [{WRITTEN_AS: {}} | row | _point(row) for row in rows])


def edges_csv(edges: Iterable[Edge]) -> bytes:
    """Edges as CSV (UTF-8 with BOM), guarded as `events_csv`; `readers.read_edges` gives them back."""
    return _csv(EDGE_CSV_COLUMNS, [edge.to_dict() | {WRITTEN_AS: {}} for edge in edges])


def _point(row: dict[str, Any]) -> dict[str, Any]:
    """Valence and arousal in columns of their own."""
    return {**row["emotion"], "emotion": None} if isinstance(row.get("emotion"), dict) else {}


def _event_row(event: Event) -> dict[str, Any]:
    row = event.to_dict()
    singles = [name for name in ("semantic_vec", "emotional_vec") if getattr(event, name) is not None]
    written_as = {name: "float32" for name in singles if getattr(event, name).dtype == np.float32}
    if isinstance(event.emotion, Emotion):
        written_as["emotion"] = "-1..1"
    return row | ({WRITTEN_AS: written_as} if written_as else {})


def _json_line(row: dict[str, Any], field: str, name: str) -> bytes:
    try:
        line = json.dumps(row, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise EventError(f"{field} must hold plain JSON values only, {error}", field=field, event_id=name) from None
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:  # half letters can only be spelled out
        return json.dumps(row).encode() + b"\n"


def _csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([guarded(cell_text(row.get(name))) for name in columns] for row in rows)
    return ("\ufeff" + out.getvalue()).encode("utf-8", errors="backslashreplace")
