"""Whether vectors fit the workspace: within one space all have one length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from affrag_core.errors import EventError
from affrag_core.events.event import Event


def check_vector_lengths(given: Collection[Event], present: Mapping[str, Event], leaving: Collection[str]) -> None:
    """Refuse vectors of another length than the workspace's, semantic and emotional each for itself.

    Parameters
    ----------
    given : events to be added or to replace others
    present : events of the workspace by id
    leaving : ids of events that are deleted; replaced ones do not count either, so that all can be encoded anew at once

    Raises
    ------
    EventError
        Naming the first event that does not fit, and both lengths.
    """
    replaced = {event.id for event in given}.union(leaving)
    for field in ("semantic_vec", "emotional_vec"):
        new = [event for event in given if getattr(event, field) is not None]
        if not new:
            continue
        staying = _first_length((event for id_, event in present.items() if id_ not in replaced), field)
        expected = len(getattr(new[0], field)) if staying is None else staying
        for event in new:
            length = len(getattr(event, field))
            if length != expected:
                message = f"{field} must have {expected} numbers like the other events of the workspace, got {length}"
                raise EventError(message, field=field, event_id=event.id)


def _first_length(events: Iterable[Event], field: str) -> int | None:
    return next((len(vector) for event in events if (vector := getattr(event, field)) is not None), None)
