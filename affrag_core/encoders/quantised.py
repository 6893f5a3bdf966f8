"""Linear models over a sentence vector and term weights, their weights kept as small integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from affrag_core.encoders.tfidf import TermWeights, inverse_document_frequencies
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray

SmallInts = npt.NDArray[np.int8]


class Quantised(NamedTuple):
    """A matrix as integers in [-127, 127], one scale a column."""

    weights: SmallInts
    scales: FloatArray

    def restored(self) -> FloatArray:
        """The matrix again, to within half a scale a cell, float64."""
        return self.weights.astype(np.float64) * self.scales.astype(np.float64)


def quantised(matrix: FloatArray) -> Quantised:
    r"""Round a matrix to int8: per column, :math:`q = \mathrm{round}(w / s)` with :math:`s = \max |w| / 127`.

    A column of zeros keeps the scale 0.
    """
    scales = (np.abs(matrix).max(axis=0) / 127.0).astype(np.float32)
    steps = np.divide(matrix, scales.astype(np.float64), out=np.zeros(matrix.shape), where=scales > 0)
    return Quantised(np.clip(np.rint(steps), -127, 127).astype(np.int8), scales)


@dataclass(frozen=True, eq=False)
class LinearTextModel:
    r"""One score per label, from a sentence vector v and term weights x of a text.

    .. math:: z = v^\top W_v + x^\top W_x + b

    Parameters
    ----------
    labels : tuple of str
        Names of the k scores.
    terms : tuple of str
    document_counts : ndarray of shape (n_terms,), int
        In how many of the `n_documents` training texts each term stands.
    n_documents : int
    vector_weights, term_weights : Quantised
        Shapes (dim, k) and (n_terms, k).
    bias, thresholds : ndarray of shape (k,)
        A threshold is the score's value, after whatever the reader of the scores does to it, from which a label counts as present.
    """

    labels: tuple[str, ...]
    terms: tuple[str, ...]
    document_counts: npt.NDArray[np.int32]
    n_documents: int
    vector_weights: Quantised
    term_weights: Quantised
    bias: FloatArray
    thresholds: FloatArray

    @property
    def dim(self) -> int:
        """Numbers per sentence vector."""
        return len(self.vector_weights.weights)

    def scores(self, texts: Sequence[str], vectors: FloatArray) -> FloatArray:
        """z, one row per text, shape (n_texts, k), float64.

        Raises
        ------
        EncoderError
            If the vectors do not fit the texts or the model, or hold NaN or infinity.
        """
        rows = np.asarray(vectors, dtype=np.float64)
        if rows.shape != (len(texts), self.dim):
            raise EncoderError(f"sentence vectors must have shape {(len(texts), self.dim)}, one per text, got {rows.shape}")
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            raise EncoderError(f"sentence vectors must be finite, got NaN or infinity in row {int(np.argmin(finite))}")
        result: FloatArray = rows @ self._vector_matrix + self.bias.astype(np.float64)
        for number, text in enumerate(texts):
            row = self._weighed.sparse_row(text)
            if row:
                result[number] += np.fromiter(row.values(), np.float64, len(row)) @ self._term_matrix[list(row)]
        return result

    @cached_property
    def _weighed(self) -> TermWeights:
        return TermWeights(self.terms, inverse_document_frequencies(self.document_counts, self.n_documents))

    @cached_property
    def _vector_matrix(self) -> FloatArray:
        return self.vector_weights.restored()

    @cached_property
    def _term_matrix(self) -> FloatArray:
        return self.term_weights.restored()
