"""One change in the making: checked against the workspace as it is, and written all at once or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import EllipsisType

from affrag_core.errors import DuplicateError, EventError, StaleError, UnknownEventError, shortened
from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.workspace.change import Change, Spaces, ranges
from affrag_core.workspace.fit import check_vector_lengths
from affrag_core.workspace.memory import Memory, View
from affrag_core.workspace.plain_json import storable_text
from affrag_core.workspace.records import EdgeRow, EventRow, attributes_text, event_row


class Draft:
    """Collects edits of events and links; an event or link may be edited once, and deleted before it is added anew.

    Parameters
    ----------
    memory : Memory
        The workspace as it is.
    seen : View
        The workspace as its user last saw it: another object if someone else wrote since.
    spaces : pair of str or None
        Present names of the vector spaces.
    """

    def __init__(self, memory: Memory, seen: View, spaces: Spaces) -> None:
        self._memory, self._seen = memory, seen
        self._spaces = self._spaces_before = spaces
        self._given: dict[str, Event] = {}
        self._new_events: dict[str, EventRow] = {}
        self._changed_events: dict[str, EventRow] = {}
        self._dropped_events: dict[str, int] = {}
        self._new_edges: dict[EdgeKey, EdgeRow] = {}
        self._changed_edges: dict[EdgeKey, EdgeRow] = {}
        self._dropped_edges: dict[EdgeKey, int] = {}
        self._moved_edges: set[EdgeKey] = set()
        self._edited_ends: set[str] = set()
        self._relations: set[str] = set()
        self._next_event, self._next_edge = memory.events.next_place, memory.edges.next_place

    def add_events(self, events: Iterable[Event], *, update: bool = False) -> None:
        """Add events; with `update`, an id that is there is replaced, else it is refused."""
        for event in events:
            if not self._has_event(event.id):
                self._new_events[event.id] = event_row(self._next_event, event)
                self._given[event.id] = event
                self._next_event += 1
            elif update or event.id in self._given:
                self._replace(event, None)
            else:
                raise DuplicateError(f"the event {shortened(event.id)} is there already; update it, or choose another id")

    def update_events(self, events: Iterable[Event], *, seen: Iterable[Event] | None = None) -> None:
        """Replace events by those with the same ids; with `seen`, only if they still are what was seen."""
        known = None if seen is None else {event.id: event for event in seen}
        for event in events:
            self._replace(event, known)

    def delete_events(self, ids: Iterable[str], *, seen: Iterable[Event] | None = None) -> None:
        """Delete events and their links; with `seen`, only if they still are what was seen."""
        known = None if seen is None else {event.id: event for event in seen}
        for id_ in ids:
            if id_ in self._given or id_ in self._edited_ends:
                raise DuplicateError(f"the event {shortened(id_)} is edited and deleted in one change; do one of them")
            self._check_still(id_, known)
            self._dropped_events[id_] = self._memory.events.places[id_]
            for key in self._memory.edges.touching(id_):
                if key not in self._moved_edges:
                    self._dropped_edges[key] = self._memory.edges.places[key]

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Add links between events that are there."""
        for edge in edges:
            key = edge.key
            if self._has_edge(key):
                raise DuplicateError(f"the link {named(key)} is there already; leave it out, or give it another relation")
            self._new_edges[key] = self._edge_row(self._next_edge, edge)
            self._next_edge += 1

    def update_edge(self, old_key: EdgeKey, edge: Edge) -> None:
        """Replace a link by another in its place; its ends and relation may change."""
        place = self._place_of(old_key, edge)
        if edge.key != old_key and self._has_edge(edge.key):
            raise DuplicateError(f"the link {named(edge.key)} is there already; delete one of them")
        self._changed_edges[edge.key] = self._edge_row(place, edge)
        self._moved_edges.add(old_key)

    def delete_edges(self, keys: Iterable[EdgeKey]) -> None:
        """Delete links."""
        for key in keys:
            self._dropped_edges[key] = self._place_of(key)

    def set_spaces(self, *, semantic: str | EllipsisType | None = ..., emotional: str | EllipsisType | None = ...) -> None:
        """Name the vector spaces; a name that is not given stays."""
        for name in (semantic, emotional):
            if isinstance(name, str):
                storable_text(name, field="the name of a space")
        old_semantic, old_emotional = self._spaces
        self._spaces = (old_semantic if semantic is ... else semantic, old_emotional if emotional is ... else emotional)

    def finish(self) -> Change:
        """The whole change.

        Raises
        ------
        EventError
            If a vector has another length than the workspace's.
        """
        check_vector_lengths(self._given.values(), self._memory.events.by_id, self._dropped_events)
        return Change(
            drop_events=ranges(self._dropped_events.values()),
            drop_edges=ranges(self._dropped_edges.values()),
            new_events=list(self._new_events.values()),
            new_edges=list(self._new_edges.values()),
            changed_events=list(self._changed_events.values()),
            changed_edges=list(self._changed_edges.values()),
            spaces=None if self._spaces == self._spaces_before else self._spaces,
        )

    def _replace(self, event: Event, known: Mapping[str, Event] | None) -> None:
        if event.id in self._given:
            raise DuplicateError(f"the event {shortened(event.id)} is given twice in one change; keep one")
        self._check_still(event.id, known, event)
        self._changed_events[event.id] = event_row(self._memory.events.places[event.id], event)
        self._given[event.id] = event

    def _check_still(self, id_: str, known: Mapping[str, Event] | None, given: Event | None = None) -> None:
        stored = None if id_ in self._dropped_events else self._memory.events.by_id.get(id_)
        seen = known[id_] if known is not None and id_ in known else self._seen.event(id_)
        if stored is None and (seen is None or id_ in self._dropped_events):
            raise UnknownEventError(f"there is no event {shortened(id_)} in the workspace")
        if stored is not seen and stored != seen:
            what = "deleted" if stored is None else "changed"
            message = f"the event {shortened(id_)} was {what} elsewhere since you last saw it; look at it again, then decide"
            raise StaleError(message, stored=stored, given=given)

    def _has_event(self, id_: str) -> bool:
        return id_ in self._new_events or (id_ in self._memory.events.by_id and id_ not in self._dropped_events)

    def _has_edge(self, key: EdgeKey) -> bool:
        stays = key in self._memory.edges.places and key not in self._dropped_edges and key not in self._moved_edges
        return stays or key in self._new_edges or key in self._changed_edges

    def _place_of(self, key: EdgeKey, given: Edge | None = None) -> int:
        if any(key in edited for edited in (self._dropped_edges, self._moved_edges, self._new_edges, self._changed_edges)):
            raise DuplicateError(f"the link {named(key)} is edited twice in one change; do one of them")
        stored, seen = self._memory.attributes(key), self._seen.attributes(key)
        if stored is None and seen is None:
            raise UnknownEventError(f"there is no link {named(key)} in the workspace")
        if stored is None or (seen is not None and stored != seen):
            what = "deleted" if stored is None else "changed"
            message = f"the link {named(key)} was {what} elsewhere since you last saw it; look at it again, then decide"
            raise StaleError(message, stored=next(iter(self._memory.edges.of([key])), None) if stored is not None else None, given=given)
        return self._memory.edges.places[key]

    def _edge_row(self, place: int, edge: Edge) -> EdgeRow:
        if edge.relation not in self._relations:
            self._relations.add(storable_text(edge.relation, field="relation", event_id=edge.source))
        row = (place, self._end(edge, "source"), self._end(edge, "target"), edge.relation, attributes_text(edge))
        self._edited_ends.update((edge.source, edge.target))
        return row

    def _end(self, edge: Edge, field: str) -> int:
        id_ = edge.source if field == "source" else edge.target
        if id_ in self._new_events:
            return int(self._new_events[id_][0])
        if id_ in self._dropped_events or id_ not in self._memory.events.places:
            message = f"{field} must be an event of the workspace, got {shortened(id_)} in the link {named(edge.key)}"
            raise EventError(message, field=field, event_id=id_)
        return self._memory.events.places[id_]


def named(key: EdgeKey) -> str:
    """A link for a message."""
    return f"{shortened(key[0])} → {shortened(key[1])} ({key[2]})"
