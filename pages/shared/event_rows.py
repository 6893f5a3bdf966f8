"""Events as rows of a table and back: filtering, cells, and what a changed cell makes of its event. No Streamlit here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from affrag_core import DocumentKind, Emotion, Event, EventError, as_utc
from pages.shared.text import shortened

LABELS = {
    "id": "Id",
    "text": "Text",
    "timestamp": "Happened (UTC)",
    "valid_from": "True from (UTC)",
    "valid_until": "True until (UTC)",
    "kind": "Kind",
    "doc_type": "Type",
    "supersedes_id": "Replaces",
    "emotion": "Feeling",
    "metadata": "More (JSON)",
}
"""What a person calls each field of an event."""
KINDS = [kind.value for kind in DocumentKind]
TIMES = ("timestamp", "valid_from", "valid_until")
ORDERS = ("As added", "Newest first", "Oldest first")
_POINT = re.compile(r"\s*([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)\s*[,; ]\s*([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)\s*")


def time_text(moment: datetime | None) -> str:
    """A time as people write it, in UTC, exact to the microsecond: ``2024-01-31 18:00:00``."""
    return "" if moment is None else moment.isoformat(sep=" ").removesuffix("+00:00")


def read_time(text: str | None, field: str, event_id: str | None = None) -> datetime | None:
    """The time that a text names; None for a blank one. Raises EventError naming the field."""
    return as_utc(text, field=field, event_id=event_id) if text and text.strip() else None


def feeling_text(emotion: str | Emotion | None, *, brief: bool = False) -> str:
    """A feeling as its word, or as valence and arousal: ``0.4, -0.2``; three digits each for a brief look, else all."""
    if isinstance(emotion, Emotion):
        form = ".3g" if brief else ""
        return f"{emotion.valence:{form}}, {emotion.arousal:{form}}"
    return emotion or ""


def read_feeling(text: str | None) -> str | Emotion | None:
    """A word, or valence and arousal where the text is two numbers; None for a blank one."""
    point = _POINT.fullmatch(text or "")
    if point:
        return Emotion(float(point[1]), float(point[2]))
    return (text or "").strip() or None


def more_text(metadata: Mapping[str, Any]) -> str:
    """Metadata as JSON on one line, nothing for none."""
    return json.dumps(dict(metadata), ensure_ascii=False) if metadata else ""


def read_more(text: str | None, event_id: str | None = None) -> dict[str, Any]:
    """Metadata from JSON; empty for a blank text. Raises EventError where it is not one object."""
    if not text or not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise EventError(f"metadata must be JSON: {error}", field="metadata", event_id=event_id) from None
    if not isinstance(value, dict):
        shown = shortened(text, 60)
        raise EventError(f'metadata must be a JSON object such as {{"place": "Oslo"}}, got {shown}', field="metadata", event_id=event_id)
    return value


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number that JSON knows")


def event_cells(event: Event, *, most: int | None = None) -> dict[str, str]:
    """An event as one row by field name; `most` cuts its text and its numbers, for reading only."""
    return {
        "id": event.id,
        "text": event.text if most is None else shortened(event.text, most),
        "timestamp": time_text(event.timestamp),
        "valid_from": time_text(event.valid_from),
        "valid_until": time_text(event.valid_until),
        "kind": event.kind.value,
        "doc_type": event.doc_type,
        "supersedes_id": event.supersedes_id or "",
        "emotion": feeling_text(event.emotion, brief=most is not None),
        "metadata": more_text(event.metadata),
    }


def event_with_cells(event: Event, cells: Mapping[str, str | None]) -> Event:
    """The event after some of its cells were changed.

    Raises
    ------
    EventError
        Naming the event, the field, the rule and the value.
    """
    changes: dict[str, Any] = {}
    for field, value in cells.items():
        text = value or ""
        if field in TIMES:
            changes[field] = read_time(text, field, event.id)
        elif field == "emotion":
            changes[field] = read_feeling(text)
        elif field == "metadata":
            changes[field] = read_more(text, event.id)
        elif field == "supersedes_id":
            changes[field] = text.strip() or None
        else:
            changes[field] = text if field == "text" else text.strip() or ("general" if field == "doc_type" else text)
    return event.replace(**changes)


def matching(events: Sequence[Event], search: str, kinds: Collection[str], doc_types: Collection[str]) -> list[Event]:
    """Events whose id, text, type, feeling or metadata hold every word that is searched for, of the given kinds and types.

    Parameters
    ----------
    events : sequence of Event
    search : str
        Words apart by blanks, in any letter case; blank for all.
    kinds, doc_types : collection of str
        Empty for all.
    """
    words = search.casefold().split()
    return [
        event
        for event in events
        if (not kinds or event.kind.value in kinds) and (not doc_types or event.doc_type in doc_types) and _holds(event, words)
    ]


def _holds(event: Event, words: Iterable[str]) -> bool:
    if not words:
        return True
    parts = (event.id, event.text, event.doc_type, feeling_text(event.emotion), more_text(event.metadata))
    whole = " ".join(parts).casefold()
    return all(word in whole for word in words)


def ordered(events: Sequence[Event], order: str) -> list[Event]:
    """Events as added, or by time with the undated last."""
    if order == ORDERS[0]:
        return list(events)
    dated = [event for event in events if event.timestamp is not None]
    undated = [event for event in events if event.timestamp is None]
    return sorted(dated, key=lambda event: event.timestamp, reverse=order == ORDERS[1]) + undated


def free_id(taken: Callable[[str], bool], n_events: int) -> str:
    """The first of e1, e2, … behind the number of events that is not taken."""
    return next(name for n in count(n_events + 1) if not taken(name := f"e{n}"))
