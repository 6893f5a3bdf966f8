"""Giving events the vectors that retrieval needs, in a thread. No Streamlit here.

All vectors of one piece of work are written in one step, so that two models never lie side by side. What was encoded before a stop
lies in the cache on disk, and what can be kept of it is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pages.shared.encoder_shelf import BUNDLED, TERM_COUNT
from pages.shared.feelings_work import FeelingsReader, lacks_feeling, reads_texts, without_stale_feeling

if TYPE_CHECKING:
    from affrag_core import Encoder, Event, FloatArray, VectorCache, Workspace
    from pages.shared.encoder_shelf import EncoderShelf
    from pages.shared.jobs import Job

BATCH = 32
"""Texts between two looks at whether to stop; fewer than this are lost when it does."""
VECTORS_LABEL = "Make vectors"
"""Begins the label of a change that only gave events their vectors; undo takes it back together with the change before it."""
Work = Callable[["Job"], str]


def without_stale_vectors(old: Event, new: Event, *, text_is_encoded: bool, space: str | None = None) -> Event:
    """The changed event without the vectors that its new text and feeling no longer match.

    A vector that came with a file stays (`text_is_encoded` false), as nothing here could make another. `space` is the emotional one.
    """
    if text_is_encoded and new.text != old.text:
        new = new.replace(semantic_vec=None)
    return without_stale_feeling(old, new, space)


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


def filling(ws: Workspace, model: str | None, shelf: EncoderShelf, cache: VectorCache) -> Work:
    """Work that gives every event without a semantic vector that of its text, and its feelings where those are read from texts.

    Without a model, or where no semantic vector is missing, only the feelings are read.
    """
    if model is None or all(event.semantic_vec is not None for event in ws.events()):
        return lambda job: _fill_feelings(ws, _reader(ws, shelf, cache, job, ws.semantic_space), job)
    if model == TERM_COUNT:
        return lambda job: _count_terms(ws, job, _reader(ws, shelf, cache, job, TERM_COUNT))

    def fill(job: Job) -> str:
        encoder = shelf.wait(model, job.cancelled)
        return _fill(ws, model, encoder, cache, job, _reader(ws, shelf, cache, job, encoder.name))

    return fill


def changing_model(ws: Workspace, model: str, shelf: EncoderShelf, cache: VectorCache) -> Work:
    """Work that makes all semantic vectors anew with another model and changes over in one step at its end."""
    if model == TERM_COUNT:
        return lambda job: _count_terms(ws, job, None)
    return lambda job: _encode_all(ws, model, shelf.wait(model, job.cancelled), cache, job)


def _reader(ws: Workspace, shelf: EncoderShelf, cache: VectorCache, job: Job, semantic_space: str | None) -> FeelingsReader | None:
    return FeelingsReader(shelf, cache, job, semantic_space=semantic_space) if reads_texts(ws) else None


def _with_feelings(reader: FeelingsReader | None, events: list[Event]) -> tuple[list[Event], str]:
    """The events with their feelings; where those cannot be read, as they are, and a sentence: a text vector is worth keeping without."""
    from affrag_core import EncoderError

    try:
        return (events if reader is None else reader.filled(events)), ""
    except EncoderError as error:
        return events, f" The feelings could not be read: {error}."


def _fill_feelings(ws: Workspace, reader: FeelingsReader | None, job: Job) -> str:
    from affrag_core import CancelledError

    missing = [event for event in ws.events() if lacks_feeling(ws, event)]
    filled: list[Event] = []
    try:
        for start in range(0, len(missing) if reader is not None else 0, BATCH):
            if job.cancelled():
                raise CancelledError("stopped")
            filled += reader.filled(missing[start : start + BATCH]) if reader is not None else []
            job.advance(len(filled), len(missing))
    except CancelledError:
        n_kept = _write(ws, missing, filled, None, ws.semantic_space)
        raise CancelledError(f"Stopped; the feelings of {n_kept:,} of {len(missing):,} events were read and kept.") from None
    return f"The feelings of {_write(ws, missing, filled, None, ws.semantic_space):,} events were read from the texts."


def _fill(ws: Workspace, model: str, encoder: Encoder, cache: VectorCache, job: Job, reader: FeelingsReader | None) -> str:
    from affrag_core import CancelledError, with_semantic_vectors

    missing = [event for event in ws.events() if event.semantic_vec is None or lacks_feeling(ws, event)]
    filled: list[Event] = []
    note = ""
    try:
        for start in range(0, len(missing), BATCH):

            def progress(n_done: int, _: int, start: int = start) -> None:
                job.advance(start + n_done, len(missing))

            batch = missing[start : start + BATCH]
            made = with_semantic_vectors(batch, encoder, cache, progress=progress, cancelled=job.cancelled)
            made, note = _with_feelings(reader, made)
            filled += made
    except CancelledError:
        n_kept = _write(ws, missing, filled, model, encoder.name)
        raise CancelledError(f"Stopped; {n_kept:,} of {len(missing):,} vectors were made and kept.") from None
    return f"{_write(ws, missing, filled, model, encoder.name):,} vectors were made with {encoder.name}.{note}"


def _encode_all(ws: Workspace, model: str, encoder: Encoder, cache: VectorCache, job: Job) -> str:
    from affrag_core import encode_cached

    events = ws.events()
    rows = encode_cached(encoder, [event.text for event in events], cache, job.advance, job.cancelled) if events else []
    n_made = _write(ws, events, _with_rows(events, rows), model, encoder.name)
    return f"{n_made:,} vectors were made anew with {encoder.name}."


def _count_terms(ws: Workspace, job: Job, reader: FeelingsReader | None) -> str:
    from affrag_core import TermCountEncoder, term_slots

    events = ws.events()
    # The vocabulary decides every number: all events are counted over the same one, and its digest names the space.
    words = list(term_slots(event.text for event in events))
    rows = TermCountEncoder(words).encode([event.text for event in events], progress=job.advance, cancelled=job.cancelled)
    space = f"{TERM_COUNT} {hashlib.sha256(chr(10).join(words).encode()).hexdigest()[:8]}"
    made, note = _with_feelings(reader, _with_rows(events, rows))
    ws.set_setting(space, words)
    n_made = _write(ws, events, made, TERM_COUNT, space)
    return f"{n_made:,} vectors were made by counting terms.{note}"


def _with_rows(events: Iterable[Event], rows: Iterable[FloatArray]) -> list[Event]:
    return [event.replace(semantic_vec=row) for event, row in zip(events, rows, strict=True)]


def _write(ws: Workspace, before: Iterable[Event], after: Iterable[Event], model: str | None, space: str | None) -> int:
    """Write the vectors of events that are still as they were; those that were changed meanwhile are left for the next round."""
    pairs = [(old, new) for old, new in zip(before, after, strict=False) if ws.has_event(old.id) and ws.event(old.id) is old]
    if not reads_texts(ws):  # changed over meanwhile: what was read does not belong to that space
        pairs = [(old, new.replace(emotional_vec=old.emotional_vec)) for old, new in pairs]
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
