"""`MemoryGraph`: every method of the first document's API reference, and edits that the next retrieval sees."""

from __future__ import annotations

from functools import partial

import networkx as nx
import pytest

from affrag_core import CPTConfig, EventError, MemoryGraph, MemoryStore, calculate_als_score

DAY = "2024-01-{:02}T12:00:00Z"


@pytest.fixture
def graph():
    """a to b and to c, b to c; the times are days apart."""
    graph = MemoryGraph()
    for day, event_id in enumerate("abc", 1):
        graph.add_event(event_id, {"text": f"event {event_id}", "timestamp": DAY.format(day)})
    graph.add_edge("a", "b", relation="next", weight=2)
    graph.add_edge("a", "c")
    graph.add_edge("b", "c")
    return graph


def walked(graph, *seeds, **settings):
    result = graph.retrieve("?", vector_lookup=lambda query: [(seed, 0.0) for seed in seeds], cpt_config=CPTConfig(**settings))
    return [([node["id"] for node in path.nodes], path.score) for path in result.paths]


def by_time(days):
    return 3.1470 / (1 + days)


def test_nodes_edges_and_neighbours_come_in_order_of_insertion(graph):
    assert graph.nodes() == ["a", "b", "c"]
    assert graph.edges() == [("a", "b", {"relation": "next", "weight": 2}), ("a", "c", {}), ("b", "c", {})]
    assert graph.neighbors("a") == ["b", "c"]
    assert graph.predecessors("c") == ["a", "b"]
    assert graph.has_node("a")
    assert not graph.has_node("z")


def test_a_subgraph_is_a_copy_of_some_events_and_the_links_between_them(graph):
    part = graph.subgraph(["a", "b"])
    assert isinstance(part, nx.DiGraph)
    assert list(part.edges) == [("a", "b")]
    part.remove_node("a")
    assert graph.has_node("a")


def test_an_event_carries_its_id_and_is_handed_out_as_a_copy(graph):
    event = graph.get_event("a")
    assert event == {"id": "a", "text": "event a", "timestamp": DAY.format(1)}
    event["text"] = "changed"
    assert graph.get_event("a")["text"] == "event a"


def test_an_event_keeps_an_id_of_its_own():
    graph = MemoryGraph()
    graph.add_event("a", {"id": "other"})
    assert graph.get_event("a") == {"id": "other"}


def test_an_unknown_event_is_a_key_error(graph):
    with pytest.raises(KeyError):
        graph.get_event("z")


def test_an_unknown_event_has_no_neighbours_to_ask_for(graph):
    with pytest.raises(nx.NetworkXError):
        graph.neighbors("z")


def test_the_older_name_is_the_same_class():
    assert MemoryStore is MemoryGraph


def test_the_graph_is_a_networkx_graph_of_dictionaries(graph):
    assert isinstance(graph.graph, nx.DiGraph)
    assert graph.graph.nodes["a"]["text"] == "event a"


def test_a_link_to_an_event_that_is_missing_adds_it_without_data():
    graph = MemoryGraph()
    graph.add_edge("a", "b")
    assert graph.get_event("b") == {}
    assert graph.retrieve("?", vector_lookup=lambda q: [("a", 1.0)]).paths[0].nodes == [{}, {}]


def test_seeds_that_the_graph_does_not_hold_are_passed_over_but_count_as_seeds(graph):
    assert walked(graph, "z", "b", "a", seed_nodes=2, max_depth=0) == [(["b"], 0.0)]


def test_a_seed_given_twice_starts_once_from_its_first_place_with_its_last_score(graph):
    result = graph.retrieve("?", vector_lookup=lambda q: [("a", 0.1), ("b", 0.3), ("a", 0.3)], cpt_config=CPTConfig(max_depth=0))
    assert [(path.nodes[0]["id"], path.score) for path in result.paths] == [("a", 0.3), ("b", 0.3)]


def test_a_self_loop_is_never_walked(graph):
    graph.add_edge("a", "a")
    assert walked(graph, "a", max_depth=1) == [(["a", "b"], by_time(1))]


def test_an_event_added_again_is_updated_in_place_and_the_next_retrieval_sees_it(graph):
    assert walked(graph, "a", max_depth=1) == [(["a", "b"], by_time(1))]
    graph.add_event("c", {"timestamp": DAY.format(1)})
    assert graph.nodes() == ["a", "b", "c"]
    assert graph.get_event("c")["text"] == "event c"
    assert walked(graph, "a", max_depth=1) == [(["a", "c"], by_time(0))]


def test_a_new_link_is_seen_by_the_next_retrieval(graph):
    assert walked(graph, "c") == [(["c"], 0.0)]
    graph.add_event("d", {"timestamp": DAY.format(4)})
    graph.add_edge("c", "d")
    assert walked(graph, "c") == [(["c", "d"], by_time(1))]


def test_a_link_added_again_stays_one_link(graph):
    graph.add_edge("a", "b", weight=3)
    assert walked(graph, "a", max_depth=1, branching_factor=3) == [(["a", "b"], by_time(1)), (["a", "c"], by_time(2))]
    graph.add_edge("a", "b", weight=4)
    assert walked(graph, "a", max_depth=1, branching_factor=3) == [(["a", "b"], by_time(1)), (["a", "c"], by_time(2))]
    assert graph.edges()[0] == ("a", "b", {"relation": "next", "weight": 4})


def test_a_graph_edited_by_hand_is_read_again_after_recompile(graph):
    assert walked(graph, "a", max_depth=1) == [(["a", "b"], by_time(1))]
    graph.graph.remove_edge("a", "b")
    graph.graph.nodes["c"]["timestamp"] = DAY.format(1)
    graph.recompile()
    assert walked(graph, "a", max_depth=1) == [(["a", "c"], by_time(0))]
    graph.graph.remove_node("b")
    graph.recompile()
    assert walked(graph, "a", "b") == [(["a", "c"], by_time(0))]


