"""Giving events the vectors that retrieval needs, in a thread. No Streamlit here.

All vectors of one piece of work are written in one step, so that two models never lie side by side. What was encoded before a stop
lies in the cache on disk, and what can be kept of it is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pages.shared.encoder_shelf import BUNDLED, TERM_COUNT

if TYPE_CHECKING:
    from affrag_core import Encoder, Event, FloatArray, VectorCache, Workspace
    from pages.shared.encoder_shelf import EncoderShelf
    from pages.shared.jobs import Job

BATCH = 32
"""Texts between two looks at whether to stop; fewer than this are lost when it does."""
VECTORS_LABEL = "Make vectors"
"""Begins the label of a change that only gave events their vectors; undo takes it back together with the change before it."""
Work = Callable[["Job"], str]


def with_feeling_vector(event: Event, space: str | None) -> tuple[Event, str | None]:
    """The event with the vector of its feeling, and a sentence where none could be made."""
    from affrag_core import EMOTION_SPACE, EventError, emotion_vector

    if event.emotion is None or event.emotional_vec is not None or space not in (None, EMOTION_SPACE):
        return event, None
    try:
        return event.replace(emotional_vec=emotion_vector(event.emotion, event_id=event.id)), None
    except EventError as error:
        return event, f"{error}. The event keeps the word, but links cannot weigh its feeling."


def without_stale_vectors(old: Event, new: Event, *, text_is_encoded: bool) -> Event:
    """The changed event without the vectors that its new text and feeling no longer match.

    A vector that came with a file stays (`text_is_encoded` false), as nothing here could make another.
    """
    if text_is_encoded and new.text != old.text:
        new = new.replace(semantic_vec=None)
    if new.emotion != old.emotion:
        new = new.replace(emotional_vec=None)
    return new


def model_of_space(ws: Workspace) -> str | None:
    """What makes the workspace's semantic vectors, as a person named it; None where its vectors came with a file."""
    space = ws.semantic_space
    if space is None:
        return ws.setting("encoder")
    if space == BUNDLED:
        return BUNDLED
    if space.startswith(TERM_COUNT):
        return TERM_COUNT
    return (ws.setting("models") or {}).get(space)


def filling(ws: Workspace, model: str, shelf: EncoderShelf, cache: VectorCache) -> Work:
    """Work that gives every event without a semantic vector that of its text."""
    if model == TERM_COUNT:
        return lambda job: _count_terms(ws, job)
    return lambda job: _fill(ws, model, shelf.wait(model, job.cancelled), cache, job)


def changing_model(ws: Workspace, model: str, shelf: EncoderShelf, cache: VectorCache) -> Work:
    """Work that makes all semantic vectors anew with another model and changes over in one step at its end."""
    if model == TERM_COUNT:
        return lambda job: _count_terms(ws, job)
    return lambda job: _encode_all(ws, model, shelf.wait(model, job.cancelled), cache, job)


def _fill(ws: Workspace, model: str, encoder: Encoder, cache: VectorCache, job: Job) -> str:
    from affrag_core import CancelledError, with_semantic_vectors

    missing = [event for event in ws.events() if event.semantic_vec is None]
    filled: list[Event] = []
    try:
        for start in range(0, len(missing), BATCH):

            def progress(n_done: int, _: int, start: int = start) -> None:
                job.advance(start + n_done, len(missing))

            batch = missing[start : start + BATCH]
            filled += with_semantic_vectors(batch, encoder, cache, progress=progress, cancelled=job.cancelled)
    except CancelledError:
        n_kept = _write(ws, missing, filled, model, encoder.name)
        raise CancelledError(f"Stopped; {n_kept:,} of {len(missing):,} vectors were made and kept.") from None
    return f"{_write(ws, missing, filled, model, encoder.name):,} vectors were made with {encoder.name}."


def _encode_all(ws: Workspace, model: str, encoder: Encoder, cache: VectorCache, job: Job) -> str:
    from affrag_core import encode_cached

    events = ws.events()
    rows = encode_cached(encoder, [event.text for event in events], cache, job.advance, job.cancelled) if events else []
    n_made = _write(ws, events, _with_rows(events, rows), model, encoder.name)
    return f"{n_made:,} vectors were made anew with {encoder.name}."


def _count_terms(ws: Workspace, job: Job) -> str:
    from affrag_core import TermCountEncoder, term_slots

    events = ws.events()
    # The vocabulary decides every number: all events are counted over the same one, and its digest names the space.
    words = list(term_slots(event.text for event in events))
    rows = TermCountEncoder(words).encode([event.text for event in events], progress=job.advance, cancelled=job.cancelled)
    space = f"{TERM_COUNT} {hashlib.sha256(chr(10).join(words).encode()).hexdigest()[:8]}"
    ws.set_setting(space, words)
    n_made = _write(ws, events, _with_rows(events, rows), TERM_COUNT, space)
    return f"{n_made:,} vectors were made by counting terms."


def _with_rows(events: Iterable[Event], rows: Iterable[FloatArray]) -> list[Event]:
    return [event.replace(semantic_vec=row) for event, row in zip(events, rows, strict=True)]


def _write(ws: Workspace, before: Iterable[Event], after: Iterable[Event], model: str, space: str) -> int:
    """Write the vectors of events that are still as they were; those that were changed meanwhile are left for the next round."""
    pairs = [(old, new) for old, new in zip(before, after, strict=False) if ws.has_event(old.id) and ws.event(old.id) is old]
    if space not in (BUNDLED, ws.semantic_space) and model != TERM_COUNT:
        ws.set_setting("models", (ws.setting("models") or {}) | {space: model})
    if ws.semantic_space is None:
        ws.set_setting("encoder", model)
    if pairs:
        gone: list[Any] = []
        if ws.semantic_space not in (None, space):
            kept = {old.id for old, _ in pairs}
            gone = [event.replace(semantic_vec=None) for event in ws.events() if event.id not in kept and event.semantic_vec is not None]
        with ws.change(f"{VECTORS_LABEL} for {len(pairs):,} events") as draft:
            draft.set_spaces(semantic=space)
            draft.update_events([*(new for _, new in pairs), *gone])
    return len(pairs)
