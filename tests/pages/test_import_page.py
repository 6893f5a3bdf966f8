"""A file on the Events page: which column is what, its time zone, its faults, and bringing it in again."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import Edge, Event, Workspace, emotion_vector, preview_file
from pages.shared import column_choice
from pages.shared.file_types import FILE_TYPES
from tests.pages.driving import checked, opened, press, said, the
from tests.pages.test_events_page import PAGE, settle, upload

UNNAMED = b"wann,was,code,ort\n2024-01-01 10:00,Tea with Ada in the garden,x1,Oslo\n2024-07-02 10:00,A long walk home alone,x2,Rome\n"
FAULTY = b"id,text,timestamp,kind\na,Tea,soon,STATIC\nb,A walk,2024-01-02,ONCE\nc,,2024-01-03,EVENT\nd,Rain,later,TWICE\n"
HERE = [
    Event(id="a", text="Tea", timestamp="2024-01-01", emotion="calm", emotional_vec=emotion_vector("calm")),
    Event(id="b", text="A walk", timestamp="2024-01-02"),
    Event(id="c", text="Rain", timestamp="2024-01-03"),
]
AGAIN = b"id,text,timestamp\na,Tea,2024-01-01\nb,A long walk,2024-01-02\nd,Snow,2024-01-04\n"


def choose(at: AppTest, kind: str, key: str, value: object) -> AppTest:
    return checked(the(at, kind, key).set_value(value).run())


def column(at: AppTest, field: str, value: str) -> AppTest:
    key = next(one.key for one in at.selectbox if one.key.startswith("map_") and one.key.endswith(f"_{field}"))
    return choose(at, "selectbox", key, value)


def fixes(at: AppTest) -> dict[str, str]:
    """Keys of the choices about faults, by their sentence."""
    return {one.label.replace("\\", ""): one.key for one in at.radio if one.key.startswith("fix_")}


def update(ws: Workspace, content: bytes = AGAIN) -> AppTest:
    return choose(upload(ws, "again.csv", content), "radio", "duplicates", "update")


def frame(at: AppTest, column: str):
    return next(one.value for one in at.dataframe if column in one.value)


def test_columns_are_proposed_by_content_shown_and_read(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = upload(ws, "diary.csv", UNNAMED)
    assert "Text, Happened (UTC), Id: found by its content" in said(at).replace("**", "")
    assert "kept with the event: ort" in said(at)
    assert frame(at, "wann")["was"].tolist() == ["Tea with Ada in the garden", "A long walk home alone"]
    press(at, "upload_import")
    settle(ws)
    assert [event.id for event in ws.events()] == ["x1", "x2"]
    assert ws.event("x1").metadata == {"ort": "Oslo"}


def test_a_changed_column_changes_what_is_read_at_once_and_is_taken_up_again(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = upload(ws, "diary.csv", UNNAMED)
    column(at, "id", "")
    column(at, "doc_type", "ort")
    assert "The file has no ids" in said(at)
    assert frame(at, "doc_type")["doc_type"].tolist() == ["Oslo", "Rome"]
    choose(at, "selectbox", "zone_", "Europe/Berlin")
    press(at, "upload_import")
    settle(ws)
    assert [event.id for event in ws.events()] == ["row-1", "row-2"]
    assert [event.doc_type for event in ws.events()] == ["Oslo", "Rome"]

    other = UNNAMED.replace(b"Tea", b"Coffee").replace(b"2024", b"2025")
    at = upload(ws, "diary two.csv", other)
    assert "Text, Happened (UTC), Id, Type: as you chose last time" in said(at).replace("**", "")
    assert the(at, "selectbox", "zone_").value == "Europe/Berlin"
    choose(at, "radio", "duplicates", "rename")
    assert frame(at, "doc_type")["timestamp"].tolist() == ["2025-01-01 09:00:00", "2025-07-02 08:00:00"]


def test_a_column_found_by_its_name_can_be_put_aside(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = upload(ws, "a.csv", b"text,date,message\nTea,2024-01-01,hello\n")
    column(at, "timestamp", "")
    column(at, "text", "message")
    press(at, "upload_import")
    settle(ws)
    (event,) = ws.events()
    assert (event.text, event.timestamp) == ("hello", None)
    assert event.metadata == {"text": "Tea", "date": "2024-01-01"}


def test_a_column_cannot_be_two_things_and_a_text_is_needed(make_workspace: Callable[..., Workspace]):
    at = upload(make_workspace(), "diary.csv", UNNAMED)
    column(at, "kind", "was")
    assert "“was” is chosen for Text and Kind" in said(at)
    column(at, "kind", "")
    column(at, "text", "")
    assert "Say which column holds the text" in said(at)
    column(at, "text", "ort")
    assert "2 accepted" in said(at)


def test_a_choice_is_carried_over_to_a_file_whose_columns_differ_in_case_only():
    preview = preview_file("a.csv", b"Text,Ort\nTea with Ada,Oslo\n")
    assert column_choice.first_columns(preview, {"columns": {"doc_type": "ort", "text": "gone"}})["doc_type"] == "Ort"
    assert column_choice.first_columns(preview, {"columns": {"text": "gone"}})["text"] == "Text"


def test_times_are_read_in_the_zone_that_is_named(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = upload(ws, "a.csv", b"text,time\nTea,2024-07-01 10:00\nRain,2024-07-01T10:00Z\n")
    assert the(at, "selectbox", "zone_").value == "UTC"
    choose(at, "selectbox", "zone_", "America/New_York")
    press(at, "upload_import")
    settle(ws)
    assert [event.timestamp.hour for event in ws.events()] == [14, 10]


def test_a_chat_asks_no_columns_and_a_workbook_does(make_workspace: Callable[..., Workspace]):
    chat = "[31.01.24, 18:00:00] Ada: Tea?\n[31.01.24, 18:01:00] Bo: Yes\n[31.01.24, 18:02:00] Ada: Good\n"
    ws = make_workspace()
    at = upload(ws, "chat.txt", chat.encode())
    assert "3 accepted" in said(at)
    assert not [one for one in at.selectbox if one.key.startswith("map_")]
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["day", "remark"], ["2024-01-31", "Tea with Ada at home"], ["2024-02-01", "Rain all day long"]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    at = upload(ws, "book.xlsx", out.getvalue())
    assert "Text, Happened (UTC): found by its content" in said(at).replace("**", "")


def test_both_doors_take_every_kind_of_file():
    assert {"csv", "xlsx", "parquet", "zip", "ics", "md", "mbox", "graphml", "txt", "json", "jsonl"} <= set(FILE_TYPES)


def test_one_choice_mends_all_rows_of_a_kind(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = upload(ws, "faulty.csv", FAULTY)
    assert "0 accepted · 4 not taken" in said(at)
    found = fixes(at)
    assert len(found) == 2
    time = next(key for label, key in found.items() if label.startswith("**2 rows** · Happened (UTC)"))
    choose(at, "radio", time, "Take without a time")
    assert "1 accepted · 1 of them mended as you chose · 3 not taken" in said(at)
    kind = next(key for label, key in fixes(at).items() if label.startswith("**2 rows** · Kind"))
    choose(at, "radio", kind, "Take as STATIC")
    assert "3 accepted · 3 of them mended as you chose · 1 not taken" in said(at)
    assert "1 row · Text: text must not be empty: left out" in said(at).replace("**", "")
    choose(at, "radio", time, "Leave out")
    assert "1 accepted" in said(at)
    choose(at, "radio", time, "Take without a time")
    press(at, "upload_import")
    settle(ws)
    assert [(event.id, event.kind.value, event.timestamp is None) for event in ws.events()] == [
        ("a", "STATIC", True),
        ("b", "STATIC", False),
        ("d", "STATIC", True),
    ]
    assert ws.event("d").metadata == {"timestamp (as written)": "later", "kind (as written)": "TWICE"}


def test_an_update_by_id_says_what_it_would_do_and_is_one_step(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", HERE, [Edge(source="a", target="c")])
    version = ws.version
    at = update(ws)
    assert "What the update does: 1 new · 1 changed · 1 unchanged · 1 only here, kept" in said(at).replace("**", "")
    changes = frame(at, "Before")
    assert changes.to_dict("records") == [{"Event": "b", "Field": "Text", "Before": "A walk", "After": "A long walk"}]
    assert ws.version == version
    checked(the(at, "checkbox", "_next").uncheck().run())
    press(at, "upload_import")
    settle(ws)
    assert "Updated: 1 new, 1 changed, 0 deleted, 0 new links" in said(at)
    assert [event.text for event in ws.events()] == ["Tea", "A long walk", "Rain", "Snow"]
    assert ws.event("a").emotion == "calm"
    press(at, "events_undo")
    assert [event.replace(semantic_vec=None) for event in ws.events()] == HERE


def test_the_whole_truth_deletes_what_the_file_does_not_have_but_no_row_that_could_not_be_read(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", HERE, [Edge(source="a", target="c")])
    at = update(ws)
    checked(the(at, "checkbox", "_whole").check().run())
    assert "1 new · 1 changed · 1 unchanged · 1 deleted" in said(at)
    press(at, "upload_import")
    settle(ws)
    assert [event.id for event in ws.events()] == ["a", "b", "d"]
    press(at, "events_undo")
    assert ([event.id for event in ws.events()], ws.n_edges) == (["a", "b", "c"], 1)
    at = update(ws, AGAIN + b"c,Rain,whenever\n")
    assert not [one for one in at.checkbox if one.key.endswith("_whole")]


def test_the_same_file_again_changes_nothing(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    rows = b"id,text,timestamp,emotion,edges\na,Tea,2024-01-01,calm,b\nb,Rain,2024-01-02,,\n"
    press(upload(ws, "a.csv", rows), "upload_import")
    settle(ws)
    at = update(ws, rows)
    assert "0 new · 0 changed · 2 unchanged" in said(at)
    assert the(at, "button", "upload_import").disabled
    assert not at.error


def test_an_update_is_offered_only_where_an_id_is_there(make_workspace: Callable[..., Workspace]):
    at = upload(make_workspace(), "twice.csv", b"id,text\na,Tea\na,Rain\n")
    assert len(the(at, "radio", "duplicates").options) == 4


def test_a_folder_is_brought_in_like_the_archive_that_it_could_be(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = opened(PAGE, Path(ws.target).stem)
    choose(at, "segmented_control", "events_view", "file")
    users = b'[{"id": "U1", "name": "ada"}]'
    day = b'[{"type": "message", "user": "U1", "text": "Lunch?", "ts": "1704450000.000600"}]'
    files = [("acme/users.json", users, "application/json"), ("acme/random/2024-01-05.json", day, "application/json")]
    at = checked(the(at, "file_uploader", "upload_folder").set_value(files).run())
    assert "acme" in said(at)
    assert "1 accepted" in said(at)
    press(at, "upload_import")
    settle(ws)
    assert [(event.id, event.doc_type) for event in ws.events()] == [("random/1704450000.000600", "ada")]


def test_after_an_import_the_way_leads_on_until_the_next_file(make_workspace: Callable[..., Workspace]):
    ws = make_workspace()
    at = press(upload(ws, "diary.csv", UNNAMED), "upload_import")
    settle(ws)
    checked(at.run())
    assert "Brought in 2 events" in said(at)
    assert [link.label for link in at.get("page_link") if "Propose links" in link.label or "Ask a question" in link.label] != []
    checked(the(at, "file_uploader", "upload_file").set_value(("b.csv", UNNAMED, "text/csv")).run())
    assert "Ask a question" not in [link.label for link in at.get("page_link")]