def test_methods_and_edits_by_hand_mix_as_long_as_recompile_follows(graph):
    walked(graph, "a")
    graph.add_event("d", {"timestamp": DAY.format(3)})
    graph.graph.remove_node("d")
    graph.add_edge("c", "b")
    graph.recompile()
    assert walked(graph, "c") == [(["c", "b"], by_time(1))]


def test_seven_and_the_text_seven_are_two_events_as_in_the_reference():
    graph = MemoryGraph()
    graph.add_event(7, {"timestamp": DAY.format(1)})
    graph.add_event("7", {"timestamp": DAY.format(2)})
    graph.add_edge(7, "7")
    assert graph.nodes() == [7, "7"]
    assert walked(graph, 7) == [([7, "7"], by_time(1))]
    assert walked(graph, "7") == [(["7"], 0.0)]


def test_an_id_that_cannot_be_one_leaves_the_graph_as_it_was(graph):
    walked(graph, "a")
    for edge in [(None, "a"), ("a", None), ([], "a")]:
        with pytest.raises((ValueError, TypeError)):
            graph.add_edge(*edge)
    assert graph.nodes() == ["a", "b", "c"]
    assert walked(graph, "a", max_depth=1) == [(["a", "b"], by_time(1))]


BAD_FIELDS = {
    "a time in words": ({"timestamp": "yesterday"}, "timestamp", "'yesterday'"),
    "an empty time": ({"timestamp": ""}, "timestamp", "''"),
    "a NaN": ({"semantic_vec": [1.0, float("nan")]}, "semantic_vec", "nan at position 1"),
    "an infinity": ({"emotional_vec": [float("-inf"), 0.0]}, "emotional_vec", "-inf at position 0"),
    "words for numbers": ({"semantic_vec": ["one", "two"]}, "semantic_vec", "must be a list of numbers"),
    "a list of lists": ({"semantic_vec": [[1.0], [2.0]]}, "semantic_vec", r"shape \(2, 1\)"),
    "another length": ({"semantic_vec": [1.0, 2.0, 3.0]}, "semantic_vec", "must have 2 numbers as the first vector has, got 3"),
}


@pytest.mark.parametrize("warm", [False, True], ids=["first retrieval", "later retrieval"])
@pytest.mark.parametrize(("fields", "name", "message"), BAD_FIELDS.values(), ids=BAD_FIELDS)
def test_what_cannot_be_read_is_an_error_that_names_the_event_and_the_field(graph, fields, name, message, warm):
    for event_id in "ab":
        graph.add_event(event_id, {"semantic_vec": [1.0, 0.0]})
    if warm:
        walked(graph, "a")
    graph.add_event("c", fields)
    with pytest.raises(EventError, match=message) as error:
        walked(graph, "a")
    assert (error.value.event_id, error.value.field) == ("c", name)
    assert "(event c)" in str(error.value)
    graph.add_event("c", {"semantic_vec": [0.0, 1.0], "emotional_vec": None, "timestamp": DAY.format(1)})
    assert walked(graph, "a", max_depth=1)[0][0] == ["a", "c"]


def test_zero_and_missing_vectors_are_alike_to_nothing():
    graph = MemoryGraph()
    graph.add_event("a", {"semantic_vec": [1.0, 0.0]})
    for event_id, vector in {"zero": [0.0, 0.0], "none": None, "empty": [], "same": [2.0, 0.0]}.items():
        graph.add_event(event_id, {"semantic_vec": vector})
        graph.add_edge("a", event_id)
    links = {keys[-1]: score for keys, score in walked(graph, "a", max_depth=1, branching_factor=4)}
    assert links == {"same": 0.0791, "zero": 0.0, "none": 0.0, "empty": 0.0}


def test_times_with_and_without_an_offset_mix_in_one_graph():
    graph = MemoryGraph()
    times = {"a": "2024-01-01T12:00:00", "b": "2024-01-02T14:00:00+02:00", "c": "2024-01-01", "d": 1704110400, "e": 1704110400000}
    for event_id, time in times.items():
        graph.add_event(event_id, {"timestamp": time})
        graph.add_edge("a", event_id)
    days = {"b": 1, "c": 0.5, "d": 0, "e": 0}  # 1704110400 is noon of the first of January 2024
    links = {keys[-1]: score for keys, score in walked(graph, "a", max_depth=1, branching_factor=5)}
    assert links == pytest.approx({event_id: by_time(apart) for event_id, apart in days.items()}, abs=1e-12)


def test_a_score_function_that_gives_no_number_is_an_error_that_names_both_events(graph):
    with pytest.raises(EventError, match="score_fn must give a number, got nan for 'a' and 'b'"):
        graph.retrieve("?", vector_lookup=lambda q: [("a", 1.0)], score_fn=lambda a, b: float("nan"))


def test_the_plain_path_of_a_score_function_and_the_compiled_one_agree(graph):
    lookup = {"vector_lookup": lambda query: [("a", 0.5), ("b", 0.25)], "cpt_config": CPTConfig(branching_factor=2)}
    plain = graph.retrieve("?", **lookup, score_fn=partial(calculate_als_score))
    assert plain == graph.retrieve("?", **lookup) == graph.retrieve("?", **lookup, score_fn=calculate_als_score)


def test_an_empty_graph_and_an_empty_lookup_give_no_paths(graph):
    assert MemoryGraph().retrieve("?", vector_lookup=lambda q: [("a", 1.0)]).paths == []
    assert walked(graph) == []
