"""Events, links and a trace as nodes and edges: what is drawn says what the core says."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core import (
    PRESETS,
    ALSConfig,
    CPTConfig,
    Edge,
    Emotion,
    Event,
    EventGraph,
    Retriever,
    ValidityState,
    Workspace,
    drawn_events,
    layout,
    path_hops,
)
from pages.shared import graph_rows
from pages.shared.graph_marks import OTHER_COLOUR, TYPE_COLOURS, feeling_words, marks, plain_attributes, valence_of
from pages.shared.graph_rows import Drawing, draw, link_pairs, links_left_out, paths_to_draw

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


def event(id: str, **more: object) -> Event:
    return Event(**({"id": id, "text": f"text of {id}", "timestamp": "2025-05-01"} | more))


STORY = [
    event("rule", kind="VERSIONED", semantic_vec=[1.0, 0.0, 0.0]),
    event("old", valid_until="2025-05-10", semantic_vec=[0.9, 0.1, 0.0]),
    event("live", kind="EVENT", valid_from="2025-05-30", valid_until="2025-06-03T12:00:00Z", semantic_vec=[0.7, 0.5, 0.0]),
    event("ticket", semantic_vec=[0.8, 0.6, 0.0]),
    event("answer", semantic_vec=[0.5, 0.8, 0.2]),
    event("party", semantic_vec=[0.0, 0.2, 1.0], timestamp=None),
]
LINKS = [("rule", "ticket"), ("rule", "live"), ("ticket", "answer"), ("ticket", "party"), ("old", "rule"), ("answer", "answer")]


def graph_of(events: list[Event], links: list[tuple[str, str]]) -> EventGraph:
    return EventGraph.build(events, [Edge(source=a, target=b, relation="next") for a, b in links])


GRAPH = graph_of(STORY, LINKS)
PLACES = layout(len(GRAPH), np.column_stack(link_pairs(GRAPH)))


def drawing(**more: object) -> Drawing:
    return draw(STORY, GRAPH, PLACES, drawn_events(GRAPH, budget=300), **more)


def by_id(drawn: Drawing) -> dict[str, dict]:
    return {node["id"]: node for node in drawn.nodes}


def between(drawn: Drawing) -> dict[tuple[str, str], dict]:
    return {(edge["from"], edge["to"]): edge for edge in drawn.edges}


@pytest.fixture(scope="module")
def trace():
    with Workspace.open(":memory:") as ws:
        ws.add_events(STORY)
        ws.add_edges([Edge(source=a, target=b, relation="next") for a, b in LINKS])
        config = PRESETS["Semantic only"].with_changes(mode="cpt", cpt=CPTConfig(seed_nodes=2, max_depth=2))
        return Retriever(ws).retrieve("the rule", config, NOW, query_vec=np.array([1.0, 0.05, 0.0]))


def test_shapes_say_the_kind():
    nodes = by_id(drawing())
    assert {name: nodes[name]["shape"] for name in ("ticket", "rule", "live")} == {"ticket": "dot", "rule": "diamond", "live": "star"}


def test_an_event_outside_its_window_is_hollow_and_an_active_one_has_a_ring():
    nodes = by_id(drawing(as_of=NOW))
    assert [name for name, node in nodes.items() if node["hollow"]] == ["old"]
    assert [name for name, node in nodes.items() if node["ring"]] == ["live"]
    assert nodes["old"]["card"]["state"] == "expired 22 days ago"
    assert nodes["live"]["card"]["state"] == "2 days left"
    assert nodes["ticket"]["card"]["state"] == "valid"


def test_without_a_time_nothing_is_said_of_validity():
    drawn = drawing(colour_by="validity")
    assert {(node["hollow"], node["ring"], node["card"]["state"], node["meaning"]) for node in drawn.nodes} == {
        (False, False, "", "no time is set")
    }


def test_nodes_stand_where_the_core_put_them():
    nodes = by_id(drawing())
    for place, name in enumerate(GRAPH.ids):
        assert (nodes[name]["x"], nodes[name]["y"]) == pytest.approx(tuple(PLACES[place] * graph_rows.SPAN), abs=0.05)


def test_an_event_with_more_links_is_larger():
    nodes = by_id(drawing())
    assert nodes["rule"]["size"] > nodes["live"]["size"]


def test_each_linked_pair_is_one_edge_with_all_its_relations():
    graph = EventGraph.build(STORY, [Edge(source="rule", target="ticket", relation=word) for word in ("next", "causes")])
    drawn = draw(STORY, graph, PLACES, drawn_events(graph, budget=300))
    (edge,) = drawn.edges
    assert (edge["from"], edge["to"], edge["relations"], edge["arrows"]) == ("rule", "ticket", "next, causes", "to")


def test_a_link_of_an_event_to_itself_is_shown():
    assert ("answer", "answer") in between(drawing())


def test_the_chosen_path_is_thick_and_its_hops_are_numbered(trace):
    path = max(trace.paths, key=lambda row: len(row["event_ids"]))
    edges = between(drawing(trace=trace, path=path))
    steps = list(zip(path["event_ids"], path["event_ids"][1:], strict=False))
    assert [(edges[step]["role"], edges[step]["hop"]) for step in steps] == [("path", place + 1) for place in range(len(steps))]
    assert min(edges[step]["width"] for step in steps) > max(edge["width"] for pair, edge in edges.items() if pair not in steps)


def test_the_runner_up_of_each_hop_is_dotted_and_bears_its_number(trace):
    path = max(trace.paths, key=lambda row: len(row["event_ids"]))
    edges = between(drawing(trace=trace, path=path))
    expected = {(hop["path"][-1], hop["runner_up"]): place for place, hop in enumerate(path_hops(trace, path), start=1) if hop["runner_up"]}
    assert expected
    assert {pair: edge["hop"] for pair, edge in edges.items() if edge["role"] == "runner-up"} == expected
    assert all(edges[pair]["dashes"] for pair in expected)


def test_seeds_are_marked_and_what_is_beside_the_path_stands_back(trace):
    path = trace.paths[0]
    nodes = by_id(drawing(trace=trace, path=path))
    assert {name for name, node in nodes.items() if node["seed"]} == {row["event_id"] for row in trace.pool if row["is_seed"]}
    assert {name for name, node in nodes.items() if node["on_path"]} == set(path["event_ids"])
    assert not any(node["quiet"] and node["on_path"] for node in nodes.values())
    assert nodes["old"]["quiet"] or nodes["party"]["quiet"]


def test_without_a_path_nothing_stands_back(trace):
    assert not any(node["quiet"] for node in drawing(trace=trace).nodes)


def test_an_edge_keeps_its_id_whatever_is_drawn_on_it(trace):
    ids = {pair: edge["id"] for pair, edge in between(drawing()).items()}
    with_path = {pair: edge["id"] for pair, edge in between(drawing(trace=trace, path=trace.paths[0])).items()}
    assert {pair: with_path[pair] for pair in ids} == ids


def test_a_hop_by_likeness_is_drawn_dashed_though_no_link_leads_there():
    events = [event(f"e{i}", semantic_vec=[1.0, i / 10, 0.0]) for i in range(3)]
    with Workspace.open(":memory:") as ws:
        ws.add_events(events)
        cpt = CPTConfig(seed_nodes=1, max_depth=1, spreading_activation=True)
        config = PRESETS["Semantic only"].with_changes(mode="cpt", cpt=cpt, als=ALSConfig(semantic_weight=1.0))
        trace = Retriever(ws).retrieve("q", config, NOW, query_vec=np.array([1.0, 0.0, 0.0]))
    graph = EventGraph.build(events)
    drawn = draw(events, graph, layout(3, np.empty((0, 2), dtype=int)), drawn_events(graph, budget=9), trace=trace, path=trace.paths[0])
    edge = between(drawn)[tuple(trace.paths[0]["event_ids"])]
    assert (edge["role"], edge["hop"], edge["dashes"], edge["relations"]) == ("path", 1, True, "by likeness, without a link")


def test_the_events_to_draw_first_are_the_chosen_path_the_others_and_the_runners_up(trace):
    path = trace.paths[-1]
    paths, rivals = paths_to_draw(trace, path)
    assert paths == [path["event_ids"], *(row["event_ids"] for row in trace.paths)]
    assert set(rivals) == {hop["runner_up"] for hop in path_hops(trace, path)} - {None}
    assert paths_to_draw(trace, None)[1] == []


def test_too_many_links_are_cut_and_said(monkeypatch):
    drawn = drawn_events(GRAPH, budget=300)
    assert links_left_out(GRAPH, drawn) is None
    monkeypatch.setattr(graph_rows, "MOST_LINKS", 2)
    assert len(drawing().edges) == 2
    assert links_left_out(GRAPH, drawn) == "2 of the 6 links between these events are drawn."


def test_only_events_of_the_choice_and_links_between_them_are_drawn():
    drawn = draw(STORY, GRAPH, PLACES, drawn_events(GRAPH, budget=2))
    assert {node["id"] for node in drawn.nodes} == {"rule", "ticket"}
    assert list(between(drawn)) == [("rule", "ticket")]


def test_an_event_that_was_deleted_meanwhile_is_passed_over():
    drawn = draw(STORY[1:], GRAPH, PLACES, drawn_events(GRAPH, budget=300))
    assert "rule" not in by_id(drawn)
    assert all("rule" not in pair for pair in between(drawn))


def test_labels_are_ids_or_words_and_never_long():
    events = [event("e" * 80, text="word " * 2000)]
    graph = EventGraph.build(events)
    for labels, start in (("id", "eee"), ("text", "word word")):
        (node,) = draw(events, graph, np.zeros((1, 2)), drawn_events(graph, budget=9), labels=labels).nodes
        assert node["label"].startswith(start)
        assert len(node["label"]) <= 26
        assert len(node["card"]["text"]) <= 180


@pytest.mark.parametrize(("emotion", "vector", "expected"), [
    ("happy", None, True), ("sad", None, False), (Emotion(-0.4, 0.9), None, False), (None, [0.7, 0.1], True), ("xyzzy", [-0.7, 0.1], False),
])  # fmt: skip
def test_valence_comes_from_a_word_a_point_or_a_vector(emotion, vector, expected):
    valence = valence_of(event("e", emotion=emotion, emotional_vec=vector), "valence-arousal")
    assert (valence > 0) is expected


@pytest.mark.parametrize(
    ("emotion", "vector", "space"), [(None, None, "valence-arousal"), ("xyzzy", None, None), (None, [0.7, 1.0], "other")]
)
def test_where_no_known_feeling_is_given_there_is_no_valence(emotion, vector, space):
    feeling = event("e", emotion=emotion, emotional_vec=vector)
    assert valence_of(feeling, space) is None
    assert marks([feeling], None, "valence", emotional_space=space)[0].meaning == "no known feeling"


def test_valence_runs_from_orange_to_blue():
    events = [event(f"e{i}", emotion=Emotion(valence, 0.0)) for i, valence in enumerate((-1, -0.3, 0, 0.3, 1))]
    found = marks(events, None, "valence")
    words = ["unpleasant", "somewhat unpleasant", "neither", "somewhat pleasant", "pleasant"]
    assert [mark.meaning for mark in found] == words
    assert (found[0].colour, found[-1].colour) == ("#D55E00", "#0072B2")


def test_a_feeling_is_said_as_it_was_given():
    assert feeling_words(event("e", emotion="Happy")) == "Happy"
    assert feeling_words(event("e", emotion=Emotion(-0.4, 0.25))) == "valence −0.4, arousal +0.25"
    assert feeling_words(event("e")) == ""


def test_validity_is_coloured_by_the_states_of_the_core():
    found = marks(STORY[:3], [ValidityState.VALID, ValidityState.EXPIRED, ValidityState.TEMPORAL], "validity")
    assert [mark.meaning for mark in found] == ["valid", "outside its window", "active window"]


def test_the_most_frequent_types_have_colours_of_their_own_and_the_rest_one_together():
    types = ["a", "a", *"bcdefghij"]
    found = marks([event(f"e{i}", doc_type=name) for i, name in enumerate(types)], None, "doc_type")
    assert (found[0].colour, found[0].meaning) == (TYPE_COLOURS[0], "a")
    assert {mark.meaning for mark in found if mark.colour == OTHER_COLOUR} == {"other types"}
    assert len({mark.colour for mark in found}) == len(TYPE_COLOURS) + 1


@pytest.mark.parametrize("value", [np.float64(1.0), np.int64(1), float("nan"), float("inf"), NOW, {"inner": np.bool_(True)}, ["a"]])
def test_attributes_that_are_not_plain_are_refused_before_pyvis_sees_them(value):
    with pytest.raises(TypeError, match="colour must be plain text or a finite number"):
        plain_attributes({"fine": 1, "colour": value})


texts = st.text(min_size=1, max_size=40).filter(str.strip)


@given(ids=st.lists(texts, min_size=1, max_size=8, unique=True), text=texts, relation=texts, doc_type=texts)
def test_whatever_people_write_comes_through_as_text_with_unique_ids(ids, text, relation, doc_type):
    events = [event(name, text=text, doc_type=doc_type, emotion="calm") for name in ids]
    graph = EventGraph.build(events, [Edge(source=ids[0], target=name, relation=relation) for name in ids])
    for colour_by in ("kind", "validity", "valence", "doc_type"):
        drawn = draw(events, graph, np.zeros((len(ids), 2)), drawn_events(graph, budget=99), colour_by=colour_by, as_of=NOW)
        assert [node["id"] for node in drawn.nodes] == ids
        assert len({edge["id"] for edge in drawn.edges}) == len(drawn.edges) == len(ids)
        assert json.loads(json.dumps(drawn.nodes, allow_nan=False)) == drawn.nodes
