"""What came of reading a file: what was accepted, what was not and why, and what was assumed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.spreadsheet import WRITTEN_AS, cell_text, guarded

Part = Literal["event", "edge"]
FAULT_COLUMNS = ("fault_row", "fault_part", "fault_event", "fault_field", "fault_value", "fault_reason", "fault_advice")
"""Columns that `faults_csv` puts before the row's own; the readers skip them, so a mended file can be uploaded as it is."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """Where something stood in the file.

    Parameters
    ----------
    number : int
        The line of CSV, TSV and JSONL (the header is line 1), the position from 1 in a JSON list.
    raw : mapping
        The row as it was, by the file's own column names.
    own : bool
        For an edge: it stood in the row of its source event.
    """

    number: int
    raw: Mapping[str, Any] = dataclass_field(default_factory=dict)
    own: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One row that was not taken, or one edge of a row.

    Parameters
    ----------
    row : int
        See `SourceRow.number`.
    event_id : str or None
        The event, or the edge's source, as far as it is known.
    field, value : str
        What is at fault, and what it held, shortened.
    reason, advice : str
        The rule that is broken, and what to do.
    raw : mapping
        The row as it was.
    part : {"event", "edge"}
        What was not taken.
    """

    row: int
    event_id: str | None
    field: str
    value: str
    reason: str
    advice: str
    raw: Mapping[str, Any] = dataclass_field(default_factory=dict)
    part: Part = "event"

    def __str__(self) -> str:
        name = "" if self.event_id is None else f", event {self.event_id}"
        return f"Row {self.row}{name}: {self.reason}. {self.advice}"


@dataclass(frozen=True, slots=True)
class ScaleQuestion:
    """Valence and arousal do not look like -1 to 1: what to ask before they are rescaled.

    Parameters
    ----------
    sentence : str
        The question in words.
    suggestion : str
        The likely scale, one of `readers.AFFECT_SCALES`.
    low, high : float
        The smallest and largest value seen.
    """

    sentence: str
    suggestion: str
    low: float
    high: float

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file held. Nothing is dropped silently: `n_rows` and `n_links` always add up, see `is_complete`.

    Parameters
    ----------
    events, edges : tuple
        What was accepted, in the file's order. Ids may still repeat: `duplicates.resolve_duplicates` settles that.
    faults : tuple of Fault
        Rows and edges that were not.
    notes : tuple of str
        What was assumed, in sentences.
    affect_scale_question : ScaleQuestion or None
        Set where valence and arousal look like another scale and none was stated.
    encoding, form : str
        How the letters were read, and as what the file was read ("CSV, columns apart by ;").
    n_rows, n_links : int
        Rows of events and edges that the file held.
    event_rows, edge_rows : tuple of SourceRow
        Where `events` and `edges` stood, one each.
    n_dropped, n_links_dropped : int
        How many were left out by a choice about duplicates.
    mended : tuple of Fault
        What was at fault in rows that were taken all the same, as a person chose; see `fixes`.
    """

    events: tuple[Event, ...] = ()
    edges: tuple[Edge, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    affect_scale_question: ScaleQuestion | None = None
    encoding: str = "utf-8"
    form: str = ""
    n_rows: int = 0
    n_links: int = 0
    event_rows: tuple[SourceRow, ...] = ()
    edge_rows: tuple[SourceRow, ...] = ()
    n_dropped: int = 0
    n_links_dropped: int = 0
    mended: tuple[Fault, ...] = ()

    @property
    def event_faults(self) -> tuple[Fault, ...]:
        """Rows of events that were not taken."""
        return tuple(fault for fault in self.faults if fault.part == "event")

    @property
    def edge_faults(self) -> tuple[Fault, ...]:
        """Edges that were not taken."""
        return tuple(fault for fault in self.faults if fault.part == "edge")

    @property
    def is_complete(self) -> bool:
        """Whether every row and edge of the file is accepted, at fault or dropped by choice."""
        rows = len(self.events) + len(self.event_faults) + self.n_dropped
        return self.n_rows == rows and self.n_links == len(self.edges) + len(self.edge_faults) + self.n_links_dropped


def by_row(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults in the order of the file, a row's own before those of its edges."""
    return tuple(sorted(faults, key=lambda fault: (fault.row, fault.part == "edge")))


def faults_csv(faults: Iterable[Fault], *, part: Part | None = None) -> bytes:
    """Faults as CSV (UTF-8 with BOM): reason and advice, then the row as it was, to be mended and uploaded again.

    Parameters
    ----------
    faults : iterable of Fault
    part : {"event", "edge"}, optional
        Only faults of events, or of edges. Both in one file read well, but are uploaded one at a time.
    """
    chosen = [fault for fault in faults if part in (None, fault.part)]
    columns = [name for name in dict.fromkeys(name for fault in chosen for name in fault.raw) if name not in FAULT_COLUMNS]
    if WRITTEN_AS not in columns:
        columns.append(WRITTEN_AS)  # tells the readers to take the guard against formulas off again
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*FAULT_COLUMNS, *(guarded(name) for name in columns)])
    for fault in chosen:
        told = (str(fault.row), fault.part, fault.event_id or "", fault.field, fault.value, fault.reason, fault.advice)
        writer.writerow([guarded(cell) for cell in (*told, *(cell_text(fault.raw.get(name)) for name in columns))])
    return ("\ufeff" + out.getvalue()).encode("utf-8", errors="backslashreplace")
