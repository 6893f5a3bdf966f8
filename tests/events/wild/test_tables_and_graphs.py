"""Parquet, Excel, GraphML, node-link JSON and MADial-Bench memories; and archives that are traps."""

import io
import json
import zipfile
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from affrag_core.errors import ReadError
from affrag_core.events.readers import read_edges, read_events
from affrag_core.events.readers.archives import texts_in
from affrag_core.events.times import iso_text


def parquet(rows: list[dict]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def test_parquet_keeps_times_vectors_and_unknown_columns():
    rows = [{"id": 7, "text": "tea", "time": datetime(2024, 1, 1, tzinfo=UTC), "embedding": [0.5, 1.0], "room": "kitchen"}]
    event = read_events("a.parquet", parquet(rows)).events[0]
    assert (event.id, iso_text(event.timestamp), event.metadata["room"]) == ("7", "2024-01-01T00:00:00Z", "kitchen")
    assert event.semantic_vec.tolist() == [0.5, 1.0]


def test_a_wrong_extension_does_not_matter_and_a_cut_parquet_file_is_refused():
    whole = parquet([{"id": "a", "text": "tea"}])
    assert len(read_events("a.csv", whole).events) == 1
    with pytest.raises(ReadError, match="cut or damaged"):
        read_events("a.parquet", whole[:-20])


def excel(sheets: dict[str, list[list]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_excel_reads_the_first_sheet_with_rows_and_names_the_others():
    log = [["Id", "Message", "Date"], [1, "tea", datetime(2024, 1, 1, 9)], [2, None, None]]  # noqa: DTZ001
    content = excel({"cover": [], "log": log, "more": [["a"], ["b"]]})
    reading = read_events("diary.xlsx", content)
    assert [(event.id, event.text, iso_text(event.timestamp)) for event in reading.events] == [("1", "tea", "2024-01-01T09:00:00Z")]
    assert [(fault.row, fault.field) for fault in reading.faults] == [(3, "text")]
    assert any("more" in note for note in reading.notes)
    assert reading.is_complete


def test_links_are_read_from_excel_too():
    content = excel({"links": [["source", "target"], ["a", "b"]]})
    assert [edge.key[:2] for edge in read_edges("links.xlsx", content, {"a", "b"}).edges] == [("a", "b")]


GRAPHML = b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="node" attr.name="date" attr.type="string"/>
  <key id="d2" for="edge" attr.name="relation" attr.type="string"/>
  <graph edgedefault="directed">
    <node id="n1"><data key="d0">Tea with Ada</data><data key="d1">2024-01-01</data></node>
    <node id="n2"><data key="d0">&lt;b&gt;Walk&lt;/b&gt;</data></node>
    <edge source="n1" target="n2"><data key="d2">before</data></edge>
  </graph>
</graphml>"""


def test_graphml_nodes_become_events_and_its_edges_links():
    reading = read_events("a.graphml", GRAPHML)
    assert [(event.id, event.text) for event in reading.events] == [("n1", "Tea with Ada"), ("n2", "<b>Walk</b>")]
    assert iso_text(reading.events[0].timestamp) == "2024-01-01T00:00:00Z"
    assert [edge.key for edge in reading.edges] == [("n1", "n2", "before")]


def test_graphml_that_declares_entities_is_refused():
    bomb = b'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "aaaa">]><graphml></graphml>'
    with pytest.raises(ReadError, match="entities"):
        read_events("a.graphml", bomb)


def test_node_link_json_is_a_graph():
    nodes = [{"id": 1, "name": "Tea"}, {"id": 2, "text": "Walk"}, 5]
    graph = {"directed": True, "nodes": nodes, "links": [{"source": 1, "target": 2, "relation": "next"}]}
    reading = read_events("graph.json", json.dumps(graph).encode())
    assert [(event.id, event.text) for event in reading.events] == [("1", "Tea"), ("2", "Walk"), ("5", "5")]
    assert [edge.key for edge in reading.edges] == [("1", "2", "next")]
    assert [edge.key for edge in read_edges("graph.json", json.dumps(graph).encode(), {"1", "2"}).edges] == [("1", "2", "next")]


def test_madial_memories_are_numbered_lines():
    first = '{"1": {"time": "2023-12-25", "scene": "Activity", "emotion": "Happy", "event": "Danced."}}'
    reading = read_events("memory.json", f'{first}\n{{"x": 3}}\n{{"2": {{"time": "2023-03-07", "event": "Won."}}}}\n'.encode())
    assert [(event.id, event.text, event.emotion) for event in reading.events] == [("1", "Danced.", "Happy"), ("2", "Won.", None)]
    assert reading.events[0].doc_type == "Activity"
    assert [fault.row for fault in reading.faults] == [2]


def test_an_archive_that_unpacks_to_far_more_than_its_size_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", b"0" * (40 * 2**20))
    with pytest.raises(ReadError, match="unpack to 40 MB"):
        read_events("a.zip", out.getvalue())


def test_an_archive_whose_directory_lies_about_a_size_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", b"0" * 5000)
    content = out.getvalue().replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(ReadError):
        texts_in(content, lambda name: True)


def test_names_in_an_archive_are_only_names():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../etc/evil.md", "text")
    assert [event.id for event in read_events("a.zip", out.getvalue()).events] == ["evil"]


@given(st.sampled_from([b"PAR1", b"PK\x03\x04", b"From ", b"<graphml", b"BEGIN:VCALENDAR", b"[1/2/24, 1:00] A: "]), st.binary(max_size=200))
def test_damaged_files_of_every_format_end_in_a_sentence(start, rest):
    try:
        assert read_events("a", start + rest).is_complete
    except ReadError as error:
        assert str(error)
