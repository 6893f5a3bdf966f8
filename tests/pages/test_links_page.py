"""The Links page: links made, changed, deleted, proposed and brought in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from affrag_core import Edge, Event, EventError, Workspace
from pages.shared import edge_rows, event_table
from tests.pages.driving import checked, opened, press, said, the

PAGE = "pages/data/links.py"
EVENTS = [Event(id=f"e{n}", text=f"number {n}", timestamp=f"2024-01-0{n}") for n in (1, 2, 3)]


def filled(at: AppTest, prefix: str = "edge_new", **fields: str) -> AppTest:
    for name, value in fields.items():
        kind = "selectbox" if name in ("source", "target") else "text_input"
        box = next(one for one in at.get(kind) if one.key.startswith(prefix) and one.key.endswith(f"_{name}"))
        if kind == "selectbox":
            at.session_state[box.key] = value  # the tool knows no ids but those offered
        else:
            box.set_value(value)
    return at


def save(at: AppTest) -> AppTest:
    return press(at, next(one.key for one in at.button if one.key.startswith("edge_") and one.key.endswith("_save")))


def choose_row(at: AppTest, row: int) -> AppTest:
    rows = at.dataframe[0].value
    key = "links_table_" + event_table.digest("\t".join(edge) for edge in zip(rows.source, rows.target, rows.relation, strict=True))
    at.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return checked(at.run())


def test_a_link_is_made_by_form(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    at = opened(PAGE, "notes")
    assert "There are no links yet" in said(at)
    save(filled(at, source="e1", target="e3", relation="reminds of", attributes='{"why": "rain"}'))
    assert ws.edges() == (Edge(source="e1", target="e3", relation="reminds of", attributes={"why": "rain"}),)
    assert at.dataframe[0].value["target_text"].tolist() == ["number 3"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"source": "e1"}, "choose an event"),
        ({"source": "e1", "target": "e2", "attributes": "[1]"}, "attributes must be a JSON object"),
        ({"source": "e1", "target": "e2", "relation": "next"}, "is there already"),
    ],
)
def test_a_fault_is_said_and_what_was_typed_stays(fields: dict[str, str], sentence: str, make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS, [Edge(source="e1", target="e2", relation="next")])
    at = save(filled(opened(PAGE, "notes"), **fields))
    assert sentence in said(at)
    assert ws.n_edges == 1
    assert next(one for one in at.selectbox if one.key.endswith("_source")).value == "e1"


def test_a_link_to_an_event_that_is_not_there_names_the_end_at_fault(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    with pytest.raises(EventError, match="there is no event 'nobody'") as caught:
        edge_rows.typed_edge(ws, {"source": "e1", "target": "nobody", "relation": "", "attributes": ""})
    assert caught.value.field == "target"


def test_a_link_to_itself_is_taken_and_said(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", EVENTS)
    assert "shown and never walked" in said(save(filled(opened(PAGE, "notes"), source="e1", target="e1")))


def test_a_chosen_link_is_changed_deleted_and_brought_back(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS, [Edge(source="e1", target="e2"), Edge(source="e2", target="e3")])
    at = choose_row(opened(PAGE, "notes"), 1)
    save(filled(at, "edge_", relation="then"))
    assert [edge.relation for edge in ws.edges()] == ["related", "then"]
    at = choose_row(opened(PAGE, "notes"), 0)
    press(at, next(one.key for one in at.button if one.key.endswith("_delete")))
    assert ws.n_edges == 1
    press(at, "links_undo")
    assert ws.n_edges == 2


def test_the_next_in_time_is_proposed_and_made_only_when_told(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS, [Edge(source="e1", target="e2", relation="next in time")])
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "links_view").set_value("propose").run())
    assert "1 link of these are there already" in said(at) or "1 of these links is there already" in said(at)
    assert ws.n_edges == 1
    press(at, "propose_make")
    assert [edge.key for edge in ws.edges()][1:] == [("e2", "e3", "next in time")]
    assert "nothing new to propose" in said(at)


def test_undated_events_cannot_be_linked_in_time(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", [Event(id="e1", text="a"), Event(id="e2", text="b")])
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "links_view").set_value("propose").run())
    assert "At least two events need a time" in said(at)


def test_a_file_of_links_lists_what_it_cannot_take(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "links_view").set_value("file").run())
    rows = b"source,target,relation\ne1,e2,next\ne2,nobody,next\n"
    checked(the(at, "file_uploader", "edge_file").set_value(("links.csv", rows, "text/csv")).run())
    assert "2 rows · 1 accepted · 1 not taken" in said(at)
    press(at, "edge_import")
    assert [edge.key for edge in ws.edges()] == [("e1", "e2", "next")]


def test_links_need_events_first(make_workspace: Callable[..., Workspace]):
    make_workspace("notes")
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "links_view").set_value("file").run())
    assert "there are no events yet" in said(at)


def file_view(rows: bytes, name: str = "links.csv") -> AppTest:
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "links_view").set_value("file").run())
    return checked(the(at, "file_uploader", "edge_file").set_value((name, rows, "text/csv")).run())


def column(at: AppTest, field: str) -> Selectbox:
    return next(one for one in at.selectbox if one.key.startswith("map_") and one.key.endswith(f"_{field}"))


def test_columns_that_hold_ids_are_found_by_content_and_each_can_be_changed(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    at = file_view(b"weight,whom,who,why\n1,e2,e1,next\n2,e1,e2,back\n")
    assert [column(at, field).value for field in ("source", "target", "relation")] == ["whom", "who", ""]
    assert "From, To: found by its content · kept with the link: weight, why" in said(at).replace("**", "")
    assert "2 rows · 2 accepted · 0 not taken" in said(at)
    checked(column(at, "source").set_value("").run())
    checked(column(at, "target").set_value("whom").run())
    assert "Say which column holds the id of the event that each link starts from" in said(at)
    checked(column(at, "source").set_value("whom").run())
    assert "“whom” is chosen for From and To" in said(at)
    checked(column(at, "source").set_value("who").run())
    checked(column(at, "relation").set_value("why").run())
    press(at, "edge_import")
    assert [edge.key for edge in ws.edges()] == [("e1", "e2", "next"), ("e2", "e1", "back")]
    assert dict(ws.edges()[0].attributes) == {"weight": "1"}

    at = file_view(b"weight,whom,who,why\n1,e2,e1,again\n")
    assert [column(at, field).value for field in ("source", "target", "relation")] == ["who", "whom", "why"]
    assert "as you chose last time" in said(at)


def test_columns_that_are_not_recognised_are_asked_for(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", EVENTS)
    at = file_view(b"left,right\nx,y\n")
    assert "Say which column holds the id of the event that each link starts from" in said(at)
    assert "edge_import" not in [one.key for one in at.button]
