"""Vectors at the door: one list of finite numbers, kept read-only in the precision given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.errors import EventError
from affrag_core.events.vectors import as_vector

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def test_no_vector_and_an_empty_one_are_none():
    assert as_vector(None, field="semantic_vec") is None
    assert as_vector([], field="semantic_vec") is None


def test_a_zero_vector_is_allowed():
    assert as_vector([0, 0], field="semantic_vec").tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("dtype", "kept"), [(np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64), (np.int64, np.float64)]
)
def test_single_precision_is_kept_and_everything_else_is_double(dtype, kept):
    assert as_vector(np.array([1, 2], dtype=dtype), field="semantic_vec").dtype == kept


def test_a_vector_is_a_copy_that_cannot_be_written():
    mine = np.array([1.0, 2.0])
    vector = as_vector(mine, field="semantic_vec")
    mine[0] = 9
    assert vector.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 9


@pytest.mark.parametrize("value", ["word", [1, "two"], [1, [2]], {"a": 1}, object()])
def test_what_is_no_list_of_numbers_is_refused(value):
    with pytest.raises(EventError, match=r"emotional_vec must be .*numbers.*\(event e1\)"):
        as_vector(value, field="emotional_vec", event_id="e1")


@pytest.mark.parametrize("value", [5, [[1, 2]], [[1], [2]]])
def test_a_vector_has_one_dimension(value):
    with pytest.raises(EventError, match="one list of numbers, got shape"):
        as_vector(value, field="semantic_vec")


@pytest.mark.parametrize(
    ("value", "named"),
    [([1, None], "nan at position 1"), ([1, float("nan")], "nan at position 1"), ([-float("inf"), 1], "-inf at position 0")],
)
def test_what_is_not_finite_is_refused_with_its_position(value, named):
    with pytest.raises(EventError, match=f"semantic_vec must be finite, got {named}"):
        as_vector(value, field="semantic_vec")


@given(st.lists(FINITE, min_size=1, max_size=20))
def test_numbers_are_kept_exactly(numbers):
    assert as_vector(numbers, field="semantic_vec").tolist() == numbers


@given(arrays(np.float32, st.integers(1, 20), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_single_precision_numbers_are_kept_exactly(array):
    np.testing.assert_array_equal(as_vector(array, field="semantic_vec"), array)
