"""The similarities of a link, term by term."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.graph.features import FEATURES, EventArrays, link_features, temporal_proximity
from affrag_core.graph.vector_table import VectorTable

DAY = 86400.0


def arrays_of(semantic, emotional, days) -> EventArrays:
    ids = [f"e{i}" for i in range(len(days))]
    rows = [[None if row is None else np.array(row, dtype=np.float64) for row in part] for part in (semantic, emotional)]
    times = np.array([math.nan if day is None else day * DAY for day in days])
    names = ("semantic_vec", "emotional_vec")
    return EventArrays(*(VectorTable.from_rows(part, ids=ids, field=name) for part, name in zip(rows, names, strict=True)), times)


THREE = arrays_of([[1, 0], [1, 1], None], [[1, 0, 0], [0, 0, 0], [-1, 0, 0]], [10, 13, None])


def test_closeness_in_time_is_one_over_one_more_than_the_days_apart():
    apart = np.array([0, DAY, -DAY, 3 * DAY, DAY / 2])
    assert temporal_proximity(apart) == pytest.approx([1, 1 / 2, 1 / 2, 1 / (1 + 3), 1 / (1 + 0.5)], abs=1e-15)


def test_an_unknown_time_is_near_nothing():
    assert temporal_proximity(np.array([math.nan])).tolist() == [0]


@given(st.lists(st.floats(0, 1e12), min_size=2, max_size=20).map(sorted))
def test_closeness_falls_with_distance_and_stays_above_zero(apart):
    near = temporal_proximity(np.array(apart))
    assert (np.diff(near) <= 0).all()
    assert ((near > 0) & (near <= 1)).all()


def test_terms_stand_in_the_order_of_their_names():
    assert list(FEATURES) == ["semantic", "emotional", "temporal"]
    found = link_features(THREE, np.array([0, 0, 0]), np.array([1, 2, 0]))
    assert found == pytest.approx(np.array([[1 / math.sqrt(2), 0, 1 / (1 + 3)], [0, -1, 0], [1, 1, 1]]), abs=1e-15)


def test_a_link_is_as_long_as_its_way_back():
    pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert np.array_equal(link_features(THREE, *pairs), link_features(THREE, *reversed(pairs)))


def test_no_pairs_have_no_features():
    none = np.zeros(0, dtype=np.intp)
    assert link_features(THREE, none, none).shape == (0, 3)


def test_one_more_term_is_one_more_column(monkeypatch):
    monkeypatch.setitem(FEATURES, "constant", lambda arrays, a, b: np.full(len(a), 7.0))
    assert link_features(THREE, np.array([0]), np.array([1]))[0, 3] == 7


@given(st.integers(0, 2**32 - 1))
def test_many_pairs_at_once_equal_one_pair_at_a_time(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    vectors = [rng.normal(size=(n, dim)) for dim in (5, 2)]
    some = arrays_of(*vectors, [None if rng.random() < 0.2 else rng.uniform(0, 100) for _ in range(n)])
    a, b = rng.integers(0, n, size=(2, 12))
    singly = [link_features(some, a[i : i + 1], b[i : i + 1])[0] for i in range(12)]
    assert np.array_equal(link_features(some, a, b), singly)
