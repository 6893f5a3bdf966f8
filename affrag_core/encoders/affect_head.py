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


@cache
def _shipped() -> LinearTextModel:
    return shipped_model(AFFECT_WEIGHTS)
