"""The similarities that a link has: one number per term, in a fixed order.

A new term is one more entry of `FEATURES` and one weight of the same name in `ALSConfig`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from affrag_core.graph.vector_table import Float64Array, IntArray, VectorTable

SECONDS_PER_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class EventArrays:
    """What link scoring knows of all events.

    Parameters
    ----------
    semantic, emotional : VectorTable
    time_s : ndarray of shape (n_events,), float64
        Seconds since 1970; NaN where undated.
    """

    semantic: VectorTable
    emotional: VectorTable
    time_s: Float64Array


def temporal_proximity(seconds_apart: Float64Array) -> Float64Array:
    r"""Closeness in time: 1 on the same instant, one half a day apart.

    .. math:: p_i = 1 / (1 + |s_i| / 86400)

    Parameters
    ----------
    seconds_apart : ndarray of shape (n_pairs,), float64
        NaN where either time is unknown.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        In (0, 1]; 0 where unknown.

    References
    ----------
    seeds/affective_rag.md, "Affective Link Scoring (ALS)".
    """
    return np.nan_to_num(1.0 / (1.0 + np.abs(seconds_apart) / SECONDS_PER_DAY), nan=0.0)


FEATURES: dict[str, Callable[[EventArrays, IntArray, IntArray], Float64Array]] = {
    "semantic": lambda arrays, a, b: arrays.semantic.cosines(a, b),
    "emotional": lambda arrays, a, b: arrays.emotional.cosines(a, b),
    "temporal": lambda arrays, a, b: temporal_proximity(arrays.time_s[a] - arrays.time_s[b]),
}


def link_features(arrays: EventArrays, a: IntArray, b: IntArray) -> Float64Array:
    """Every term's similarity for pairs of events.

    Parameters
    ----------
    arrays : EventArrays
    a, b : ndarray of shape (n_pairs,), int

    Returns
    -------
    ndarray of shape (n_pairs, n_terms), float64
        Columns in the order of `FEATURES`.
    """
    return np.column_stack([feature(arrays, a, b) for feature in FEATURES.values()])


def weighted_sum(features: Float64Array, weights: Float64Array, bias: float) -> Float64Array:
    """Sum of weighted columns and a bias, added column by column so that equal rows give equal sums wherever they stand.

    Parameters
    ----------
    features : ndarray of shape (n_pairs, n_terms), float64
    weights : ndarray of shape (n_terms,), float64
    bias : float

    Returns
    -------
    ndarray of shape (n_pairs,), float64
    """
    total = np.zeros(len(features))
    for weight, column in zip(weights, features.T, strict=True):
        total += weight * column
    return total + bias
