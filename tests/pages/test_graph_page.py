"""The Memory graph page, driven: what it draws, what it says, and where it leads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from driving import checked, opened, press, said
from streamlit.testing.v1 import AppTest

from affrag_core import Edge, Event
from pages.explore.graph_choice import best_match
from pages.shared import graph_view

PAGE = "pages/explore/graph.py"
EVENTS = [
    Event(id="hub", text="Everything begins here", semantic_vec=[1, 0, 0], timestamp="2025-05-01", emotion="happy"),
    Event(id="old", text="Over since long", semantic_vec=[0.9, 0.1, 0], valid_until="2024-06-01", doc_type="policy"),
    Event(id="live", text="It is on", semantic_vec=[0.5, 0.5, 0], timestamp="2025-05-02", kind="EVENT", valid_until="2025-06-01"),
    Event(id="**mute** <b>", text="# no vector `x` :red[y]", timestamp="2025-05-03"),
    *(Event(id=f"far{i}", text=f"far away {i}", semantic_vec=[0, i, 1], timestamp="2025-04-01") for i in range(12)),
]
LINKS = [("hub", "old"), ("hub", "live"), ("live", "hub"), ("hub", "**mute** <b>")]
EDGES = [Edge(source=a, target=b, relation="leads to") for a, b in LINKS]


def graph(at: AppTest) -> dict[str, Any]:
    """What was sent to the component that draws."""
    (proto,) = [one.proto for one in at.get("bidi_component") if one.proto.component_name == "memory_graph"]
    return json.loads(proto.json)


def ids(at: AppTest) -> set[str]:
    return {node["id"] for node in graph(at)["nodes"]}


@pytest.fixture
def notes(make_workspace) -> str:
    make_workspace("notes", EVENTS, EDGES)
    return "notes"


def test_all_events_and_links_are_drawn_where_they_fit(notes):
    at = opened(PAGE, notes)
    assert ids(at) == {event.id for event in EVENTS}
    assert {(edge["from"], edge["to"]) for edge in graph(at)["edges"]} == set(LINKS)
    assert "All 16 events shown." in said(at)


def test_physics_is_off_and_positions_come_from_the_core_and_stay(notes):
    first, again = graph(opened(PAGE, notes)), graph(opened(PAGE, notes))
    assert first["options"]["physics"] == {"enabled": False}
    assert [(node["x"], node["y"]) for node in first["nodes"]] == [(node["x"], node["y"]) for node in again["nodes"]]
    assert len({(node["x"], node["y"]) for node in first["nodes"]}) == len(EVENTS)


def test_the_budget_is_honoured_and_the_page_says_which_events_are_shown(notes):
    at = opened(PAGE, notes)
    checked(at.number_input(key="graph_budget").set_value(10).run())
    assert len(ids(at)) == 10
    assert "10 of 16 events shown: the largest hubs." in said(at)


@pytest.mark.parametrize(("choice", "meanings"), [
    ("kind", {"STATIC", "EVENT"}),
    ("validity", {"valid", "active window", "outside its window"}),
    ("valence", {"pleasant", "no known feeling"}),
    ("doc_type", {"general", "policy"}),
])  # fmt: skip
def test_nodes_are_coloured_as_chosen(notes, choice, meanings):
    at = opened(PAGE, notes)
    checked(at.button_group(key="graph_colour").set_value(choice).run())
    assert {node["meaning"] for node in graph(at)["nodes"]} == meanings


def test_labels_can_be_words_or_off(notes):
    at = opened(PAGE, notes)
    checked(at.button_group(key="graph_labels").set_value("text").run())
    assert "Everything begins here" in {node["label"] for node in graph(at)["nodes"]}
    checked(at.button_group(key="graph_labels").set_value("none").run())
    assert graph(at)["labels"] is False


def test_the_card_invites_to_look_at_an_event_with_many_links(notes):
    at = opened(PAGE, notes)
    assert "Click an event" in said(at)
    press(at, "graph-go-hub-0")
    assert graph(at)["selected"] == "hub"
    assert at.query_params["event"] == "hub"
    assert "Everything begins here" in said(at)


def test_an_event_in_the_address_is_looked_at_and_its_links_lead_on(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "hub"
    checked(at.run())
    words = said(at)
    assert all(part in words for part in ("Feeling: happy", "Leads to", "3 links", "Reached from", "1 link"))
    press(at, "graph-go-out-0")
    assert (graph(at)["selected"], at.query_params["event"]) == ("old", "old")
    assert "expired 336 days ago" in said(at)
    press(at, "graph-close")
    assert graph(at)["selected"] is None
    assert "event" not in at.query_params


def test_an_event_in_the_address_that_is_not_there_is_no_fault(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "gone"
    checked(at.run())
    assert graph(at)["selected"] is None


def test_a_retrieval_starts_from_the_event_that_is_looked_at(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "hub"
    checked(at.run())
    press(at, "graph-retrieve")
    assert at.query_params["from"] == "hub"
    assert "Retrieve" in said(at)


def test_an_event_without_a_vector_says_why_no_retrieval_can_start_from_it(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "**mute** <b>"
    checked(at.run())
    button = at.button(key="graph-retrieve")
    assert button.disabled
    assert "no vector" in button.help


def test_an_event_is_edited_where_it_is_looked_at(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "hub"
    checked(at.run())
    press(at, "graph-edit")
    assert "Everything begins here" in {area.value for area in at.text_area}


def test_text_that_looks_like_markdown_is_shown_letter_by_letter(notes):
    at = opened(PAGE, notes)
    at.query_params["event"] = "**mute** <b>"
    checked(at.run())
    assert "# no vector `x` :red[y]" in said(at)
    (shown,) = [one.value for one in at.markdown if "no vector" in one.value]
    assert "\\`x\\`" in shown


def test_without_links_events_stand_in_rows_and_the_page_says_what_to_do(make_workspace):
    make_workspace("alone", EVENTS)
    at = opened(PAGE, "alone")
    assert "No event is linked to another yet" in said(at)
    assert len(ids(at)) == len(EVENTS)


def test_without_events_the_page_says_what_to_do(make_workspace):
    make_workspace("empty")
    assert "There is nothing to draw yet" in said(opened(PAGE, "empty"))


def test_without_a_workspace_the_page_leads_to_the_start():
    assert "No workspace is open" in said(opened(PAGE))


def test_a_search_prefers_the_id_then_part_of_it_then_the_words():
    events = [Event(id="note", text="about e1"), Event(id="e10", text="x"), Event(id="E1", text="y")]
    assert best_match(events, "e1").id == "E1"
    assert best_match(events, "E10").id == "e10"
    assert best_match(events, "ABOUT").id == "note"
    assert best_match(events, "nowhere") is None


def test_the_library_comes_from_pyvis_and_asks_for_no_map():
    script = graph_view._library()
    assert "vis-network" in script
    assert "sourceMappingURL" not in script


def test_the_message_of_the_library_never_changes_so_that_it_is_sent_once(notes):
    at = opened(PAGE, notes)

    def message() -> bytes:
        (proto,) = [one.proto for one in at.get("bidi_component") if one.proto.component_name == "memory_graph_library"]
        return proto.SerializeToString(deterministic=True)

    before = message()
    checked(at.button_group(key="graph_colour").set_value("validity").run())
    assert message() == before
