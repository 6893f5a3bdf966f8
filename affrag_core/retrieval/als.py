"""Affective Link Scoring: a weighted sum of the similarities of two events."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from affrag_core.config import ALSConfig
from affrag_core.graph.features import FEATURES, weighted_sum
from affrag_core.graph.structure import EventGraph
from affrag_core.retrieval.candidates import ScoredRow

Float64Array = npt.NDArray[np.float64]
TERMS: tuple[str, ...] = tuple(FEATURES)
"""Names of the terms of a link score, in the order in which they are added; the bias comes last."""


def term_weights(config: ALSConfig) -> Float64Array:
    """Weights in the order of `TERMS`; shape (n_terms,)."""
    return np.array([getattr(config, f"{name}_weight") for name in TERMS], dtype=np.float64)


def link_contributions(features: Float64Array, config: ALSConfig) -> Float64Array:
    r"""What each term and the bias add to a link score.

    .. math:: c_{it} = w_t f_{it}, \quad c_{i,bias} = b

    Parameters
    ----------
    features : ndarray of shape (n_links, n_terms), float64
        Similarities in the order of `TERMS`.
    config : ALSConfig

    Returns
    -------
    ndarray of shape (n_links, n_terms + 1), float64
        The bias in the last column.

    References
    ----------
    seeds/affective_rag.md, "Affective Link Scoring (ALS)".
    """
    return np.column_stack([features * term_weights(config), np.full(len(features), config.bias)])


def link_scores(features: Float64Array, config: ALSConfig) -> Float64Array:
    r"""Affective link scores.

    .. math:: s_i = \sum_t w_t f_{it} + b

    Parameters
    ----------
    features : ndarray of shape (n_links, n_terms), float64
    config : ALSConfig

    Returns
    -------
    ndarray of shape (n_links,), float64

    References
    ----------
    seeds/affective_rag.md, "Affective Link Scoring (ALS)".
    """
    return weighted_sum(features, term_weights(config), config.bias)


class LinkScorer:
    """Scored rows of a graph under one set of weights, each sorted once.

    Parameters
    ----------
    graph : EventGraph
    config : ALSConfig
    """

    def __init__(self, graph: EventGraph, config: ALSConfig) -> None:
        self.graph = graph
        self.config = config
        self._rows: dict[int, ScoredRow[int]] = {}

    def row(self, i: int) -> ScoredRow[int]:
        """The neighbours of event i with their link scores."""
        row = self._rows.get(i)
        if row is None:
            scores = link_scores(self.graph.row_features(i), self.config)
            order = np.argsort(-scores, kind="stable")
            row = self._rows[i] = ScoredRow(self.graph.neighbours(i).tolist(), scores.tolist(), order.tolist())
        return row

    def scores(self, i: int, targets: list[int], config: ALSConfig | None = None) -> list[float]:
        """Link scores from event i to any events, under other weights where given."""
        features = self.graph.features(i, np.array(targets, dtype=np.intp))
        scored: list[float] = link_scores(features, config or self.config).tolist()
        return scored
