"""CSV and TSV files become events; what cannot is listed with row, field, reason and advice."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import ReadError
from affrag_core.events.event import Emotion
from affrag_core.events.kinds import DocumentKind
from affrag_core.events.readers import read_events


def read(text, name="events.csv", **options):
    reading = read_events(name, text.encode() if isinstance(text, str) else text, **options)
    assert reading.is_complete
    return reading


def only_fault(text, **options):
    (fault,) = read(text, **options).faults
    return fault


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a", "a.json.bak"])
def test_the_sign_between_columns_is_found_by_content(sign, line_end, name):
    text = line_end.join([sign.join(row) for row in (["id", "text", "time"], ["e1", '"a, b; c"', "2024-01-01"], ["e2", "d", ""])])
    reading = read(text, name)
    assert [(event.id, event.text) for event in reading.events] == [("e1", "a, b; c"), ("e2", "d")]
    assert [row.number for row in reading.event_rows] == [2, 3]


def test_a_first_line_for_excel_states_the_sign():
    assert [event.text for event in read("sep=;\nid;text\n1;a, b\n").events] == ["a, b"]


def test_a_single_column_may_hold_commas():
    reading = read("Text\nHello, you\n\nand you; too\n")
    assert [event.text for event in reading.events] == ["Hello, you", "and you; too"]
    assert [row.number for row in reading.event_rows] == [2, 4]


@pytest.mark.parametrize("name", ["text", "Content", "MESSAGE", " event ", "Message"])
@pytest.mark.parametrize("time", ["timestamp", "Time", "date", "Created_At", "created at", "createdAt"])
def test_columns_are_known_by_common_names(name, time):
    (event,) = read(f"{name},{time}\nTea,2024-01-01T10:00:00Z\n").events
    assert (event.text, event.timestamp) == ("Tea", datetime(2024, 1, 1, 10, tzinfo=UTC))


def test_every_field_can_stand_in_a_column():
    header = "id,text,timestamp,valid_from,valid_to,kind,type,supersedes,feeling,embedding,emotional_vec,metadata,place\n"
    row = '7,Rates rise,2024-01-02,2024-01-01,1704153600000,versioned,policy,6,fear,"[1, 2]","[0.5, -1]","{""by"": ""Ann""}",Oslo\n'
    (event,) = read(header + row).events
    assert (event.id, event.kind, event.doc_type, event.supersedes_id) == ("7", DocumentKind.VERSIONED, "policy", "6")
    assert event.valid_until == datetime(2024, 1, 2, tzinfo=UTC)
    assert (event.emotion, event.semantic_vec.tolist(), event.emotional_vec.tolist()) == ("fear", [1, 2], [0.5, -1])
    assert event.metadata == {"by": "Ann", "place": "Oslo"}


def test_columns_without_a_meaning_go_to_the_metadata_and_a_note_says_so():
    reading = read('text,place,mood of day,metadata\nTea,home,,"{""place"": ""inside""}"\n')
    assert reading.events[0].metadata == {"place": "inside", "place (column)": "home"}
    assert "Kept as metadata: place, mood of day." in reading.notes


def test_a_second_column_for_a_field_stands_in_where_the_first_is_empty():
    reading = read("text,message\nTea,Earl Grey\n,Coffee\n")
    assert [(event.text, dict(event.metadata)) for event in reading.events] == [("Tea", {"message": "Earl Grey"}), ("Coffee", {})]
    assert any('"text" is used, or "message"' in note for note in reading.notes)


def test_two_columns_of_one_name_are_both_kept():
    reading = read("id,text,note,note\n1,Tea,a,b\n")
    assert reading.events[0].metadata == {"note": "a", "note (2)": "b"}
    assert any("Two columns are named" in note for note in reading.notes)


def test_a_column_can_be_named_by_a_person():
    assert read("remark,text\nTea,1\n", columns={"text": "remark"}).events[0].text == "Tea"
    with pytest.raises(ReadError, match="There is no column 'gone' for text. The columns are: remark, text."):
        read("remark,text\nTea,1\n", columns={"text": "gone"})


def test_rows_without_ids_get_names_by_position_and_a_note_says_so():
    reading = read("text\na\nb\n")
    assert [event.id for event in reading.events] == ["row-1", "row-2"]
    assert any("has no ids" in note for note in reading.notes)


def test_a_missing_id_in_a_file_with_ids_is_a_fault():
    fault = only_fault("id,text\n1,a\n,b\n")
    assert (fault.row, fault.field, fault.reason) == (3, "id", "id must not be empty")


def test_ids_stay_apart_letter_by_letter():
    reading = read("id,text\n007,a\n7,b\nNike,c\nnike,d\nhttps://x.org/?a=1,e\n\N{SPARKLES},f\n  8  ,g\n")
    assert [event.id for event in reading.events] == ["007", "7", "Nike", "nike", "https://x.org/?a=1", "\N{SPARKLES}", "8"]


@pytest.mark.parametrize("cell", ["", "  ", "NaN", "nan", "null", "None", "N/A", "NaT"])
def test_cells_that_hold_nothing_are_missing(cell):
    header = "id,text,timestamp,kind,doc_type,emotion,valence,arousal,embedding,metadata\n"
    (event,) = read(header + ",".join(["1", "x", *[cell] * 8]) + "\n").events
    assert event.to_dict() == {"id": "1", "text": "x", "kind": "STATIC"}


@pytest.mark.parametrize("text", ["None", "NA", "null", "none"])
def test_words_that_may_be_a_text_are_one(text):
    assert read(f"id,text\n1,{text}\n").events[0].text == text


MIXED_TIMES = [
    *("2024-01-01", "2024-01-01T00:00:00", "2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00.000000000Z"),
    *("1704067200", "1704067200000"),
]


def test_times_of_every_form_may_be_mixed():
    reading = read("text,date\n" + "".join(f"a,{time}\n" for time in MIXED_TIMES))
    assert {event.timestamp for event in reading.events} == {datetime(2024, 1, 1, tzinfo=UTC)}


WRONG = [
    ("timestamp", "yesterday", "timestamp", "timestamp must be a date or time"),
    ("date", "2024", "timestamp", "timestamp must be a date or time"),
    ("kind", "RUMOUR", "kind", "kind must be STATIC, VERSIONED or EVENT"),
    ("embedding", "0.1 0.2", "semantic_vec", "semantic_vec must be a JSON list of numbers"),
    ("embedding", "[1, NaN]", "semantic_vec", "semantic_vec must be finite, got nan at position 1"),
    ("embedding", "[1, Infinity]", "semantic_vec", "semantic_vec must be finite, got inf at position 1"),
    ("embedding", "[[1]]", "semantic_vec", "semantic_vec must be one list of numbers"),
    ("embedding", '["a"]', "semantic_vec", "semantic_vec must be a list of numbers"),
    ("embedding", "[" + "9" * 400 + "]", "semantic_vec", "semantic_vec must be a list of numbers"),
    ("metadata", "[1]", "metadata", "metadata must be an object"),
    ("metadata", "{", "metadata", "metadata must be a JSON object"),
    ("text", "", "text", "text must not be empty"),
]


@pytest.mark.parametrize(("column", "cell", "name", "reason"), WRONG)
def test_a_bad_cell_is_a_fault_that_says_where_what_and_what_to_do(column, cell, name, reason):
    out = io.StringIO()
    row = {"id": "e2", "text": "x", "note": "n"} | {column: cell}
    csv.writer(out).writerows([["id", "text", *(row.keys() - {"id", "text"})], ["e1", "good"]])
    csv.writer(out).writerow([row[key] for key in ["id", "text", *(row.keys() - {"id", "text"})]])
    reading = read(out.getvalue())
    (fault,) = reading.faults
    assert [event.id for event in reading.events] == ["e1"]
    assert (fault.row, fault.event_id, fault.field) == (3, "e2", name)
    assert fault.reason.startswith(reason)
    assert fault.advice
    assert fault.raw[column] == cell


def test_a_fault_names_the_column_of_the_file():
    assert only_fault("id,text,date\n1,a,soon\n").reason.endswith('(column "date")')


def test_vectors_of_another_length_than_the_first_are_faults_with_both_sizes():
    fault = only_fault('text,embedding\na,"[1,2]"\nb,"[1,2,3]"\nc,"[3,4]"\nd,\ne,[]\n')
    assert fault.reason.startswith("semantic_vec must have 2 numbers as the vectors before it, got 3")


def test_vectors_must_fit_those_that_are_there():
    assert only_fault('text,embedding\na,"[1,2]"\n', semantic_dim=3).field == "semantic_vec"


def test_zero_vectors_are_taken():
    assert read('text,embedding\na,"[0,0]"\n').events[0].semantic_vec.tolist() == [0, 0]


def test_a_row_that_is_too_long_is_a_fault_and_a_short_one_lacks_the_rest():
    reading = read("id,text,place\n1,Hello, you,home\n2,b\n3,c,,,\n")
    assert [(fault.row, fault.reason) for fault in reading.faults] == [(2, "the row has 4 cells, the header has 3")]
    assert [event.id for event in reading.events] == ["2", "3"]


def test_a_quotation_mark_left_open_is_a_fault_and_not_a_long_text():
    reading = read('id,text\n1,a\n2,"b\n3,c\n')
    assert [event.id for event in reading.events] == ["1"]
    assert "never closed" in reading.faults[0].reason
    assert reading.faults[0].row == 3


def test_line_breaks_in_quotation_marks_belong_to_the_text_and_rows_are_numbered_by_lines():
    reading = read('id,text\n1,"a\nb"\n2,c\n')
    assert [(event.text, row.number) for event, row in zip(reading.events, reading.event_rows, strict=True)] == [("a\nb", 2), ("c", 4)]


def test_cells_of_ten_megabytes_are_read():
    text = "x" * 10_000_000
    assert read(f"id,text\n1,{text}\n").events[0].text == text


def test_decimal_commas_are_numbers_where_columns_are_apart_by_semicolons():
    assert read("text;valence;arousal\na;-0,5;1\n").events[0].emotion == Emotion(-0.5, 1.0)
    assert only_fault('text,valence,arousal\na,"-0,5",1\n').reason == "valence must be a number, got -0,5"


def test_text_is_never_changed():
    texts = ["<!-- <script>", "</script><img src=x onerror=alert(1)>", "\u202e\u05e9\u05dc", "  spaces  ", "'=1", "=1+1"]
    out = io.StringIO()
    csv.writer(out).writerows([["id", "text"], *([str(i), text] for i, text in enumerate(texts))])
    assert [event.text for event in read(out.getvalue()).events] == texts


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "No column holds the text of the events. The columns are: a, b."),
        ("source,target\na,b\n", "Is it a file of edges?"),
        ("id,text\n", "holds no rows"),
        ("id,text\n,\n \n", "holds no rows"),
        ("", "is empty"),
        (" \n\n", "is empty"),
    ],
)
def test_a_file_without_events_is_refused_in_a_sentence(content, message):
    with pytest.raises(ReadError) as caught:
        read(content)
    assert message in str(caught.value)


def test_a_file_above_the_limit_is_refused_with_both_sizes():
    with pytest.raises(ReadError, match=r"events.csv has 3\.0 MB, more than the limit of 2\.0 MB"):
        read("x" * 3 * 2**20, limit=2 * 2**20)


def test_good_rows_are_taken_beside_bad_ones():
    reading = read("id,text,date\n1,a,2024-01-01\n2,,2024-01-01\n3,c,soon\n4,d,\n")
    assert ([event.id for event in reading.events], [fault.row for fault in reading.faults]) == (["1", "4"], [3, 4])
    assert reading.n_rows == 4


CELLS = st.sampled_from(["", "1", "x", "2024-01-01", "soon", "[1,2]", "[1]", "nan", "a;b", "0.5", '"', "'", "x,y", "\n", "{}", "7"])
NAMES = ["id", "text", "date", "valence", "arousal", "embedding", "edges", "kind", "metadata", "place"]


@given(st.lists(st.lists(CELLS, max_size=11), max_size=8), st.lists(st.sampled_from(NAMES), max_size=8), st.sampled_from([",", ";", "\t"]))
def test_every_row_is_accepted_or_listed(rows, names, sign):
    out = io.StringIO()
    csv.writer(out, delimiter=sign).writerows([["text", *names], *rows])
    try:
        reading = read_events("a.csv", out.getvalue().encode())
    except ReadError:
        return
    assert reading.is_complete
    assert reading.n_rows == len(reading.events) + len(reading.event_faults)
    assert len(reading.event_rows) == len(reading.events)
    assert len(reading.edge_rows) == len(reading.edges)
