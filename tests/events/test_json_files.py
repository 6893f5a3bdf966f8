"""JSON documents and JSON lines become events and edges."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import ReadError
from affrag_core.events.event import Emotion
from affrag_core.events.readers import read_edges, read_events


def read(value, name="events.json", **options):
    content = value if isinstance(value, str) else json.dumps(value)
    reading = read_events(name, content.encode("utf-8", errors="surrogatepass"), **options)
    assert reading.is_complete
    return reading


def test_a_list_of_objects_is_read():
    reading = read([{"id": 7, "message": "Tea", "date": "2024-01-01", "mood": "calm", "place": {"room": 1}}, {"id": "8", "message": "x"}])
    event = reading.events[0]
    assert (event.id, event.text, event.timestamp) == ("7", "Tea", datetime(2024, 1, 1, tzinfo=UTC))
    assert (event.emotion, event.metadata) == ("calm", {"place": {"room": 1}})
    assert [row.number for row in reading.event_rows] == [1, 2]


def test_events_and_edges_stand_in_one_document():
    reading = read({"events": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}], "edges": [{"source": "a", "target": "b"}], "made": 1})
    assert [edge.key for edge in reading.edges] == [("a", "b", "related")]
    assert (reading.n_rows, reading.n_links) == (2, 1)
    assert any("holds made, which was not read" in note for note in reading.notes)


def test_one_object_is_one_event():
    assert read({"id": "a", "text": "x", "links": []}).events[0].id == "a"


def test_json_lines_are_numbered_by_line_and_bad_ones_are_faults():
    reading = read('{"id": 1, "text": "a"}\n\n{"id": 2, "te\n[1]\n{"id": 3, "text": "c"}\n', "events.txt")
    assert ([event.id for event in reading.events], reading.form) == (["1", "3"], "JSON lines")
    assert [(fault.row, fault.field) for fault in reading.faults] == [(3, "row"), (4, "row")]
    assert reading.faults[0].reason == "The JSON breaks off at column 11: the line was probably cut"
    assert reading.faults[1].reason == "the row is not an object"


def test_json_lines_are_known_by_content_even_where_the_first_is_broken():
    assert len(read('{"id": 1, "te\n{"id": 2, "text": "b"}\n{"id": 3, "text": "b"}\n', "x.json").events) == 2


def test_a_pretty_document_is_not_taken_for_json_lines():
    rows = [{"id": str(i), "text": "x"} for i in range(3)]
    body = '{"events": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]}\n"
    assert len(read(body, "x.jsonl").events) == 3
    assert len(read(json.dumps(rows, indent=1), "x.jsonl").events) == 3


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x", "x.jsonl"])
def test_the_content_counts_more_than_the_name(name):
    assert read([{"text": "a"}], name).form == "JSON"
    assert read('{"text": "a"}\n{"text": "b"}', name).form == "JSON lines"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"id": 1, "text": "a"},\n{"id": 2, "te', "breaks off at line 2, column 11"),
        ('[{"id": 1, "text": "a"}', "breaks off at line 1, column 24"),
        ('[{"id": 1,, "text": "a"}]', "not JSON at line 1, column 11"),
        ('[{"id": 1}', "breaks off"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"text": ' + "9" * 5000 + "}]", "number that cannot be read"),
        ("[]", "holds no rows"),
        ('{"events": []}', "holds no rows"),
        ('[{"a": 1}]', "No column holds the text of the events. The columns are: a."),
        ("[{}]", "No column holds the text"),
    ],
)
def test_json_that_cannot_be_read_is_refused_with_its_place(content, message):
    with pytest.raises(ReadError) as caught:
        read(content)
    assert message in str(caught.value)


def test_a_number_alone_is_no_file_of_events():
    with pytest.raises(ReadError, match="It must be a list of objects"):
        read("5")


def test_json_lines_without_one_object_are_refused():
    with pytest.raises(ReadError, match="None of the 2 lines is a JSON object"):
        read("hello\nworld\n", "x.jsonl")


@pytest.mark.parametrize("value", [7, 7.0])
def test_numbers_as_ids_become_text(value):
    assert read([{"id": value, "text": "x"}]).events[0].id == "7"


@pytest.mark.parametrize("value", [True, [1], {"a": 1}, float("inf")])
def test_other_ids_are_faults(value):
    assert read([{"id": value, "text": "x"}, {"id": 1, "text": "y"}]).faults[0].field == "id"


@pytest.mark.parametrize("value", [None, float("nan")])
def test_null_and_nan_are_missing(value):
    names = ["timestamp", "kind", "doc_type", "emotion", "valence", "embedding", "metadata", "odd"]
    assert read([{"id": 1, "text": "x"} | dict.fromkeys(names, value)]).events[0].to_dict() == {"id": "1", "text": "x", "kind": "STATIC"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1_704_067_200, 0), (1_704_067_200_000, 0), (1_704_067_200.5, 500_000), (20240101, 0), ("", None)],
)
def test_times_may_be_numbers(value, expected):
    (event,) = read([{"text": "x", "time": value}]).events
    assert event.timestamp == (None if expected is None else datetime(2024, 1, 1, 0, 0, 0, expected, tzinfo=UTC))


def test_a_year_as_a_number_is_not_taken_for_seconds():
    assert read([{"text": "x", "time": 2024}]).faults[0].field == "timestamp"


WRONG = [
    ({"text": 5}, "text", "text must be text, got 5"),
    ({"text": ["a"]}, "text", "text must be text, got ['a']"),
    ({"text": " "}, "text", "text must not be blank"),
    ({"time": {"at": 1}}, "timestamp", "timestamp must be a date or time"),
    ({"emotion": 0.5}, "emotion", "emotion must be a word"),
    ({"emotion": {"valence": 10**400, "arousal": 0}}, "valence", "valence must be a number"),
    ({"valence": True, "arousal": 0}, "valence", "valence must be a number, got True"),
    ({"valence": 0.5}, "arousal", "arousal must not be empty where valence is given"),
    ({"embedding": [10**400]}, "semantic_vec", "semantic_vec must be a list of numbers"),
    ({"embedding": {"a": 1}}, "semantic_vec", "semantic_vec must be a list of numbers"),
    ({"metadata": [1]}, "metadata", "metadata must be an object"),
    ({"kind": [1]}, "kind", "kind must be STATIC"),
    ({"id": ""}, "id", "id must not be empty"),
]


@pytest.mark.parametrize(("row", "name", "reason"), WRONG)
def test_a_wrong_value_is_a_fault(row, name, reason):
    reading = read([{"id": 1, "text": "good", "arousal": None}, {"id": 2, "text": "x"} | row])
    (fault,) = reading.faults
    assert (fault.row, fault.field) == (2, name)
    assert fault.reason.startswith(reason)
    assert fault.raw == {"id": 2, "text": "x"} | row


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["emotion", "kind", "odd", "metadata", "time", "embedding"])
def test_values_nested_too_deeply_are_faults(name):
    value = {"a": nested(200)} if name == "metadata" else nested(200)
    (fault,) = read([{"id": 1, "text": "x", name: value}, {"id": 2, "text": "y"}]).faults
    assert fault.row == 1
    assert len(str(fault)) < 500


def test_half_letters_are_faults_and_whole_ones_are_text():
    reading = read('[{"id": 1, "text": "\\ud83d"}, {"id": 2, "text": "\\ud83d\\ude00"}, {"id": 3, "text": "x", "odd": {"a": "\\udc00"}}]')
    assert [event.text for event in reading.events] == ["\N{GRINNING FACE}"]
    assert [(fault.row, fault.field) for fault in reading.faults] == [(1, "text"), (3, "odd")]


def test_a_name_that_stands_twice_in_an_object_is_noted():
    reading = read('[{"id": 1, "text": "a", "text": "b"}]')
    assert reading.events[0].text == "b"
    assert any("hold the same name twice (text)" in note for note in reading.notes)


def test_valence_and_arousal_may_stand_in_the_emotion():
    assert read([{"text": "x", "emotion": {"valence": -0.5, "arousal": 1}}]).events[0].emotion == Emotion(-0.5, 1.0)


def test_a_word_beside_valence_and_arousal_is_kept_in_the_metadata():
    (event,) = read([{"text": "x", "emotion": "fear", "valence": -0.5, "arousal": 1}]).events
    assert (event.emotion, event.metadata) == (Emotion(-0.5, 1.0), {"emotion": "fear"})


def test_valence_without_an_arousal_column_is_metadata():
    reading = read([{"text": "x", "valence": 0.3}])
    assert reading.events[0].metadata == {"valence": 0.3}
    assert "There is valence but no arousal in this file." in reading.notes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(["id", "text", "time", "valid_from", "valid_until", "kind", "emotion", "valence", "arousal", "edges", "relation"])
MORE_NAMES = st.sampled_from(["embedding", "emotional_vec", "metadata", "source", "target", "written_as", "doc_type", "supersedes"])
LIKELY = st.sampled_from(["a", "b", 7, "2024-01-01", [1.0, 2.0], 0.5])
ROWS = st.lists(st.dictionaries(NAMES | MORE_NAMES, JSON | LIKELY, max_size=8) | JSON)


@given(ROWS, st.booleans())
def test_any_json_is_read_or_refused_in_a_sentence_and_every_row_is_accounted_for(rows, by_lines):
    content = "\n".join(json.dumps(row) for row in rows) if by_lines else json.dumps(rows)
    for part in (lambda: read_events("x", content.encode()), lambda: read_edges("x", content.encode(), {"a", "b"})):
        try:
            reading = part()
        except ReadError:
            continue
        assert reading.is_complete
        assert reading.n_rows + reading.n_links >= len(reading.event_rows) + len(reading.edge_rows)
