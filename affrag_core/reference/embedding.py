"""`EmbeddingModel` of the second reference, over the term-count encoder."""

from __future__ import annotations

from collections.abc import Sequence

from affrag_core.encoders.term_count import DIM, term_count_vector, term_slots
from affrag_core.events.vectors import FloatArray


class EmbeddingModel:
    """Counts of known terms in 256 slots, scaled to length 1; the vocabulary is that of the last corpus.

    References
    ----------
    seeds/temporal_rag.py, section 2.
    """

    def __init__(self) -> None:
        self.vocab: dict[str, int] = {}
        self.dim = DIM

    def encode(self, text: str) -> FloatArray:
        """The vector of a text; zeros where it has no known term; shape (256,), float64."""
        return term_count_vector(text, self.vocab)

    def encode_corpus(self, texts: Sequence[str]) -> list[FloatArray]:
        """Take the vocabulary of these texts, and give their vectors."""
        self.vocab = term_slots(texts)
        return [self.encode(text) for text in texts]
