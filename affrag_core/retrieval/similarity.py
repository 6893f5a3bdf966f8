"""How like a question each event is: cosine of meaning, and of mood where one is asked for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from affrag_core.errors import EncoderError
from affrag_core.graph.vector_table import VectorTable
from affrag_core.index.exact import ExactIndex

Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]


class QuerySimilarity:
    r"""Raw similarities of events to one question.

    .. math:: s_i = \cos(q, x_i) + m \cos(u, e_i)

    with the question q, semantic vectors x, mood u, emotional vectors e and mood weight m. The mood part is ours: off (m = 0) by default.

    Parameters
    ----------
    query : ndarray of shape (dim,), float64
    index : ExactIndex
        Of the semantic vectors.
    mood : ndarray of shape (emotional_dim,), float64, optional
    mood_weight : float
    semantic, emotional : VectorTable

    Raises
    ------
    EncoderError
        If the question's or the mood's vector does not have the length of the events' vectors.
    """

    def __init__(
        self,
        query: Float64Array,
        index: ExactIndex,
        *,
        semantic: VectorTable,
        emotional: VectorTable,
        mood: Float64Array | None = None,
        mood_weight: float = 0.0,
    ) -> None:
        check_length("the question's vector", query, semantic)
        self._query, self._index, self._semantic = query, index, semantic
        self._mood_index = None
        if mood is not None and mood_weight != 0:
            check_length("the mood's vector", mood, emotional)
            self._mood_index = ExactIndex(emotional.matrix, norms=emotional.norms) if emotional.matrix.shape[1] else None
        self._mood, self._mood_weight = mood, mood_weight

    def best(self, k: int, allowed: BoolArray) -> tuple[IntArray, Float64Array]:
        """Positions and similarities of the best `k` allowed events that have a semantic vector; ties in order of insertion."""
        if not self._semantic.matrix.shape[1]:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        if self._mood_index is None:
            return self._index.search(self._query, k, allowed=allowed)
        rows = np.flatnonzero(allowed & self._semantic.present)
        scores = self.of(rows)
        order = np.argsort(-scores, kind="stable")[:k]
        return rows[order], scores[order]

    def of(self, positions: IntArray) -> Float64Array:
        """Similarity of given events; 0 from a vector that is missing or zero; shape (n_positions,)."""
        if not self._semantic.matrix.shape[1]:
            return np.zeros(len(positions))
        scores = self._index.scores(self._query, positions)
        if self._mood_index is not None and self._mood is not None:
            scores = scores + self._mood_weight * self._mood_index.scores(self._mood, positions)
        return scores


def check_length(what: str, vector: Float64Array, table: VectorTable) -> None:
    """Refuse a vector that cannot be compared with the events'."""
    dim = table.matrix.shape[1]
    if dim and len(vector) != dim:
        raise EncoderError(f"{what} has {len(vector)} numbers, the events' vectors have {dim}: use the encoder that made them")
