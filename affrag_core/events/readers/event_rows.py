"""Rows into events: every row becomes an event or a fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

from affrag_core.errors import EventError, ReadError
from affrag_core.events.event import Emotion, Event
from affrag_core.events.fixes import group_key, mend
from affrag_core.events.readers.affect import rescaled
from affrag_core.events.readers.columns import EDGE_COLUMNS, EVENT_COLUMNS, Columns, assign_columns
from affrag_core.events.readers.edge_rows import Cell
from affrag_core.events.readers.faults import fault_of
from affrag_core.events.readers.rows import RawFile, RawRow, refused, shown
from affrag_core.events.readers.sorting import Sorted, sort_out
from affrag_core.events.readers.values import as_array, as_id, as_mapping, as_number, as_time, as_word, check_depth, check_letters
from affrag_core.events.readers.zones import in_zone
from affrag_core.events.report import Fault, SourceRow
from affrag_core.events.spreadsheet import WRITTEN_AS

VECTORS = ("semantic_vec", "emotional_vec")
_TIMES = ("timestamp", "valid_from", "valid_until")


@dataclass(slots=True)
class EventRows:
    """What came of the rows of events.

    Parameters
    ----------
    dims : dict of str to int
        Length of the vectors, by field: the workspace's, or else the first one's.
    scale : str
        The scale of valence and arousal.
    zone : ZoneInfo, optional
        Where the times without an offset were written.
    cells, lost_cells : list of Cell
        The edges in the rows that became events, and in those that did not.
    affect : list of float
        Every valence and arousal that is not known to be on -1 to 1.
    mend : collection of str
        The kinds of faults, by `fixes.group_key`, whose rows are taken without what is at fault.
    mended : list of Fault
        What was at fault in them.
    """

    dims: dict[str, int]
    scale: str = "-1..1"
    zone: ZoneInfo | None = None
    events: list[Event] = field(default_factory=list)
    rows: list[SourceRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    lost_cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    affect: list[float] = field(default_factory=list)
    mend: Collection[str] = ()
    mended: list[Fault] = field(default_factory=list)

    def read(self, file: RawFile, chosen: Mapping[str, str] | None = None) -> None:
        """Read every row of `file`. Raises ReadError if no column can be the text."""
        names = dict.fromkeys(name for row in file.events for name in row.values)
        columns = _with_partners(assign_columns(names, EVENT_COLUMNS, chosen))
        if file.events and not columns.has("text"):
            known = ", ".join(shown(name) for name in names) or "none"
            ends = assign_columns(names, EDGE_COLUMNS)
            is_edges = ends.has("source") and ends.has("target")
            advice = "Is it a file of edges?" if is_edges else "Name one of them text, content, message or event."
            raise ReadError(f"No column holds the text of the events. The columns are: {known}. {advice}")
        found = [sort_out(row, columns, file) for row in file.events]
        has_ids = any("id" in values.fields for values in found)
        self.notes += columns.notes
        if found and not has_ids:
            self.notes.append("The file has no ids; its rows were named row-1, row-2 and so on.")
        if columns.others:
            self.notes.append(f"Kept as metadata: {', '.join(shown(name) for name in columns.others)}.")
        for position, (row, values) in enumerate(zip(file.events, found, strict=True), start=1):
            self._take(row, values, file, columns, None if has_ids else f"row-{position}")

    def _take(self, row: RawRow, found: Sorted, file: RawFile, columns: Columns, default_id: str | None) -> None:
        event_id, n_affect, mended = default_id, len(self.affect), []
        while True:
            try:
                event_id = as_id(found.fields["id"], "id") if "id" in found.fields else default_id
                event = self._event(found, file, event_id)
                self._check_lengths(event)
                break
            except EventError as error:
                fault = fault_of(error, row, event_id, found.fields, columns)
            if self.mend and group_key(fault) in self.mend and mend(fault, found):
                mended.append(fault)
                del self.affect[n_affect:]  # counted once, however often the row is read
                continue
            self.faults.append(fault)
            self.lost_cells += _cells(SourceRow(row.number, row.raw), found, event_id or "")
            return
        self.mended += mended
        self.events.append(event)
        # The arrays of the event stand for its vectors, so that these are kept in memory once.
        arrays = {found.columns[name]: getattr(event, name) for name in VECTORS if name in found.fields}
        self.rows.append(SourceRow(row.number, {**row.raw, **arrays}))
        self.cells += _cells(self.rows[-1], found, event.id)

    def _event(self, found: Sorted, file: RawFile, event_id: str | None) -> Event:
        fields = found.fields
        if event_id is None:
            raise refused("id must not be empty", "id")
        if "text" not in fields:
            raise refused("text must not be empty", "text")
        others = {name: value for name, value in (fields | found.others).items() if name not in VECTORS}
        check_depth(others)
        if file.half_letters:
            check_letters(others)
        if not isinstance(fields["text"], str):
            raise refused(f"text must be text, got {shown(fields['text'])}", "text")
        written_as = as_mapping(fields[WRITTEN_AS], WRITTEN_AS) if WRITTEN_AS in fields else {}
        values: dict[str, Any] = {name: in_zone(as_time(fields[name]), self.zone) for name in _TIMES if name in fields}
        values |= {name: as_word(fields[name], name) for name in ("kind", "doc_type", "supersedes_id") if name in fields}
        for name in VECTORS:
            if name in fields:
                values[name] = as_array(fields[name], name, is_single=written_as.get(name) == "float32")
        emotion, word = self._emotion(fields, file, is_stated=written_as.get("emotion") == "-1..1")
        return Event(id=event_id, text=fields["text"], emotion=emotion, metadata=_metadata(fields, found.others | word), **values)

    def _emotion(self, fields: dict[str, Any], file: RawFile, *, is_stated: bool) -> tuple[Any, dict[str, Any]]:
        """The emotion; and the word beside valence and arousal, which goes to the metadata."""
        given = fields.get("emotion")
        is_point = isinstance(given, dict) and set(given) == {"valence", "arousal"}
        point = {name: fields[name] for name in ("valence", "arousal") if name in fields} or (given if is_point else None)
        if not point:
            return given, {}
        for name, other in (("valence", "arousal"), ("arousal", "valence")):
            if name not in point:
                raise refused(f"{name} must not be empty where {other} is given", name)
        numbers = {name: as_number(point[name], name, decimal_commas=file.decimal_commas) for name in ("valence", "arousal")}
        if not is_stated:
            self.affect += numbers.values()
        scale = "-1..1" if is_stated else self.scale
        emotion = Emotion(*(rescaled(number, scale, name) for name, number in numbers.items()))
        return emotion, {} if given is None or point is given else {"emotion": given}

    def _check_lengths(self, event: Event) -> None:
        lengths = {name: len(getattr(event, name)) for name in VECTORS if getattr(event, name) is not None}
        for name, length in lengths.items():
            if length != self.dims.get(name, length):
                raise refused(f"{name} must have {self.dims[name]} numbers as the vectors before it, got {length}", name)
        self.dims |= lengths


def _with_partners(columns: Columns) -> Columns:
    """Valence without arousal, arousal without valence, and a relation without edges are no fields but metadata."""
    alone = [("valence", "arousal"), ("arousal", "valence"), ("relation", "edges")]
    lonely = [name for name, partner in alone if columns.has(name) and not columns.has(partner)]
    if not lonely:
        return columns
    notes = tuple(f"There is {name} but no {dict(alone)[name]} in this file." for name in lonely)
    others = columns.others + tuple(column for name in lonely for column in columns.fields[name])
    fields = {name: found for name, found in columns.fields.items() if name not in lonely}
    return replace(columns, fields=fields, others=others, notes=columns.notes + notes)


def _cells(row: SourceRow, found: Sorted, event_id: str) -> list[Cell]:
    if "edges" not in found.fields:
        return []
    return [Cell(row, event_id, found.fields["edges"], found.columns["edges"], found.fields.get("relation"))]


def _metadata(fields: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    metadata = as_mapping(fields["metadata"], "metadata") if "metadata" in fields else {}
    for name, value in others.items():
        metadata[f"{name} (column)" if name in metadata else name] = value
    return metadata
