"""Spreading activation over a graph of structure alone, its events in another store; the scenarios of the package's examples."""

from __future__ import annotations

import pytest

from affrag_core import ALSConfig, CPTConfig, MemoryGraph
from affrag_core.reference.lookups import takes_top_k

ROW = ("a", "b", "c")
STORE = {
    "a": {"id": "a", "text": "a storm came up", "timestamp": "2024-03-01T10:00:00Z"},
    "b": {"id": "b", "text": "the roof leaked", "timestamp": "2024-03-02T10:00:00Z"},
    "c": {"id": "c", "text": "we fixed the roof", "timestamp": "2024-03-05T10:00:00Z"},
    "lone": {"id": "lone", "text": "a new roof was ordered", "timestamp": "2024-03-05T22:00:00Z"},
}
NEAR = {STORE["c"]["text"]: [("b", 0.9), ("lone", 0.8)], STORE["b"]["text"]: [("c", 0.9), ("a", 0.05)], "storm": [("a", 0.95)]}


@pytest.fixture
def graph():
    """Structure alone: a to b to c, and one event that no link leads to."""
    graph = MemoryGraph()
    for event_id in STORE:
        graph.add_event(event_id, {"id": event_id})
    graph.add_edge("a", "b")
    graph.add_edge("b", "c")
    return graph


def walked(graph, **settings):
    def lookup(query, top_k=5):
        return NEAR.get(query, [])[:top_k]

    config = CPTConfig(**settings)
    result = graph.retrieve(query="storm", vector_lookup=lookup, cpt_config=config, event_data_provider=STORE.__getitem__)
    return [[node["id"] for node in path.nodes] for path in result.paths]


def test_without_spreading_activation_only_links_are_walked(graph):
    assert walked(graph, max_depth=5) == [["a", "b", "c"]]


def test_spreading_activation_reaches_an_event_that_no_link_leads_to(graph):
    assert walked(graph, spreading_activation=True, activation_top_k=2, activation_min_score=0.1) == [["a", "b", "c", "lone"]]


@pytest.mark.parametrize(("size", "path"), [(1, ["a", "b", "c"]), (2, ["a", "b", "c", "lone"])])
def test_activation_top_k_bounds_how_many_are_looked_up(graph, size, path):
    assert walked(graph, spreading_activation=True, activation_top_k=size) == [path]


def test_without_its_own_top_k_the_activation_uses_the_general_one(graph):
    assert walked(graph, spreading_activation=True, activation_top_k=None, top_k=1) == [["a", "b", "c", "lone"]]
    assert walked(graph, spreading_activation=True, activation_top_k=None, top_k=0) == [["a"]]


def test_the_multiplier_also_acts_on_a_neighbour_that_is_activated(graph):
    link = 3.1470 / (1 + 3)  # from b to c, three days apart
    reach = {"spreading_activation": True, "activation_top_k": 2, "min_als_score": 0.7}
    assert walked(graph, **reach, activation_score_multiplier=0.71 / link) == [["a", "b", "c", "lone"]]
    assert walked(graph, **reach, activation_score_multiplier=0.69 / link) == [["a", "b"]]


def test_activated_events_less_alike_than_the_minimum_are_left_out(graph):
    assert walked(graph, spreading_activation=True, activation_min_score=0.81) == [["a", "b", "c"]]


@pytest.mark.parametrize("apart", [True, False])
def test_the_activations_own_weights_act_only_on_events_that_stand_apart(graph, apart):
    settings = {"spreading_activation": True, "activation_als_config": ALSConfig(bias=-1.0), "min_als_score": 0.0}
    path = ["a", "b", "c"] if apart else ["a", "b", "c", "lone"]
    assert walked(graph, **settings, activation_as_neighbors=not apart) == [path]


def test_an_event_that_is_neighbour_and_activated_stands_twice_where_they_stand_apart(graph):
    settings = {"spreading_activation": True, "branching_factor": 2, "max_depth": 2, "activation_as_neighbors": False}
    assert walked(graph, **settings) == [["a", "b", "c"], ["a", "b", "c"]]


def test_a_text_is_looked_up_by_content_where_an_event_has_no_text():
    graph = MemoryGraph()
    graph.add_event("a", {"content": "a storm"})
    graph.add_event("b", {})
    asked = []

    def lookup(query):
        asked.append(query)
        return [("a", 0.9)] if query == "q" else [("b", 0.8)]

    result = graph.retrieve("q", vector_lookup=lookup, cpt_config=CPTConfig(spreading_activation=True))
    assert [[node["id"] for node in path.nodes] for path in result.paths] == [["a", "b"]]
    assert asked == ["q", "a storm"]


def test_a_lookup_that_fails_during_activation_raises(graph):
    def lookup(query, top_k=5):
        if query != "storm":
            raise ConnectionError("the vector store is down")
        return [("a", 0.9)]

    with pytest.raises(ConnectionError, match="the vector store is down"):
        graph.retrieve("storm", vector_lookup=lookup, cpt_config=CPTConfig(spreading_activation=True), event_data_provider=STORE.get)


def test_a_type_error_inside_a_lookup_is_not_taken_for_a_missing_argument(graph):
    def lookup(query, top_k=5):
        if query != "storm":
            raise TypeError("broken inside")
        return [("a", 0.9)]

    with pytest.raises(TypeError, match="broken inside"):
        graph.retrieve("storm", vector_lookup=lookup, cpt_config=CPTConfig(spreading_activation=True), event_data_provider=STORE.get)


def test_hits_that_the_graph_does_not_hold_are_passed_over(graph):
    hits = {"storm": [("elsewhere", 0.99), ("a", 0.9)], STORE["a"]["text"]: [("elsewhere", 0.99)]}
    result = graph.retrieve(
        "storm",
        vector_lookup=lambda query: hits.get(query, []),
        cpt_config=CPTConfig(spreading_activation=True),
        event_data_provider=STORE.__getitem__,
    )
    assert [[node["id"] for node in path.nodes] for path in result.paths] == [["a", "b", "c"]]


def test_an_activated_event_that_only_the_other_store_holds_is_walked_to_and_has_no_links():
    graph = MemoryGraph()
    graph.add_event("a", {})
    hits = {"storm": [("a", 0.9)], STORE["a"]["text"]: [("lone", 0.8)], STORE["lone"]["text"]: [("a", 0.7)]}
    result = graph.retrieve(
        "storm",
        vector_lookup=lambda query: hits.get(query, []),
        cpt_config=CPTConfig(spreading_activation=True),
        event_data_provider=STORE.__getitem__,
    )
    assert [[node["id"] for node in path.nodes] for path in result.paths] == [["a", "lone"]]


@pytest.mark.parametrize(
    ("lookup", "told"),
    [
        (lambda query: [], False),
        (lambda query, top_k: [], True),
        (lambda query, top_k=5: [], True),
        (lambda query, *, top_k=5: [], False),
        (lambda *arguments: [], True),
        (lambda query, **options: [], False),
        ({}.get, True),
    ],
)
def test_a_lookup_is_told_how_many_hits_to_give_where_it_takes_two_arguments(lookup, told):
    assert takes_top_k(lookup) is told
