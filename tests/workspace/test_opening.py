"""What can be opened as a workspace, and what is said of the rest."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlalchemy import make_url

from affrag_core.errors import WorkspaceError
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace
from affrag_core.workspace.database import Database


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
        assert "is read-only" in ws.read_only
        assert len(ws) == 50


ODD = ["nonsense://x", "postgresql+nodriver://me:secret@host/db", "mysql+pymysql://me:secret@host/db", "oracle://me:secret@host/db"]


@pytest.mark.parametrize("url", ODD)
def test_a_database_address_that_cannot_be_used_is_a_sentence_without_the_password(url):
    sentence = refusal(url)
    assert "cannot be used" in sentence
    assert "secret" not in sentence


def test_a_server_that_is_not_there_is_a_sentence_without_the_password():
    sentence = refusal("postgresql://me:secret@127.0.0.1:1/db?connect_timeout=2")
    assert "cannot be reached: check that the database server runs" in sentence
    assert "me:***@127.0.0.1" in sentence
    assert "secret" not in sentence


def test_what_a_server_has_not_is_named(new_schema):
    server = make_url(new_schema())

    def address(**changed):
        return server.set(**changed).render_as_string(hide_password=False)

    assert "no such database" in refusal(address(database="nowhere", query={}))
    # A server that asks for passwords does not say which of the two is wrong.
    assert re.search("no such database or user|check the user's name and password", refusal(address(username="nobody_of_that_name")))
    with pytest.raises(WorkspaceError, match="is empty; choose another, or create it"):
        Workspace.open(address(query={"options": "-csearch_path=test_missing"}), create=False)
    assert "has an option that the database does not know" in refusal(address(query={"colour": "red"}))


def test_a_schema_that_is_missing_is_made_with_the_workspace(new_schema, server):
    address = new_schema()
    name = address.rpartition("%3D")[2]
    server.execute(f"DROP SCHEMA {name}")
    with Workspace.open(address.replace(name, name.upper())) as ws:
        ws.add_events([Event(id="a", text="a")])
    with Workspace.open(address, create=False) as ws:
        assert len(ws) == 1


def test_a_schema_of_another_program_is_left_alone(new_schema):
    address = new_schema()
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    assert "database of another program" in refusal(address)


def test_both_spellings_of_postgresql_open_the_same(new_schema):
    address = new_schema()
    with Workspace.open(address) as ws:
        ws.add_events([Event(id="a", text="a")])
    for spelling in ("postgres://", "postgresql+psycopg://"):
        with Workspace.open(spelling + address.partition("://")[2], create=False) as ws:
            assert len(ws) == 1


def test_a_workspace_on_a_server_is_called_as_its_schema_or_database(new_schema):
    address = new_schema()
    with Workspace.open(address) as ws:
        assert ws.name == address.rpartition("%3D")[2]
    assert Database("postgresql://me@127.0.0.1/diary").stem == "diary"


def test_a_server_that_only_lets_read_is_said(new_schema):
    address = new_schema()
    Workspace.open(address).close()
    with Workspace.open(address.replace("options=", "options=-cdefault_transaction_read_only%3Don%20")) as ws:
        assert "the database server accepts only reading" in ws.read_only
        with pytest.raises(WorkspaceError, match="accepts only reading"):
            ws.set_setting("name", "x")


def test_a_row_that_another_holds_is_waited_for_only_so_long(new_schema, monkeypatch):
    monkeypatch.setattr("affrag_core.workspace.database.BUSY_TIMEOUT_MS", 50)
    address = new_schema()
    with Workspace.open(address) as ws, psycopg.connect(address) as other:
        other.execute("SELECT * FROM workspace FOR UPDATE")
        with pytest.raises(WorkspaceError, match="is being written by another program"):
            ws.add_events([Event(id="a", text="a")])
        other.rollback()
        ws.add_events([Event(id="a", text="a")])


def test_two_that_begin_one_workspace_at_the_same_moment_share_it(new_target):
    target = new_target()

    def begin(name):
        with Workspace.open(target) as ws:
            ws.add_events([Event(id=name, text="t")])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(begin, "abcd"))
    with Workspace.open(target) as ws:
        assert (len(ws), ws.version) == (4, 4)


def test_a_connection_that_the_server_dropped_is_made_anew(new_schema):
    address = new_schema()
    mark = address.rpartition("%3D")[2]
    with Workspace.open(f"{address}&application_name={mark}") as ws, psycopg.connect(address, autocommit=True) as admin:
        ws.add_events([Event(id="a", text="a")])
        dropped = admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [mark]).fetchall()
        assert dropped
        ws.add_events([Event(id="b", text="b")])
        assert len(ws) == 2


@pytest.mark.parametrize("with_log", [False, True])
def test_a_file_where_nothing_can_be_written_is_read(path, monkeypatch, with_log):
    other = Workspace.open(path)
    other.add_events([Event(id="in the log", text="t")])
    if not with_log:
        other.close()
    beside = sorted(file.name for file in path.parent.iterdir() if file.is_file())
    monkeypatch.setattr("affrag_core.workspace.file_access.os.access", lambda *_: False)
    with Workspace.open(path) as ws:
        assert "cannot be written: the file or its folder is read-only" in ws.read_only
        assert (len(ws), ws.name) == (51, "ws")
        with pytest.raises(WorkspaceError, match="is read-only"):
            ws.set_setting("a", 1)
    assert sorted(file.name for file in path.parent.iterdir() if file.is_file()) == beside
    other.close()
