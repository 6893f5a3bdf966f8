"""What can be opened as a workspace, and what is said of the rest."""

from __future__ import annotations

import sqlite3

import pytest

from affrag_core.errors import WorkspaceError
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "ws.sqlite"
    with Workspace.open(file) as ws:
        ws.add_events([Event(id=f"e{i}", text="word " * 50, semantic_vec=[1.0] * 50) for i in range(50)])
    return file


def refusal(target, **options):
    with pytest.raises(WorkspaceError) as caught:
        Workspace.open(target, **options)
    return str(caught.value)


def run(file, *statements):
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_url_a_path_and_a_text_open_the_same_file(path):
    for target in (f"sqlite:///{path}", path, str(path)):
        with Workspace.open(target, create=False) as ws:
            assert (len(ws), ws.target, ws.name) == (50, str(target), "ws")


def test_memory_is_empty_each_time():
    for target in (":memory:", "sqlite://"):
        with Workspace.open(target) as ws:
            assert (len(ws), ws.name) == (0, "memory")
            ws.add_events([Event(id="a", text="a")])


def test_folders_on_the_way_are_made(tmp_path):
    with Workspace.open(tmp_path / "new" / "newer" / "ws.sqlite") as ws:
        ws.add_events([Event(id="a", text="a")])
    assert (tmp_path / "new" / "newer" / "ws.sqlite").exists()


def test_one_file_remains_when_all_are_closed(path):
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == ["ws.sqlite"]


def test_what_is_confirmed_is_on_disk(path):
    with Workspace.open(path) as ws, ws._state.database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_a_file_that_is_not_there_is_made_only_on_request(tmp_path):
    assert "there is no workspace" in refusal(tmp_path / "none.sqlite", create=False)
    assert not (tmp_path / "none.sqlite").exists()


def test_a_url_makes_no_file_either(tmp_path):
    assert "there is no workspace" in refusal(f"sqlite:///{tmp_path}/none.sqlite", create=False)
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.parametrize("target", ["", "  "])
def test_an_empty_target_is_not_a_workspace_that_is_lost_at_the_end(target):
    assert "must not be blank" in refusal(target)


def test_an_empty_file_becomes_a_workspace_only_on_request(tmp_path):
    (tmp_path / "empty.sqlite").touch()
    assert "is empty" in refusal(tmp_path / "empty.sqlite", create=False)
    with Workspace.open(tmp_path / "empty.sqlite") as ws:
        assert len(ws) == 0


def test_a_folder_is_refused(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot be made" in refusal(tmp_path / "file" / "ws.sqlite")


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database at all " * 100)
    assert "is not a workspace file, or is damaged" in refusal(file)
    assert file.read_text() == "not a database at all " * 100


def test_a_database_of_another_program_is_left_alone(tmp_path):
    file = tmp_path / "other.sqlite"
    run(file, "CREATE TABLE bookmarks (url TEXT)")
    before = file.read_bytes()
    assert "database of another program" in refusal(file)
    assert file.read_bytes() == before
    run(file, "CREATE TABLE workspace (id INTEGER)")
    assert "database of another program" in refusal(file)


def test_a_newer_schema_is_refused_and_left_alone(path):
    run(path, "UPDATE workspace SET schema_version = 99", "PRAGMA journal_mode=DELETE")
    before = path.read_bytes()
    assert "was made by a newer version of this app (its schema is 99, this version knows up to 1)" in refusal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE edges",
        "DELETE FROM workspace",
        "UPDATE events SET kind = 'NONSENSE'",
        "UPDATE events SET metadata = '{'",
        "UPDATE events SET semantic_vec = x'010203'",
        "UPDATE events SET semantic_dtype = 'O'",
        "UPDATE events SET timestamp = 9223372036854775807",
        "UPDATE events SET text = CAST(x'ff' AS TEXT)",
        "INSERT INTO edges VALUES (1, 1, 777, 'next', NULL)",
    ],
)
def test_a_workspace_with_wrong_contents_is_called_damaged(path, statement):
    run(path, statement)
    assert "is damaged" in refusal(path)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_a_truncated_file_is_called_damaged(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert "damaged" in refusal(path)


def test_a_file_overwritten_in_the_middle_is_called_damaged(path):
    content = bytearray(path.read_bytes())
    content[4096 * 2 : -4096] = b"\xa5" * (len(content) - 4096 * 3)
    path.write_bytes(content)
    assert "damaged" in refusal(path)


def test_a_locked_file_is_said_to_be_in_use_and_works_later(path, monkeypatch):
    monkeypatch.setattr("affrag_core.workspace.database.BUSY_TIMEOUT_MS", 50)
    other = sqlite3.connect(path, isolation_level=None)
    with Workspace.open(path) as ws:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WorkspaceError, match="is being written by another program"):
            ws.add_events([Event(id="a", text="a")])
        assert len(ws) == 50
        other.execute("ROLLBACK")
        other.close()
        ws.add_events([Event(id="a", text="a")])


def test_a_file_locked_as_a_whole_cannot_be_opened_meanwhile(path, monkeypatch):
    monkeypatch.setattr("affrag_core.workspace.database.BUSY_TIMEOUT_MS", 50)
    run(path, "PRAGMA journal_mode=DELETE")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert "is being written by another program" in refusal(path)
    other.close()


def test_a_full_disk_is_said_and_nothing_is_half_written():
    with Workspace.open(":memory:") as ws:
        ws.add_events([Event(id="a", text="a")])
        with ws._state.database.reading() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 5}")
        with pytest.raises(WorkspaceError, match="the disk is full"):
            ws.add_events([Event(id=str(i), text="word " * 1000) for i in range(100)])
        assert (len(ws), ws.version) == (1, 1)
        ws.add_events([Event(id="b", text="b")])
        assert len(ws) == 2


def test_a_read_only_file_can_be_read_and_says_why_it_is_not_written(path):
    with Workspace.open(f"sqlite:///file:{path}?mode=ro&uri=true", create=False) as ws:
        assert len(ws) == 50
        with pytest.raises(WorkspaceError, match="cannot be written: the file or its folder is read-only"):
            ws.add_events([Event(id="a", text="a")])
        assert len(ws) == 50


@pytest.mark.parametrize("url", ["nonsense://x", "postgresql+nodriver://me:secret@host/db", "mysql+pymysql://me:secret@host/db"])
def test_a_database_address_that_cannot_be_used_is_a_sentence_without_the_password(url):
    sentence = refusal(url)
    assert "cannot be used" in sentence
    assert "secret" not in sentence
