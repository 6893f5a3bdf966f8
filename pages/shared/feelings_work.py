"""Giving events the vectors of their feelings, and changing over from one kind of them to the other. No Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pages.shared.encoder_shelf import BUNDLED
from pages.shared.feelings import said_feelings
from pages.shared.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from affrag_core import Event, FloatArray, VectorCache, Workspace
    from pages.shared.encoder_shelf import EncoderShelf
    from pages.shared.jobs import Job

BATCH = 64
"""Events between two looks at whether to stop."""


def with_feeling_vector(event: Event, space: str | None) -> tuple[Event, str | None]:
    """The event with the vector of its feeling, and a sentence where none could be made.

    Where feelings are read from texts, only what a person said has a vector at once; the rest waits for `FeelingsReader`.
    """
    from affrag_core import EMOTION_LABELS_SPACE, EMOTION_SPACE, EventError, chosen_emotions_vector, emotion_vector

    if event.emotional_vec is not None:
        return event, None
    if space == EMOTION_LABELS_SPACE:
        said = said_feelings(event)
        return (event.replace(emotional_vec=chosen_emotions_vector(said)) if said else event), None
    if event.emotion is None or space not in (None, EMOTION_SPACE):
        return event, None
    try:
        return event.replace(emotional_vec=emotion_vector(event.emotion, event_id=event.id)), None
    except EventError as error:
        return event, f"{error}. The event keeps the word, but links cannot weigh its feeling."


def without_stale_feeling(old: Event, new: Event, space: str | None) -> Event:
    """The changed event without an emotional vector that no longer matches what it is made from in that space."""
    from affrag_core import EMOTION_LABELS_SPACE

    if space == EMOTION_LABELS_SPACE:
        stale = new.text != old.text or said_feelings(new) != said_feelings(old)
    else:
        stale = new.emotion != old.emotion
    return new.replace(emotional_vec=None) if stale and new.emotional_vec is not None else new


def reads_texts(ws: Workspace) -> bool:
    """Whether the workspace's emotional vectors are read from its texts."""
    from affrag_core import EMOTION_LABELS_SPACE

    return ws.emotional_space == EMOTION_LABELS_SPACE


def lacks_feeling(ws: Workspace, event: Event) -> bool:
    """Whether the feelings of an event are still to be read."""
    return event.emotional_vec is None and reads_texts(ws)


def n_given(ws: Workspace) -> int:
    """How many emotional vectors came with a file, so that nothing here could make them again."""
    from affrag_core import EMOTION_SPACE

    if reads_texts(ws):
        return 0
    with_vector = [event for event in ws.events() if event.emotional_vec is not None]
    return len(with_vector) if ws.emotional_space not in (None, EMOTION_SPACE) else sum(not _is_made(event) for event in with_vector)


def _is_made(event: Event) -> bool:
    from affrag_core import EventError, emotion_vector

    if event.emotion is None or event.emotional_vec is None or event.emotional_vec.shape != (2,):
        return False
    try:
        return bool(abs(event.emotional_vec - emotion_vector(event.emotion)).max() < 1e-6)
    except EventError:
        return False


