"""The Workspaces page: listed, made, opened, renamed, copied, saved as one file, deleted and brought back."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import Edge, Event, Workspace, export_workspace
from pages.shared import event_table, folders, places, resources, workspace_files, workspace_rows
from tests.pages.driving import checked, opened, press, said, the

PAGE = "pages/data/workspaces.py"
EVENTS = [Event(id=f"e{n}", text=f"number {n}", timestamp=f"2024-01-0{n}") for n in (1, 2, 3)]
EDGES = [Edge(source="e1", target="e2")]


def listed() -> dict[str, object]:
    from affrag_core import list_workspaces

    return {card.slug: card for card in list_workspaces(folders.workspace_folder())}


def saved_file(ws: Workspace) -> bytes:
    file = io.BytesIO()
    export_workspace(ws, file)
    return file.getvalue()


def upload(at: AppTest, content: bytes, name: str = "old notes.workspace.zip") -> AppTest:
    checked(the(at, "file_uploader", "ws_import_").set_value((name, content, "application/zip")).run())
    return press(at, "ws_import_go")


def delete(at: AppTest, slug: str, name: str) -> AppTest:
    the(at, "text_input", f"ws_delete_name_{slug}").set_value(name)
    return press(at, f"ws_delete_go_{slug}")


def choose(at: AppTest, slug: str) -> AppTest:
    slugs = list(listed())
    key = "ws_table_" + event_table.digest(slugs)
    at.session_state[key] = {"selection": {"rows": [slugs.index(slug)], "columns": [], "cells": []}}
    return checked(at.run())


def make_newer(slug: str) -> None:
    with closing(sqlite3.connect(folders.workspace_folder() / f"{slug}.sqlite")) as connection:
        connection.execute("UPDATE workspace SET schema_version = 99")
        connection.commit()


def test_workspaces_are_listed_with_what_they_hold(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS, EDGES, name="Ada's **diary**")
    make_workspace("b")
    at = opened(PAGE, "a")
    rows = at.dataframe[0].value.set_index("name")
    assert rows.loc["Ada's **diary**", ["n_events", "n_edges", "state"]].tolist() == [3, 1, "open now"]
    assert rows.loc["B", ["n_events", "state"]].tolist() == [0, ""]
    assert "2 workspaces in" in said(at)


def test_without_workspaces_the_page_says_what_to_do_and_makes_one(data_dir):
    at = opened(PAGE)
    assert "There are no workspaces yet" in said(at)
    press(at, "ws_new_go")
    assert "give it a name" in said(at)
    the(at, "text_input", "ws_new_name").set_value(" My  memories ")
    press(at, "ws_new_go")
    assert "Made “My memories” and opened it." in said(at)
    assert at.query_params["workspace"] == ["my-memories"] or at.query_params["workspace"] == "my-memories"


def test_another_one_is_chosen_by_its_row_and_opened(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS)
    make_workspace("b", EVENTS)
    at = opened(PAGE, "a")
    assert the(at, "button", "ws_open_a").disabled
    press(choose(at, "b"), "ws_open_b")
    assert at.title[0].value == "Retrieve"
    assert at.query_params["workspace"] in ("b", ["b"])


def test_a_new_name_keeps_the_address(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("a")
    at = opened(PAGE, "a")
    the(at, "text_input", "ws_name_a").set_value("Other <b>name</b>")
    press(at, "ws_rename_go_a")
    assert ws.name == "Other <b>name</b>"
    assert "Other <b>name</b>" in said(at)
    assert at.dataframe[0].value.name.tolist() == ["Other <b>name</b>"]


def test_a_blank_name_is_refused(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("a")
    at = opened(PAGE, "a")
    the(at, "text_input", "ws_name_a").set_value("  ")
    press(at, "ws_rename_go_a")
    assert "must not be blank" in said(at)
    assert ws.name == "A"


def test_a_copy_is_a_workspace_of_its_own(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS, EDGES)
    at = opened(PAGE, "a")
    press(at, "ws_copy_go_a")
    card = listed()["copy-of-a"]
    assert (card.name, card.n_events, card.n_edges) == ("Copy of A", 3, 1)
    assert len(at.dataframe[0].value) == 2


def test_deleting_asks_for_the_name_and_keeps_a_copy_that_comes_back(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS, EDGES, name="My year")
    at = delete(opened(PAGE, "a"), "a", "my year")
    assert "Nothing was deleted" in said(at)
    assert "a" in listed()
    delete(at, "a", "My year")
    assert "Deleted “My year”" in said(at)
    assert "a.sqlite" in said(at)
    assert str(workspace_rows.backup_folder()) in said(at)
    assert listed() == {}
    press(at, "ws_restore")
    assert "Brought back “My year”" in said(at)
    assert (listed()["a"].name, listed()["a"].n_events) == ("My year", 3)


def test_a_new_workspace_in_a_deleted_ones_place_shows_nothing_of_it(make_workspace: Callable[..., Workspace]):
    old = make_workspace("a", EVENTS)
    old_summary, old_retriever = resources.summary(old), resources.retriever(str(old.target), old)[0]
    delete(opened(PAGE, "a"), "a", "A")
    new = make_workspace("a", [Event(id="x", text="undated")])
    assert new is not old
    assert new.version == old.version
    assert resources.summary(new).n_dated == 0 != old_summary.n_dated
    assert resources.retriever(str(new.target), new)[0] is not old_retriever


def test_a_workspace_goes_into_one_file_and_comes_back(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("a", EVENTS, EDGES, name="My year")
    content = workspace_files.exported(places.of_card(listed()["a"]))
    assert content == saved_file(ws)
    at = upload(opened(PAGE, "a"), content)
    assert "Brought in “My year” with 3 events and 1 link" in said(at)
    assert listed().keys() == {"a", "old-notes"}
    assert at.query_params["workspace"] in ("old-notes", ["old-notes"])
    assert not at.get("file_uploader")[0].value


@pytest.mark.parametrize("content", [b"no zip at all", b"PK\x03\x04"])
def test_a_bad_file_is_refused_with_a_sentence_and_leaves_nothing(content: bytes, make_workspace: Callable[..., Workspace]):
    make_workspace("a")
    at = upload(opened(PAGE, "a"), content)
    assert "is not an exported workspace, or is damaged" in said(at)
    assert [path.name for path in folders.workspace_folder().iterdir() if path.name not in ("a.sqlite-wal", "a.sqlite-shm")] == ["a.sqlite"]


def test_a_damaged_file_says_so_and_can_be_deleted(make_workspace: Callable[..., Workspace]):
    make_workspace("a")
    (folders.workspace_folder() / "broken.sqlite").write_bytes(b"not a database, but long enough to be taken for one" * 100)
    at = opened(PAGE, "broken")
    assert "is not a workspace file, or is damaged" in said(at)
    rows = at.dataframe[0].value.set_index("name")
    assert rows.loc["broken", "state"].startswith("cannot be read: it is not a workspace file")
    choose(at, "broken")
    assert the(at, "button", "ws_rename_go_broken").disabled
    assert the(at, "button", "ws_copy_go_broken").disabled
    delete(at, "broken", "broken")
    assert listed().keys() == {"a"}
    assert (workspace_rows.backup_folder() / "broken.sqlite").is_file()


def test_a_workspace_of_a_newer_app_says_so_before_it_is_opened(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS)
    make_newer("a")
    at = opened(PAGE)
    row = at.dataframe[0].value.iloc[0]
    assert row.n_events == 3
    assert row.state.startswith("read-only: it was made by a newer version of this app")
    assert "This workspace can only be read: it was made by a newer version" in said(at)
    assert the(at, "button", "ws_open_a").label == "Open"
    assert the(at, "button", "ws_rename_go_a").disabled


def test_a_workspace_of_a_newer_app_is_read_and_copied_but_not_renamed(make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS).close()
    make_newer("a")
    resources.forget(str(folders.workspace_folder() / "a.sqlite"))
    at = opened(PAGE, "a")
    assert "made by a newer version of this app" in said(at)
    assert "read-only: " in at.dataframe[0].value.state[0]
    rename = the(at, "button", "ws_rename_go_a")
    assert rename.disabled
    assert "newer version" in rename.help
    press(at, "ws_copy_go_a")
    assert listed()["copy-of-a"].n_events == 3


def test_a_file_whose_name_fits_no_address_says_what_to_do(make_workspace: Callable[..., Workspace]):
    make_workspace("a")
    path = folders.workspace_folder() / "a.sqlite"
    (path.parent / "My File.sqlite").write_bytes(path.read_bytes())
    card = listed()["My File"]
    assert "small letters, digits and hyphens" in (workspace_rows.why_not_opened(card) or "")
