"""Valence, arousal and dominance from text: estimates, and rough ones.

The model is one linear layer over the sentence vector of all-MiniLM-L6-v2 and TF-IDF weights of words and pairs; how it was made and how
far it can be trusted stands in ``weights/emobank-vad.md``. Its weights are derived from EmoBank and under that set's licence, CC BY-SA 4.0,
not under this package's.

References
----------
Buechel, S. and Hahn, U. (2017). EmoBank: Studying the Impact of Annotation Perspective and Representation Format on Dimensional
Emotion Analysis. Proceedings of EACL, volume 2, 578-585. Data: CC BY-SA 4.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from affrag_core.encoders.cache import VectorCache
from affrag_core.encoders.heads import HeadEncoder
from affrag_core.encoders.protocol import Encoder
from affrag_core.encoders.quantised import LinearTextModel
from affrag_core.encoders.weight_files import shipped_model
from affrag_core.events.vectors import FloatArray

AFFECT_SPACE = "emobank-vad/1"
"""Names the space of its vectors; the number grows whenever the weights change."""

AFFECT_WEIGHTS = "emobank-vad"
AFFECT_CREDIT = "Valence, arousal and dominance are estimates of a model trained on EmoBank (Buechel and Hahn 2017, CC BY-SA 4.0)."
"""One sentence for a page that shows them."""
AFFECT_TRUST = (
    "Rough estimates: on texts that the model had not seen they agree with people's ratings at r = 0.64 for pleasant, 0.48 for excited and "
    "0.37 for in control (1 would be perfect). They lie near 0; compare events with each other."
)
"""How far they can be trusted, from the test split."""
AFFECT_WORDS = (("unpleasant", "pleasant"), ("calm", "excited"), ("not in control", "in control"))
"""What a negative and a positive number say, for valence, arousal and dominance."""
AFFECT_DEVIATIONS = (0.109, 0.069, 0.041)
"""Standard deviations of the estimates on the test split."""


class Affect(NamedTuple):
    """How pleasant, how stirred and how much in control a text sounds, each in [-1, 1]; an estimate."""

    valence: float
    arousal: float
    dominance: float


class AffectHead:
    """Estimates of valence, arousal and dominance, each in [-1, 1].

    They are cautious: ratings of single sentences lie near 0, and estimates nearer still.

    Parameters
    ----------
    model : LinearTextModel, optional
        None for the one that is shipped.
    """

    def __init__(self, model: LinearTextModel | None = None) -> None:
        self.model = _shipped() if model is None else model

    @property
    def name(self) -> str:
        """`AFFECT_SPACE`."""
        return AFFECT_SPACE

    @property
    def labels(self) -> tuple[str, ...]:
        """``valence, arousal, dominance``."""
        return self.model.labels

    def rows(self, texts: Sequence[str], vectors: FloatArray) -> FloatArray:
        """Estimates, one row per text, shape (n_texts, 3), float32."""
        return np.clip(self.model.scores(texts, vectors), -1.0, 1.0).astype(np.float32)


class AffectEncoder(HeadEncoder):
    """Texts to estimates of valence, arousal and dominance; see `HeadEncoder` for its arguments and errors."""

    def __init__(self, sentence_encoder: Encoder | None = None, *, cache: VectorCache | None = None) -> None:
        super().__init__(AffectHead(), sentence_encoder, cache=cache)


def affect_estimate(text: str, sentence_vector: FloatArray) -> Affect:
    """What one text sounds like, from its sentence vector; takes less than a millisecond once the weights are read.

    Parameters
    ----------
    text : str
    sentence_vector : ndarray of shape (384,)
        Of all-MiniLM-L6-v2.

    Raises
    ------
    EncoderError
        If the vector has another length.
    """
    return Affect(*map(float, AffectHead().rows([text], np.asarray(sentence_vector)[None, :])[0]))


def affect_words(affect: Affect) -> str:
    """An estimate in words and numbers: ``pleasant +0.45, excited +0.40, in control +0.10``.

    The shipped estimates lie near 0, so that a word stands from half a deviation of theirs on (of the test split, see the card); nearer
    to 0 it is left out, as the sign tells nothing there. Where all are: ``neutral``.
    """
    said = [
        f"{words[value > 0]} {value:+.2f}".replace("-", "−")
        for value, words, deviation in zip(affect, AFFECT_WORDS, AFFECT_DEVIATIONS, strict=True)
        if abs(value) >= deviation / 2
    ]
    return ", ".join(said) or "neutral"


@cache
def _shipped() -> LinearTextModel:
    return shipped_model(AFFECT_WEIGHTS)
