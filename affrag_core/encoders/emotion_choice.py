"""Feelings that a person chose, as vectors beside those that are read from texts, and either kind in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from affrag_core.encoders.emotion_head import EmotionHead
from affrag_core.errors import EventError, shortened
from affrag_core.events.vectors import FloatArray


def emotion_labels() -> tuple[str, ...]:
    """The names of the numbers in a vector of the space `EMOTION_LABELS_SPACE`, in their order."""
    return EmotionHead().labels


def chosen_emotions_vector(chosen: Sequence[str], *, event_id: str | None = None) -> FloatArray:
    """The emotional vector of labels that a person chose: 1 for each, 0 for the others.

    It lies in the space of probabilities, as a reading that is sure. No label gives the zero vector: it is like no feeling.

    Parameters
    ----------
    chosen : sequence of str
        Labels of `emotion_labels`, in any order; one that is named twice counts once.
    event_id : str, optional
        Named in the error.

    Returns
    -------
    ndarray of shape (28,), float32

    Raises
    ------
    EventError
        For a label that is not known.
    """
    labels = emotion_labels()
    unknown = [label for label in chosen if label not in labels]
    if unknown:
        message = f"a feeling must be one of {', '.join(labels)}, got {shortened(unknown[0])}"
        raise EventError(message, field="emotional_vec", event_id=event_id)
    vector: FloatArray = np.isin(labels, list(chosen)).astype(np.float32)
    return vector


def emotion_words(probabilities: FloatArray, k: int = 3) -> str:
    """The likeliest feelings of one text in words: ``joy 0.71, love 0.22``.

    Only labels that reach their own thresholds are named, k at most. Where none does: ``no clear feeling``.

    Parameters
    ----------
    probabilities : ndarray of shape (28,)
    k : int
        At least 1.

    Raises
    ------
    EncoderError
        If the vector has another length.
    """
    likely = [top for top in EmotionHead().top(probabilities, k)[0] if top.likely]
    return ", ".join(f"{top.label} {top.probability:.2f}" for top in likely) or "no clear feeling"
