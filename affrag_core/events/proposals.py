"""Rules that propose edges, for events that came without any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event

NEXT_IN_TIME = "next in time"
DAY = "day"
"""Groups events by the day they happened on, in UTC."""


def next_in_time(events: Iterable[Event], *, within: str | None = None, relation: str = NEXT_IN_TIME) -> list[Edge]:
    """Link each event to the next in time; equal times keep the order given.

    Parameters
    ----------
    events : iterable of Event
    within : str, optional
        Only among events of the same value: ``"day"`` (in UTC), ``"doc_type"``, ``"kind"``, ``"emotion"`` (its word) or a key of the
        metadata.
    relation : str
        Of the new edges.

    Returns
    -------
    list of Edge
        In order of time, group by group as they first appear. Events without a time, or without a value for `within`,
        are in none: `left_out` counts them.
    """
    groups: dict[Any, list[tuple[datetime, str]]] = {}
    for event in events:
        group = _group(event, within)
        if event.timestamp is not None and group is not None:
            groups.setdefault(group, []).append((event.timestamp, event.id))
    edges = []
    for members in groups.values():
        members.sort(key=lambda member: member[0])
        for (_, source), (_, target) in pairwise(members):
            edges.append(Edge(source=source, target=target, relation=relation))
    return edges


def left_out(events: Iterable[Event], *, within: str | None = None) -> dict[str, int]:
    """How many events `next_in_time` cannot link, by reason: without a time, without a value for `within`, alone with its value."""
    counts: Counter[str] = Counter()
    sizes: Counter[Any] = Counter()
    for event in events:
        group = _group(event, within)
        if event.timestamp is None:
            counts["without a time"] += 1
        elif group is None:
            counts[f"without {within}"] += 1
        else:
            sizes[group] += 1
    alone = sum(size == 1 for size in sizes.values())
    return dict(counts) | ({"with none to follow": alone} if alone else {})


def link_columns(events: Sequence[Event]) -> list[str]:
    """What events may be linked within: fields and keys of the metadata that at least two dated events share a value of."""
    names = dict.fromkeys([DAY, "doc_type", "kind", "emotion", *(key for event in events for key in event.metadata)])
    dated = [event for event in events if event.timestamp is not None]
    return [name for name in names if _is_useful([_group(event, name) for event in dated])]


def _is_useful(groups: Sequence[Any]) -> bool:
    given = [group for group in groups if group is not None]
    return 1 < len(set(given)) < len(given)


def _group(event: Event, within: str | None) -> Any:
    """What is equal for events of one group; None where there is no value. Values that are lists or objects are none."""
    if within is None:
        return ()
    if within == DAY:
        return None if event.timestamp is None else event.timestamp.date()
    value = getattr(event, within) if within in ("doc_type", "kind", "emotion") else event.metadata.get(within)
    if within == "kind":
        return event.kind.value
    return (type(value).__name__, value) if isinstance(value, (str, int, float)) and value != "" else None
