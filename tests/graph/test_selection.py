from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.selection import drawn_events
from affrag_core.graph.structure import EventGraph


def graph_of(n: int, *pairs: tuple[int, int]) -> EventGraph:
    events = [Event(id=f"e{i}", text=f"event {i}") for i in range(n)]
    return EventGraph.build(events, [Edge(source=f"e{a}", target=f"e{b}") for a, b in pairs])


# e1 is a hub of five, e7 has two links, e8 and e9 one each.
HUBS = graph_of(10, (1, 2), (1, 3), (1, 4), (1, 5), (1, 7), (7, 8), (9, 1))


def test_all_events_are_drawn_where_they_fit():
    drawn = drawn_events(HUBS, budget=10)
    assert drawn.indices.tolist() == list(range(10))
    assert drawn.sentence == "All 10 events shown."


def test_without_paths_the_largest_hubs_are_drawn():
    drawn = drawn_events(HUBS, budget=2)
    assert drawn.indices.tolist() == [1, 7]
    assert drawn.sentence == "2 of 10 events shown: the largest hubs."


def test_paths_come_first_then_their_neighbourhood_then_hubs():
    drawn = drawn_events(HUBS, budget=4, paths=[["e8"]])
    # e8 is the path, e7 its only neighbour, e1 the largest hub, e2 the first of the next largest.
    assert drawn.indices.tolist() == [1, 2, 7, 8]
    assert drawn.sentence == "4 of 10 events shown: the paths, their neighbourhood and the largest hubs."


def test_neighbours_are_found_against_the_direction_of_a_link_too():
    assert 9 in drawn_events(HUBS, budget=7, paths=[["e1"]]).indices


def test_a_neighbourhood_that_does_not_fit_is_called_a_part():
    drawn = drawn_events(HUBS, budget=3, paths=[["e1"]])
    assert drawn.indices.tolist() == [1, 2, 7]
    assert drawn.sentence == "3 of 10 events shown: the paths and part of their neighbourhood."


def test_paths_that_fill_the_budget_leave_no_room_for_a_neighbourhood():
    assert drawn_events(HUBS, budget=1, paths=[["e1"]]).sentence == "1 of 10 events shown: the paths."


def test_the_budget_is_honoured_where_the_paths_alone_exceed_it_and_says_so():
    drawn = drawn_events(HUBS, budget=2, paths=[["e4", "e5"], ["e4", "e6"]])
    assert drawn.indices.tolist() == [4, 5]
    assert drawn.sentence == "2 of 10 events shown: the paths hold 3 events, more than the 2 allowed here, so not even they are complete."


def test_an_event_in_focus_is_drawn_with_its_neighbourhood():
    drawn = drawn_events(HUBS, budget=3, focus=["e8"])
    assert drawn.indices.tolist() == [1, 7, 8]
    assert drawn.sentence == "3 of 10 events shown: the event looked at, its neighbourhood and the largest hubs."


def test_an_isolated_event_in_focus_has_no_neighbourhood_to_speak_of():
    assert drawn_events(HUBS, budget=2, focus=["e0"]).sentence == "2 of 10 events shown: the event looked at and the largest hubs."


def test_paths_and_an_event_in_focus_are_both_named():
    drawn = drawn_events(HUBS, budget=3, paths=[["e8"]], focus=["e0"])
    assert drawn.indices.tolist() == [0, 7, 8]
    assert drawn.sentence == "3 of 10 events shown: the paths, the event looked at and their neighbourhood."


def test_ids_that_are_gone_are_passed_over():
    assert drawn_events(HUBS, budget=1, paths=[["gone"]], focus=["gone"]).sentence == "1 of 10 events shown: the largest hubs."


def test_large_numbers_are_easy_to_read():
    assert drawn_events(graph_of(1200), budget=300).sentence == "300 of 1,200 events shown: the largest hubs."


@pytest.mark.parametrize(("n", "sentence"), [(0, "There are no events to show."), (1, "The only event is shown.")])
def test_nothing_and_one_event_are_drawn_as_they_are(n, sentence):
    drawn = drawn_events(graph_of(n), budget=300)
    assert (len(drawn.indices), drawn.sentence) == (n, sentence)


def test_a_budget_below_one_is_refused():
    with pytest.raises(ValueError, match="budget must be at least 1, got 0"):
        drawn_events(HUBS, budget=0)


places = st.integers(0, 11)


@given(
    pairs=st.lists(st.tuples(places, places), max_size=30),
    budget=st.integers(1, 14),
    paths=st.lists(st.lists(places, max_size=5), max_size=4),
    focus=st.lists(places, max_size=3),
)
def test_the_budget_is_used_exactly_and_paths_are_never_given_up_for_others(pairs, budget, paths, focus):
    graph = graph_of(12, *pairs)
    drawn = drawn_events(graph, budget=budget, paths=[[f"e{i}" for i in path] for path in paths], focus=[f"e{i}" for i in focus])
    assert len(drawn.indices) == min(budget, 12)
    assert np.array_equal(drawn.indices, np.unique(drawn.indices))
    on_paths = {i for path in paths for i in path}
    assert on_paths <= set(drawn.indices.tolist()) or (len(on_paths) > budget and set(drawn.indices.tolist()) <= on_paths)
