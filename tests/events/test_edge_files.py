"""Edges in files of their own and in a column of the events."""

from __future__ import annotations

import json

import pytest

from affrag_core.errors import ReadError
from affrag_core.events.readers import read_edges, read_events

IDS = {"a", "b", "c", "007", "Nike"}


def read(content, name="edges.csv", ids=IDS, **options):
    reading = read_edges(name, content.encode() if isinstance(content, str) else json.dumps(content).encode(), ids, **options)
    assert reading.is_complete
    assert reading.n_rows == 0
    return reading


def keys(reading):
    return [edge.key for edge in reading.edges]


FORMS = {
    "csv": "source,target,relation\na,b,next\nb,c,\n",
    "tsv with other names": "From\tTO\tType\na\tb\tnext\nb\tc\t\n",
    "semicolons": "source;target;label\na;b;next\nb;c;\n",
    "json": [{"source": "a", "target": "b", "relation": "next"}, {"source": "b", "target": "c"}],
    "pairs": [["a", "b", "next"], ["b", "c"]],
    "document": {"edges": [{"source": "a", "target": "b", "relation": "next"}, ["b", "c"]]},
    "json lines": '{"source": "a", "target": "b", "relation": "next"}\n{"source": "b", "target": "c"}\n',
}


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS.keys())
def test_edges_are_read_in_every_form(content):
    assert keys(read(content)) == [("a", "b", "next"), ("b", "c", "related")]


def test_other_columns_become_attributes():
    (edge,) = read('source,target,weight,attributes\na,b,0.5,"{""by"": ""Ann""}"\n').edges
    assert edge.attributes == {"weight": "0.5", "by": "Ann"}


def test_a_missing_event_is_a_fault_that_suggests_one_like_it():
    reading = read("source,target\na,zebra\nnike,a\n7,a\na,b\n")
    found = [(fault.row, fault.field, fault.value) for fault in reading.faults]
    assert found == [(2, "target", "zebra"), (3, "source", "nike"), (4, "source", "7")]
    assert reading.faults[0].reason == "there is no event 'zebra'"
    assert reading.faults[1].advice.startswith("Is 'Nike' meant?")
    assert all(fault.part == "edge" for fault in reading.faults)


def test_the_same_edge_twice_is_a_fault_and_another_relation_is_not():
    reading = read("source,target,relation\na,b,x\na,b,y\na,b,x\n", known_edges={("a", "b", "y")})
    assert keys(reading) == [("a", "b", "x")]
    reasons = {fault.row: fault.reason for fault in reading.faults}
    assert reasons == {3: "this edge is there already", 4: "the same edge stands in row 2"}


def test_a_self_loop_is_an_edge():
    assert keys(read("source,target\na,a\n")) == [("a", "a", "related")]


@pytest.mark.parametrize("row", [{"source": "a"}, {"source": "a", "target": ""}, {"source": ["a"], "target": "b"}, 5, ["a"]])
def test_a_row_without_two_ends_is_a_fault(row):
    reading = read([{"source": "a", "target": "b"}, row])
    assert [fault.row for fault in reading.faults] == [2]


def test_a_file_without_the_two_columns_is_refused():
    with pytest.raises(ReadError, match=r"Edges need a column named source and one named target. The columns are: x, y."):
        read("x,y\na,b\n")
    assert keys(read("x,y\na,b\n", columns={"source": "x", "target": "y"})) == [("a", "b", "related")]


def test_events_in_a_file_of_edges_are_noted():
    reading = read({"events": [{"id": "a", "text": "x"}], "edges": [["a", "b"]]})
    assert keys(reading) == [("a", "b", "related")]
    assert any("also holds 1 events" in note for note in reading.notes)


CELLS = {
    "b": [("b", "related")],
    "b;c": [("b", "related"), ("c", "related")],
    " b | c ": [("b", "related"), ("c", "related")],
    '["b", "c"]': [("b", "related"), ("c", "related")],
    '[["b", "cause"], "c"]': [("b", "cause"), ("c", "related")],
    '[{"target": "b", "relation": "cause"}]': [("b", "cause")],
    '{"b": "cause", "c": "next"}': [("b", "cause"), ("c", "next")],
    '{"to": "b"}': [("b", "related")],
    "x;y": [("x;y", "related")],
    "": [],
    "[]": [],
}


@pytest.mark.parametrize(("cell", "expected"), CELLS.items())
def test_edges_can_stand_in_a_column_of_the_events(cell, expected):
    rows = [{"id": "a", "text": "1", "edges": cell}, *({"id": name, "text": "2"} for name in ("b", "c", "x;y"))]
    reading = read_events("a.json", json.dumps(rows).encode())
    assert reading.is_complete
    assert [edge.key for edge in reading.edges] == [("a", target, relation) for target, relation in expected]


def test_a_column_named_next_and_a_column_for_the_relation_name_it():
    assert read_events("a.csv", b"id,text,next\na,1,b\nb,2,\n").edges[0].relation == "next"
    reading = read_events("a.csv", b"id,text,links,relation\na,1,b,cause\nb,2,,\n")
    assert reading.edges[0].relation == "cause"
    assert reading.events[0].metadata == {}


def test_a_relation_without_edges_is_metadata():
    assert read_events("a.csv", b"id,text,relation\na,1,friend\n").events[0].metadata == {"relation": "friend"}


def test_numbers_in_a_list_name_events():
    reading = read_events("a.json", b'[{"id": 1, "text": "x", "links": [2, 2.0]}, {"id": "2", "text": "y", "links": 1}]')
    assert [edge.key[:2] for edge in reading.edges] == [("1", "2"), ("2", "1")]
    assert len(reading.edge_faults) == 1


@pytest.mark.parametrize("cell", ["[1", "{", '["b", true]', "[null]", '[["b", "c", "d"]]', '[{"relation": "x"}]', "[" * 3000])
def test_a_cell_that_holds_no_edge_is_a_fault_of_the_edge_and_not_of_the_event(cell):
    rows = [{"id": "a", "text": "1", "edges": cell}, {"id": "b", "text": "2"}]
    reading = read_events("a.json", json.dumps(rows).encode())
    assert reading.is_complete
    assert (len(reading.events), len(reading.event_faults), len(reading.edge_faults)) == (2, 0, 1)


def test_edges_may_lead_to_events_that_are_there():
    content = b"id,text,links\na,1,old\n"
    assert len(read_events("a.csv", content).edge_faults) == 1
    assert read_events("a.csv", content, known_ids=["old"]).edges[0].target == "old"


def test_edges_from_and_to_a_row_that_was_not_read_are_faults_that_name_it():
    reading = read_events("a.csv", b"id,text,links\na,1,b\nb,,a;c\nc,3,\n")
    assert reading.is_complete
    assert [(fault.row, fault.part) for fault in reading.faults] == [(2, "edge"), (3, "event"), (3, "edge"), (3, "edge")]
    assert reading.faults[0].reason == "event 'b' was not read, see row 3"


def test_rows_of_edges_may_stand_among_rows_of_events():
    content = b'{"id": "a", "text": "x"}\n{"source": "a", "target": "a", "relation": "self"}\n'
    reading = read_events("a.jsonl", content)
    assert (reading.n_rows, reading.n_links, reading.edges[0].relation) == (1, 1, "self")
