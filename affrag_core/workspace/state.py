"""A database and its memory, kept equal: every commit goes through here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, RLock, get_ident

from sqlalchemy import Connection, Table

from affrag_core.errors import StaleError, WorkspaceError
from affrag_core.workspace import journal, opening, salvage, schema, steps, storage
from affrag_core.workspace.change import Change
from affrag_core.workspace.database import Database
from affrag_core.workspace.draft import Draft
from affrag_core.workspace.faults import DamagedError
from affrag_core.workspace.kept import read_kept
from affrag_core.workspace.memory import Memory, View


class DurableState:
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
            with self.database.reading() as connection:
                self._load(connection, storage.read_header(connection))
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

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """A write transaction on the newest state; once it is on disk, what `after` holds brings the memory up to it."""
        if self.read_only is not None:
            raise WorkspaceError(self.read_only)
        if self._owner == get_ident():
            raise WorkspaceError("a change of this workspace is open already; finish it before the next")
        with self._change_lock:
            self._owner = get_ident()
            try:
                with self.database.writing() as connection:
                    turn = Turn(connection, self._catch_up(connection, storage.read_header(connection, for_change=True)))
                    yield turn
                for action in turn.after:
                    action()
            finally:
                self._owner = None

    @contextmanager
    def change(self, label: str) -> Iterator[Draft]:
        """Collect edits, then write them in one transaction and as one entry of the journal."""
        with self.turn() as turn:
            draft = Draft(self.memory, turn.seen, self.header.spaces)
            yield draft
            change = draft.finish()
            if not change.is_empty:
                inverse = storage.apply_change(turn.connection, change, self.header.spaces)
                cursor = journal.push(turn.connection, self.header.cursor, label, inverse)
                self._record(turn, change, inverse, cursor)

    def travel(self, *, back: bool) -> str:
        """Undo the newest change, or redo the newest undone one; returns its label."""
        verb = "undo" if back else "redo"
        with self.turn() as turn:
            if turn.seen is not self.memory:
                raise StaleError(f"the workspace was changed elsewhere since you last saw it; look at it again, then {verb}")
            cursor = self.header.cursor
            position = cursor if back else cursor + 1
            found = journal.entry(turn.connection, position)
            if found is None:
                raise WorkspaceError(f"there is nothing to {verb}")
            label, change = found
            inverse = storage.apply_change(turn.connection, change, self.header.spaces)
            journal.turn(turn.connection, position, inverse)
            self._record(turn, change, inverse, cursor - 1 if back else cursor + 1)
        return label

    def _record(self, turn: Turn, change: Change, inverse: Change, cursor: int) -> None:
        header = self.header.after(cursor=cursor, spaces=change.spaces)
        storage.write_header(turn.connection, header)
        steps.write(turn.connection, header.version, change, inverse)
        labels = journal.labels(turn.connection, cursor)

        def follow() -> None:
            with self.memory_lock:
                # Should this be interrupted half-way, nothing equals revision -1 and the next look reads everything again.
                self.header = header._replace(version=-1, revision=-1)
                self.memory.apply(change, inverse, header.version)
                self.header = header
                self.undo_label, self.redo_label = labels

        turn.after.append(follow)

    def write_text(self, table: Table, key: str, value: str | None) -> None:
        """Put a setting, config, rule or mapping in the place of what was there; None removes it."""
        self.write_beside(lambda connection, _: storage.write_text(connection, table, key, value))

    def write_beside(self, write: Callable[[Connection, int], None]) -> int:
        """Write what is not undone, in one transaction; returns the revision that it led to, which `write` is given too."""
        with self.turn() as turn:
            header = self.header._replace(revision=self.header.revision + 1)
            write(turn.connection, header.revision)
            storage.write_header(turn.connection, header)
            kept = read_kept(turn.connection)

            def follow() -> None:
                with self.memory_lock:
                    self.header, self.kept = header, kept

            turn.after.append(follow)
        return header.revision


@dataclass(slots=True)
class Turn:
    """One write transaction: its connection, the workspace as it was seen before, and what to do once it is on disk."""

    connection: Connection
    seen: View
    after: list[Callable[[], None]] = field(default_factory=list)
