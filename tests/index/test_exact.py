"""Exact lookup: what a full float64 search finds, ties and all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.graph.vector_table import VectorTable
from affrag_core.index.exact import ExactIndex


def cosine_index(rows, dtype=np.float64) -> ExactIndex:
    given = [None if row is None else np.array(row, dtype=dtype) for row in rows]
    table = VectorTable.from_rows(given, ids=[str(i) for i in range(len(rows))], field="semantic_vec")
    return ExactIndex(table.matrix, norms=table.norms, members=table.present)


def found(index: ExactIndex, query, k: int, **options) -> list[int]:
    return index.search(np.array(query, dtype=np.float64), k, **options)[0].tolist()


def full_search(rows, query, k, *, cosine, allowed=None) -> tuple[list[int], list[float]]:
    """Every row scored in float64, sorted; equal scores in order of rows."""
    scores = {}
    for i, row in enumerate(rows):
        if row is not None and (allowed is None or allowed[i]):
            wide = np.asarray(row, dtype=np.float64)
            length = np.sqrt(np.dot(wide, wide)) * np.sqrt(np.dot(query, query)) if cosine else 1.0
            scores[i] = float(np.dot(query, wide) / length) if length else 0.0
    best = sorted(scores, key=lambda i: -scores[i])[:k]
    return best, [scores[i] for i in best]


def test_cosines_come_best_first():
    positions, scores = cosine_index([[0, 2], [3, 4], [5, 0]]).search(np.array([1.0, 0.0]), 2)
    assert positions.tolist() == [2, 1]
    assert scores == pytest.approx([1, 3 / 5], abs=1e-15)


def test_dot_products_do_not_divide_by_length():
    positions, scores = ExactIndex(np.array([[0.0, 2], [3, 4], [1, 0]])).search(np.array([2.0, 1.0]), 2)
    assert positions.tolist() == [1, 0]
    assert scores.tolist() == [2 * 3 + 1 * 4, 1 * 2]


def test_more_than_there_are_gives_all_and_none_gives_none():
    index = cosine_index([[1, 0], None, [0, 1]])
    assert found(index, [1, 0], 99) == [0, 2]
    assert found(index, [1, 0], 0) == []
    assert found(cosine_index([[1, 0]]), [1, 0], 1) == [0]


def test_an_index_without_rows_finds_nothing():
    assert found(cosine_index([]), [], 5) == []
    assert found(ExactIndex(np.zeros((0, 3))), [1, 2, 3], 5) == []


def test_equal_rows_tie_exactly_and_the_earlier_comes_first():
    rng = np.random.default_rng(0)
    row = rng.normal(size=384)
    rows = rng.normal(size=(200, 384))
    rows[[7, 50, 51, 199]] = row
    for dtype in (np.float32, np.float64):
        positions, scores = cosine_index(rows, dtype).search(row + 0.1, 4)
        assert positions.tolist() == [7, 50, 51, 199]
        assert len(set(scores.tolist())) == 1
        assert found(cosine_index(rows, dtype), row + 0.1, 2) == [7, 50]


def test_all_rows_tied_come_in_their_order():
    assert found(cosine_index([[1, 2]] * 9), [2, 1], 5) == [0, 1, 2, 3, 4]


def test_a_zero_query_finds_the_first_rows_with_score_zero():
    positions, scores = cosine_index([[1, 0], [0, 1], [1, 1]]).search(np.zeros(2), 2)
    assert (positions.tolist(), scores.tolist()) == ([0, 1], [0, 0])


def test_a_zero_row_scores_zero_and_can_be_found():
    assert found(cosine_index([[-1, 0], [0, 0], [1, 0]]), [1, 0], 3) == [2, 1, 0]


def test_only_allowed_rows_are_looked_at():
    index = cosine_index([[1, 0], None, [1, 1], [0, 1], [-1, 0]])
    allowed = np.array([False, True, True, False, True])
    for k, expected in [(1, [2]), (2, [2, 4]), (9, [2, 4])]:
        assert found(index, [1, 0], k, allowed=allowed) == expected
    assert found(index, [1, 0], 3, allowed=np.zeros(5, dtype=bool)) == []


def test_rows_of_nearly_unit_length_are_told_apart_by_angle_and_not_by_length():
    """Vectors rounded to four digits: 0.9996 in the question's direction is nearer than 1.0004 slightly off it."""
    rows = [np.array([math.cos(turn), math.sin(turn)]) * length for turn, length in [(0.002, 1.0004), (0.0, 0.9996), (0.003, 1.0008)]]
    assert found(cosine_index(rows), [1, 0], 1) == [1]


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e308, 5e-324, 1e-160, 1e16])
def test_the_length_of_a_query_does_not_matter_to_cosines(scale):
    positions, scores = cosine_index([[1, 0], [0, 1], [-1, 0], [0, 2]]).search(np.array([0, scale]), 3)
    assert positions.tolist() == [1, 3, 0]
    assert scores.tolist() == [1, 1, 0]


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e30, 1e-44, 1e-30])
def test_rows_of_any_length_are_found_by_cosine_and_by_dot_product(scale):
    rows = np.random.default_rng(3).normal(size=(60, 3)) * scale
    query = np.array([1.0, 2.0, 3.0])
    assert found(cosine_index(rows), query, 5) == full_search(rows / scale, query, 5, cosine=True)[0]
    assert found(ExactIndex(rows), query, 5) == full_search(rows, query, 5, cosine=False)[0]


