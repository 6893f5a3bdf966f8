"""The temporal layer's formulas, one by one."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.events.event import Event
from affrag_core.events.kinds import ValidityState
from affrag_core.retrieval.temporal import (
    TimeTable,
    age_days,
    age_span,
    decay_scores,
    event_relevance_multipliers,
    hybrid_scores,
    minmax,
    recency_scores,
    semantic_penalties,
    validity,
    validity_multipliers,
    validity_states,
)

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
NOW_S = NOW.timestamp()
DAY = timedelta(days=1)
AGES = arrays(np.float64, st.integers(0, 12), elements=st.floats(0, 1e5) | st.just(math.nan))
VALUES = arrays(np.float64, st.integers(1, 12), elements=st.floats(-1e6, 1e6))
NONE = np.zeros(0)


def table(*windows, kind="EVENT") -> TimeTable:
    """Events by the days from now at which their windows begin and end."""
    days = [[None if day is None else NOW + day * DAY for day in window] for window in windows]
    return TimeTable.of([Event(id="e", text="e", kind=kind, valid_from=start, valid_until=end) for start, end in days])


def states(*windows, kind="EVENT") -> list[str]:
    return [state.value for state in validity(table(*windows, kind=kind), NOW_S).states()]


def test_an_event_is_active_within_its_window_both_ends_included():
    assert states((-1, 1), (0, 1), (-1, 0), (0, 0), (None, 0), (0, None)) == ["TEMPORAL"] * 6


def test_an_event_outside_its_window_is_expired_before_it_begins_too():
    moment = 1e-6 / 86400
    assert states((1, 2), (-2, -1), (moment, None), (None, -moment)) == ["EXPIRED"] * 4


def test_other_kinds_are_valid_inside_a_window_and_expire_outside():
    for kind in ("STATIC", "VERSIONED"):
        assert states((-1, 1), (None, None), (1, None), (None, -1), kind=kind) == ["VALID", "VALID", "EXPIRED", "EXPIRED"]


def test_an_event_without_a_window_is_valid():
    assert states((None, None)) == ["VALID"]


def test_the_state_of_one_event_is_told_alone():
    found = validity(table((-1, 1), (1, 2), (None, None)), NOW_S)
    assert [found.state(i) for i in (2, 0, 1)] == [ValidityState.VALID, ValidityState.TEMPORAL, ValidityState.EXPIRED]
    assert found.states() == [ValidityState.TEMPORAL, ValidityState.EXPIRED, ValidityState.VALID]


def test_states_of_events_may_be_asked_at_a_time_without_an_offset():
    event = Event(id="e", text="e", kind="EVENT", valid_until="2025-06-01T12:00:00Z")
    assert validity_states([event], datetime(2025, 6, 1, 12)) == [ValidityState.TEMPORAL]  # noqa: DTZ001
    assert validity_states([], NOW) == []


def test_age_is_in_days_and_never_negative():
    created = NOW_S - np.array([0, 86400, 43200, -500, math.nan])
    assert age_days(created, NOW_S).tolist()[:4] == [0, 1, 0.5, 0]
    assert math.isnan(age_days(created, NOW_S)[4])


def test_decay_halves_with_every_half_life():
    assert decay_scores(np.array([0, 30, 60, 45]), half_life_days=30).tolist() == pytest.approx([1, 1 / 2, 1 / 4, 0.5**1.5], abs=1e-15)


def test_the_undated_has_no_decay_and_no_recency():
    undated = np.array([math.nan])
    assert decay_scores(undated, half_life_days=30).tolist() == [0]
    assert [recency_scores(undated, span).tolist() for span in (None, (1, 1), (0, 9))] == [[0], [0], [0]]


@pytest.mark.parametrize("half_life", [1e-300, 5e-324, 1e-3])
def test_endlessly_many_half_lives_leave_nothing(half_life):
    assert decay_scores(np.array([0, 1e6]), half_life_days=half_life).tolist() == [1, 0]


@given(AGES, st.floats(1e-3, 1e5))
def test_decay_falls_with_age_and_grows_with_the_half_life(ages, half_life):
    by_age = decay_scores(np.sort(ages[~np.isnan(ages)]), half_life_days=half_life)
    assert (np.diff(by_age) <= 0).all()
    assert ((by_age >= 0) & (by_age <= 1)).all()
    assert (decay_scores(ages, half_life_days=2 * half_life) >= decay_scores(ages, half_life_days=half_life)).all()


def test_recency_is_the_place_between_youngest_and_oldest():
    assert recency_scores(np.array([2, 4, 6, 0, 99]), (2, 6)).tolist() == [1, 1 - (4 - 2) / (6 - 2), 0, 1, 0]


def test_equal_ages_or_none_are_all_recent():
    assert recency_scores(np.array([3, 3, 8]), (3, 3)).tolist() == [1, 1, 1]
    assert recency_scores(np.array([3, 8]), None).tolist() == [1, 1]


@given(AGES)
def test_recency_runs_from_one_for_the_youngest_to_zero_for_the_oldest(ages):
    span = age_span(ages)
    dated = ages[~np.isnan(ages)]
    assert (span is None) == (not len(dated))
    scores = recency_scores(np.sort(dated), span)
    assert (np.diff(scores) <= 0).all()
    assert ((scores >= 0) & (scores <= 1)).all()
    if span is not None:
        assert span == (dated.min(), dated.max())
        assert scores[0] == 1
        assert scores[-1] == (1 if span[0] == span[1] else 0)


def test_no_event_or_no_date_has_no_span():
    assert age_span(NONE) is None
    assert age_span(np.array([math.nan, math.nan])) is None
    assert age_span(np.array([math.nan, 3.0])) == (3, 3)


def test_validity_multiplies_by_zero_outside_by_the_boost_inside_and_else_by_one():
    found = validity(table((1, 2), (-1, 1), (None, None)), NOW_S)
    assert validity_multipliers(found, boost=1.2).tolist() == [0, 1.2, 1]
    assert validity_multipliers(validity(table((1, 2), (-1, 1), kind="STATIC"), NOW_S), boost=1.2).tolist() == [0, 1]


def test_an_active_event_unlike_the_question_keeps_half_of_its_time_part():
    found = validity(table((-1, 1), (-1, 1), (-1, 1), (None, None), (1, 2)), NOW_S)
    raw = np.array([0.19, 0.2, -0.9, 0.0, 0.0])
    assert event_relevance_multipliers(found, raw, floor=0.2).tolist() == [0.5, 1, 0.5, 1, 1]
    for off in (0.0, -0.5):
        assert event_relevance_multipliers(found, raw, floor=off).tolist() == [1] * 5


def test_a_weak_match_keeps_three_tenths():
    assert semantic_penalties(np.array([0, 0.1499, 0.15, 1]), minimum=0.15).tolist() == [0.3, 0.3, 1, 1]
    assert semantic_penalties(np.array([0.0, 1.0]), minimum=0).tolist() == [1, 1]


def test_minmax_scales_to_zero_and_one():
    assert minmax(np.array([2.0, 4.0, 3.0])).tolist() == [0, 1, (3 - 2) / (4 - 2)]
    assert minmax(np.array([-7.0, -7.0])).tolist() == [1, 1]
    assert minmax(np.array([5.0])).tolist() == [1]
    assert minmax(NONE).tolist() == []


@given(VALUES)
def test_minmax_keeps_the_order_and_ends_on_zero_and_one(values):
    scaled = minmax(values)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert scaled.max() == 1
    assert scaled.min() == (0 if values.min() < values.max() else 1)
    assert (np.diff(scaled[np.argsort(values, kind="stable")]) >= 0).all()


def test_time_and_similarity_are_mixed_by_the_weight():
    assert hybrid_scores(np.array([0.8]), np.array([0.3]), temporal_weight=0.35) == pytest.approx([0.65 * 0.8 + 0.35 * 0.3])
    assert hybrid_scores(np.array([0.8]), np.array([0.3]), temporal_weight=0).tolist() == [0.8]
    assert hybrid_scores(np.array([0.8]), np.array([0.3]), temporal_weight=1).tolist() == [0.3]


def test_no_events_have_no_times():
    none = TimeTable.of([])
    found = validity(none, NOW_S)
    assert found.states() == []
    assert age_days(none.created_s, NOW_S).shape == decay_scores(NONE, half_life_days=1).shape == (0,)
    assert event_relevance_multipliers(found, NONE, floor=0.2).shape == (0,)
