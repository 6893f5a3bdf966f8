"""Faults keep their row, so that it can be downloaded, mended and read again."""

from __future__ import annotations

import csv
import io

from affrag_core.events.readers import read_edges, read_events
from affrag_core.events.report import FAULT_COLUMNS, Fault, faults_csv

FILE = b"""id,text,date,place,embedding
1,fine,2024-01-01,home,"[1,2]"
2,=late,soon,'=home,
3,long,,,"[1,2,3]"
"""


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_a_fault_reads_as_a_sentence():
    fault = Fault(3, "e1", "kind", "x", "kind must be STATIC", "Leave it empty.")
    assert str(fault) == "Row 3, event e1: kind must be STATIC. Leave it empty."
    assert str(Fault(3, None, "row", "", "no row", "Mend it.")) == "Row 3: no row. Mend it."


def test_faults_are_written_with_reason_and_advice_before_the_row_as_it_was():
    table = rows(faults_csv(read_events("a.csv", FILE).faults))
    assert list(table[0]) == [*FAULT_COLUMNS, "id", "text", "date", "place", "embedding", "written_as"]
    assert table[0]["fault_row"] == "3"
    assert table[0]["fault_reason"].startswith("timestamp must be a date or time")
    assert (table[0]["date"], table[1]["embedding"]) == ("soon", "[1,2,3]")


def test_a_mended_file_of_faults_is_read_without_the_added_columns():
    content = faults_csv(read_events("a.csv", FILE).faults).replace(b"soon", b"2024-01-02")
    reading = read_events("faults.csv", content, semantic_dim=3)
    assert reading.faults == ()
    first = reading.events[0]
    assert (first.id, first.text, first.metadata) == ("2", "=late", {"place": "'=home"})


def test_words_for_nothing_still_mean_nothing_in_a_mended_file():
    content = faults_csv(read_events("a.csv", b"id,text,date,kind\n1,x,soon,nan\n").faults).replace(b"soon", b"null")
    assert read_events("faults.csv", content).events[0].timestamp is None


def test_rows_of_json_are_written_as_cells_and_read_back():
    content = b'[{"id": 1, "text": "a"}, {"id": 2, "text": "x", "time": "soon", "metadata": {"a": [1]}, "embedding": [1, 2]}]'
    mended = faults_csv(read_events("a.json", content).faults).replace(b"soon", b"")
    (event,) = read_events("faults.csv", mended).events
    assert (event.id, event.metadata, event.semantic_vec.tolist()) == ("2", {"a": [1]}, [1, 2])


def test_faults_of_edges_are_a_file_of_edges():
    reading = read_events("a.csv", b"id,text,links\na,x,b;c\nb,,a\n")
    content = faults_csv(reading.faults, part="edge")
    again = read_edges("faults.csv", content, {"a", "b", "c"})
    assert [edge.key[:2] for edge in again.edges] == [("a", "b"), ("a", "c"), ("b", "a")]
    assert len(rows(faults_csv(reading.faults, part="event"))) == 1
    assert len(rows(faults_csv(reading.faults))) == 4


def test_no_faults_are_an_empty_table():
    assert rows(faults_csv([])) == []
