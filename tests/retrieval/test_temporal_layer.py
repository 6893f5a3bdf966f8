"""A pool after the temporal layer: what is left out, and what each event scores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.config import TemporalConfig
from affrag_core.events.event import Event
from affrag_core.retrieval.temporal import TimeTable
from affrag_core.retrieval.temporal_layer import pool_scores, time_scores

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
NOW_S = NOW.timestamp()
CONFIG = TemporalConfig()


def event(age=None, start=None, end=None, kind="STATIC") -> Event:
    """An event by the days from now, its age counted backwards."""
    at = [None if day is None else NOW + timedelta(days=day) for day in (None if age is None else -age, start, end)]
    return Event(id="e", text="e", timestamp=at[0], valid_from=at[1], valid_until=at[2], kind=kind)


POOL = [event(10), event(40), event(5, -1, 1, "EVENT"), event(90, -90, -60), event()]
RAW = np.array([0.9, 0.7, 0.1, 0.95, 0.5])


def scores_of(events, raw, **options):
    dropped = options.pop("dropped", None)
    return pool_scores(TimeTable.of(events), np.array(raw, dtype=np.float64), NOW_S, CONFIG.with_changes(**options), dropped=dropped)


def test_a_pool_scores_as_the_formula_says():
    """The expired fourth is left out, and with it the best similarity and the oldest age."""
    scores = scores_of(POOL, RAW)
    assert scores.kept.tolist() == [True, True, True, False, True]
    assert scores.span == (5, 40)
    first = 0.65 * 1 + 0.35 * (0.5 ** (10 / 30) * (1 - (10 - 5) / (40 - 5)))
    second = 0.65 * (0.7 - 0.1) / (0.9 - 0.1) + 0.35 * (0.5 ** (40 / 30) * 0)
    third = 0.3 * (0.65 * 0 + 0.35 * (0.5 ** (5 / 30) * 1 * 1.2 * 0.5))  # a weak match, an active event unlike the question
    last = 0.65 * (0.5 - 0.1) / (0.9 - 0.1) + 0.35 * 0  # without a date
    assert scores.final_score[[0, 1, 2, 4]] == pytest.approx([first, second, third, last], abs=1e-15)
    assert np.isnan(scores.final_score[3])
    assert np.isnan(scores.vector_score[3])
    assert np.isnan(scores.penalty[3])


def test_expired_events_stay_where_validity_is_not_enforced_and_time_adds_nothing():
    scores = scores_of(POOL, RAW, enforce_validity=False)
    assert scores.kept.all()
    assert scores.time.component[3] == 0
    assert scores.final_score[3] == pytest.approx(0.65 * 1)


def test_events_older_than_the_limit_are_left_out_and_undated_ones_stay():
    assert scores_of(POOL, RAW, max_age_days=10).kept.tolist() == [True, False, True, False, True]
    assert scores_of(POOL, RAW, max_age_days=0).kept.tolist() == [False, False, False, False, True]


def test_events_dropped_for_another_reason_take_no_part_in_the_scaling():
    scores = scores_of(POOL[:3], RAW[:3], dropped=np.array([False, False, True]))
    assert scores.span == (10, 40)
    assert scores.vector_score[:2].tolist() == [1, 0]


def test_a_pool_of_which_nothing_is_left_has_no_scores():
    scores = scores_of([event(1, end=-1)] * 3, [0.1, 0.2, 0.3])
    assert not scores.kept.any()
    assert np.isnan(scores.final_score).all()
    assert scores.span is None


def test_an_empty_pool_has_no_scores():
    assert scores_of([], []).final_score.shape == (0,)


def test_one_event_has_all_similarity_and_all_recency():
    scores = scores_of([event(30)], [-0.4])
    assert scores.final_score.tolist() == [0.65 * 1 + 0.35 * (0.5 * 1 * 1 * 1)]


def test_tied_events_keep_equal_scores():
    assert len(set(scores_of([event(7)] * 4, [0.3] * 4).final_score.tolist())) == 1


def test_events_outside_the_pool_are_measured_against_its_ages():
    parts = time_scores(TimeTable.of([event(2), event(22.5), event(100)]), np.zeros(3), NOW_S, (5, 40), CONFIG)
    assert parts.recency.tolist() == [1, 0.5, 0]


WINDOW = st.none() | st.integers(-50, 0), st.none() | st.integers(0, 50)
EVENTS = st.builds(event, st.none() | st.integers(-5, 400), *WINDOW, st.sampled_from(["STATIC", "EVENT"]))
POOLS = st.lists(st.tuples(EVENTS, st.floats(-1, 1)), max_size=10)
CONFIGS = st.builds(
    TemporalConfig,
    decay_half_life_days=st.floats(0.1, 1000),
    temporal_weight=st.floats(0, 1),
    max_age_days=st.none() | st.floats(0, 400),
    enforce_validity=st.booleans(),
    validity_boost=st.floats(0, 3),
    min_vector_score=st.floats(0, 1),
    event_min_raw_vector_score=st.floats(-1, 1),
)


@given(POOLS, CONFIGS)
def test_the_parts_recompute_the_final_score(pool, config):
    events, raw = [e for e, _ in pool], np.array([r for _, r in pool], dtype=np.float64)
    scores, w = pool_scores(TimeTable.of(events), raw, NOW_S, config), config.temporal_weight
    time = scores.time
    assert time.component == pytest.approx(time.decay * time.recency * time.validity_multiplier * time.event_relevance, abs=1e-15)
    final = scores.penalty * ((1 - w) * scores.vector_score + w * time.component)
    assert scores.final_score == pytest.approx(final, abs=1e-12, nan_ok=True)
    assert np.isnan(scores.final_score).tolist() == (~scores.kept).tolist()


@given(POOLS, CONFIGS, st.none() | st.just((3.0, 77.0)))
def test_many_events_at_once_equal_one_at_a_time(pool, config, span):
    events, raw = [e for e, _ in pool], np.array([r for _, r in pool], dtype=np.float64)
    together = time_scores(TimeTable.of(events), raw, NOW_S, span, config)
    for i, one in enumerate(events):
        alone = time_scores(TimeTable.of([one]), raw[i : i + 1], NOW_S, span, config)
        for many, single in zip(together[1:], alone[1:], strict=True):
            assert single == pytest.approx(many[i : i + 1], abs=1e-12, nan_ok=True)


@given(POOLS, CONFIGS, st.randoms(use_true_random=False))
def test_the_order_of_the_pool_changes_no_score(pool, config, random):
    order = list(range(len(pool)))
    random.shuffle(order)
    events, raw = [e for e, _ in pool], np.array([r for _, r in pool], dtype=np.float64)
    scores = pool_scores(TimeTable.of(events), raw, NOW_S, config)
    shuffled = pool_scores(TimeTable.of([events[i] for i in order]), raw[order], NOW_S, config)
    assert np.array_equal(shuffled.final_score, scores.final_score[order], equal_nan=True)
