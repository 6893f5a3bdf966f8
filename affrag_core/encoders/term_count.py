"""The second reference's encoder: counts of terms in 256 slots. It needs no model and always works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from affrag_core.encoders.protocol import Cancelled, Progress, report, stop_if_cancelled
from affrag_core.events.vectors import FloatArray

DIM = 256
NAME = "term-count"
_BATCH = 256


def term_slots(texts: Iterable[str]) -> dict[str, int]:
    """The slot of every term: its rank in the sorted vocabulary, modulo 256.

    Parameters
    ----------
    texts : iterable of str
        The corpus; terms are its lower-cased words between white space.

    Returns
    -------
    dict of str to int
        Slots in [0, 256).

    References
    ----------
    seeds/temporal_rag.py, section 2.
    """
    terms = {term for text in texts for term in text.lower().split()}
    return {term: rank % DIM for rank, term in enumerate(sorted(terms))}


def term_count_vector(text: str, slots: dict[str, int]) -> FloatArray:
    """Counts of a text's known terms by slot, scaled to length 1; zeros when it has none.

    Parameters
    ----------
    text : str
    slots : dict of str to int
        As `term_slots` gives them.

    Returns
    -------
    ndarray of shape (256,), float64
    """
    vector = np.zeros(DIM)
    for term in text.lower().split():
        if term in slots:
            vector[slots[term]] += 1.0
    norm = np.linalg.norm(vector)
    return vector / norm if norm > 0 else vector


class TermCountEncoder:
    """Texts to hashed term counts over the vocabulary of a corpus.

    Vectors of two corpora do not compare: whoever adds texts builds a new encoder and encodes all of them again.

    Parameters
    ----------
    texts : iterable of str
        The corpus that gives the vocabulary.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._slots = term_slots(texts)

    @property
    def name(self) -> str:
        """Always ``term-count``."""
        return NAME

    @property
    def dim(self) -> int:
        """Always 256."""
        return DIM

    @property
    def cache_key(self) -> None:
        """None: a vector depends on the whole corpus, and making one is as quick as looking it up."""
        return

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None, cancelled: Cancelled | None = None) -> FloatArray:
        """One row per text, float64, of length 1 or 0; see `term_count_vector`."""
        rows: FloatArray = np.zeros((len(texts), DIM))
        for start in range(0, len(texts), _BATCH):
            stop_if_cancelled(cancelled, n_done=start, n_texts=len(texts))
            for offset, text in enumerate(texts[start : start + _BATCH]):
                rows[start + offset] = term_count_vector(text, self._slots)
            report(progress, min(start + _BATCH, len(texts)), len(texts))
        return rows
