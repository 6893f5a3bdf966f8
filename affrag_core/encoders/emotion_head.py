"""Feelings from text: probabilities of the 28 labels of GoEmotions.

The model is one linear layer over the sentence vector of all-MiniLM-L6-v2 and TF-IDF weights of words and pairs; how it was made and how
far it can be trusted stands in ``weights/goemotions-28.md``.

References
----------
Demszky, D. et al. (2020). GoEmotions: A Dataset of Fine-Grained Emotions. Proceedings of ACL, 4040-4054. Data: CC BY 4.0.
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
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray

EMOTION_LABELS_SPACE = "goemotions-28/1"
"""Names the space of its vectors; the number grows whenever the weights change."""

EMOTION_WEIGHTS = "goemotions-28"
EMOTION_CREDIT = "Feelings are estimated by a model trained on GoEmotions (Demszky et al. 2020, CC BY 4.0)."
"""One sentence for a page that shows them."""


class TopEmotion(NamedTuple):
    """One of a text's likeliest feelings."""

    label: str
    probability: float
    likely: bool
    """Whether it reaches the label's own threshold; where none does, no feeling is clear."""


class EmotionHead:
    r"""Probabilities of feelings, each label for itself: several may be likely at once, or none.

    .. math:: p = 1 / (1 + e^{-z})

    with z of `LinearTextModel`, calibrated so that of all texts given 30 % about 30 % have the label.

    Parameters
    ----------
    model : LinearTextModel, optional
        None for the one that is shipped.
    """

    def __init__(self, model: LinearTextModel | None = None) -> None:
        self.model = _shipped() if model is None else model

    @property
    def name(self) -> str:
        """`EMOTION_LABELS_SPACE`."""
        return EMOTION_LABELS_SPACE

    @property
    def labels(self) -> tuple[str, ...]:
        """The label names, neutral among them."""
        return self.model.labels

    @property
    def thresholds(self) -> FloatArray:
        """From which probability each label counts as present, shape (28,)."""
        return self.model.thresholds

    def rows(self, texts: Sequence[str], vectors: FloatArray) -> FloatArray:
        """Probabilities, one row per text, shape (n_texts, 28), float32."""
        scores = self.model.scores(texts, vectors)
        probabilities: FloatArray = (1.0 / (1.0 + np.exp(-np.clip(scores, -60.0, 60.0)))).astype(np.float32)
        return probabilities

    def top(self, probabilities: FloatArray, k: int = 3) -> list[list[TopEmotion]]:
        """The k likeliest labels of every row, the likeliest first, ties in the order of the labels.

        Parameters
        ----------
        probabilities : ndarray of shape (n_texts, 28)
            One row alone is taken as a batch of one.
        k : int
            At least 1; more than there are labels gives all.

        Raises
        ------
        EncoderError
            If the rows have another length, or k is below 1.
        """
        rows = np.atleast_2d(np.asarray(probabilities))
        if rows.ndim != 2 or rows.shape[1] != len(self.labels):
            raise EncoderError(f"probabilities must have {len(self.labels)} numbers a row, got shape {np.shape(probabilities)}")
        if k < 1:
            raise EncoderError(f"k must be at least 1, got {k}")
        order = np.argsort(-rows, axis=1, kind="stable")[:, :k]
        return [
            [TopEmotion(self.labels[label], float(row[label]), bool(row[label] >= self.thresholds[label])) for label in best]
            for row, best in zip(rows, order, strict=True)
        ]


class EmotionEncoder(HeadEncoder):
    """Texts to probabilities of the 28 feelings; see `HeadEncoder` for its arguments and errors."""

    def __init__(self, sentence_encoder: Encoder | None = None, *, cache: VectorCache | None = None) -> None:
        super().__init__(EmotionHead(), sentence_encoder, cache=cache)


def top_emotions(probabilities: FloatArray, k: int = 3) -> list[list[TopEmotion]]:
    """The k likeliest feelings of every row; see `EmotionHead.top`."""
    return EmotionHead().top(probabilities, k)


@cache
def _shipped() -> LinearTextModel:
    return shipped_model(EMOTION_WEIGHTS)
