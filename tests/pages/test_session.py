"""What a session holds, where workspaces lie, and text that is shown as it was written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from affrag_core import AffragError, Event, Workspace
from pages.shared import folders, making, resources, session
from pages.shared.text import counted, plain, shortened
from tests.pages.driving import opened, said

EVENTS = [Event(id="e1", text="abc", timestamp="2024-01-02"), Event(id="e2", text="a walk", timestamp="2024-03-04T05:06:07Z")]


@given(some.text())
def test_any_name_becomes_a_file_name_of_plain_letters(name: str):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", folders.slug_of(name))


@pytest.mark.parametrize("address", ["../etc", "/etc/passwd", "a/b", "..", "", "a.sqlite", "A", "notes\0", "notes "])
def test_an_address_never_names_a_path(address: str, make_workspace: Callable[..., Workspace]):
    make_workspace("notes")
    assert folders.workspace_path("notes") is not None
    assert folders.workspace_path(address) is None


def test_names_that_map_to_one_file_name_get_files_of_their_own(data_dir: Path):
    slugs = [making.empty_workspace(name) for name in ("My notes", "my  NOTES", "my-notes!", "../../my notes")]
    assert slugs == ["my-notes", "my-notes-2", "my-notes-3", "my-notes-4"]
    assert {saved.name for saved in folders.saved_workspaces()} == {"My notes", "my NOTES", "my-notes!", "../../my notes"}
    assert all(saved.path.parent == data_dir / "workspaces" for saved in folders.saved_workspaces())


def test_a_damaged_file_is_listed_under_its_own_name(data_dir: Path):
    (folders.workspace_folder() / "broken.sqlite").write_bytes(b"this is no database" * 100)
    assert [saved.name for saved in folders.saved_workspaces()] == ["broken"]


def test_a_file_in_the_place_of_a_deleted_one_is_another_workspace(make_workspace: Callable[..., Workspace]):
    first = make_workspace("notes", EVENTS)
    path = folders.workspace_path("notes")
    assert path is not None
    first.close()
    path.rename(path.with_suffix(".old"))
    assert len(make_workspace("notes")) == 0


@pytest.mark.parametrize("demo", sorted(path.parent for path in folders.DEMO_FOLDER.glob("*/demo.json")), ids=lambda path: path.name)
def test_a_demo_is_copied_once_and_opened_after(demo: Path, data_dir: Path):
    slug = making.demo_workspace(demo)
    ws = making.opened(slug)
    n_events = len(ws)
    ws.add_events([Event(id="mine", text="my own")])
    assert making.demo_workspace(demo) == slug
    assert len(making.opened(slug)) == n_events + 1
    assert session.default_as_of(ws) is not None
    assert not list(folders.workspace_folder().glob("*unfinished*"))


@pytest.mark.parametrize("demo", sorted(path.parent for path in folders.DEMO_FOLDER.glob("*/demo.json")), ids=lambda path: path.name)
def test_a_demo_answers_its_questions_without_a_model(demo: Path, data_dir: Path):
    ws = making.opened(making.demo_workspace(demo))
    questions = session.sample_questions(ws)
    assert questions
    for question in questions:
        vector = session.encode_query(ws, question["text"])
        assert vector is not None
        assert np.isfinite(vector).all()
    assert session.encode_query(ws, "something else") is None


def test_the_time_looked_at_is_pinned_or_that_of_the_newest_event(make_workspace: Callable[..., Workspace]):
    assert session.default_as_of(make_workspace("empty")) is None
    ws = make_workspace("dated", EVENTS)
    assert session.default_as_of(ws) == EVENTS[1].timestamp
    ws.set_setting("as_of", "2024-02-01")
    assert session.default_as_of(ws) == EVENTS[1].timestamp.replace(month=2, day=1, hour=0, minute=0, second=0)


def test_a_question_is_encoded_once_the_model_is_ready(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", EVENTS)
    assert session.encode_query(ws, "aa") is None
    shelf.begin("all-MiniLM-L6-v2").settled.wait(5)
    assert session.encode_query(ws, "aa").tolist() == [1 + 2, 1 + 0, 1 + 0]


def test_a_file_without_a_known_model_has_no_encoder(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("foreign", [Event(id="e1", text="a", semantic_vec=[1.0, 2.0])])
    ws.set_spaces(semantic="given with the file")
    assert session.model_of(ws) is None
    assert session.encoder_for(ws) is None


def test_counts_follow_every_change(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    assert resources.summary(ws).n_without_vector == 2
    ws.update_events([EVENTS[0].replace(semantic_vec=[1.0], doc_type="letter")])
    assert resources.summary(ws).n_without_vector == 1
    assert resources.summary(ws).doc_types == ("general", "letter")
    assert resources.event_ids(ws) == {"e1", "e2"}


def test_a_workspace_that_is_no_database_is_refused_in_a_sentence(data_dir: Path):
    path = folders.workspace_folder() / "broken.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(AffragError):
        resources.opened(str(path))


@given(some.text())
def test_plain_text_holds_every_letter_and_no_mark_without_an_escape(text: str):
    shown = plain(text)
    assert re.sub(r"\\(.)", r"\1", shown).replace("\u2060", "") == " ".join(text.split()).replace("\u2060", "")
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`<\[$~]", shown)


def test_long_text_is_cut_with_an_ellipsis_and_numbers_take_their_noun():
    assert shortened("one two  three", 8) == "one two…"
    assert (counted(1, "event"), counted(2310, "event")) == ("1 event", "2,310 events")


def test_a_year_that_was_mistyped_does_not_make_all_else_look_over(make_workspace):
    ws = make_workspace("a", [Event(id="e1", text="a", timestamp="2024-01-01"), Event(id="e2", text="b", timestamp="2124-01-01")])
    found = session.default_as_of(ws)
    assert (found.date(), found.hour, found.minute) == (datetime.now(UTC).date(), 23, 59)
    assert session.has_later_events(ws, found)
    at = opened("pages/data/events.py", "a")
    assert "; later events do not count yet" in said(at)


def test_the_default_time_is_the_newest_events_where_all_lie_on_one_side_of_now(make_workspace):
    past = make_workspace("a", [Event(id="e1", text="a", timestamp="2023-01-01"), Event(id="e2", text="b", timestamp="2024-01-01")])
    future = make_workspace("b", [Event(id="e1", text="a", timestamp="2123-01-01"), Event(id="e2", text="b", timestamp="2124-01-01")])
    assert session.default_as_of(past) == datetime(2024, 1, 1, tzinfo=UTC)
    assert session.default_as_of(future) == datetime(2124, 1, 1, tzinfo=UTC)
    assert session.default_as_of(make_workspace("c")) is None
