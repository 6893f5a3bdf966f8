"""The Events page: events written, changed, deleted, brought in and searched."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import Emotion, Event, StaleError, Workspace, to_jsonl
from pages.shared import event_editor, event_form, event_table, session
from pages.shared.feelings_work import with_feeling_vector
from tests.pages.driving import ROOT, checked, opened, press, said, the

PAGE = "pages/data/events.py"
HOSTILE = "<!-- <script> </script><img src=x onerror=alert(1)> **bold** :red[x] $x^2$ [a](http://b.c) `code`"
TEA = Event(id="e1", text="Tea with Ada", timestamp="2024-01-31T18:00:27Z", emotion="calm", doc_type="diary")
WALK = Event(id="e2", text="A walk", kind="EVENT", metadata={"place": "Oslo"}, emotion=Emotion(0.25, -0.5))
LOCOMO = ROOT.parent / "shared" / "data" / "locomo" / "locomo_dev.json"


def written(at: AppTest, prefix: str = "event_new", **fields: object) -> AppTest:
    kinds = {"text": "text_area", "word": "selectbox", "kind": "selectbox", "valence": "number_input", "arousal": "number_input"}
    for name, value in fields.items():
        box = next(one for one in at.get(kinds.get(name, "text_input")) if re.fullmatch(f"{prefix}[0-9a-f]*_{name}", one.key or ""))
        if name == "word":
            at.session_state[box.key] = value  # the tool knows no words but those offered
        else:
            box.set_value(value)
    return at


def choose_row(at: AppTest, row: int) -> AppTest:
    key = "events_table_" + event_table.digest(at.dataframe[0].value["id"])
    at.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return checked(at.run())


def save(at: AppTest) -> AppTest:
    return press(at, next(one.key for one in at.button if one.key.startswith("event_") and one.key.endswith("_save")))


def upload(ws: Workspace, name: str, content: bytes) -> AppTest:
    at = opened(PAGE, Path(ws.target).stem)
    checked(the(at, "segmented_control", "events_view").set_value("file").run())
    return checked(the(at, "file_uploader", "upload_file").set_value((name, content, "text/plain")).run())


def settle(ws: Workspace) -> None:
    job = session.job_of(ws)
    if job is not None:
        job.join(20)


def test_an_event_is_written_with_all_its_fields(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    at = opened(PAGE, "notes")
    written(
        at,
        text=HOSTILE,
        timestamp="2024-02-01T20:00+02:00",
        valence=0.4,
        arousal=-0.2,
        kind="VERSIONED",
        doc_type="policy",
        valid_from="2024-02-01",
        valid_until="2025-02-01 12:30",
        supersedes_id="e1",
        id="Nike",
        metadata='{"place": "Oslo"}',
    )
    save(at)
    event = ws.event("Nike")
    expected = Event(
        id="Nike",
        text=HOSTILE,
        timestamp="2024-02-01T18:00Z",
        valid_from="2024-02-01",
        valid_until="2025-02-01T12:30Z",
        kind="VERSIONED",
        doc_type="policy",
        supersedes_id="e1",
        emotion=Emotion(0.4, -0.2),
        metadata={"place": "Oslo"},
        emotional_vec=[0.4, -0.2],
    )
    assert event.replace(semantic_vec=None) == expected
    assert "Saved Nike." in said(at)
    settle(ws)
    assert ws.event("Nike").semantic_vec is not None


def test_an_event_without_an_id_gets_the_next_free_one_and_the_form_is_empty_again(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    at = opened(PAGE, "notes")
    save(written(at, text="One more"))
    assert ws.event("e2").text == "One more"
    assert the(at, "text_area", "event_new").value == ""


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": " "}, "Text: text must not be blank"),
        ({"text": "a", "timestamp": "yesterday"}, "Happened (UTC): timestamp must be a date or time"),
        ({"text": "a", "valence": 1.7, "arousal": 0.0}, "Valence: valence must be in [-1, 1], got 1.7"),
        ({"text": "a", "valence": 0.7}, "Arousal: arousal is missing"),
        ({"text": "a", "word": "joy", "valence": 0.7, "arousal": 0.1}, "Feeling: give a word, or valence and arousal, not both"),
        ({"text": "a", "valid_from": "2024-02-01", "valid_until": "2024-01-01"}, "True from (UTC): valid_from must not be after"),
        ({"text": "a", "supersedes_id": "nobody"}, "Replaces: there is no event 'nobody' to replace"),
        ({"text": "a", "metadata": "place"}, "More (JSON): metadata must be JSON"),
        ({"text": "a", "id": "e1"}, "the event 'e1' is there already"),
    ],
)
def test_a_fault_names_its_field_and_what_was_typed_stays(
    fields: dict[str, object], sentence: str, make_workspace: Callable[..., Workspace]
):
    ws = make_workspace("notes", [TEA])
    at = save(written(opened(PAGE, "notes"), **fields))
    assert sentence in said(at)
    assert len(ws) == 1
    assert the(at, "text_area", "event_new").value == fields["text"]
    emptied = dict.fromkeys(("id", "timestamp", "valid_from", "supersedes_id", "metadata"), "")
    save(written(at, text="Now it is right", valence=None, arousal=None, word=None, **emptied))
    assert len(ws) == 2
    assert not at.error


def test_a_feeling_that_is_not_in_the_table_is_kept_and_said(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    typed = {"text": "a", "id": "", "kind": "STATIC", "doc_type": "", "supersedes_id": "", "metadata": "", "word": "saudade-like"}
    typed |= dict.fromkeys(("timestamp", "valid_from", "valid_until"), "") | {"valence": None, "arousal": None}
    event, warning = with_feeling_vector(event_form.typed_event(ws, None, typed), ws.emotional_space)
    assert event == Event(id="e2", text="a", emotion="saudade-like")
    assert "keeps the word" in warning


def test_a_chosen_row_is_changed_by_form_and_loses_nothing(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA, WALK])
    at = choose_row(opened(PAGE, "notes"), 1)
    assert "Change e2" in said(at)
    save(at)
    assert ws.event("e2").replace(semantic_vec=None, emotional_vec=None) == WALK
    at = choose_row(opened(PAGE, "notes"), 0)
    save(written(at, "event_", text="Tea with Ada and Bo"))
    assert ws.event("e1").text == "Tea with Ada and Bo"
    assert ws.event("e1").timestamp == TEA.timestamp


def test_a_change_from_elsewhere_is_not_overwritten_unseen(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    assert event_form.still_the_same(ws, TEA) is ws.event("e1")
    ws.update_events([TEA.replace(semantic_vec=[1.0, 2.0])])
    assert event_form.still_the_same(ws, TEA).semantic_vec is not None
    ws.update_events([TEA.replace(text="theirs")])
    with pytest.raises(StaleError):
        event_form.still_the_same(ws, TEA)


def test_deleting_takes_the_links_too_and_undo_brings_all_back(make_workspace: Callable[..., Workspace]):
    from affrag_core import Edge

    ws = make_workspace("notes", [TEA, WALK], [Edge(source="e1", target="e2")])
    at = choose_row(opened(PAGE, "notes"), 0)
    press(at, next(one.key for one in at.button if one.key.endswith("_delete")))
    assert "Deleted e1 and 1 link." in said(at)
    assert (len(ws), ws.n_edges) == (1, 0)
    press(at, "events_undo")
    assert "Undone: Delete event e1" in said(at)
    assert (len(ws), ws.n_edges) == (2, 1)
    press(at, "events_redo")
    assert len(ws) == 1


def test_search_and_filters_say_how_many_match(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", [TEA, WALK])
    at = opened(PAGE, "notes")
    assert "2 events" in said(at)
    checked(the(at, "text_input", "events_search").set_value("oslo").run())
    assert "1 of 2 events match" in said(at)
    assert at.dataframe[0].value["id"].tolist() == ["e2"]
    checked(the(at, "text_input", "events_search").set_value("nothing like it").run())
    assert "No event matches" in said(at)


def test_a_large_table_goes_to_the_browser_in_pages(make_workspace: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_table, "PAGE_SIZE", 10)
    make_workspace("notes", [Event(id=f"n{n}", text=f"number {n}") for n in range(35)])
    at = opened(PAGE, "notes")
    assert len(at.dataframe[0].value) == 10
    assert "Rows 1 to 10 of 35 that match, of 35 events" in said(at)


def test_a_file_is_shown_first_its_bad_rows_listed_and_brought_in_at_once(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    rows = "id,text,timestamp,place\n7,A walk,2024-02-01,Oslo\n8,,2024-02-02,Rome\n9,A dance,soon,Bonn\n"
    at = upload(ws, "trips.csv", rows.encode())
    assert "3 rows of events · 1 accepted · 2 not taken" in said(at)
    faults = next(one.value for one in at.dataframe if "Why not" in one.value)
    assert faults["Row"].tolist() == [3, 4]
    assert faults["Field"].tolist() == ["Text", "Happened (UTC)"]
    assert faults["What to do"].str.len().min() > 10
    assert len(ws) == 1
    press(at, "upload_import")
    assert ws.event("7").metadata["place"] == "Oslo"
    assert "Brought in 1 event and 0 links." in said(at)
    settle(ws)
    press(at, "events_undo")
    assert len(ws) == 1


def test_events_without_links_are_linked_in_time_within_a_column_unless_told_not_to(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes")
    rows = "text,timestamp,who\na,2024-01-01,Ada\nb,2024-01-02,Bo\nc,2024-01-03,Ada\nd,2024-01-04,Bo\n"
    at = upload(ws, "talk.csv", rows.encode())
    assert "Bring in 4 events and 3 links" in [one.label for one in at.button]
    checked(the(at, "selectbox", "within").set_value("who").run())
    assert "Bring in 4 events and 2 links" in [one.label for one in at.button]
    checked(the(at, "checkbox", "_next").uncheck().run())
    assert "Bring in 4 events and 0 links" in [one.label for one in at.button]


@pytest.mark.parametrize(
    ("choice", "texts"),
    [
        ("refuse", ["Tea with Ada"]),
        ("keep first", ["Tea with Ada"]),
        ("keep last", ["last"]),
        ("rename", ["Tea with Ada", "first", "last"]),
    ],
)
def test_ids_that_repeat_are_a_choice(choice: str, texts: list[str], make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA])
    at = upload(ws, "more.csv", b"id,text\ne1,first\ne1,last\nnew,other\n")
    assert "1 id stands more than once" in said(at)
    checked(the(at, "radio", "duplicates").set_value(choice).run())
    press(at, "upload_import")
    settle(ws)
    assert [event.text for event in ws.events() if event.text != "other"] == texts


def test_a_scale_from_zero_to_one_is_asked_about(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes")
    at = upload(ws, "felt.csv", b"text,valence,arousal\na,0.5,1\nb,0,0.25\n")
    assert "0 to 1" in said(at)
    press(at, "upload_import")
    assert [event.emotion for event in ws.events()] == [Emotion(0.0, 1.0), Emotion(-1.0, -0.5)]


def test_vectors_of_a_file_are_kept_under_the_name_of_what_made_them(make_workspace: Callable[..., Workspace]):
    rows = to_jsonl([Event(id="a", text="a", semantic_vec=[1.0, 2.0, 3.0]), Event(id="b", text="b", semantic_vec=[0.0, 1.0, 0.0])])
    ws = make_workspace("notes")
    at = press(upload(ws, "v.jsonl", rows), "upload_import")
    assert ws.semantic_space == "given with the file"
    assert ws.event("a").semantic_vec.tolist() == [1.0, 2.0, 3.0]
    assert not at.error
    other = make_workspace("others")
    at = upload(other, "v.jsonl", rows)
    checked(the(at, "radio", "_semantic").set_value(False).run())
    press(at, "upload_import")
    settle(other)
    assert other.event("a").semantic_vec.tolist() == [2.0, 1.0, 1.0]
    third = make_workspace("third")
    at = upload(third, "v.jsonl", rows)
    checked(the(at, "selectbox", "made_by").set_value("all-MiniLM-L6-v2").run())
    assert "have 384 numbers, those of the file 3" in said(at)


UNREADABLE = [b"", b"\x80\x04K\x01.", b"PK\x03\x04", b"<html><body>no</body></html>", b"[{]", bytes(range(256)) * 40]


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_file_that_cannot_be_read_is_a_sentence(content: bytes, make_workspace: Callable[..., Workspace]):
    at = upload(make_workspace("notes"), "bad.csv", content)
    assert len(at.error) == 1
    press(at, "upload_drop")
    assert not at.error


def test_a_file_waits_in_the_session_while_another_page_is_looked_at(make_workspace: Callable[..., Workspace]):
    at = upload(make_workspace("notes", [TEA]), "trips.csv", b"text\na walk\n")
    checked(at.switch_page("pages/data/links.py").run())
    checked(at.switch_page(PAGE).run())
    assert "trips.csv" in said(at)
    assert "1 accepted" in said(at)


def test_a_conversation_file_asks_which_one_and_says_what_it_assumed(make_workspace: Callable[..., Workspace]):
    if not LOCOMO.is_file():
        pytest.skip("the LoCoMo file is not here")
    ws = make_workspace("notes")
    at = upload(ws, "locomo_dev.json", LOCOMO.read_bytes())
    box = the(at, "selectbox", "upload_conversation")
    assert len(box.options) == 6
    name = json.loads(LOCOMO.read_text())[0]["sample_id"]
    checked(box.set_value(name).run())
    assert "one minute for every turn" in said(at)
    press(at, "upload_import")
    assert 369 <= len(ws) <= 690
    assert ws.n_edges == len(ws) - 1


def test_cells_changed_in_the_table_are_saved_and_bad_ones_kept_for_mending(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA, WALK])
    draft = {"e1": {"timestamp": "soon"}, "e2": {"text": "A long walk", "emotion": "joy"}}
    good, faults, warnings = event_editor.changed_events(ws, draft, text_is_encoded=True)
    assert [event.text for event in good] == ["A long walk"]
    assert good[0].emotional_vec is not None
    assert faults[0]["Event"] == "e1"
    assert faults[0]["Field"] == "Happened (UTC)"
    assert faults[0]["You typed"] == "soon"
    assert warnings == []


def test_unsaved_cells_survive_a_look_at_another_page(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [TEA, WALK])
    at = opened(PAGE, "notes")
    checked(the(at, "segmented_control", "events_view").set_value("table").run())
    key = f"event_editor_{event_table.digest(['e1', 'e2'])}_0"
    edited = {0: {"text": "Coffee with Ada"}, 1: {"timestamp": "soon"}}
    at.session_state[key] = {"edited_rows": edited, "added_rows": [], "deleted_rows": []}
    checked(at.run())
    assert "2 cells of 2 events changed and not saved yet" in said(at)
    checked(at.switch_page("pages/data/links.py").run())
    checked(at.switch_page(PAGE).run())
    assert "2 cells of 2 events changed and not saved yet" in said(at)
    press(at, "editor_save")
    assert ws.event("e1").text == "Coffee with Ada"
    assert "1 event could not be saved" in said(at)
    assert "1 cell of 1 event changed" in said(at)
    press(at, "editor_drop")
    assert "Nothing" not in said(at)
    assert ws.event("e2").replace(semantic_vec=None) == WALK


def test_hostile_text_stands_on_the_page_letter_by_letter(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", [Event(id=HOSTILE, text=HOSTILE, doc_type=HOSTILE)], name=HOSTILE)
    at = choose_row(opened(PAGE, "notes"), 0)
    for one in (*at.markdown, *at.caption, *at.subheader):
        assert "<script>" not in str(one.value)
        assert "**bold**" not in str(one.value)
    assert "<!-- <script>" in said(at)
