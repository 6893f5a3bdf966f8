"""The final order of paths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.retrieval.candidates import Walk
from affrag_core.retrieval.scene import Scene
from affrag_core.retrieval.temporal import hybrid_scores, minmax

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RankedPaths:
    """Paths in their final order.

    Parameters
    ----------
    walks : list of Walk
    normalised, component, final : ndarray of shape (n_paths,), float64
        Path score scaled to 0 to 1 over all paths; mean temporal component of the path's events; the score that ranks.
    """

    walks: list[Walk[int]]
    normalised: Float64Array
    component: Float64Array
    final: Float64Array


def rank_paths(walks: list[Walk[int]], scene: Scene, span: tuple[float, float] | None) -> RankedPaths:
    r"""Rank paths: by their own score, or in `combined` by score and time together.

    .. math:: f_p = (1 - w) \operatorname{minmax}(s_p) + w \frac{1}{|p|} \sum_{i \in p} t_i

    with path score s, temporal components t of its events and temporal weight w. Ours: the second reference's hybrid score one level up.
    Ties by path score, then by discovery.

    Parameters
    ----------
    walks : list of Walk
        In order of discovery.
    scene : Scene
    span : (float, float), optional
        Youngest and oldest age of the pool.
    """
    scores = np.array([walk.score for walk in walks], dtype=np.float64)
    component = _mean_components(walks, scene, span)
    normalised, final = minmax(scores), scores
    if scene.config.mode == "combined":
        final = hybrid_scores(normalised, component, temporal_weight=scene.config.temporal.temporal_weight)
    order = np.lexsort((-scores, -final))
    return RankedPaths([walks[i] for i in order.tolist()], normalised[order], component[order], final[order])


def _mean_components(walks: list[Walk[int]], scene: Scene, span: tuple[float, float] | None) -> Float64Array:
    events = list(dict.fromkeys(i for walk in walks for i in walk.path))
    component = dict(zip(events, scene.time_scores(events, span).component.tolist(), strict=True))
    return np.array([sum(component[i] for i in walk.path) / len(walk.path) for walk in walks], dtype=np.float64)
