"""A durable set of events and links, with undo."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Self

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.workspace.contents import Contents
from affrag_core.workspace.runs import StoredRuns
from affrag_core.workspace.settings import StoredSettings

if TYPE_CHECKING:
    from affrag_core.workspace.draft import Draft
    from affrag_core.workspace.state import DurableState


class Workspace(Contents, StoredSettings, StoredRuns):
    """Events, links, settings, configs and runs in one database; open it with `Workspace.open`.

    Every editing method is one transaction: it returns once the change is on disk, and leaves no trace if it raises. Reading asks the
    memory, never the disk. Threads may share one object. Several objects may share one file: each sees what others wrote after
    `refresh` or its own next change, and none overwrites what it has not seen.

    Examples
    --------
    >>> workspace = Workspace.open(":memory:")
    >>> workspace.add_events([Event(id="e1", text="Tea with Ada."), Event(id="e2", text="A walk home.")])
    >>> workspace.add_edges([Edge(source="e1", target="e2", relation="next")])
    >>> workspace.undo()
    'Add 1 link'
    >>> len(workspace), workspace.n_edges
    (2, 0)
    """

    def __init__(self, state: DurableState) -> None:
        self._state = state

    @classmethod
    def open(cls, target: str | Path, *, create: bool = True) -> Workspace:
        """Open a workspace, or make an empty one.

        Parameters
        ----------
        target : str or Path
            ``":memory:"``, a path to an SQLite file, or a SQLAlchemy URL.
        create : bool
            False refuses a target where there is none.

        Raises
        ------
        WorkspaceError
            If it is not there, locked, or not a workspace. One that is damaged in part, or was made by a newer version, is opened for
            reading; `read_only` says why.
        """
        from affrag_core.workspace.state import DurableState

        return cls(DurableState(target, create=create))

    def change(self, label: str) -> AbstractContextManager[Draft]:
        """Several edits as one: one transaction, one version, one undo.

        Examples
        --------
        >>> workspace = Workspace.open(":memory:")
        >>> with workspace.change("Load the demo") as draft:
        ...     draft.add_events([Event(id="e1", text="Tea with Ada.")])
        ...     draft.set_spaces(semantic="term-count")
        >>> workspace.undo_label
        'Load the demo'
        """
        return self._state.change(label)

    def add_events(self, events: Iterable[Event], *, update: bool = False) -> None:
        """Add events; with `update`, those whose ids are there are replaced in their places.

        Raises
        ------
        DuplicateError
            If an id is there and `update` is not set, or is given twice.
        EventError
            If a vector has another length than the workspace's, or metadata is not plain JSON.
        StaleError
            If an event to be replaced was changed elsewhere since this object last saw it.
        """
        events = list(events)
        with self.change(_label("Add", [event.id for event in events], "event")) as draft:
            draft.add_events(events, update=update)

    def update_events(self, events: Iterable[Event], *, seen: Iterable[Event] | None = None) -> None:
        """Replace events by those with the same ids.

        Parameters
        ----------
        events : iterable of Event
        seen : iterable of Event, optional
            The events as they were when the edit began, in a form for instance; by default, as this object last saw them.

        Raises
        ------
        UnknownEventError
            If an id is not there.
        StaleError
            If an event is no longer what was seen; it carries both.
        """
        events = list(events)
        with self.change(_label("Change", [event.id for event in events], "event")) as draft:
            draft.update_events(events, seen=seen)

    def delete_events(self, ids: Iterable[str], *, seen: Iterable[Event] | None = None) -> None:
        """Delete events and every link that touches them; `seen` and errors as in `update_events`."""
        ids = list(ids)
        with self.change(_label("Delete", ids, "event")) as draft:
            draft.delete_events(ids, seen=seen)

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Add links.

        Raises
        ------
        EventError
            If `source` or `target` is not an event of the workspace.
        DuplicateError
            If source, target and relation are there already.
        """
        edges = list(edges)
        with self.change(_label("Add", [None] * len(edges), "link")) as draft:
            draft.add_edges(edges)

    def update_edge(self, old_key: EdgeKey, edge: Edge) -> None:
        """Replace a link by another in its place; errors as in `add_edges`, and `UnknownEventError` where there is no such link."""
        with self.change("Change 1 link") as draft:
            draft.update_edge(old_key, edge)

    def delete_edges(self, keys: Iterable[EdgeKey]) -> None:
        """Delete links by source, target and relation; `UnknownEventError` where there is no such link."""
        keys = list(keys)
        with self.change(_label("Delete", [None] * len(keys), "link")) as draft:
            draft.delete_edges(keys)

    def set_spaces(self, *, semantic: str | EllipsisType | None = ..., emotional: str | EllipsisType | None = ...) -> None:
        """Name the vector spaces; one that is not given stays."""
        with self.change("Name the vector spaces") as draft:
            draft.set_spaces(semantic=semantic, emotional=emotional)

    def undo(self) -> str:
        """Take back the newest change, also one from before a restart; returns its label.

        Raises
        ------
        WorkspaceError
            If there is nothing to take back.
        StaleError
            If someone else changed the workspace since this object last saw it.
        """
        return self._state.travel(back=True)

    def redo(self) -> str:
        """Do the newest undone change again; returns its label. Errors as in `undo`."""
        return self._state.travel(back=False)

    def refresh(self) -> bool:
        """See what others wrote to the same database; returns whether they wrote anything."""
        return self._state.refresh()

    def close(self) -> None:
        """Let go of the database; calling it again does nothing."""
        self._state.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _label(verb: str, ids: list[str] | list[None], noun: str) -> str:
    if len(ids) == 1 and isinstance(ids[0], str):
        return f"{verb} {noun} {ids[0] if len(ids[0]) <= 40 else ids[0][:37] + '...'}"
    return f"{verb} {len(ids):,} {noun}{'' if len(ids) == 1 else 's'}"
