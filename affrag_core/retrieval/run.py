"""Everything that one retrieval found, as arrays and references: what the rows of a trace are built from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.retrieval.als import LinkScorer, link_contributions
from affrag_core.retrieval.candidates import Hop, Traversal, WalkRules
from affrag_core.retrieval.first_stage import Pool
from affrag_core.retrieval.ranking import RankedPaths
from affrag_core.retrieval.scene import Scene

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HopTerms:
    """The parts of each candidate's score at one hop.

    Parameters
    ----------
    similarities : ndarray of shape (n_candidates, n_terms), float64
    contributions : ndarray of shape (n_candidates, n_terms + 1), float64
        The bias in the last column.
    multipliers : ndarray of shape (n_candidates,), float64
    """

    similarities: Float64Array
    contributions: Float64Array
    multipliers: Float64Array


@dataclass(frozen=True, slots=True)
class Run:
    """One retrieval, whole."""

    scene: Scene
    pool: Pool
    scorer: LinkScorer
    rules: WalkRules[int]
    traversal: Traversal[int]
    paths: RankedPaths

    def hop_terms(self, hop: Hop[int]) -> HopTerms:
        """Recompute a hop's parts from the link features that the traversal used."""
        candidates, graph, cpt = hop.candidates, self.scene.snapshot.graph, self.scene.config.cpt
        targets, n_edges = candidates.row.targets, candidates.n_neighbours
        features = graph.row_features(hop.path[-1])
        if len(targets) > n_edges:
            features = np.vstack([features, graph.features(hop.path[-1], np.array(targets[n_edges:], dtype=np.intp))])
        contributions = link_contributions(features, self.scorer.config)
        if candidates.apart and cpt.activation_als_config is not None:
            contributions[n_edges:] = link_contributions(features[n_edges:], cpt.activation_als_config)
        lifted = np.array([i >= n_edges or key in candidates.activated for i, key in enumerate(targets)], dtype=bool)
        return HopTerms(features, contributions, np.where(lifted, cpt.activation_score_multiplier, 1.0))
