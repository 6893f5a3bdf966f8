"""One choice for all rows with the same kind of fault."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.events.event import Emotion
from affrag_core.events.fixes import fault_groups
from affrag_core.events.kinds import DocumentKind
from affrag_core.events.readers import read_events
from affrag_core.events.report import Reading

TABLE = b"""id,text,timestamp,kind
a,Tea,soon,STATIC
b,A walk,2024-01-02,ONCE
c,,2024-01-03,EVENT
d,Rain,later,TWICE
"""


def keys(reading: Reading, *fields: str) -> set[str]:
    return {group.key for group in fault_groups(reading) if group.field in fields}


def read_json(*rows: object, **options: object) -> Reading:
    return read_events("rows.json", json.dumps(rows).encode(), **options)


def test_faults_of_one_kind_are_one_group_with_what_can_be_done():
    groups = {group.field: group for group in fault_groups(read_events("a.csv", TABLE))}
    assert {field: (group.n_rows, group.example, group.fix) for field, group in groups.items()} == {
        "timestamp": (2, "soon", "Take without a time"),
        "kind": (1, "ONCE", "Take as STATIC"),
        "text": (1, "", None),
    }
    assert groups["timestamp"].kind == "timestamp must be a date or time such as 2024-01-31T18:00:00Z"


def test_the_same_kind_has_the_same_key_in_any_file():
    other = read_events("b.csv", b"text,when\nTea,one day\n")
    assert keys(other, "timestamp") == keys(read_events("a.csv", TABLE), "timestamp")


def test_rows_are_taken_without_what_cannot_be_read_and_keep_it_as_written():
    reading = read_events("a.csv", TABLE, mend=keys(read_events("a.csv", TABLE), "timestamp"))
    assert [event.id for event in reading.events] == ["a"]
    assert reading.events[0].timestamp is None
    assert reading.events[0].metadata == {"timestamp (as written)": "soon"}
    assert [fault.field for fault in reading.faults] == ["kind", "text", "kind"]
    assert reading.is_complete


def test_a_row_with_two_faults_is_taken_once_both_kinds_are_mended():
    first = read_events("a.csv", TABLE)
    reading = read_events("a.csv", TABLE, mend=keys(first, "timestamp", "kind"))
    assert [event.id for event in reading.events] == ["a", "b", "d"]
    assert [event.kind for event in reading.events] == [DocumentKind.STATIC] * 3
    assert [(fault.row, fault.field) for fault in reading.mended] == [(2, "timestamp"), (3, "kind"), (5, "timestamp"), (5, "kind")]
    assert {group.field: group.n_rows for group in fault_groups(reading)} == {"timestamp": 2, "kind": 2, "text": 1}


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        ({"text": "a", "valence": 7, "arousal": 0.5, "emotion": "joy"}, "valence", {"emotion": "joy"}),
        ({"text": "a", "valence": 0.5, "arousal": None}, "arousal", {"emotion": None}),
        ({"text": "a", "emotion": {"valence": 7, "arousal": 0}}, "valence", {"emotion": None}),
        ({"text": "a", "emotion": ["joy"]}, "emotion", {"emotion": None}),
        ({"text": "a", "semantic_vec": ["x"]}, "semantic_vec", {"semantic_vec": None}),
        ({"text": "a", "valid_from": "2024-02-01", "valid_until": "2024-01-01"}, "valid_from", {"valid_from": None}),
        ({"text": "a", "metadata": "none of it"}, "metadata", {"metadata": {"metadata (as written)": "none of it"}}),
        ({"text": "a", "supersedes_id": {}}, "supersedes_id", {"supersedes_id": None}),
        ({"text": 42}, "text", {"text": "42"}),
        ({"text": "a", "place": "\ud800"}, "place", {"metadata": {}}),
        ({"text": "a", "id": ["x"]}, "id", {"id": "row-2"}),
    ],
)
def test_every_field_can_be_mended(row: dict, field: str, expected: dict):
    whole = {"id": "first", "text": "whole", "valence": 0.1, "arousal": -0.1}
    first = read_json(whole, {"id": "e1"} | row)
    assert [fault.field for fault in first.faults] == [field]
    event = read_json(whole, {"id": "e1"} | row, mend=keys(first, field)).events[1]
    assert {name: getattr(event, name) for name in expected} == expected


def test_a_row_without_an_id_gets_one_by_its_row():
    table = b"id,text\na,Tea\n,Rain\n"
    reading = read_events("a.csv", table, mend=keys(read_events("a.csv", table), "id"))
    assert [event.id for event in reading.events] == ["a", "row-3"]


def test_a_blank_text_can_only_be_left_out():
    reading = read_events("a.csv", TABLE)
    assert read_events("a.csv", TABLE, mend=keys(reading, "text")).faults == reading.faults


def test_links_of_a_mended_row_come_with_it_and_links_to_missing_events_are_left_out():
    table = b"id,text,timestamp,edges\na,Tea,soon,b\nb,Rain,2024-01-01,nobody\n"
    first = read_events("a.csv", table)
    assert len(first.edge_faults) == 2
    reading = read_events("a.csv", table, mend=keys(first, "timestamp"))
    assert [edge.key for edge in reading.edges] == [("a", "b", "related")]
    (group,) = [group for group in fault_groups(reading) if group.part == "edge"]
    assert (group.kind, group.example, group.fix) == ("there is no event …", "nobody", None)


def test_a_row_that_is_read_twice_counts_once_for_the_scale():
    row = {"text": "a", "valence": 0.5, "arousal": 1, "kind": "ONCE"}
    first = read_json(row)
    reading = read_json(row, mend=keys(first, "kind"))
    assert reading.events[0].emotion == Emotion(0.5, 1.0)
    assert reading.affect_scale_question.suggestion == "0..1"


CELLS = st.sampled_from(["", "soon", "2024-01-01", "7", "EVENT", "ONCE", "0.4", "9", "[1, 2]", "[x"])
FIELDS = ("id", "text", "timestamp", "valid_from", "valid_until", "kind", "emotion", "valence", "arousal", "semantic_vec")


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(FIELDS, CELLS)), min_size=1, max_size=6))
def test_mending_all_that_can_be_mended_loses_no_row_that_was_taken_and_ends(rows):
    first = read_json(*rows)
    reading, mended = first, frozenset()
    while (more := mended | {group.key for group in fault_groups(reading) if group.fix}) != mended:
        mended = more
        reading = read_json(*rows, mend=mended)
    assert {row.number for row in first.event_rows} <= {row.number for row in reading.event_rows}
    assert reading.is_complete
    assert all(group.field in ("text", "id") for group in fault_groups(reading) if not group.fix)
