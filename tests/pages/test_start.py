"""The first page: three doors, and the way back to what is there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from affrag_core import Event, Workspace
from pages.shared import folders
from tests.pages.driving import ROOT, checked, opened, press, said, the


def test_a_first_visit_finds_three_doors_and_what_each_demo_shows(data_dir):
    at = opened()
    assert at.title[0].value == "Memory explorer"
    assert [one.value for one in at.subheader][:3] == ["1 · Try a demo", "2 · Bring your own file", "3 · Begin with nothing"]
    demos = [one for one in at.button if one.key.startswith("demo_")]
    assert len(demos) == len(list(folders.DEMO_FOLDER.glob("*/demo.json"))) > 0
    assert all("events · " in one.value for one in at.caption[: len(demos)])


def test_a_demo_opens_on_the_page_that_asks(data_dir):
    at = opened()
    press(at, next(one.key for one in at.button if one.key.startswith("demo_")))
    assert at.title[0].value == "Retrieve"
    assert at.query_params["workspace"].startswith("demo-")


def test_an_empty_workspace_needs_a_name_and_opens_on_the_events_page(data_dir):
    at = opened()
    press(at, "make_empty")
    assert "give it a name" in said(at)
    the(at, "text_input", "empty_name").set_value("  My **first** memories ")
    press(at, "make_empty")
    assert at.title[0].value == "Events"
    assert at.query_params["workspace"] == "my-first-memories"
    assert "My **first** memories · 0 events, 0 links" in said(at).replace("**My", "My").replace("memories**", "memories")


def test_a_file_opens_in_a_workspace_of_its_own_and_is_looked_through_first(data_dir):
    at = opened()
    rows = b"id,text,date\n1,Tea with Ada,2024-01-01\n2,A walk,2024-01-02\n"
    checked(the(at, "file_uploader", "start_file").set_value(("my diary.csv", rows, "text/csv")).run())
    assert at.title[0].value == "Events"
    assert at.query_params["workspace"] == "my-diary"
    assert "2 accepted" in said(at)
    assert "0 events, 0 links" in said(at)


def test_workspaces_that_are_there_are_offered_by_their_names(make_workspace: Callable[..., Workspace]):
    make_workspace("a", [Event(id="e1", text="Tea")], name="Ada's <b>diary</b>")
    at = opened()
    assert at.subheader[0].value == "Go on where you were"
    press(at, "open_a")
    assert at.query_params["workspace"] == "a"
    assert "Ada's <b>diary</b>" in said(at)


def test_beyond_the_last_six_the_others_are_in_a_list(make_workspace: Callable[..., Workspace]):
    for n in range(8):
        make_workspace(f"w{n}")
    at = opened()
    assert len([one for one in at.button if one.key.startswith("open_")]) == 6
    assert len(the(at, "selectbox", "open_older").options) == 2


def test_a_page_without_a_workspace_shows_the_way_to_start(data_dir):
    for page in ("pages/data/events.py", "pages/data/links.py"):
        assert "No workspace is open" in said(opened(page))


def test_a_workspace_that_is_not_there_is_named_as_written(data_dir):
    at = opened("pages/data/events.py", "<script>../x")
    assert "There is no workspace called “<script>../x” here" in said(at)


def test_a_damaged_workspace_is_a_sentence(data_dir):
    (folders.workspace_folder() / "broken.sqlite").write_bytes(b"this is no database" * 100)
    at = opened("pages/data/events.py", "broken")
    assert len(at.error) == 1
    assert "Traceback" not in said(at)


def test_every_page_has_a_file_that_leads_a_first_visit_at_its_address_to_the_app():
    named = set(re.findall(r'"pages/\w+/(\w+)\.py"', (ROOT / "app.py").read_text(encoding="utf-8")))
    assert named - {"start"} == {path.stem for path in (ROOT / "pages").glob("*.py")}


def drop_file(at, name="my diary.csv"):
    rows = b"id,text,date\n1,Tea with Ada,2024-01-01\n2,A walk,2024-01-02\n"
    return checked(the(at, "file_uploader", "start_file").set_value((name, rows, "text/csv")).run())


def at_start(at):
    return checked(at.switch_page("pages/home/start.py").run())


def slugs() -> list[str]:
    return [one.slug for one in folders.saved_workspaces()]


def test_a_file_that_is_put_away_leaves_no_empty_workspace_behind(data_dir):
    at = drop_file(opened())
    assert slugs() == ["my-diary"]
    press(at, "upload_drop")
    at = at_start(at)
    assert slugs() == []
    assert "workspace" not in at.query_params
    drop_file(at)
    assert slugs() == ["my-diary"]


def test_a_file_that_still_waits_is_there_after_a_look_at_the_first_page(data_dir):
    at = at_start(drop_file(opened()))
    assert slugs() == ["my-diary"]
    at.switch_page("pages/data/events.py").run()
    assert "2 accepted" in said(checked(at))


def test_what_was_brought_in_stays_also_when_it_is_undone(data_dir):
    at = press(drop_file(opened()), "upload_import")
    press(at, "events_undo")
    at = at_start(at)
    assert slugs() == ["my-diary"]
    assert not folders.saved_workspaces()[0].is_waiting


def test_a_workspace_of_another_session_that_waits_for_its_file_goes_after_a_day(data_dir):
    drop_file(opened())
    at_start(opened())
    assert slugs() == ["my-diary"]
    for file in folders.workspace_folder().glob("my-diary.sqlite*"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    at_start(opened())
    assert slugs() == []
