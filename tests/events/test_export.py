"""What is written out reads back: JSON lines exactly, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from event_strategies import edges_between, event_lists
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import EventError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.events.export import edges_csv, events_csv, to_jsonl
from affrag_core.events.readers import read_edges, read_events
from affrag_core.events.report import Fault, faults_csv
from affrag_core.events.spreadsheet import guarded, unguarded


@st.composite
def graphs(draw):
    events = draw(event_lists())
    return events, draw(edges_between([event.id for event in events]))


@given(graphs())
def test_json_lines_give_events_and_edges_back_exactly(graph):
    events, edges = graph
    reading = read_events("a.jsonl", to_jsonl(events, edges))
    assert (list(reading.events), list(reading.edges), reading.faults) == (events, edges, ())
    assert reading.affect_scale_question is None
    assert to_jsonl(reading.events, reading.edges) == to_jsonl(events, edges)


@given(graphs())
def test_edges_alone_read_back_exactly(graph):
    events, edges = graph
    ids = {event.id for event in events}
    if edges:
        assert list(read_edges("a.jsonl", to_jsonl(edges=edges), ids).edges) == edges
        assert list(read_edges("a.csv", edges_csv(edges), ids).edges) == edges


@given(event_lists())
def test_csv_gives_events_back_but_for_an_empty_doc_type(events):
    expected = [event.replace(doc_type=event.doc_type if event.doc_type.strip() else "general") for event in events]
    reading = read_events("a.csv", events_csv(events))
    assert reading.faults == ()
    assert list(reading.events) == expected


def test_single_precision_survives_and_says_so():
    vector = np.array([0.1, 1 / 3], dtype=np.float32)
    content = to_jsonl([Event(id="a", text="x", semantic_vec=vector, emotional_vec=[0.1])])
    assert json.loads(content)["written_as"] == {"semantic_vec": "float32"}
    (event,) = read_events("a.jsonl", content).events
    assert (event.semantic_vec.dtype, event.emotional_vec.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(event.semantic_vec, vector)


def test_json_lines_are_plain_json_in_utf_8():
    line = to_jsonl([Event(id="é", text="a\n", emotion=Emotion(0.5, 0))]).decode()
    emotion = '"emotion": {"valence": 0.5, "arousal": 0.0}, "written_as": {"emotion": "-1..1"}'
    assert line == f'{{"id": "é", "text": "a\\n", "kind": "STATIC", {emotion}}}\n'


def test_nothing_is_an_empty_file():
    assert to_jsonl() == b""


def test_half_letters_are_spelled_out_and_refused_by_the_reader():
    content = to_jsonl([Event(id="a", text="\ud800")])
    assert b"\\ud800" in content
    assert len(read_events("a.jsonl", content).faults) == 1
    assert b"\\ud800" in events_csv([Event(id="a", text="\ud800")])


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x"])
def test_metadata_that_is_no_json_is_refused_with_the_event(value):
    with pytest.raises(EventError, match=r"metadata must hold plain JSON values only, .*\(event a\)"):
        to_jsonl([Event(id="a", text="x", metadata={"odd": value})])
    with pytest.raises(EventError, match=r"attributes must hold .*\(event a -> b\)"):
        to_jsonl(edges=[Edge(source="a", target="b", attributes={"odd": value})])


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0", '=HYPERLINK("https://example.org")', "＝1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_csv_begins_as_a_formula(text):
    edge = Edge(source=f"{text}", target=text, relation=text)
    for content in (events_csv([Event(id=text, text=text, doc_type=text)]), edges_csv([edge]), faults_csv([fault(text)])):
        cells = [cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")) for cell in row]
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝")) for cell in cells)
        assert f"'{text}" in cells


@pytest.mark.parametrize("cell", ["-0.5", "+3", "1e-5", "-1", "plain", "", "'", "a=b"])
def test_numbers_and_plain_cells_stay_as_they_are(cell):
    assert guarded(cell) == cell


@given(st.text() | st.from_regex(r"\A'{0,3}[=+\-@\t\r]{1,2}[0-9']{0,3}\Z"))
def test_the_guard_comes_off_again(cell):
    assert unguarded(guarded(cell)) == cell


def fault(text):
    return Fault(2, "e1", "text", text, f"text must be good, got {text}", "Mend it.", {"id": "e1", text: text})


def test_an_apostrophe_of_a_foreign_table_is_kept():
    assert read_events("a.csv", b"id,text\n1,'=x\n").events[0].text == "'=x"


def test_ten_thousand_rows_read_back():
    rows = [Event(id=str(i), text=f"event {i}", timestamp=1_700_000_000 + i, metadata={"n": i}) for i in range(10_000)]
    assert list(read_events("a.jsonl", to_jsonl(rows)).events) == rows
