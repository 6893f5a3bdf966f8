"""The door for files: bytes in, a `Reading` out, or a ReadError in one sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath

from affrag_core.errors import ReadError
from affrag_core.events.edge import EdgeKey
from affrag_core.events.edge_checks import checked_edges, edge_fault
from affrag_core.events.readers.affect import AffectScale, scale_bounds, scale_question
from affrag_core.events.readers.decoding import decode
from affrag_core.events.readers.edge_rows import EdgeRows
from affrag_core.events.readers.event_rows import EventRows
from affrag_core.events.readers.formats import BYTES_READERS, EDGE_READERS, EVENT_READERS
from affrag_core.events.readers.locomo import ALL, Conversation, LocomoReader, conversations_of
from affrag_core.events.readers.rows import RawFile, Reader
from affrag_core.events.readers.zones import named_zone
from affrag_core.events.report import Fault, Part, Reading, by_row

SIZE_LIMIT = 200 * 2**20
"""Largest file read, in bytes, unless told otherwise."""


def read_events(
    name: str,
    content: bytes,
    *,
    affect_scale: AffectScale | None = None,
    conversation: str | None = None,
    columns: Mapping[str, str] | None = None,
    known_ids: Collection[str] = (),
    semantic_dim: int | None = None,
    emotional_dim: int | None = None,
    encoding: str | None = None,
    time_zone: str | None = None,
    mend: Collection[str] = (),
    limit: int = SIZE_LIMIT,
) -> Reading:
    """Events, and the edges among them, from any file that one of the readers knows.

    The content decides the format; the name only where the content leaves it open. Ids that repeat are left in:
    `duplicates.resolve_duplicates` comes next.

    Parameters
    ----------
    name : str
        The file's name.
    content : bytes
    affect_scale : str, optional
        The scale of valence and arousal, one of `AFFECT_SCALES`. Without it they are taken as -1 to 1, and the reading asks where
        that is doubtful.
    conversation : str, optional
        Which conversation of a LoCoMo file that holds several, or ``"all"``.
    columns : mapping of str to str, optional
        The file's column for a field, such as ``{"text": "remark"}``, where it is not found by its name.
    known_ids : collection of str
        Events that are there already, which edges may name.
    semantic_dim, emotional_dim : int, optional
        Length that vectors must have; without it the first one's.
    encoding : str, optional
        How the letters are written, where the guess is wrong.
    time_zone : str, optional
        Where the times without an offset were written, such as ``Europe/Berlin``; UTC where it is not given.
    mend : collection of str
        Kinds of faults, by the keys of `fixes.fault_groups`, whose rows are taken without what is at fault.
    limit : int
        Largest size, in bytes.

    Returns
    -------
    Reading

    Raises
    ------
    ReadError
        If the file as a whole cannot be read.
    """
    if affect_scale is not None:
        scale_bounds(affect_scale)
    readers = (LocomoReader(conversation), *EVENT_READERS)
    file, encoding_used, notes = _raw_file(name, content, readers, "event", encoding, limit)
    dims = {field: dim for field, dim in (("semantic_vec", semantic_dim), ("emotional_vec", emotional_dim)) if dim is not None}
    rows = EventRows(dims, affect_scale or "-1..1", zone=named_zone(time_zone), mend=frozenset(mend))
    rows.read(file, columns)
    edges = EdgeRows()
    edges.read(file)
    ids = {event.id for event in rows.events}.union(known_ids)
    for cell in rows.cells:
        edges.read_cell(cell, ids)
    lost = {fault.event_id: fault.row for fault in rows.faults if fault.event_id is not None}
    checked = checked_edges(zip(edges.edges, edges.rows, strict=True), ids=ids, lost=lost, repeated=_repeated(rows))
    edge_faults = [*edges.faults, *checked.faults, *_lost_edges(rows, ids)]
    return Reading(
        events=tuple(rows.events),
        edges=checked.edges,
        faults=by_row([*file.faults, *rows.faults, *edge_faults]),
        notes=(*notes, *file.notes, *rows.notes, *edges.notes, *_unknown_superseded(rows, ids)),
        affect_scale_question=scale_question(rows.affect) if affect_scale is None else None,
        encoding=encoding_used,
        form=file.form,
        n_rows=len(file.events) + sum(fault.part == "event" for fault in file.faults),
        n_links=len(checked.edges) + len(edge_faults) + sum(fault.part == "edge" for fault in file.faults),
        event_rows=tuple(rows.rows),
        edge_rows=checked.rows,
        mended=tuple(rows.mended),
    )


def read_edges(
    name: str,
    content: bytes,
    known_ids: Collection[str],
    *,
    known_edges: Collection[EdgeKey] = (),
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    limit: int = SIZE_LIMIT,
) -> Reading:
    """Edges from CSV, TSV, JSON or JSON lines; rows are objects with source, target and relation, in JSON also pairs and triples.

    Parameters
    ----------
    known_ids : collection of str
        Events that edges may name.
    known_edges : collection of (source, target, relation)
        Edges that are there already; one that is in the file again is a fault.
    name, content, columns, encoding, limit
        As in `read_events`.

    Returns
    -------
    Reading
        Its `n_links` counts the rows; `n_rows` is 0.
    """
    file, encoding_used, notes = _raw_file(name, content, EDGE_READERS, "edge", encoding, limit)
    rows = EdgeRows()
    rows.read(file, columns)
    checked = checked_edges(zip(rows.edges, rows.rows, strict=True), ids=frozenset(known_ids), known=frozenset(known_edges))
    if file.events:
        notes.append(f"The file also holds {len(file.events)} events, which were not read here.")
    faults = [*(fault for fault in file.faults if fault.part == "edge"), *rows.faults, *checked.faults]
    return Reading(
        edges=checked.edges,
        faults=by_row(faults),
        notes=(*notes, *file.notes, *rows.notes),
        encoding=encoding_used,
        form=file.form,
        n_links=len(checked.edges) + len(faults),
        edge_rows=checked.rows,
    )


def raw_rows(name: str, content: bytes, part: Part, *, limit: int = SIZE_LIMIT) -> RawFile:
    """The rows of a file by column name, not yet checked; of several conversations, all."""
    return _raw_file(name, content, EDGE_READERS if part == "edge" else (LocomoReader(ALL), *EVENT_READERS), part, None, limit)[0]


def list_conversations(name: str, content: bytes, *, limit: int = SIZE_LIMIT) -> list[Conversation]:
    """The conversations of a LoCoMo file with their speakers and numbers of turns; none if it is another kind of file."""
    return conversations_of(_text(name, content, None, limit)[0])


def _text(name: str, content: bytes, encoding: str | None, limit: int) -> tuple[str, str, list[str]]:
    _check_size(name, content, limit)
    text, encoding_used, notes = decode(content, encoding)
    if not text.strip():
        raise ReadError(f"{name} is empty. Upload a file with at least one row.")
    return text, encoding_used, notes


def _check_size(name: str, content: bytes, limit: int) -> None:
    if len(content) > limit:
        raise ReadError(f"{name} has {len(content) / 2**20:.1f} MB, more than the limit of {limit / 2**20:.1f} MB. Split it into parts.")


def _raw_file(
    name: str, content: bytes, readers: Sequence[Reader], part: Part, encoding: str | None, limit: int
) -> tuple[RawFile, str, list[str]]:
    _check_size(name, content, limit)
    for packed in BYTES_READERS:
        if packed.recognises(content, name):
            return packed.read(content, part), "as the format says", []
    text, encoding_used, notes = _text(name, content, encoding, limit)
    extension = PurePath(name.lower()).suffix.removeprefix(".")
    if text.lstrip()[:9].lower().startswith(("<!doctype", "<html", "<?xml")):
        raise ReadError(f"{name} is a web page or XML, not a table. Upload CSV, TSV, JSON or JSON lines.")
    file = next(reader for reader in readers if reader.recognises(text, extension)).read(text, part)
    if not (file.events or file.edges or file.faults):
        raise ReadError(f"{name} holds no rows. Upload a file with at least one row below the names of the columns.")
    return file, encoding_used, notes


def _repeated(rows: EventRows) -> set[str]:
    seen: set[str] = set()
    return {event.id for event in rows.events if event.id in seen or seen.add(event.id)}  # type: ignore[func-returns-value]


def _lost_edges(rows: EventRows, ids: Collection[str]) -> list[Fault]:
    """The edges in rows of events that were not read."""
    lost = EdgeRows()
    for cell in rows.lost_cells:
        lost.read_cell(cell, ids)
    found = zip(lost.edges, lost.rows, strict=True)
    advice = "Mend that row and read it again; its edges come with it."
    return lost.faults + [edge_fault(edge, row, "source", "the event of this row was not read", advice) for edge, row in found]


def _unknown_superseded(rows: EventRows, ids: Collection[str]) -> list[str]:
    unknown = [event.id for event in rows.events if event.supersedes_id is not None and event.supersedes_id not in ids]
    if not unknown:
        return []
    return [f"{len(unknown)} events replace an event that is not here, the first is {unknown[0]}. They were taken as they are."]
