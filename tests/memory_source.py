"""Events and edges held in two dicts: the least that `Retriever` can read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.events.source import Changes

Numbered = dict[Any, tuple[int, Any]]
"""Key to a number that no other insertion has, and what was inserted."""


class MemorySource:
    """An `EventSource` that keeps every version it had, and tells changes by comparing two of them.

    Parameters
    ----------
    events, edges : iterables of Event and Edge
    remembers : bool
        False answers every question about changes with None, as a workspace does that has been away for too long.
    """

    semantic_space = "made up"
    emotional_space = None

    def __init__(self, events: Iterable[Event] = (), edges: Iterable[Edge] = (), *, remembers: bool = True) -> None:
        self._history: list[tuple[Numbered, Numbered]] = [({}, {})]
        self._inserted = 0
        self._remembers = remembers
        self.change(put=events, link=edges)

    @property
    def version(self) -> int:
        return len(self._history) - 1

    def events(self) -> list[Event]:
        return [event for _, event in self._history[-1][0].values()]

    def edges(self) -> list[Edge]:
        return [edge for _, edge in self._history[-1][1].values()]

    def change(
        self, *, put: Iterable[Event] = (), delete: Iterable[str] = (), link: Iterable[Edge] = (), unlink: Iterable[EdgeKey] = ()
    ) -> None:
        """One version more: deletions first; an event that is there is replaced in its place, an edge that is there stays."""
        events, edges = (dict(part) for part in self._history[-1])
        for event_id in delete:
            del events[event_id]
        for key in [key for key in edges if key in set(unlink) or not {key[0], key[1]} <= events.keys()]:
            del edges[key]
        for event in put:
            self._inserted += 1
            events[event.id] = (events.get(event.id, (self._inserted, None))[0], event)
        for edge in link:
            self._inserted += 1
            edges.setdefault(edge.key, (self._inserted, edge))
        self._history.append((events, edges))

    def changes_since(self, version: int) -> Changes | None:
        if not self._remembers:
            return None
        (events, edges), (events_then, edges_then) = self._history[-1], self._history[version]
        return Changes(
            put_events=tuple(event for key, (number, event) in events.items() if events_then.get(key) != (number, event)),
            deleted_events=_gone(events_then, events),
            put_edges=tuple(edge for key, (number, edge) in edges.items() if edges_then.get(key, (0,))[0] != number),
            deleted_edges=_gone(edges_then, edges),
        )


def _gone(then: Numbered, now: Numbered) -> frozenset[Any]:
    return frozenset(key for key, (number, _) in then.items() if now.get(key, (0,))[0] != number)
