"""The first stage: a pool by similarity, its temporal scores, and the seeds among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.retrieval.scene import Scene
from affrag_core.retrieval.temporal_layer import PoolScores, pool_scores

Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Pool:
    """The first stage of one retrieval.

    Parameters
    ----------
    positions : ndarray of shape (n_pool,), int
        Best similarity first.
    raw : ndarray of shape (n_pool,), float64
    scores : PoolScores
    final : ndarray of shape (n_pool,), float64
        NaN where left out.
    seeds : list of int
        Places in the pool, best first, from which a path starts or which are returned.
    """

    positions: IntArray
    raw: Float64Array
    scores: PoolScores
    final: Float64Array
    seeds: list[int]

    def seed_scores(self) -> list[tuple[int, float]]:
        """Positions of the seeds in the graph, with their scores."""
        return [(int(self.positions[i]), float(self.final[i])) for i in self.seeds]


def first_stage(scene: Scene) -> Pool:
    """Look up the pool and choose the seeds.

    The temporal layer scores the pool in every mode, so that the modes can be compared; only `temporal` and `combined` leave out and rank
    by it, the others rank by similarity.

    Parameters
    ----------
    scene : Scene

    Returns
    -------
    Pool
    """
    config = scene.config
    positions, raw = scene.similarity.best(config.candidate_pool_size, scene.exists)
    dropped = np.array([config.drop_superseded and i in scene.superseded_by for i in positions.tolist()], dtype=bool)
    scores = pool_scores(scene.snapshot.times.take(positions), raw, scene.now_s, config.temporal, dropped=dropped)
    final = scores.final_score if scene.uses_time else raw
    ranked = np.argsort(-final, kind="stable")  # NaN, the ones left out, come last
    in_play = int(np.count_nonzero(~np.isnan(final)))
    wanted = config.max_results if config.mode in ("vector", "temporal") else config.cpt.seed_nodes
    return Pool(positions, raw, scores, final, ranked[: min(wanted, in_play)].tolist())
