"""The temporal layer over a pool: filters, parts and final scores, for both the reference class and the combined retriever."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from affrag_core.config import TemporalConfig
from affrag_core.retrieval import temporal as formulas
from affrag_core.retrieval.temporal import BoolArray, Float64Array, TimeTable, Validity


class TimeScores(NamedTuple):
    """The temporal parts of some events; every array of shape (n_events,), float64.

    `ages` are NaN where undated; `component` is decay × recency × validity multiplier × event relevance.
    """

    validity: Validity
    ages: Float64Array
    decay: Float64Array
    recency: Float64Array
    validity_multiplier: Float64Array
    event_relevance: Float64Array
    component: Float64Array


class PoolScores(NamedTuple):
    """A pool after the temporal layer; every array of shape (n_pool,).

    Parameters
    ----------
    kept : ndarray of bool
        Not left out by a filter.
    time : TimeScores
    span : (float, float), optional
        Youngest and oldest age of the kept.
    vector_score : ndarray of float64
        Similarity scaled to 0 to 1 among the kept; NaN for the rest, as in the two below.
    penalty, final_score : ndarray of float64
    """

    kept: BoolArray
    time: TimeScores
    span: tuple[float, float] | None
    vector_score: Float64Array
    penalty: Float64Array
    final_score: Float64Array


def time_scores(
    times: TimeTable, raw_similarities: Float64Array, now_s: float, span: tuple[float, float] | None, config: TemporalConfig
) -> TimeScores:
    """Temporal parts of any events, recency measured against a pool's ages.

    Parameters
    ----------
    times : TimeTable of n_events
    raw_similarities : ndarray of shape (n_events,), float64
        Similarity of each to the question.
    now_s : float
        Query time, seconds since 1970.
    span : (float, float), optional
        Youngest and oldest age of the pool.
    config : TemporalConfig

    References
    ----------
    seeds/temporal_rag.py, ``TemporalLayer.rerank``.
    """
    return _parts(formulas.validity(times, now_s), formulas.age_days(times.created_s, now_s), raw_similarities, span, config)


def _parts(
    state: Validity, ages: Float64Array, raw_similarities: Float64Array, span: tuple[float, float] | None, config: TemporalConfig
) -> TimeScores:
    decay = formulas.decay_scores(ages, half_life_days=config.decay_half_life_days)
    recency = formulas.recency_scores(ages, span)
    multiplier = formulas.validity_multipliers(state, boost=config.validity_boost)
    relevance = formulas.event_relevance_multipliers(state, raw_similarities, floor=config.event_min_raw_vector_score)
    return TimeScores(state, ages, decay, recency, multiplier, relevance, decay * recency * multiplier * relevance)


def pool_scores(
    times: TimeTable, raw_similarities: Float64Array, now_s: float, config: TemporalConfig, *, dropped: BoolArray | None = None
) -> PoolScores:
    r"""Filter a pool and score what is kept.

    .. math:: f_i = p_i \left[(1 - w) v_i + w\, d_i r_i m_i e_i\right]

    with penalty p, scaled similarity v, decay d, recency r, validity multiplier m and event relevance e.

    Parameters
    ----------
    times : TimeTable of n_pool events
    raw_similarities : ndarray of shape (n_pool,), float64
    now_s : float
        Query time, seconds since 1970.
    config : TemporalConfig
    dropped : ndarray of shape (n_pool,), bool, optional
        Left out for a reason from elsewhere.

    References
    ----------
    seeds/temporal_rag.py, section 4.7.
    """
    state = formulas.validity(times, now_s)
    ages = formulas.age_days(times.created_s, now_s)
    out = state.expired if config.enforce_validity else state.expired & False
    if dropped is not None:
        out = out | dropped
    if config.max_age_days is not None:
        out = out | (ages > config.max_age_days)
    kept = ~out
    whole = np.count_nonzero(kept) == len(kept)
    span = formulas.age_span(ages if whole else ages[kept])
    parts = _parts(state, ages, raw_similarities, span, config)
    if whole:
        return PoolScores(kept, parts, span, *_mixed(raw_similarities, parts.component, config))
    columns = np.full((3, len(ages)), np.nan)
    columns[:, kept] = _mixed(raw_similarities[kept], parts.component[kept], config)
    return PoolScores(kept, parts, span, *columns)


def _mixed(raw: Float64Array, component: Float64Array, config: TemporalConfig) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Scaled similarity, penalty and final score of the events that are kept."""
    scaled = formulas.minmax(raw)
    penalty = formulas.semantic_penalties(scaled, minimum=config.min_vector_score)
    return scaled, penalty, penalty * formulas.hybrid_scores(scaled, component, temporal_weight=config.temporal_weight)
