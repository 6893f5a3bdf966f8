from __future__ import annotations

import random
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.graph import placement
from affrag_core.graph.layout import BOX, connected_groups, distinct_links, layout

NO_LINKS = np.empty((0, 2), dtype=np.intp)


def chain(n: int) -> np.ndarray:
    return np.column_stack([np.arange(n - 1), np.arange(1, n)])


def clusters(n: int, size: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    near = [(i, i - i % size + int(rng.integers(size))) for i in range(n) for _ in range(2)]
    return np.array(near + [(int(rng.integers(n)), int(rng.integers(n))) for _ in range(n // 10)])


def nearest(positions: np.ndarray) -> np.ndarray:
    apart = np.hypot(*(positions[:, None] - positions[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return apart.min(axis=1)


def test_no_event_has_no_position():
    assert layout(0, NO_LINKS).shape == (0, 2)


def test_one_event_stands_in_the_middle_of_the_box():
    assert layout(1, NO_LINKS).tolist() == [[0.8, 0.5]]


def test_two_events_stand_level_at_both_ends_whether_linked_or_not():
    for links in (NO_LINKS, [(0, 1)], [(1, 0), (0, 1), (0, 0)]):
        across = layout(2, np.array(links))
        assert np.allclose(np.sort(across[:, 0]), [0.0, 1.6])
        assert np.allclose(across[:, 1], 0.5)


def test_three_linked_events_stand_in_a_level_line_with_the_middle_one_between():
    line = layout(3, chain(3))
    assert np.allclose(line[1], (line[0] + line[2]) / 2, atol=0.02)
    assert np.ptp(line[:, 0]) > 1.5
    assert np.ptp(line[:, 1]) < 0.05


def test_events_without_links_stand_in_a_tidy_grid():
    positions = layout(50, NO_LINKS).round(9)
    columns, rows = (np.unique(positions[:, side]) for side in range(2))
    assert len(columns) * len(rows) < 70
    assert np.allclose(np.diff(columns), np.diff(columns)[0])
    assert np.allclose(np.diff(rows), np.diff(columns)[0])


def test_a_long_chain_is_folded_into_rows_that_can_be_followed():
    positions = layout(690, chain(690))
    steps = np.hypot(*np.diff(positions, axis=0).T)
    assert steps.max() < 3 * np.median(steps)
    assert nearest(positions).min() > 0.9 * np.median(steps)


def test_groups_do_not_overlap():
    links = np.vstack([clusters(60, 20), 60 + clusters(60, 20), 120 + chain(30)])
    positions = layout(160, links)
    boxes = [(positions[group].min(axis=0), positions[group].max(axis=0)) for group in connected_groups(160, distinct_links(160, links))]
    for place, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:place]:
            assert (low > other_high).any() or (high < other_low).any()


def test_linked_events_lie_nearer_than_others():
    links = clusters(600, 40)
    positions = layout(600, links)
    linked = np.hypot(*(positions[links[:, 0]] - positions[links[:, 1]]).T)
    any_two = np.hypot(*(positions[:300] - positions[300:]).T)
    assert np.median(linked) < np.median(any_two) / 3


@pytest.mark.parametrize(("n", "links"), [(40, clusters(40, 10)), (700, clusters(700, 50)), (90, chain(60))])
def test_the_same_links_give_the_same_positions_whatever_was_drawn_at_random_before(n, links):
    first = layout(n, links)
    random.seed(5)
    random.random()
    state = random.getstate()
    assert np.array_equal(layout(n, links), first)
    assert random.getstate() == state


def test_two_layouts_at_once_do_not_disturb_each_other():
    links = clusters(600, 30)
    alone, found = layout(600, links), []
    threads = [Thread(target=lambda: found.append(layout(600, links))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one, alone) for one in found)


def test_another_seed_gives_another_picture():
    links = clusters(600, 30)
    assert not np.allclose(layout(600, links, seed=1), layout(600, links, seed=2))


def test_a_dense_group_is_thinned_without_losing_an_event(monkeypatch):
    monkeypatch.setattr(placement, "SMALL", 5)
    every_pair = np.array([(i, j) for i in range(60) for j in range(i)])
    positions = layout(60, every_pair)
    assert nearest(positions).min() > 0


@pytest.mark.parametrize(("n", "largest"), [(40, 2000), (600, 2000), (600, 100)])
def test_where_igraph_is_missing_events_are_placed_all_the_same(monkeypatch, n, largest):
    monkeypatch.setattr(placement, "find_spec", lambda name: None)
    monkeypatch.setattr(placement, "LARGEST_WITHOUT_IGRAPH", largest)
    links = clusters(n, 20)
    positions = layout(n, links)
    assert np.array_equal(positions, layout(n, links))
    assert np.isfinite(positions).all()
    assert len(np.unique(positions.round(9), axis=0)) == n


@pytest.mark.parametrize(
    ("pairs", "message"),
    [([[0, 3]], "from 0 to 2, got 0 to 3"), ([[-1, 0]], "got -1 to 0"), ([[0, 1, 2]], r"shape \(n_pairs, 2\), got \(1, 3\)")],
)
def test_links_to_events_that_are_not_there_are_refused(pairs, message):
    with pytest.raises(ValueError, match=message):
        layout(3, np.array(pairs))


@given(n=st.integers(1, 40), raw=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=60))
def test_every_event_lies_inside_the_box_and_no_two_in_one_place(n, raw):
    pairs = np.array([(a % n, b % n) for a, b in raw], dtype=np.intp).reshape(-1, 2)
    positions = layout(n, pairs)
    assert positions.shape == (n, 2)
    assert positions.dtype == np.float64
    assert (positions >= 0).all()
    assert (positions <= BOX).all()
    assert n == 1 or nearest(positions).min() > 1e-3


@given(n=st.integers(2, 30), raw=st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=40))
def test_direction_order_and_repetition_of_links_change_nothing(n, raw):
    pairs = np.array([(a % n, b % n) for a, b in raw], dtype=np.intp).reshape(-1, 2)
    assert np.array_equal(layout(n, pairs), layout(n, np.vstack([pairs, pairs[::-1, ::-1]])))


@given(n=st.integers(1, 30), raw=st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=40))
def test_groups_are_those_that_a_plain_search_finds(n, raw):
    links = distinct_links(n, np.array([(a % n, b % n) for a, b in raw], dtype=np.intp).reshape(-1, 2))
    reached = {i: {i} for i in range(n)}
    for a, b in links.tolist():
        together = reached[a] | reached[b]
        for i in together:
            reached[i] = together
    expected = sorted({tuple(sorted(group)) for group in reached.values()})
    assert [tuple(group.tolist()) for group in connected_groups(n, links)] == expected
