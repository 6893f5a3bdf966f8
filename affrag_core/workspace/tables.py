"""Events and links held in memory in order of insertion, built from rows of the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.workspace.records import EdgeRow, EventRow, edges_from_keys, event_from_row, mapping_from_text


class EventTable:
    """Events by id; `places` and `ids` translate between ids and the places that links use."""

    def __init__(self, rows: Iterable[EventRow] = ()) -> None:
        self.by_id: dict[str, Event] = {}
        self.places: dict[str, int] = {}
        self.ids: dict[int, str] = {}
        self._listed: tuple[Event, ...] | None = None
        self.add(rows)

    @property
    def next_place(self) -> int:
        """The place after the last."""
        return next(reversed(self.places.values()), 0) + 1

    def listed(self) -> tuple[Event, ...]:
        """All events; the same tuple until the next change."""
        if self._listed is None:
            self._listed = tuple(self.by_id.values())
        return self._listed

    def add(self, rows: Iterable[EventRow]) -> bool:
        """Take rows in; returns whether all of them came after the last event."""
        last, in_order = self.next_place - 1, True
        for row in rows:
            event = event_from_row(row)
            self.by_id[event.id], self.places[event.id], self.ids[row[0]] = event, row[0], event.id
            in_order, last = in_order and row[0] > last, row[0]
        if not in_order:
            self.places = dict(sorted(self.places.items(), key=itemgetter(1)))
            self.by_id = {id_: self.by_id[id_] for id_ in self.places}
        self._listed = None
        return in_order

    def replace(self, rows: Iterable[EventRow]) -> None:
        """Put events in the places of those with the same ids."""
        for row in rows:
            self.by_id[row[1]] = event_from_row(row)
        self._listed = None

    def drop(self, rows: Iterable[EventRow]) -> None:
        """Let events go."""
        for row in rows:
            del self.by_id[row[1]], self.places[row[1]], self.ids[row[0]]
        self._listed = None


class EdgeTable:
    """Links by key. `Edge` objects and the links of each event are made when they are first asked for."""

    def __init__(self, rows: Iterable[EdgeRow] = (), ids: Mapping[int, str] | None = None) -> None:
        self.places: dict[EdgeKey, int] = {}
        self.attributes: dict[EdgeKey, Mapping[str, Any]] = {}
        self._listed: tuple[Edge, ...] | None = None
        self._touching: dict[str, list[EdgeKey]] | None = None
        self.add(rows, ids or {})

    @property
    def next_place(self) -> int:
        """The place after the last."""
        return next(reversed(self.places.values()), 0) + 1

    def listed(self) -> tuple[Edge, ...]:
        """All links; the same tuple until the next change."""
        if self._listed is None:
            self._listed = tuple(self.of(self.places))
        return self._listed

    def of(self, keys: Iterable[EdgeKey]) -> list[Edge]:
        """The links of some keys."""
        return edges_from_keys(keys, self.attributes)

    def touching(self, event_id: str) -> list[EdgeKey]:
        """Keys of the links out of and into an event, a link to itself once, in order of insertion."""
        if self._touching is None:
            self._touching = {}
            self._note(self.places)
        return self._touching.get(event_id, [])

    def _note(self, keys: Iterable[EdgeKey]) -> None:
        if self._touching is not None:
            for key in keys:
                self._touching.setdefault(key[0], []).append(key)
                if key[0] != key[1]:
                    self._touching.setdefault(key[1], []).append(key)

    def add(self, rows: Iterable[EdgeRow], ids: Mapping[int, str]) -> tuple[list[EdgeKey], bool]:
        """Take rows in; returns their keys and whether all of them came after the last link."""
        last = self.next_place - 1
        relations: dict[str, str] = {}
        new: dict[EdgeKey, int] = {}
        for place, source, target, relation, attributes in rows:
            # One text object for each relation instead of one for each link.
            key = (ids[source], ids[target], relations.setdefault(relation, relation))
            new[key] = place
            if attributes is not None:
                self.attributes[key] = mapping_from_text(attributes)
        first = next(iter(new.values()), last + 1)
        self.places.update(new)
        if first > last:
            self._note(new)
            if self._listed is not None:
                self._listed += tuple(self.of(new))
        else:
            self._sort()
        return list(new), first > last

    def drop(self, keys: Iterable[EdgeKey]) -> None:
        """Let links go."""
        gone = set(keys)
        if not gone:
            return
        if self._listed is not None:
            self._listed = tuple(edge for key, edge in zip(self.places, self._listed, strict=True) if key not in gone)
        for key in gone:
            del self.places[key]
            self.attributes.pop(key, None)
        if self._touching is not None:
            for event_id in {end for key in gone for end in key[:2]}:
                self._touching[event_id] = [key for key in self._touching[event_id] if key not in gone]

    def rename(self, old: EdgeKey, row: EdgeRow, ids: Mapping[int, str]) -> EdgeKey:
        """Put a link in the place of another; returns its key."""
        place, source, target, relation, attributes = row
        key = (ids[source], ids[target], relation)
        self.attributes.pop(old, None)
        if attributes is not None:
            self.attributes[key] = mapping_from_text(attributes)
        if key != old:
            del self.places[old]
            self.places[key] = place
            self._sort()
        self._listed = None
        return key

    def _sort(self) -> None:
        self.places = dict(sorted(self.places.items(), key=itemgetter(1)))
        self._listed = self._touching = None
