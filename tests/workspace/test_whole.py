"""Workspaces as wholes: listed, made, named, copied, deleted after a backup, and brought back."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime

import pytest

from affrag_core.errors import ConfigError, WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, whole
from affrag_core.workspace.archive_write import export_workspace
from affrag_core.workspace.listing import list_backups, list_workspaces

A, B = Event(id="a", text="a", semantic_vec=[1.0, 2.0]), Event(id="b", text="b")


def fill(target, name="Été <2024>"):
    with Workspace.open(target) as ws:
        ws.add_events([A, B])
        ws.add_edges([Edge(source="a", target="b")])
        ws.update_events([B.replace(text="changed")])
        ws.set_setting("name", name)
        ws.save_run("r", {"query": "q"})
    return target


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "workspaces"
    path.mkdir()
    return path


@pytest.fixture
def diary(folder):
    return fill(folder / "diary.sqlite")


def test_a_folder_is_listed_the_last_changed_first(folder, diary):
    fill(folder / "older.sqlite", name=" ")
    os.utime(folder / "older.sqlite", (1e9, 1e9))
    newest, older = list_workspaces(folder)
    assert (newest.slug, newest.name, newest.path, newest.n_events, newest.n_edges) == ("diary", "Été <2024>", diary, 2, 1)
    assert (newest.size, newest.fault) == (diary.stat().st_size, None)
    assert (older.name, older.changed) == ("older", datetime.fromtimestamp(1e9, UTC))
    assert sorted(path.name for path in folder.iterdir()) == ["diary.sqlite", "older.sqlite"], "a look leaves nothing behind"


def test_what_lies_in_the_log_counts_before_it_is_in_the_file(folder):
    with Workspace.open(folder / "open.sqlite") as ws:
        ws.add_events([Event(id=str(i), text="word " * 100) for i in range(100)])
        (card,) = list_workspaces(folder)
        assert card.n_events == 100
        assert card.size > (folder / "open.sqlite").stat().st_size


def test_damaged_newer_and_foreign_files_are_listed_with_what_is_wrong(folder, diary):
    content = diary.read_bytes()
    (folder / "noise.sqlite").write_bytes(b"\xa5" * 5000)
    (folder / "cut.sqlite").write_bytes(content[: len(content) // 3])
    (folder / "new.sqlite").touch()
    (folder / "half.sqlite.unfinished").write_bytes(content)
    for name, statement in [
        ("headless", "DELETE FROM workspace"),
        ("other", "DROP TABLE workspace"),
        ("odd", "UPDATE settings SET value = '{'"),
        ("deleted", "UPDATE workspace SET schema_version = 0"),
        ("newer", "UPDATE workspace SET schema_version = 99"),
    ]:
        (folder / f"{name}.sqlite").write_bytes(content)
        with sqlite3.connect(folder / f"{name}.sqlite") as connection:
            connection.execute(statement)
        connection.close()
    cards = {card.slug: card for card in list_workspaces(folder)}
    assert cards.keys() == {"diary", "noise", "cut", "headless", "other", "odd", "deleted", "newer"}
    assert "is not a workspace file, or is damaged" in cards["noise"].fault
    assert "is damaged" in cards["cut"].fault
    assert "its first row is missing" in cards["headless"].fault
    assert "was deleted elsewhere, or is damaged" in cards["other"].fault
    assert "was deleted, and its file remained" in cards["deleted"].fault
    assert (cards["odd"].name, cards["odd"].n_events, cards["odd"].fault) == ("odd", 2, None)
    assert cards["newer"].n_events == 2
    assert "made by a newer version of this app (its schema is 99, this version knows up to" in cards["newer"].fault
    assert (cards["noise"].n_events, cards["noise"].name, cards["noise"].size) == (None, "noise", 5000)


def test_a_list_reads_a_locked_file_too(folder, diary):
    other = sqlite3.connect(diary, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert list_workspaces(folder)[0].n_events == 2
    other.close()


def test_a_folder_that_is_not_there_is_an_empty_list(tmp_path):
    assert list_workspaces(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Été 2024", "ete-2024"), ("../../etc/passwd", "etc-passwd"), ("日", "workspace"), ("a" * 99, "a" * 60), ("  My\n year ", "my-year")],
)
def test_a_new_workspace_gets_a_file_of_its_own(folder, name, slug):
    first, second = whole.create_workspace(folder, name), whole.create_workspace(folder, name)
    assert (first, second) == (folder / f"{slug}.sqlite", folder / f"{slug}-2.sqlite")
    with Workspace.open(first, create=False) as ws:
        assert (ws.name, len(ws)) == (" ".join(name.split()), 0)


@pytest.mark.parametrize("name", ["", " \n", "x" * 501])
def test_a_name_that_cannot_be_is_refused_before_anything_is_made(folder, diary, name):
    with Workspace.open(diary) as ws:
        for call in (
            lambda: whole.create_workspace(folder, name),
            lambda: whole.rename_workspace(ws, name),
            lambda: whole.duplicate_workspace(ws, folder, name),
        ):
            with pytest.raises(ConfigError, match="name must"):
                call()
    assert [path.name for path in folder.iterdir()] == ["diary.sqlite"]


def test_a_renamed_workspace_stays_where_it_is(diary):
    with Workspace.open(diary) as ws:
        whole.rename_workspace(ws, " Another  name ")
        assert ws.name == "Another name"
    assert list_workspaces(diary.parent)[0].name == "Another name"


def test_a_copy_has_everything_but_the_history(target, folder):
    fill(target)
    with Workspace.open(target) as ws:
        path = whole.duplicate_workspace(ws, folder, "A copy")
        assert ws.name == "Été <2024>"
        with Workspace.open(path) as copy:
            assert (copy.events(), copy.edges(), copy.name) == (ws.events(), ws.edges(), "A copy")
            assert copy.run(copy.runs()[0].id) == {"query": "q"}
            assert (ws.undo_label, copy.undo_label, copy.redo_label) == ("Change event b", None, None)
            copy.delete_events(["a"])
            copy.undo()
            with pytest.raises(WorkspaceError, match="nothing to undo"):
                copy.undo()
        ws.refresh()
        assert len(ws) == 2
    assert [file.name for file in folder.iterdir()] == ["a-copy.sqlite"]


def test_a_copy_is_made_of_what_can_still_be_read(folder, diary):
    with sqlite3.connect(diary) as connection:
        connection.execute("UPDATE events SET kind = '' WHERE id = 'b'")
    connection.close()
    with Workspace.open(diary) as ws:
        path = whole.duplicate_workspace(ws, folder, "Rest")
    with Workspace.open(path) as rest:
        assert (rest.read_only, [event.id for event in rest.events()]) == (None, ["a"])


def test_a_deleted_workspace_lies_in_the_backups_and_comes_back(target, tmp_path):
    fill(target)
    copy = whole.delete_workspace(target, tmp_path / "backups")
    if "://" in target:
        with pytest.raises(WorkspaceError, match="is empty"):
            Workspace.open(target, create=False)
    else:
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []
    (card,) = list_backups(tmp_path / "backups")
    assert (card.path, card.name, card.n_events, card.fault) == (copy, "Été <2024>", 2, None)
    back = whole.restore_workspace(copy, tmp_path / "back")
    with Workspace.open(back) as ws:
        assert (len(ws), ws.n_edges, ws.name, ws.event("b").text) == (2, 1, "Été <2024>", "changed")
        assert ws.read_only is None
    assert copy.exists()


def test_who_has_it_open_is_told_and_writes_nothing(target, tmp_path):
    fill(target)
    with Workspace.open(target) as ws:
        ws.add_events([Event(id="written after opening", text="t")])
        copy = whole.delete_workspace(target, tmp_path / "backups")
        for call in (lambda: ws.add_events([Event(id="lost", text="t")]), lambda: ws.set_setting("a", 1), ws.refresh):
            with pytest.raises(WorkspaceError, match="was deleted elsewhere"):
                call()
        assert len(ws) == 3
    with Workspace.open(whole.restore_workspace(copy, tmp_path / "back")) as back:
        assert back.has_event("written after opening")
    assert "://" in target or [path.name for path in tmp_path.iterdir() if path.is_file()] == []


def test_backups_do_not_overwrite_each_other(tmp_path, folder):
    for _ in range(2):
        whole.delete_workspace(fill(folder / "diary.sqlite"), tmp_path / "backups")
    assert sorted(path.name for path in (tmp_path / "backups").iterdir()) == ["diary-2.sqlite", "diary.sqlite"]


def test_nothing_is_deleted_where_the_backup_cannot_be_written(diary, tmp_path):
    (tmp_path / "backups").write_text("no folder")
    with pytest.raises(WorkspaceError, match="a copy of the workspace .* cannot be written"):
        whole.delete_workspace(diary, tmp_path / "backups")
    with Workspace.open(diary) as ws:
        assert len(ws) == 2


@pytest.mark.parametrize("content", [b"\xa5" * 5000, None])
def test_a_damaged_file_is_deleted_too_and_kept_as_it_is(diary, tmp_path, content):
    whole_file = diary.read_bytes()
    content = content or whole_file[: len(whole_file) // 2]
    diary.write_bytes(content)
    copy = whole.delete_workspace(diary, tmp_path / "backups")
    assert copy.read_bytes() == content
    assert not diary.exists()


def test_a_file_of_another_program_is_deleted_with_a_backup(folder, tmp_path):
    with sqlite3.connect(folder / "other.sqlite") as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    copy = whole.delete_workspace(folder / "other.sqlite", tmp_path / "backups")
    assert copy.exists()
    assert list(folder.iterdir()) == []


def test_what_is_not_there_is_not_deleted(tmp_path):
    with pytest.raises(WorkspaceError, match="there is no workspace"):
        whole.delete_workspace(tmp_path / "none.sqlite", tmp_path / "backups")
    assert not (tmp_path / "none.sqlite").exists()
    with pytest.raises(WorkspaceError, match="there is no backup"):
        whole.restore_workspace(tmp_path / "none.sqlite", tmp_path)


def test_a_file_in_use_is_not_deleted(diary, tmp_path, monkeypatch):
    monkeypatch.setattr("affrag_core.workspace.database.BUSY_TIMEOUT_MS", 50)
    other = sqlite3.connect(diary, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(WorkspaceError, match="is being written by another program"):
        whole.delete_workspace(diary, tmp_path / "backups")
    other.close()
    assert diary.exists()
    assert not (tmp_path / "backups").exists()


def test_an_exported_workspace_lies_among_the_backups(diary, tmp_path):
    backups = tmp_path / "backups"
    backups.mkdir()
    with Workspace.open(diary) as ws:
        export_workspace(ws, backups / "mine.workspace.zip")
    (backups / "broken.workspace.zip").write_bytes(b"PK")
    cards = {card.slug: card for card in list_backups(backups)}
    assert (cards["mine"].name, cards["mine"].n_events, cards["mine"].n_edges) == ("Été <2024>", 2, 1)
    assert "is not an exported workspace" in cards["broken"].fault
    with Workspace.open(whole.restore_workspace(backups / "mine.workspace.zip", tmp_path / "back")) as back:
        assert (back.name, len(back)) == ("Été <2024>", 2)


@pytest.mark.parametrize("part", ["no beginning", "half"])
def test_a_backup_of_a_damaged_file_comes_back_as_it_was(diary, tmp_path, part):
    content = diary.read_bytes()
    damaged = b"\0" * 200 + content[200:] if part == "no beginning" else content[: len(content) // 2]
    diary.write_bytes(damaged)
    copy = whole.delete_workspace(diary, tmp_path / "backups")
    back = whole.restore_workspace(copy, tmp_path / "back")
    assert back.read_bytes() == damaged
    assert copy.read_bytes() == damaged
