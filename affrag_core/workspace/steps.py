"""What each version touched, so that others who have the workspace open can follow without reading all of it again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from affrag_core.workspace import schema, storage
from affrag_core.workspace.change import Change, Ranges, places, ranges
from affrag_core.workspace.memory import Memory
from affrag_core.workspace.records import EdgeRow

MAX_STEPS = 256
"""How many versions back are told."""
MAX_RUNS = 2_000
"""A change that touched more separate runs of places than this is not told."""
MAX_PLACES = 20_000
"""With more places than this, reading everything again is no slower."""


def write(connection: Connection, version: int, change: Change, inverse: Change) -> None:
    """Note what led to a version."""
    touched = {
        "events": [*change.drop_events, *inverse.drop_events, *ranges(row[0] for row in change.changed_events)],
        "edges": [*change.drop_edges, *inverse.drop_edges, *ranges(row[0] for row in change.changed_edges)],
    }
    few = sum(len(runs) for runs in touched.values()) <= MAX_RUNS
    text = json.dumps(touched, separators=(",", ":")) if few else None
    connection.execute(insert(schema.steps).values(version=version, touched=text))
    connection.execute(delete(schema.steps).where(schema.steps.c.version <= version - MAX_STEPS))


def missed(connection: Connection, memory: Memory, known: int, newest: int) -> tuple[Change, Change] | None:
    """What others did between two versions, as one change and its inverse for `Memory.apply`.

    Parameters
    ----------
    memory : Memory
        At version `known`.
    newest : int
        The version that the connection sees.

    Returns
    -------
    pair of Change, or None
        None where it is not told, or too much.
    """
    steps = _told(connection, known, newest)
    if steps is None:
        return None
    event_runs, edge_runs = (_runs(step[name] for step in steps) for name in ("events", "edges"))
    if sum(last - first + 1 for first, last in event_runs + edge_runs) > MAX_PLACES:
        return None
    return _difference(connection, memory, _merged(event_runs), _merged(edge_runs))


def touched_events(connection: Connection, known: int, newest: int) -> Ranges | None:
    """Places of the events that were added, changed or deleted between two versions; None where it is not told any more."""
    steps = _told(connection, known, newest)
    return None if steps is None else _merged(_runs(step["events"] for step in steps))


def _told(connection: Connection, known: int, newest: int) -> list[dict[str, Any]] | None:
    if not 0 <= newest - known <= MAX_STEPS:
        return None
    query = select(schema.steps.c.touched).where(schema.steps.c.version.between(known + 1, newest))
    told = list(connection.execute(query).scalars())
    if len(told) != newest - known or None in told:
        return None
    return [json.loads(text) for text in told if text is not None]


def _runs(steps: Iterable[list[list[int]]]) -> list[tuple[int, int]]:
    return [(first, last) for step in steps for first, last in step]


def _merged(runs: Iterable[tuple[int, int]]) -> Ranges:
    return ranges(set(places(tuple(runs))))


def _difference(connection: Connection, memory: Memory, touched_events: Ranges, touched_edges: Ranges) -> tuple[Change, Change]:
    rows = {row[0]: row for row in storage.rows_at(connection, schema.events, touched_events)}
    before = {place: memory.events.ids[place] for place in places(touched_events) if place in memory.events.ids}
    stays = {place for place, id_ in before.items() if place in rows and rows[place][1] == id_}
    edge_rows = {row[0]: row for row in storage.rows_at(connection, schema.edges, touched_edges)}
    edges_before = _edge_rows(memory, touched_edges)
    gone = before.keys() - stays
    kept = {
        place
        for place, row in edges_before.items()
        if place in edge_rows and edge_rows[place][1:4] == row[1:4] and gone.isdisjoint(row[1:3])
    }
    change = Change(
        drop_events=ranges(before.keys() - stays),
        drop_edges=ranges(edges_before.keys() - kept),
        new_events=[row for place, row in rows.items() if place not in stays],
        new_edges=[row for place, row in edge_rows.items() if place not in kept],
        changed_events=[rows[place] for place in sorted(stays)],
        changed_edges=[edge_rows[place] for place in sorted(kept)],
    )
    inverse = Change(
        new_events=[(place, id_) for place, id_ in before.items() if place not in stays],
        new_edges=[row for place, row in edges_before.items() if place not in kept],
        changed_edges=[edges_before[place] for place in sorted(kept, reverse=True)],
    )
    return change, inverse


def _edge_rows(memory: Memory, touched: Ranges) -> dict[int, EdgeRow]:
    """Rows of the links in memory that are at some places, without their attributes."""
    wanted = set(places(touched))
    if not wanted:
        return {}
    place_of: dict[str, Any] = memory.events.places
    found = ((place, key) for key, place in memory.edges.places.items() if place in wanted)
    return {place: (place, place_of[key[0]], place_of[key[1]], key[2], None) for place, key in found}
