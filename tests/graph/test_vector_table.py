"""Cosines between stored vectors: exact, and the same whatever stands beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.errors import EventError
from affrag_core.graph.vector_table import VectorTable

NUMBERS = st.floats(-10, 10, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
ROWS = st.lists(st.none() | arrays(np.float64, 3, elements=NUMBERS), max_size=8)


def table(*rows, dtype=np.float64) -> VectorTable:
    given = [None if row is None else np.array(row, dtype=dtype) for row in rows]
    return VectorTable.from_rows(given, ids=[f"e{i}" for i in range(len(rows))], field="semantic_vec")


def cosine(of: VectorTable, a: int, b: int) -> float:
    return float(of.cosines(np.array([a]), np.array([b]))[0])


def slow_cosine(a, b) -> float:
    if a is None or b is None or not np.any(a) or not np.any(b):
        return 0.0
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))


def dot(a, b) -> float:
    return math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def test_a_cosine_is_the_dot_product_over_both_lengths():
    of = table([3, 4], [4, 3], [0, 2])
    assert cosine(of, 0, 1) == pytest.approx((3 * 4 + 4 * 3) / (5 * 5), abs=1e-15)
    assert cosine(of, 0, 2) == pytest.approx((4 * 2) / (5 * 2), abs=1e-15)


def test_a_missing_or_zero_vector_is_like_nothing():
    of = table([1, 2], None, [0, 0])
    assert [cosine(of, a, b) for a, b in [(0, 1), (0, 2), (1, 1), (2, 2)]] == [0, 0, 0, 0]
    assert of.present.tolist() == [True, False, True]


def test_no_vectors_at_all_compare_as_zero():
    assert table().cosines(np.zeros(0, dtype=int), np.zeros(0, dtype=int)).shape == (0,)
    assert table(None, None).cosines(np.array([0, 1]), np.array([1, 1])).tolist() == [0, 0]


def test_rows_keep_float32_until_one_comes_in_float64():
    single, double = np.ones(2, dtype=np.float32), np.ones(2)
    assert VectorTable.from_rows([single, None], ids=["a", "b"], field="x").matrix.dtype == np.float32
    assert VectorTable.from_rows([single, double], ids=["a", "b"], field="x").matrix.dtype == np.float64


def test_unequal_lengths_are_refused_by_the_name_of_the_later_event_and_both_sizes():
    with pytest.raises(EventError, match=r"semantic_vec must have 2 numbers as the first vector has, got 3 \(event e2\)") as caught:
        table([1, 2], None, [1, 2, 3])
    assert (caught.value.field, caught.value.event_id) == ("semantic_vec", "e2")


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e300, 5e-300, 2.0**-1060, 1.7e308])
def test_huge_and_tiny_vectors_have_the_cosine_of_their_direction(scale):
    of = table([scale, 0], [scale, scale / 2], [1, 0], [0, -scale])
    assert cosine(of, 0, 2) == 1
    assert cosine(of, 0, 1) == pytest.approx(1 / math.sqrt(1 + 1 / 4), rel=1e-9)
    assert cosine(of, 1, 3) == pytest.approx(-1 / math.sqrt(5), rel=1e-9)


def test_the_smallest_number_of_all_still_has_a_direction():
    of = table([5e-324, 0], [1, 1])
    assert cosine(of, 0, 1) == pytest.approx(1 / math.sqrt(2))


def test_arrays_cannot_be_written_to():
    of = table([1, 2])
    for array in (of.matrix, of.norms, of.present):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@given(ROWS, st.data())
def test_cosines_equal_a_slow_reading(rows, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, max(len(rows) - 1, 0))] * 2), max_size=6 if rows else 0))
    a, b = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in range(2))
    expected = [slow_cosine(rows[i], rows[j]) for i, j in pairs]
    assert table(*rows).cosines(a, b).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dim", [1, 2, 3, 17, 384, 4095, 4097, 9001])
def test_equal_rows_have_equal_cosines_wherever_they_stand(dim, dtype):
    rng = np.random.default_rng(dim)
    rows = rng.normal(size=(7, dim)).astype(dtype)
    rows[[1, 4, 6]] = rows[1]
    of = table(*rows, dtype=dtype)
    together = of.cosines(np.zeros(7, dtype=int), np.arange(7))
    assert together[1] == together[4] == together[6]
    assert [cosine(of, 0, i) for i in range(7)] == together.tolist()
    assert [cosine(of, i, 0) for i in range(7)] == together.tolist()


@given(ROWS.filter(bool), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_no_cosine(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    shuffled, place = table(*(rows[i] for i in order)), np.argsort(order)
    a, b = np.divmod(np.arange(len(rows) ** 2), len(rows))
    assert np.array_equal(shuffled.cosines(place[a], place[b]), table(*rows).cosines(a, b))


@given(ROWS, st.data())
def test_a_table_with_rows_exchanged_equals_one_made_anew(rows, data):
    kept = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1)))) if rows else []
    exchanged = {i: data.draw(ROWS.map(lambda some: some[0] if some else None)) for i in kept if data.draw(st.booleans())}
    added = data.draw(ROWS)
    wanted = [exchanged.get(i, rows[i]) for i in kept] + added
    ids = [f"n{i}" for i in range(len(wanted))]
    got = table(*rows).replaced(exchanged, np.array(kept, dtype=np.intp), added, ids=ids, field="semantic_vec")
    anew = VectorTable.from_rows(wanted, ids=ids, field="semantic_vec")
    assert np.array_equal(got.matrix, anew.matrix)
    assert np.array_equal(got.norms, anew.norms)
    assert np.array_equal(got.present, anew.present)
