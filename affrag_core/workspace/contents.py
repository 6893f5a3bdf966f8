"""Reading the events and links of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affrag_core.errors import UnknownEventError, shortened
from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.events.source import Changes

if TYPE_CHECKING:
    from affrag_core.workspace.state import DurableState


class Contents:
    """The part of `Workspace` that is read; nothing here waits for the disk."""

    _state: DurableState

    @property
    def target(self) -> str:
        """What was opened; a password in a URL is hidden."""
        return self._state.database.target

    @property
    def read_only(self) -> str | None:
        """Why the workspace can only be read, as a sentence; None where it may be changed.

        It was made by a newer version of the app, is damaged in part, or lies where nothing can be written.
        """
        return self._state.read_only

    @property
    def version(self) -> int:
        """Grows by one with every change of events, links or spaces, and is stored."""
        return self._state.header.version

    @property
    def semantic_space(self) -> str | None:
        """Name of the encoder that made the semantic vectors; None where unknown."""
        return self._state.header.semantic_space

    @property
    def emotional_space(self) -> str | None:
        """Name of what made the emotional vectors; None where unknown."""
        return self._state.header.emotional_space

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back; None if nothing."""
        return self._state.undo_label

    @property
    def redo_label(self) -> str | None:
        """What `redo` would do again; None if nothing."""
        return self._state.redo_label

    def __len__(self) -> int:
        return len(self._state.memory.events.by_id)

    def __bool__(self) -> bool:
        """True even when it holds no events, so that ``if workspace`` asks whether there is one."""
        return True

    @property
    def n_edges(self) -> int:
        """How many links there are."""
        return len(self._state.memory.edges.places)

    def events(self) -> tuple[Event, ...]:
        """All events in order of insertion; the same tuple until the next change."""
        with self._state.memory_lock:
            return self._state.memory.events.listed()

    def event(self, event_id: str) -> Event:
        """One event.

        Raises
        ------
        UnknownEventError
            If the id is not there.
        """
        try:
            return self._state.memory.events.by_id[event_id]
        except KeyError:
            raise UnknownEventError(f"there is no event {shortened(event_id)} in the workspace") from None

    def has_event(self, event_id: str) -> bool:
        """Whether the id is there."""
        return event_id in self._state.memory.events.by_id

    def edges(self) -> tuple[Edge, ...]:
        """All links in order of insertion; the same tuple until the next change."""
        with self._state.memory_lock:
            return self._state.memory.edges.listed()

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether a link with this source, target and relation is there."""
        return key in self._state.memory.edges.places

    def edges_of(self, event_id: str) -> list[Edge]:
        """Links out of and into an event, in order of insertion; a link to itself stands once."""
        self.event(event_id)
        with self._state.memory_lock:
            return self._state.memory.edges.of(self._state.memory.edges.touching(event_id))

    def changes_since(self, version: int) -> Changes | None:
        """Net changes after a version; None where they are not known and everything must be read again.

        An event that was deleted and added again stands in both `deleted_events` and `put_events`: delete first.
        """
        with self._state.memory_lock:
            return self._state.memory.changes_since(version)

    def events_put_since(self, version: int) -> frozenset[str] | None:
        """Ids of the events here that were added or changed after a version, also before the workspace was opened this time.

        None where that is not known: too long ago, or too much at once. It asks the database.
        """
        from affrag_core.workspace.change import places
        from affrag_core.workspace.steps import touched_events
        from affrag_core.workspace.storage import read_header

        with self._state.database.reading() as connection:
            found = touched_events(connection, version, read_header(connection).version)
        with self._state.memory_lock:
            ids = self._state.memory.events.ids
            return None if found is None else frozenset(ids[place] for place in places(found) if place in ids)