class FeelingsReader:
    """Reads feelings from texts, over the sentence vectors that events have, else over new ones of the bundled model.

    Parameters
    ----------
    semantic_space : str, optional
        The space of the events' semantic vectors; only the bundled model's can be read from.
    """

    def __init__(self, shelf: EncoderShelf, cache: VectorCache, job: Job, *, semantic_space: str | None) -> None:
        from affrag_core import EMOTION_LABELS_SPACE, EmotionHead

        self.space = EMOTION_LABELS_SPACE
        self._shelf, self._cache, self._cancelled = shelf, cache, job.cancelled
        self._has_sentence_vectors = semantic_space == BUNDLED
        self._rows: Callable[[Sequence[str], FloatArray], FloatArray] = EmotionHead().rows

    def filled(self, events: Sequence[Event]) -> list[Event]:
        """The same events; those without an emotional vector get what a person said, else what is read from the text.

        Raises
        ------
        EncoderError
            If sentence vectors are missing and the model cannot be loaded.
        CancelledError
            When the job was asked to stop.
        """
        events = [with_feeling_vector(event, self.space)[0] for event in events]
        missing = [event for event in events if event.emotional_vec is None]
        if not missing:
            return events
        rows = iter(self._rows([event.text for event in missing], self._sentence_vectors(missing)))
        return [event if event.emotional_vec is not None else event.replace(emotional_vec=next(rows)) for event in events]

    def _sentence_vectors(self, events: Sequence[Event]) -> FloatArray:
        import numpy as np

        from affrag_core import encode_cached

        made = [event.semantic_vec if self._has_sentence_vectors else None for event in events]
        lacking = [event.text for event, vector in zip(events, made, strict=True) if vector is None]
        if lacking:
            new = iter(encode_cached(self._shelf.wait(BUNDLED, self._cancelled), lacking, self._cache, None, self._cancelled))
            made = [next(new) if vector is None else vector for vector in made]
        return np.array(made)


def changing_feelings(ws: Workspace, space: str, shelf: EncoderShelf, cache: VectorCache) -> Callable[[Job], str]:
    """Work that makes all emotional vectors anew in another space and changes over in one step at its end.

    A stop leaves them all as they were; sentence vectors that were made for it lie in the cache, so the next try goes on from there.
    """
    from affrag_core import EMOTION_LABELS_SPACE

    return lambda job: _read_all(ws, shelf, cache, job) if space == EMOTION_LABELS_SPACE else _place_all(ws, space, job)


def _read_all(ws: Workspace, shelf: EncoderShelf, cache: VectorCache, job: Job) -> str:
    reader = FeelingsReader(shelf, cache, job, semantic_space=ws.semantic_space)
    before, after = list(ws.events()), []
    for start in range(0, len(before), BATCH):
        _go_on(job, start, len(before))
        after += reader.filled([event.replace(emotional_vec=None) for event in before[start : start + BATCH]])
    _go_on(job, len(before), len(before))
    n_made = _change_over(ws, before, after, reader.space, f"Read the feelings of {counted(len(before), 'event')} from the texts")
    return f"The feelings of {counted(n_made, 'event')} were read from the texts. They are estimates. Undo brings the earlier ones back."


def _place_all(ws: Workspace, space: str, job: Job) -> str:
    before, after, n_unknown = list(ws.events()), [], 0
    for start, event in enumerate(before):
        if start % BATCH == 0:
            _go_on(job, start, len(before))
        new, warning = with_feeling_vector(event.replace(emotional_vec=None), space)
        after.append(new)
        n_unknown += warning is not None
    _go_on(job, len(before), len(before))
    _change_over(ws, before, after, space, f"Take the feelings of {counted(len(before), 'event')} as given")
    n_made = sum(event.emotional_vec is not None for event in after)
    unknown = f" {counted(n_unknown, 'feeling')} not in the table of words." if n_unknown else ""
    return f"{n_made:,} of {counted(len(before), 'event')} have a feeling as given.{unknown} Undo brings the earlier ones back."


def _go_on(job: Job, n_done: int, n_total: int) -> None:
    from affrag_core import CancelledError

    if job.cancelled():
        raise CancelledError("Stopped; the feelings are as they were.")
    job.advance(n_done, n_total)


def _change_over(ws: Workspace, before: Sequence[Event], after: Sequence[Event], space: str, label: str) -> int:
    """Write the vectors and the space's name in one change; what was edited meanwhile waits for its vector."""
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if ws.has_event(old.id) and ws.event(old.id) is old]
    kept = {old.id for old, _ in pairs}
    waiting = [event.replace(emotional_vec=None) for event in ws.events() if event.id not in kept and event.emotional_vec is not None]
    with ws.change(label) as draft:
        draft.set_spaces(emotional=space)
        draft.update_events([*(new for _, new in pairs), *waiting])
    return len(pairs)
