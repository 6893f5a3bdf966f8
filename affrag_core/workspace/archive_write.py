"""Writes a whole workspace as one file."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import numpy as np

from affrag_core.errors import CancelledError, WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.times import iso_text
from affrag_core.events.vectors import FloatArray
from affrag_core.workspace import archive_format as form
from affrag_core.workspace.backup import sync_folder
from affrag_core.workspace.kept import TEXTS

if TYPE_CHECKING:
    from affrag_core.workspace.workspace import Workspace

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""
Cancelled = Callable[[], bool]

T = TypeVar("T", Event, Edge)

_EARLIEST = (1980, 1, 1, 0, 0, 0)


def export_workspace(
    workspace: Workspace, file: str | Path | BinaryIO, *, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> None:
    """Write all of a workspace but the history behind undo; equal workspaces give equal files.

    Parameters
    ----------
    workspace : Workspace
        Any, also one that can only be read.
    file : path or binary file
        A path appears whole or not at all, in place of what was there.
    progress : callable, optional
        Called with the numbers of events and links done and in all.
    cancelled : callable, optional
        Asked now and then whether to stop.

    Raises
    ------
    CancelledError
        If `cancelled` said so.
    WorkspaceError
        If the path cannot be written, or one event is too large.
    """
    if not isinstance(file, (str, Path)):
        _Writer(file, workspace, progress, cancelled).write()
        return
    path = Path(file)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with unfinished.open("wb") as target:
            _Writer(target, workspace, progress, cancelled).write()
            target.flush()
            os.fsync(target.fileno())
        os.replace(unfinished, path)
        sync_folder(path.parent)
    except OSError as error:
        raise WorkspaceError(f"the workspace cannot be exported to {path}: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


class _Writer:
    def __init__(self, file: BinaryIO, workspace: Workspace, progress: Progress | None, cancelled: Cancelled | None) -> None:
        self._file, self._workspace, self._progress, self._cancelled = file, workspace, progress, cancelled
        self._parts: list[form.Part] = []
        self._done = self._total = 0

    def write(self) -> None:
        name, found = self._workspace.name, self._workspace._state.snapshot()
        self._total = len(found.events) + len(found.edges)
        with zipfile.ZipFile(self._file, "w") as self._zip:
            texts = {table.name: getattr(found.kept, table.name) for table in TEXTS}
            self._add(form.KEPT, _json({name: {key: json.loads(text) for key, text in kept.items()} for name, kept in texts.items()}))
            for number, events in enumerate(_chunks(found.events, form.EVENTS_A_PART, _event_size)):
                self._add_events(number, events)
                self._step(len(events))
            for number, edges in enumerate(_chunks(found.edges, form.EDGES_A_PART, _edge_size)):
                self._add(f"edges-{number:05}.jsonl", b"".join(_json(edge.to_dict()) + b"\n" for edge in edges))
                self._step(len(edges))
            n_runs = self._add_runs()
            manifest = form.Manifest(
                name=name,
                version=found.header.version,
                semantic_space=found.header.semantic_space,
                emotional_space=found.header.emotional_space,
                n_events=len(found.events),
                n_edges=len(found.edges),
                n_runs=n_runs,
                parts=self._parts,
            )
            self._put(form.MANIFEST, manifest.model_dump_json().encode())

    def _step(self, n: int) -> None:
        if self._cancelled is not None and self._cancelled():
            raise CancelledError("the export was stopped; nothing was written")
        self._done += n
        if self._progress is not None:
            self._progress(self._done, self._total)

    def _add_events(self, number: int, events: Sequence[Event]) -> None:
        vectors: dict[str, list[FloatArray]] = {}
        lines = []
        for event in events:
            row = event.replace(semantic_vec=None, emotional_vec=None).to_dict()
            kinds = {}
            for field in ("semantic", "emotional"):
                vector: FloatArray | None = getattr(event, f"{field}_vec")
                if vector is not None:
                    kinds[field] = f"f{vector.dtype.itemsize}-{len(vector)}"
                    vectors.setdefault(form.vector_part(number, field, kinds[field]), []).append(vector)
            lines.append(_json(row | ({"vectors": kinds} if kinds else {})) + b"\n")
        self._add(f"events-{number:05}.jsonl", b"".join(lines))
        for part, rows in vectors.items():
            array = io.BytesIO()
            np.lib.format.write_array(array, np.stack(rows).astype(rows[0].dtype.newbyteorder("<")), version=(1, 0), allow_pickle=False)
            self._add(part, array.getvalue(), compress=False)

    def _add_runs(self) -> int:
        n = 0
        for card in self._workspace.runs():
            try:
                trace = self._workspace.run(card.id)
            except WorkspaceError:
                continue  # Deleted meanwhile, or lost with what was damaged.
            row = {"name": card.name, "created": iso_text(card.created), "query": card.query, "mode": card.mode, "trace": trace}
            self._add(f"run-{n:05}.json", _json(row))
            n += 1
        return n

    def _add(self, name: str, content: bytes, *, compress: bool = True) -> None:
        if len(content) > form.MOST_BYTES_A_PART:
            raise WorkspaceError(f"the workspace cannot be exported: {name} would hold {len(content):,} bytes; shorten the largest event")
        self._parts.append(form.Part(name=name, bytes=len(content), sha256=hashlib.sha256(content).hexdigest()))
        self._put(name, content, compress=compress)

    def _put(self, name: str, content: bytes, *, compress: bool = True) -> None:
        compress = compress and len(zlib.compress(content, level=1)) * form.MOST_EXPANSION > len(content)
        # One date for all, so that the same workspace gives the same file.
        info = zipfile.ZipInfo(name, _EARLIEST)
        self._zip.writestr(info, content, zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED)


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _event_size(event: Event) -> int:
    vectors = sum(vector.nbytes for vector in (event.semantic_vec, event.emotional_vec) if vector is not None)
    return len(event.text) + vectors + (len(str(dict(event.metadata))) if event.metadata else 0)


def _edge_size(edge: Edge) -> int:
    return len(str(dict(edge.attributes))) if edge.attributes else 0


def _chunks(items: Sequence[T], most: int, size_of: Callable[[T], int]) -> Iterator[Sequence[T]]:
    """Runs of at most so many items and about so many bytes, never empty."""
    first = size = 0
    for position, item in enumerate(items):
        if position > first and (position - first == most or size > form.BYTES_A_PART):
            yield items[first:position]
            first, size = position, 0
        size += size_of(item)
    if first < len(items):
        yield items[first:]
