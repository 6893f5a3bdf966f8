"""The compiled graph: neighbours, relations, features, and the next snapshot after a change."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_source import MemorySource

from affrag_core.errors import EventError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph import structure
from affrag_core.graph.structure import EventGraph

START = datetime(2025, 1, 1, tzinfo=UTC)


def event(event_id: str, *, vector=None, feeling=None, day=None) -> Event:
    when = None if day is None else START + timedelta(days=day)
    return Event(id=event_id, text=event_id, timestamp=when, semantic_vec=vector, emotional_vec=feeling)


def edges(*names: str) -> list[Edge]:
    """``ab`` is an edge from a to b, ``abX`` one of relation X."""
    return [Edge(source=name[0], target=name[1], relation=name[2:] or "next") for name in names]


def graph_of(ids: str, *names: str) -> EventGraph:
    return EventGraph.build([event(i, vector=[1.0, ord(i) - 95.0], day=ord(i)) for i in ids], edges(*names))


def neighbour_ids(graph: EventGraph) -> dict[str, str]:
    return {event_id: "".join(graph.ids[j] for j in graph.neighbours(i)) for i, event_id in enumerate(graph.ids)}


def test_neighbours_stand_once_each_in_the_order_of_their_first_edge():
    graph = graph_of("abcd", "ad", "ab", "adX", "ca", "ac", "abX")
    assert neighbour_ids(graph) == {"a": "dbc", "b": "", "c": "a", "d": ""}
    assert graph.indptr.tolist() == [0, 3, 3, 4, 4]
    assert graph.targets.tolist() == [3, 1, 2, 0]


def test_all_relations_of_a_pair_are_kept_in_order():
    graph = graph_of("abc", "abX", "ac", "abY", "baZ")
    assert graph.relations_from(0) == {1: ["X", "Y"], 2: ["next"]}
    assert graph.relations_from(1) == {0: ["Z"]}
    assert graph.relations_from(2) == {}


def test_degree_counts_pairs_in_both_directions():
    assert graph_of("abcd", "ab", "abX", "ba", "ca", "cc").degree.tolist() == [3, 2, 3, 0]


def test_an_event_may_link_to_itself():
    assert neighbour_ids(graph_of("ab", "aa", "ab")) == {"a": "ab", "b": ""}


def test_no_events_make_an_empty_graph():
    graph = EventGraph.build([])
    assert len(graph) == 0
    assert graph.indptr.tolist() == [0]
    assert graph.degree.tolist() == []
    assert len(graph.with_changes([event("a")])) == 1


def test_one_event_has_no_neighbours_and_no_features():
    graph = graph_of("a")
    assert graph.neighbours(0).tolist() == []
    assert graph.row_features(0).shape == (0, 3)


def test_an_edge_to_a_missing_event_is_refused_by_name():
    with pytest.raises(EventError, match="an edge must join two known events, got 'z'") as caught:
        graph_of("ab", "ab", "az")
    assert caught.value.field == "source or target"


def test_vectors_of_two_lengths_are_refused_also_by_a_change():
    with pytest.raises(EventError, match=r"semantic_vec must have 2 numbers .* got 1 \(event b\)"):
        graph_of("a").with_changes([event("b", vector=[1.0])])


def test_features_of_a_row_are_computed_once_and_cannot_be_written_to():
    graph = graph_of("abc", "ab", "ac")
    row = graph.row_features(0)
    assert graph.row_features(0) is row
    assert row[0].tolist() == pytest.approx([(1 * 1 + 2 * 3) / (5**0.5 * 10**0.5), 0, 1 / (1 + 1)])
    assert np.array_equal(graph.features(0, np.array([2, 1])), row[::-1])
    with pytest.raises(ValueError, match="read-only"):
        row[0] = 0


def test_a_change_leaves_the_snapshot_before_it_as_it_was():
    before = graph_of("abc", "ab", "bc")
    after = before.with_changes([event("b", vector=[5.0, 5.0])], ["c"], edges("ba"), [("a", "b", "next")])
    assert neighbour_ids(before) == {"a": "b", "b": "c", "c": ""}
    assert neighbour_ids(after) == {"a": "", "b": "a"}
    assert before.arrays.semantic.matrix[1].tolist() == [1, 3]
    assert after.arrays.semantic.matrix[1].tolist() == [5, 5]


def test_an_event_deleted_and_added_again_comes_last_and_without_its_edges():
    after = graph_of("abc", "ab", "bc", "ca").with_changes([event("a", vector=[1.0, 1.0])], ["a"], edges("ba"))
    assert after.ids == ["b", "c", "a"]
    assert neighbour_ids(after) == {"b": "ca", "c": "", "a": ""}


def test_deleting_one_of_several_relations_keeps_the_neighbour():
    after = graph_of("abc", "abX", "abY", "ac").with_changes(deleted_links=[("a", "b", "X"), ("a", "c", "no such")])
    assert neighbour_ids(after)["a"] == "bc"
    assert after.relations_from(0) == {1: ["Y"], 2: ["next"]}


@pytest.fixture
def computed(monkeypatch) -> Counter:
    """How often the features of each event's links were computed."""
    calls: Counter = Counter()
    original = structure.link_features

    def counted(arrays, a, b):
        calls.update(a[:1].tolist())
        return original(arrays, a, b)

    monkeypatch.setattr(structure, "link_features", counted)
    return calls


