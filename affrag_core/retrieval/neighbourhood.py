"""What a traversal over compiled arrays knows of each event."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from affrag_core.config import CPTConfig
from affrag_core.index.exact import ExactIndex
from affrag_core.retrieval.als import LinkScorer
from affrag_core.retrieval.candidates import ScoredRow


class ArrayNeighbourhood:
    """Neighbours from the graph's arrays, activated events from the index.

    Parameters
    ----------
    scorer : LinkScorer
    index : ExactIndex
        Of the semantic vectors; activation looks up an event's own one.
    exists : ndarray of shape (n_events,), bool
        Only these are activated.
    config : CPTConfig
    """

    def __init__(self, scorer: LinkScorer, index: ExactIndex, exists: npt.NDArray[np.bool_], config: CPTConfig) -> None:
        self._scorer, self._index, self._exists, self._config = scorer, index, exists, config
        self._hits: dict[int, list[tuple[int, float]]] = {}

    def row(self, current: int) -> ScoredRow[int]:
        """Its neighbours with their link scores."""
        return self._scorer.row(current)

    def activated(self, current: int) -> list[tuple[int, float]]:
        """The events most like it in meaning, itself among them; none where it has no semantic vector."""
        semantic = self._scorer.graph.arrays.semantic
        if not semantic.present[current]:
            return []
        if current not in self._hits:
            size = self._config.activation_top_k
            query = semantic.matrix[current].astype(np.float64)
            rows, scores = self._index.search(query, len(semantic.present) if size is None else size, allowed=self._exists)
            self._hits[current] = list(zip(rows.tolist(), scores.tolist(), strict=True))
        return self._hits[current]

    def scores(self, current: int, targets: list[int], *, apart: bool) -> list[float | None]:
        """Link scores to any events, by the activation's own weights where they stand apart and have some."""
        own = self._config.activation_als_config if apart else None
        return list(self._scorer.scores(current, targets, own))
