"""`calculate_als_score`: known answers, what may be missing, and agreement with the published package."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core import DEFAULT_ALS_CONFIG, ALSConfig, EventError, calculate_als_score

START = datetime(2024, 1, 1, tzinfo=UTC)
COORDINATES = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)
WEIGHTS = st.floats(-10, 10)


def vectors(dim):
    return st.none() | st.lists(COORDINATES, min_size=dim, max_size=dim)


TIMES = st.none() | st.integers(0, 10**9).map(lambda seconds: (START + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z"))
EVENTS = st.fixed_dictionaries({"semantic_vec": vectors(3), "emotional_vec": vectors(2), "timestamp": TIMES})
CONFIGS = st.builds(ALSConfig, semantic_weight=WEIGHTS, emotional_weight=WEIGHTS, temporal_weight=WEIGHTS, bias=WEIGHTS)


def event(semantic=None, emotional=None, time=None, **more):
    return {"semantic_vec": semantic, "emotional_vec": emotional, "timestamp": time, **more}


def test_three_similarities_are_weighed_and_added():
    a = event([1, 0], [3, 4], "2024-01-01T00:00:00Z")
    b = event([1, 1], [4, 3], "2024-01-03T12:00:00Z")
    weights = ALSConfig(semantic_weight=2, emotional_weight=-3, temporal_weight=5, bias=0.25)
    expected = 2 / sqrt(2) - 3 * (3 * 4 + 4 * 3) / 25 + 5 / (1 + 2.5) + 0.25
    assert calculate_als_score(a, b, weights) == pytest.approx(expected, abs=1e-12)


def test_the_published_weights_are_the_default():
    a, b = event([1, 0], [1, 0], "2024-01-01T00:00:00Z"), event([1, 0], [1, 0], "2024-01-02T00:00:00Z")
    assert calculate_als_score(a, b) == pytest.approx(0.0791 - 0.5179 + 3.1470 / 2, abs=1e-12)
    assert calculate_als_score(a, b) == calculate_als_score(a, b, DEFAULT_ALS_CONFIG)


@pytest.mark.parametrize("name", ["semantic_vec", "emotional_vec", "timestamp"])
@pytest.mark.parametrize("side", [0, 1])
def test_what_either_event_lacks_adds_nothing(name, side):
    weights = ALSConfig(semantic_weight=1, emotional_weight=10, temporal_weight=100, bias=0.5)
    pair = [event([1.0], [1.0], "2024-01-01T00:00:00Z") for _ in range(2)]
    del pair[side][name]
    lost = {"semantic_vec": 1, "emotional_vec": 10, "timestamp": 100}[name]
    assert calculate_als_score(*pair, weights) == pytest.approx(111.5 - lost, abs=1e-12)


def test_nothing_in_common_leaves_the_bias():
    assert calculate_als_score({}, {}) == 0.0
    assert calculate_als_score({}, {}, ALSConfig(bias=-2)) == -2.0


def test_a_zero_vector_is_alike_to_nothing():
    assert calculate_als_score(event([0, 0]), event([1, 2]), ALSConfig(semantic_weight=1)) == 0.0
    assert calculate_als_score(event([0, 0]), event([0, 0]), ALSConfig(semantic_weight=1)) == 0.0


@pytest.mark.parametrize(
    "a", [START.replace(tzinfo=None), "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T01:00:00+01:00", 1704067200, 1704067200000]
)
@pytest.mark.parametrize("b", ["2024-01-02T00:00:00Z", datetime(2024, 1, 2, tzinfo=UTC)])
def test_times_in_any_form_compare_and_mean_utc_without_an_offset(a, b):
    assert calculate_als_score(event(time=a), event(time=b), ALSConfig(temporal_weight=1)) == 1 / (1 + 1)


def test_vectors_of_any_kind_of_number_are_read():
    weights = ALSConfig(semantic_weight=1)
    for first in ([3, 4], (3.0, 4.0), np.array([3, 4]), np.array([3, 4], dtype=np.float32)):
        assert calculate_als_score(event(first), event([4, 3]), weights) == pytest.approx(24 / 25, abs=1e-12)


@pytest.mark.parametrize(("size", "other"), [(1e-200, 1.0), (1e200, 1.0), (1e-320, 1e300)])
def test_very_small_and_very_large_vectors_keep_their_direction(size, other):
    got = calculate_als_score(event([size, size]), event([other, 0.0]), ALSConfig(semantic_weight=1))
    assert got == pytest.approx(1 / sqrt(2), abs=1e-3)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (event([1, 2], id="x"), event([1, 2, 3], id="y"), r"semantic_vec must have 2 numbers as the first vector has, got 3 \(event y\)"),
        (event(emotional=[float("nan")], id="x"), event(id="y"), r"emotional_vec must be finite, got nan at position 0 \(event x\)"),
        (event(), event([float("inf")]), r"semantic_vec must be finite, got inf at position 0 \(event b\)"),
        (event(time="soon"), event(), r"timestamp must be a date or time such as .* got 'soon' \(event a\)"),
    ],
)
def test_what_cannot_be_compared_names_the_event_and_the_field(a, b, message):
    with pytest.raises(EventError, match=message):
        calculate_als_score(a, b)


@given(EVENTS, EVENTS, CONFIGS)
def test_the_score_is_the_same_in_both_directions(a, b, config):
    assert calculate_als_score(a, b, config) == pytest.approx(calculate_als_score(b, a, config), abs=1e-9)


@given(EVENTS, EVENTS, CONFIGS)
def test_the_score_is_linear_in_its_weights(a, b, config):
    doubled = ALSConfig(**{name: 2 * value for name, value in config.model_dump().items()})
    assert calculate_als_score(a, b, doubled) == pytest.approx(2 * calculate_als_score(a, b, config), abs=1e-9)


@given(EVENTS, EVENTS, CONFIGS)
def test_agrees_with_the_published_package(a, b, config):
    published = pytest.importorskip("affective_rag", reason="affective-rag 0.1.0, the published first reference, is not installed")
    expected = published.calculate_als_score(a, b, published.ALSConfig(**config.model_dump()))
    assert calculate_als_score(a, b, config) == pytest.approx(expected, abs=1e-9)