def rows_computed_after(computed: Counter, **change) -> set[int]:
    graph = graph_of("abcd", "ab", "bc", "cd", "da")
    for i in range(4):
        graph.row_features(i)
    computed.clear()
    graph = graph.with_changes(**change)
    for i in range(len(graph)):
        graph.row_features(i)
    return set(computed.elements())


@pytest.mark.parametrize(
    ("change", "touched"),
    [
        ({}, set()),
        ({"put_nodes": [event("b", vector=[9.0, 9.0])]}, {0, 1}),  # the row that leads to b, and its own
        ({"put_links": edges("ac")}, {0}),
        ({"put_links": edges("abX")}, set()),
        ({"deleted_links": [("c", "d", "next")]}, set()),  # an empty row costs nothing
        ({"put_nodes": [event("e")]}, set()),
        ({"put_nodes": [event("e")], "put_links": edges("ea", "be")}, {1, 4}),
        ({"deleted_nodes": ["a"]}, set()),
    ],
)
def test_a_change_recomputes_only_the_rows_it_touches(computed, change, touched):
    assert rows_computed_after(computed, **change) == touched


IDS = "abcdef"
VECTORS = [None, [1.0, 0.0], [0.3, -2.0], np.array([1, 2], dtype=np.float32), [1e200, 1e200], [0.0, 0.0]]
SOME_VECTOR = st.sampled_from(VECTORS)
EVENTS = st.builds(event, st.sampled_from(IDS), vector=SOME_VECTOR, feeling=SOME_VECTOR, day=st.none() | st.integers(0, 9))
PUT = st.lists(EVENTS, max_size=3, unique_by=lambda e: e.id)
LINKS = st.builds(Edge, source=st.sampled_from(IDS), target=st.sampled_from(IDS), relation=st.sampled_from(["X", "Y"]))
STEPS = st.tuples(PUT, st.sets(st.sampled_from(IDS), max_size=2), st.lists(LINKS, max_size=6), st.data())


def assert_same_graph(got: EventGraph, want: EventGraph) -> None:
    assert (got.ids, got.index) == (want.ids, want.index)
    assert (got.indptr.tolist(), got.targets.tolist()) == (want.indptr.tolist(), want.targets.tolist())
    assert np.array_equal(got.arrays.time_s, want.arrays.time_s, equal_nan=True)
    for i in range(len(want)):
        assert got.relations_from(i) == want.relations_from(i)
        assert np.array_equal(got.row_features(i), want.row_features(i))
        everything = np.arange(len(want))
        assert np.array_equal(got.features(i, everything), want.features(i, everything))


@settings(max_examples=100)
@given(st.lists(STEPS, max_size=6), st.booleans())
def test_any_row_of_changes_gives_the_graph_that_building_anew_gives(steps, several_at_once):
    source = MemorySource()
    graph, seen = EventGraph.build([]), source.version
    for put, delete, link, data in steps:
        there = {e.id for e in source.events()}
        after = there - delete | {e.id for e in put}
        keys = [edge.key for edge in source.edges()]
        unlink = data.draw(st.sets(st.sampled_from(keys), max_size=3)) if keys else set()
        source.change(put=put, delete=delete & there, link=[e for e in link if {e.source, e.target} <= after], unlink=unlink)
        if not several_at_once or data.draw(st.booleans()):
            for i in range(0, len(graph), 2):
                graph.row_features(i)
            graph, seen = graph.updated(source.changes_since(seen)), source.version
            assert_same_graph(graph, EventGraph.build(source.events(), source.edges()))
