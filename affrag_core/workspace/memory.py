"""The state of a workspace in memory: what readers see, kept equal to the last commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from affrag_core.events.edge import EdgeKey
from affrag_core.events.event import Event
from affrag_core.events.source import Changes
from affrag_core.workspace.change import Change
from affrag_core.workspace.log import ChangeLog, Step
from affrag_core.workspace.records import NOTHING, EdgeRow, EventRow
from affrag_core.workspace.tables import EdgeTable, EventTable


class View(Protocol):
    """Events and links as someone sees or saw them."""

    def event(self, event_id: str) -> Event | None:
        """The event of an id; None where there is none."""

    def attributes(self, key: EdgeKey) -> Mapping[str, Any] | None:
        """The attributes of a link; None where there is no such link."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A memory as it was before it followed what others did: itself, but for what they touched."""

    present: View
    events: Mapping[str, Event | None]
    edges: Mapping[EdgeKey, Mapping[str, Any] | None]

    def event(self, event_id: str) -> Event | None:
        """The event of an id; None where there was none."""
        return self.events[event_id] if event_id in self.events else self.present.event(event_id)

    def attributes(self, key: EdgeKey) -> Mapping[str, Any] | None:
        """The attributes of a link; None where there was no such link."""
        return self.edges[key] if key in self.edges else self.present.attributes(key)


class Memory:
    """Events and links at one version, and how they came to be so.

    Parameters
    ----------
    version : int
        The version of the rows.
    event_rows, edge_rows : iterables of rows, in order of place

    Raises
    ------
    KeyError, TypeError, ValueError, OverflowError
        If rows are not what this package wrote.
    """

    def __init__(self, version: int, event_rows: Iterable[EventRow] = (), edge_rows: Iterable[EdgeRow] = ()) -> None:
        self.events = EventTable(event_rows)
        self.edges = EdgeTable(edge_rows, self.events.ids)
        self._log = ChangeLog(version)

    def event(self, event_id: str) -> Event | None:
        """The event of an id; None where there is none."""
        return self.events.by_id.get(event_id)

    def attributes(self, key: EdgeKey) -> Mapping[str, Any] | None:
        """The attributes of a link; None where there is no such link."""
        return self.edges.attributes.get(key, NOTHING) if key in self.edges.places else None

    def follow(self, change: Change, inverse: Change, version: int) -> Earlier:
        """Apply what others did; returns this memory as it was before."""
        events = {row[1]: self.event(row[1]) for row in (*inverse.new_events, *change.changed_events, *change.new_events)}
        dropped = [_key(row, self.events.ids) for row in (*inverse.new_edges, *inverse.changed_edges)]
        edges = {key: self.attributes(key) for key in dropped}
        self.apply(change, inverse, version)
        for row in change.new_edges:
            edges.setdefault(_key(row, self.events.ids), None)
        return Earlier(self, events, edges)

    def apply(self, change: Change, inverse: Change, version: int) -> None:
        """Follow a committed change.

        Parameters
        ----------
        inverse : Change
            What the database gave back for it: its rows are those that went or were overwritten.
        version : int
            The version that the change led to.
        """
        ids = self.events.ids
        dropped_edges = [_key(row, ids) for row in inverse.new_edges]
        renamed = [(_key(old, ids), new) for old, new in zip(reversed(inverse.changed_edges), change.changed_edges, strict=True)]
        self.edges.drop(dropped_edges)
        self.events.drop(inverse.new_events)
        in_order = self.events.add(change.new_events)
        self.events.replace(change.changed_events)
        for old, new in renamed:
            in_order &= self.edges.rename(old, new, ids) == old
        added_edges, edges_in_order = self.edges.add(change.new_edges, ids)
        self._log.add(
            Step(
                version=version,
                dropped_events=tuple(row[1] for row in inverse.new_events),
                dropped_edges=tuple(dropped_edges),
                added_events=tuple(row[1] for row in change.new_events),
                added_edges=tuple(added_edges),
                replaced_events=tuple(row[1] for row in change.changed_events),
                in_order=in_order and edges_in_order,
            )
        )

    def changes_since(self, version: int) -> Changes | None:
        """Net changes after a version; None where they are not known."""
        return self._log.since(version, self.events.by_id, self.edges.of)


def _key(row: EdgeRow, ids: dict[int, str]) -> EdgeKey:
    return (ids[row[1]], ids[row[2]], row[3])
