"""The changes of a workspace: every commit goes through here, and memory follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import get_ident

from sqlalchemy import Connection, Table

from affrag_core.errors import StaleError, WorkspaceError
from affrag_core.workspace import journal, steps, storage
from affrag_core.workspace.change import Change
from affrag_core.workspace.draft import Draft
from affrag_core.workspace.held import HeldState
from affrag_core.workspace.kept import read_kept
from affrag_core.workspace.memory import View


@dataclass(slots=True)
class Turn:
    """One write transaction: its connection, the workspace as it was seen before, and what to do once it is on disk."""

    connection: Connection
    seen: View
    after: list[Callable[[], None]] = field(default_factory=list)


class DurableState(HeldState):
    """What the database holds, and how it is changed."""

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
        # A label may hold a file's name, which may hold anything.
        label = label.replace("\0", "").encode(errors="replace").decode()
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

    def fill(self, write: Callable[[Connection], storage.Header], *, read: bool = True) -> None:
        """Write all of a workspace that holds nothing yet, in one transaction.

        Parameters
        ----------
        write : callable
            Adds the rows and returns the header.
        read : bool
            Read them into memory; False where this object is closed next.
        """
        with self.turn() as turn:
            if self.header.revision:
                raise WorkspaceError(f"the workspace {self.database.target} holds something already; import into an empty one")
            storage.write_header(turn.connection, write(turn.connection))
            if read:
                turn.after.append(self._load_all)

    def forget_history(self) -> None:
        """Forget what undo and redo would do."""
        with self.turn() as turn:
            header = self.header._replace(cursor=0, revision=self.header.revision + 1)
            journal.forget(turn.connection)
            storage.write_header(turn.connection, header)
            turn.after.append(self._load_all)
