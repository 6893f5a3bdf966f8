"""Feelings to points on the valence-arousal plane.

The ratings in ``emotion_words.csv`` are our own, set by hand. Which words lie near each other and in which quarter follows the
circumplex of Russell (1980); valence and arousal are the first two axes of pleasure, arousal and dominance (Mehrabian and Russell,
1974). No published list of ratings was copied, and nobody measured these: they are good for telling apart quarters of the plane and
kinds of feeling, not for fine differences.

References
----------
Russell, J. A. (1980). A circumplex model of affect. Journal of Personality and Social Psychology, 39(6), 1161-1178.
Mehrabian, A. and Russell, J. A. (1974). An Approach to Environmental Psychology. MIT Press.
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

import numpy as np

from affrag_core.errors import EventError
from affrag_core.events.event import Emotion
from affrag_core.events.vectors import FloatArray

EMOTION_SPACE = "valence-arousal"
"""Names the space of the vectors made here."""

EMOTION_SOURCE = "Our own table of ratings, set by hand after the circumplex of Russell (1980)."
"""One sentence for a page that shows where the numbers come from."""

_WORDS_LIKE_IT = 4


def _read_words() -> dict[str, Emotion]:
    text = files("affrag_core.encoders").joinpath("emotion_words.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {word: Emotion(float(row["valence"]), float(row["arousal"])) for row in rows for word in row["words"].split()}


EMOTION_WORDS: Mapping[str, Emotion] = MappingProxyType(_read_words())
"""Every word that is known, in small letters, with its point."""


def emotion_point(emotion: str | Emotion, *, event_id: str | None = None) -> Emotion:
    """The point of a feeling: itself, or that of its word whatever its capitals.

    Parameters
    ----------
    emotion : str or Emotion
        A word of `EMOTION_WORDS`, or a point.
    event_id : str, optional
        Named in the error.

    Raises
    ------
    EventError
        For a word that is not known; names it and words like it.
    """
    if isinstance(emotion, Emotion):
        return emotion
    word = emotion.strip().casefold()
    if word in EMOTION_WORDS:
        return EMOTION_WORDS[word]
    shown = emotion if len(emotion) <= 40 else emotion[:37] + "..."
    near = difflib.get_close_matches(word[:40], EMOTION_WORDS, n=_WORDS_LIKE_IT, cutoff=0.6)
    plain = "use a plain word such as happy, calm, sad or angry, or give valence and arousal"
    advice = f"did you mean {', '.join(near)}?" if near else plain
    raise EventError(f"emotion must be a word that is known, got {shown!r}; {advice}", field="emotion", event_id=event_id)


def emotion_vector(emotion: str | Emotion, *, event_id: str | None = None) -> FloatArray:
    """The emotional vector of a feeling: (valence, arousal).

    ``neutral`` is the zero vector: it is like no feeling, itself included.

    Parameters
    ----------
    emotion, event_id
        As in `emotion_point`.

    Returns
    -------
    ndarray of shape (2,), float64
        Each in [-1, 1].
    """
    point = emotion_point(emotion, event_id=event_id)
    return np.array([point.valence, point.arousal], dtype=np.float64)
