"""A database and what it holds, read into memory and kept up with what others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock, get_ident
from typing import NamedTuple

from sqlalchemy import Connection

from affrag_core.errors import WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import journal, opening, salvage, schema, steps, storage
from affrag_core.workspace.database import Database
from affrag_core.workspace.faults import DamagedError
from affrag_core.workspace.kept import Kept, read_kept
from affrag_core.workspace.memory import Memory, View


class Snapshot(NamedTuple):
    """What a workspace holds."""

    header: storage.Header
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]
    kept: Kept


class HeldState:
    """What the database holds, readable without asking it.

    One lock lets one change of this object happen at a time; a second, held only for moments, keeps readers from seeing half of a
    change. A reader never waits for the disk.

    Parameters
    ----------
    target : str or Path
        See `Database`.
    create : bool
        Make the workspace if it is not there.
    """

    def __init__(self, target: str | Path, *, create: bool) -> None:
        self.database = Database(target)
        self.memory_lock = RLock()
        self._change_lock = Lock()
        self._owner: int | None = None
        self.read_only: str | None = None
        self.undo_label: str | None = None
        self.redo_label: str | None = None
        try:
            self._open(create)
        except BaseException:
            self.database.close()
            raise

    def _open(self, create: bool) -> None:
        access = opening.Access()
        try:
            access = opening.make_ready(self.database, create=create)
            self.read_only = access.reason
            self._load_all()
        except WorkspaceError as error:
            if access.is_newer:
                raise WorkspaceError(f"{access.reason}, as this version cannot read it either") from error
            if not isinstance(error, DamagedError):
                raise
            found = salvage.recovered(self.database, error)
            self.memory, self.header, self.kept, self.read_only = found.memory, found.header, found.kept, found.reason

    def _load(self, connection: Connection, header: storage.Header) -> None:
        try:
            with storage.all_rows(connection, schema.events) as events, storage.all_rows(connection, schema.edges) as edges:
                memory = Memory(header.version, events, edges)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            sentence = f"is damaged: it holds what it cannot have been given ({error}); put a backup in its place"
            raise DamagedError(f"the workspace {self.database.target} {sentence}") from error
        self._load_kept(connection, header)
        with self.memory_lock:
            self.memory, self.header = memory, header

    def _load_kept(self, connection: Connection, header: storage.Header) -> None:
        kept = read_kept(connection, complete=self.read_only is None)
        labels = journal.labels(connection, header.cursor) if self.read_only is None else (None, None)
        with self.memory_lock:
            self.header, self.kept = header, kept
            self.undo_label, self.redo_label = labels

    def _catch_up(self, connection: Connection, stored: storage.Header) -> View:
        """Read what others wrote; returns the workspace as this object saw it before."""
        seen = self.memory
        if stored.version != self.header.version:
            missed = steps.missed(connection, seen, self.header.version, stored.version)
            if missed is None:
                self._load(connection, stored)
                return seen
            with self.memory_lock:
                self.header = self.header._replace(version=-1, revision=-1)  # As in `_record`.
                earlier = seen.follow(*missed, stored.version)
                self.header = stored
            self._load_kept(connection, stored)
            return earlier
        if stored.revision != self.header.revision:
            self._load_kept(connection, stored)
        return seen

    def refresh(self) -> bool:
        """Read what others wrote; returns whether they wrote anything."""
        if self.read_only is not None or not self._change_lock.acquire(blocking=False):
            return False  # Whoever changes something right now has caught up first.
        try:
            before = self.header.revision
            with self.database.reading() as connection:
                self._catch_up(connection, storage.read_header(connection))
            return self.header.revision != before
        finally:
            self._change_lock.release()

    def _load_all(self) -> None:
        with self.database.reading() as connection:
            self._load(connection, storage.read_header(connection))

    def snapshot(self) -> Snapshot:
        """Everything in memory at one moment."""
        with self.memory_lock:
            return Snapshot(self.header, self.memory.events.listed(), self.memory.edges.listed(), self.kept)

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """A transaction that reads what is not held in memory."""
        if self.database.has_one_connection and self._owner == get_ident():
            raise WorkspaceError("a change of this workspace is open; finish it before reading what it does not hold in memory")
        if not self.database.has_one_connection:
            with self.database.reading() as connection:
                yield connection
            return
        with self._change_lock, self.database.reading() as connection:
            yield connection
