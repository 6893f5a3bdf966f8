"""Makes a workspace from an exported file."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sqlalchemy import Connection, insert

from affrag_core.errors import AffragError, CancelledError, EventError, ReadError, WorkspaceError, shortened
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.times import as_utc
from affrag_core.events.vectors import FloatArray
from affrag_core.workspace import archive_format as form
from affrag_core.workspace import run_store, schema, storage
from affrag_core.workspace.archive_read import Archive, opened_archive
from affrag_core.workspace.archive_write import Cancelled, Progress
from affrag_core.workspace.building import build_file
from affrag_core.workspace.kept import TEXTS
from affrag_core.workspace.plain_json import json_text, storable_name, storable_text
from affrag_core.workspace.records import EventRow, attributes_text, event_row
from affrag_core.workspace.run_card import RunCard
from affrag_core.workspace.storage import Header

if TYPE_CHECKING:
    from affrag_core.workspace.workspace import Workspace


def import_workspace(
    file: str | Path | BinaryIO,
    target: str | Path,
    *,
    most_bytes: int = form.MOST_BYTES,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Workspace:
    """Make a workspace from a file that `export_workspace` wrote; it appears whole or not at all.

    Parameters
    ----------
    file : path or seekable binary file
    target : str or Path
        As for `Workspace.open`; nothing may be there yet, or an empty workspace where it is no file.
    most_bytes : int
        Files that unpack to more are refused.
    progress, cancelled : callable, optional
        As for `export_workspace`.

    Raises
    ------
    ReadError
        If the file is no exported workspace, is damaged, or holds what no workspace can; it says where.
    WorkspaceError
        If something is at the target already, or it cannot be written.
    CancelledError
        If `cancelled` said so.
    """
    from affrag_core.workspace.workspace import Workspace

    text = str(target)
    with opened_archive(file, most_bytes=most_bytes) as archive:
        loader = _Loader(archive, progress, cancelled)
        if text == ":memory:" or "://" in text:
            workspace = Workspace.open(target)
            try:
                workspace._state.fill(loader.write)
            except BaseException:
                workspace.close()
                raise
            return workspace
        path = Path(target)
        if path.exists():
            raise WorkspaceError(f"there is a file {path} already; choose another name")
        build_file(path, lambda new: new._state.fill(loader.write, read=False))
    return Workspace.open(path)


class _Loader:
    def __init__(self, archive: Archive, progress: Progress | None, cancelled: Cancelled | None) -> None:
        self._archive, self._manifest = archive, archive.manifest
        self._progress, self._cancelled = progress, cancelled
        self._places: dict[str, int] = {}
        self._lengths: dict[str, int] = {}
        self._done = 0

    def write(self, connection: Connection) -> Header:
        """Write everything; returns the header that belongs to it."""
        for name in self._archive.names("events-"):
            rows = list(self._event_rows(name))
            storage.insert_rows(connection, schema.events, rows)
            self._step(len(rows))
        n_edges = 0
        for name in self._archive.names("edges-"):
            edges = list(self._edge_rows(name, n_edges + 1))
            storage.insert_rows(connection, schema.edges, edges)
            n_edges += len(edges)
            self._step(len(edges))
        if (len(self._places), n_edges) != (self._manifest.n_events, self._manifest.n_edges):
            raise ReadError("the file is damaged: it holds other numbers of events and links than it says; export the workspace again")
        self._write_kept(connection)
        n_runs = self._write_runs(connection)
        return Header(self._manifest.version, max(1, n_runs), 0, *self._spaces())

    def _spaces(self) -> tuple[str | None, str | None]:
        names = (self._manifest.semantic_space, self._manifest.emotional_space)
        try:
            storable_text("".join(name or "" for name in names), field="the name of a space")
        except EventError as error:
            raise ReadError(f"{form.MANIFEST}: {error}") from None
        return names

    def _step(self, n: int) -> None:
        if self._cancelled is not None and self._cancelled():
            raise CancelledError("the import was stopped; nothing was kept")
        self._done += n
        if self._progress is not None:
            self._progress(self._done, self._manifest.n_events + self._manifest.n_edges)

    def _event_rows(self, name: str) -> Iterator[EventRow]:
        number = int(name.removeprefix("events-").removesuffix(".jsonl"))
        arrays: dict[str, Iterator[FloatArray]] = {}
        for line, row in enumerate(self._archive.rows(name), 1):
            place = f"{name}, line {line:,}"
            given: dict[str, Any] = {}
            kinds = row.pop("vectors", {})
            if not {"semantic_vec", "emotional_vec"}.isdisjoint(row):
                raise ReadError(f"{place}: vectors stand in parts of their own, not beside the text")
            if not isinstance(kinds, dict) or not kinds.keys() <= {"semantic", "emotional"}:
                raise ReadError(f"{place}: vectors must name the kinds of semantic and emotional vectors, got {shortened(kinds)}")
            for field, kind in kinds.items():
                given[f"{field}_vec"] = self._next_vector(number, field, kind, arrays, place)
            yield self._event_row(row | given, place)
        if any(next(rest, None) is not None for rest in arrays.values()):
            raise ReadError(f"{name}: there are more vectors than events; export the workspace again")

    def _next_vector(self, number: int, field: str, kind: object, arrays: dict[str, Iterator[FloatArray]], place: str) -> FloatArray:
        if not isinstance(kind, str) or not form.VECTOR_KIND.fullmatch(kind):
            raise ReadError(f"{place}: the kind of a vector must be a precision and a length, such as f4-384, got {shortened(kind)}")
        length = int(kind.partition("-")[2])
        if self._lengths.setdefault(field, length) != length:
            raise ReadError(f"{place}: {field}_vec must have {self._lengths[field]} numbers like the others, got {length}")
        part = form.vector_part(number, field, kind)
        if part not in arrays:
            arrays[part] = iter(self._archive.vectors(part))
        found = next(arrays[part], None)
        if found is None:
            raise ReadError(f"{place}: {part} has no vector left for this event; export the workspace again")
        return found

    def _event_row(self, fields: dict[str, Any], place: str) -> EventRow:
        try:
            event = Event(**fields)
            row = event_row(len(self._places) + 1, event)
        except TypeError as error:
            raise ReadError(f"{place}: this is no event: {error}") from None
        except EventError as error:
            raise ReadError(f"{place}: {error}") from None
        if event.id in self._places:
            raise ReadError(f"{place}: the event {shortened(event.id)} is there twice")
        self._places[event.id] = row[0]
        return row

    def _edge_rows(self, name: str, first: int) -> Iterator[tuple[Any, ...]]:
        for number, row in zip(count(first), self._archive.rows(name), strict=False):
            place = f"{name}, line {number - first + 1:,}"
            try:
                edge = Edge(**row)
                storable_text(edge.relation, field="relation")
                ends = [self._places[edge.source], self._places[edge.target]]
                yield (number, *ends, edge.relation, attributes_text(edge))
            except TypeError as error:
                raise ReadError(f"{place}: this is no link: {error}") from None
            except KeyError as error:
                raise ReadError(f"{place}: the link leads to {shortened(error.args[0])}, which is no event of the file") from None
            except EventError as error:
                raise ReadError(f"{place}: {error}") from None

    def _write_kept(self, connection: Connection) -> None:
        kept = self._archive.json(form.KEPT)
        if kept.keys() != {table.name for table in TEXTS} or not all(isinstance(texts, dict) for texts in kept.values()):
            raise ReadError(f"{form.KEPT} must hold settings, configs, rules and mappings; export the workspace again")
        kept["settings"].setdefault("name", self._manifest.name)
        for table in TEXTS:
            try:
                rows = [
                    {"key": storable_name(key), "value": json_text(value, field=shortened(key))} for key, value in kept[table.name].items()
                ]
            except AffragError as error:
                raise ReadError(f"{form.KEPT}, {table.name}: {error}") from None
            if rows:
                connection.execute(insert(table), rows)

    def _write_runs(self, connection: Connection) -> int:
        names = self._archive.names("run-")
        for run_id, name in enumerate(names, 1):
            row = self._archive.json(name)
            if row.keys() != {"name", "created", "query", "mode", "trace"} or not isinstance(row["trace"], dict):
                raise ReadError(f"{name} must hold name, created, query, mode and trace of a run")
            try:
                texts = [storable_text(str(row[field]), field=field) for field in ("query", "mode")]
                created = None if row["created"] is None else as_utc(row["created"], field="created")
                card = RunCard(0, storable_name(str(row["name"])), created, *texts)
                trace = json.dumps(row["trace"], allow_nan=False, separators=(",", ":"))
            except (AffragError, ValueError) as error:
                raise ReadError(f"{name}: {error}") from None
            run_store.write(connection, run_id, card, zlib.compress(trace.encode(), level=1))
        if len(names) != self._manifest.n_runs:
            raise ReadError("the file is damaged: it holds another number of runs than it says; export the workspace again")
        return len(names)
