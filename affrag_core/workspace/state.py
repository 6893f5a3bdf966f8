"""A database and its memory, kept equal: every commit goes through here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, RLock, get_ident

from sqlalchemy import Connection, Table

from affrag_core.errors import StaleError, WorkspaceError
from affrag_core.workspace import journal, schema, storage
from affrag_core.workspace.change import Change
from affrag_core.workspace.database import Database
from affrag_core.workspace.draft import Draft
from affrag_core.workspace.memory import Memory


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
        try:
            self._prepare(create)
            with self.database.reading() as connection:
                self._load(connection, storage.read_header(connection))
        except BaseException:
            self.database.close()
            raise

    def _prepare(self, create: bool) -> None:
        path, target = self.database.path, self.database.target
        if path is not None and path.is_dir():
            raise WorkspaceError(f"the workspace {target} is a folder; choose a file in it")
        if path is not None and not path.exists():
            if not create:
                raise WorkspaceError(f"there is no workspace {target}; choose another, or create it")
            self._make_folder(path)
        with self.database.reading() as connection:
            ready = storage.is_prepared(connection, target)
        if not ready:
            if not create:
                raise WorkspaceError(f"the workspace {target} is empty; choose another, or create it")
            with self.database.writing() as connection:
                if not storage.is_prepared(connection, target):
                    storage.prepare(connection)
        self.database.keep_log_beside()

    def _make_folder(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkspaceError(f"the folder of the workspace {path} cannot be made: {error.strerror}") from error

    def _load(self, connection: Connection, header: storage.Header) -> None:
        try:
            events, edges = (storage.rows(connection, table) for table in (schema.events, schema.edges))
            memory = Memory(header.version, (tuple(row) for row in events), (tuple(row) for row in edges))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            sentence = f"is damaged: it holds what it cannot have been given ({error}); put a backup in its place"
            raise WorkspaceError(f"the workspace {self.database.target} {sentence}") from error
        self._load_texts(connection, header)
        with self.memory_lock:
            self.memory, self.header = memory, header

    def _load_texts(self, connection: Connection, header: storage.Header) -> None:
        texts = self._read_texts(connection)
        labels = journal.labels(connection, header.cursor)
        with self.memory_lock:
            self.header = header
            self.settings, self.configs = texts
            self.undo_label, self.redo_label = labels

    @staticmethod
    def _read_texts(connection: Connection) -> tuple[dict[str, str], dict[str, str]]:
        return storage.texts(connection, schema.settings), storage.texts(connection, schema.configs)

    def _catch_up(self, connection: Connection, stored: storage.Header) -> None:
        if stored.version != self.header.version:
            self._load(connection, stored)
        elif stored.revision != self.header.revision:
            self._load_texts(connection, stored)

    def refresh(self) -> bool:
        """Read again what others wrote; returns whether they wrote anything."""
        if not self._change_lock.acquire(blocking=False):
            return False  # Whoever changes something right now has caught up first.
        try:
            before = self.header.revision
            with self.database.reading() as connection:
                self._catch_up(connection, storage.read_header(connection))
            return self.header.revision != before
        finally:
            self._change_lock.release()

    @contextmanager
    def _turn(self) -> Iterator[_Turn]:
        """A write transaction on the newest state; once it is on disk, what `after` holds brings the memory up to it."""
        if self._owner == get_ident():
            raise WorkspaceError("a change of this workspace is open already; finish it before the next")
        with self._change_lock:
            self._owner = get_ident()
            try:
                with self.database.writing() as connection:
                    seen = self.memory
                    self._catch_up(connection, storage.read_header(connection, for_change=True))
                    turn = _Turn(connection, seen)
                    yield turn
                for action in turn.after:
                    action()
            finally:
                self._owner = None

    @contextmanager
    def change(self, label: str) -> Iterator[Draft]:
        """Collect edits, then write them in one transaction and as one entry of the journal."""
        with self._turn() as turn:
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
        with self._turn() as turn:
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

    def _record(self, turn: _Turn, change: Change, inverse: Change, cursor: int) -> None:
        header = self.header.after(cursor=cursor, spaces=change.spaces)
        storage.write_header(turn.connection, header)
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
        """Put a setting or config in the place of what was there; None removes it."""
        with self._turn() as turn:
            header = self.header._replace(revision=self.header.revision + 1)
            storage.write_text(turn.connection, table, key, value)
            storage.write_header(turn.connection, header)
            texts = self._read_texts(turn.connection)

            def follow() -> None:
                with self.memory_lock:
                    self.header = header
                    self.settings, self.configs = texts

            turn.after.append(follow)


@dataclass(slots=True)
class _Turn:
    """One write transaction: its connection, the memory as it was seen before, and what to do once it is on disk."""

    connection: Connection
    seen: Memory
    after: list[Callable[[], None]] = field(default_factory=list)
