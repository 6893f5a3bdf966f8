"""Fill in the vectors that events came without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affrag_core.encoders.cache import VectorCache, encode_cached
from affrag_core.encoders.emotions import EMOTION_SPACE, emotion_vector
from affrag_core.encoders.protocol import Cancelled, Encoder, Progress
from affrag_core.events.event import Event
from affrag_core.events.vectors import FloatArray


def emotional_vec_of(event: Event) -> FloatArray | None:
    """An event's emotional vector: as given, else made from its emotion, else None.

    Raises
    ------
    EventError
        If its emotion is a word that is not known.
    """
    if event.emotional_vec is not None or event.emotion is None:
        return event.emotional_vec
    return emotion_vector(event.emotion, event_id=event.id)


def with_emotional_vectors(events: Iterable[Event], *, space: str | None = EMOTION_SPACE) -> list[Event]:
    """The same events, each with the vector that `emotional_vec_of` gives.

    Parameters
    ----------
    events : iterable of Event
    space : str, optional
        The emotional space of the workspace they go to; in any other than `EMOTION_SPACE` nothing is made, as the vectors would not
        compare. None counts as `EMOTION_SPACE`.

    Raises
    ------
    EventError
        If an emotion is a word that is not known.
    """
    if space not in (None, EMOTION_SPACE):
        return list(events)
    return [_filled(event, "emotional_vec", emotional_vec_of(event)) for event in events]


def with_semantic_vectors(
    events: Sequence[Event],
    encoder: Encoder,
    cache: VectorCache | None = None,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> list[Event]:
    """The same events; those without a semantic vector get that of their text.

    Parameters
    ----------
    events : sequence of Event
    encoder, cache, progress, cancelled
        As in `encode_cached`. The encoder is not asked for anything, nor loaded, when no event lacks a vector.

    Raises
    ------
    CancelledError
        When `cancelled` says so; no event is changed then.
    """
    missing = [event.text for event in events if event.semantic_vec is None]
    if not missing:
        return list(events)
    rows = iter(encode_cached(encoder, missing, cache, progress, cancelled))
    return [event if event.semantic_vec is not None else _filled(event, "semantic_vec", next(rows)) for event in events]


def _filled(event: Event, name: str, vector: FloatArray | None) -> Event:
    return event if vector is getattr(event, name) else event.replace(**{name: vector})