def test_a_huge_query_leaves_dot_products_as_they_are():
    assert found(ExactIndex(np.array([[1.0, 0], [0, 1], [2, 0]])), [1e200, 0], 2) == [2, 0]


@st.composite
def crowded_rows(draw):
    """Rows in crowds that differ by less than float32 can tell, some of them equal, some missing, of any dtype."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dim, n = draw(st.sampled_from([2, 5, 40, 1])), draw(st.sampled_from([40, 90, 7, 1]))
    spread = draw(st.sampled_from([1e-3, 1.0, 1e-7, 1e-12, 0.0]))
    rows = rng.normal(size=(3, dim))[rng.integers(0, 3, size=n)] + spread * rng.normal(size=(n, dim))
    length = draw(st.sampled_from(["nearly unit", "unit", "as it is", "long"]))
    if length != "as it is":
        rows /= np.linalg.norm(rows, axis=1)[:, None]
    rows *= {"nearly unit": rng.uniform(0.9995, 1.0005, size=(n, 1)), "long": 1e9}.get(length, 1.0)
    rows[rng.random(n) < 0.05] = 0
    rows = rows.astype(draw(st.sampled_from([np.float32, np.float64])))
    query = draw(st.sampled_from([rng.normal(size=dim), rows[0].astype(np.float64), rng.normal(size=dim), np.zeros(dim)]))
    return rows, query, draw(st.sampled_from([3, 1, 10, 0, 99])), rng.random(n) < draw(st.sampled_from([1.0, 0.5]))


@given(crowded_rows(), st.booleans())
def test_the_answer_is_that_of_a_full_search_in_float64(case, cosine):
    rows, query, k, allowed = case
    norms = np.array([np.sqrt(np.dot(row, row)) for row in rows.astype(np.float64)])
    positions, scores = ExactIndex(rows, norms=norms if cosine else None).search(query, k, allowed=allowed)
    expected = full_search(rows, query, k, cosine=cosine, allowed=allowed)
    assert (positions.tolist(), scores.tolist()) == expected


@given(crowded_rows())
def test_many_scores_at_once_equal_one_at_a_time(case):
    rows, query, _, _ = case
    index = cosine_index(rows, rows.dtype)
    together = index.scores(query, np.arange(len(rows)))
    assert together.tolist() == [float(index.scores(query, np.array([i]))[0]) for i in range(len(rows))]
    assert (np.abs(together) <= 1 + 1e-12).all()


@given(crowded_rows(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_only_which_of_exact_ties_comes_first(case, random):
    rows, query, k, _ = case
    order = list(range(len(rows)))
    random.shuffle(order)
    _, scores = cosine_index(rows, rows.dtype).search(query, k)
    positions, shuffled_scores = cosine_index(rows[order], rows.dtype).search(query, k)
    assert shuffled_scores.tolist() == scores.tolist()
    assert cosine_index(rows, rows.dtype).scores(query, np.array(order, dtype=np.intp)[positions]).tolist() == scores.tolist()
