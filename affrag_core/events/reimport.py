"""What bringing a file in again would change, before it does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from affrag_core.events.event import Event

_MADE_FROM = {"semantic_vec": "text", "emotional_vec": "emotion"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Events of a file beside those that are there, by id.

    Parameters
    ----------
    added, unchanged : tuple of Event
    changed : tuple of (Event, Event, tuple of str)
        Before, after, and the names of the fields that differ.
    missing : tuple of Event
        There, and not in the file: kept, unless a person says that the file is the whole truth.
    """

    added: tuple[Event, ...]
    changed: tuple[tuple[Event, Event, tuple[str, ...]], ...]
    unchanged: tuple[Event, ...]
    missing: tuple[Event, ...]

    @property
    def sentence(self) -> str:
        """The counts in words."""
        counts = {"new": self.added, "changed": self.changed, "unchanged": self.unchanged, "only here": self.missing}
        return ", ".join(f"{len(rows):,} {word}" for word, rows in counts.items())


def compare_events(existing: Iterable[Event], incoming: Iterable[Event]) -> Comparison:
    """Compare a file's events with those that are there.

    A vector that the file does not bring does not count as changed, and the event keeps its own unless its text or feeling changed.

    Parameters
    ----------
    existing, incoming : iterable of Event
        Ids are unique within each.
    """
    here = {event.id: event for event in existing}
    added, changed, unchanged = [], [], []
    seen = set()
    for event in incoming:
        seen.add(event.id)
        old = here.get(event.id)
        if old is None:
            added.append(event)
            continue
        new = _with_kept_vectors(old, event)
        names = changed_fields(old, new)
        if names:
            changed.append((old, new, names))
        else:
            unchanged.append(old)
    return Comparison(tuple(added), tuple(changed), tuple(unchanged), tuple(e for e in here.values() if e.id not in seen))


def changed_fields(old: Event, new: Event) -> tuple[str, ...]:
    """Names of the fields in which two events differ."""
    return tuple(field.name for field in fields(Event) if not _same(getattr(old, field.name), getattr(new, field.name)))


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    return bool(a == b)


def _with_kept_vectors(old: Event, new: Event) -> Event:
    kept = {
        name: getattr(old, name)
        for name, source in _MADE_FROM.items()
        if getattr(new, name) is None and getattr(old, name) is not None and getattr(old, source) == getattr(new, source)
    }
    return new.replace(**kept) if kept else new
