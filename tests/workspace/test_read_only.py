"""Workspaces that are damaged or newer than the app: read where anything can be read, and never written."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import select

from affrag_core.config import RetrievalConfig
from affrag_core.errors import WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, schema
from affrag_core.workspace.database import Database

EVENTS = [Event(id=f"e{i}", text=f"{i} " + "word " * 60, semantic_vec=[1.0] * 50) for i in range(200)]
EDGES = [Edge(source=f"e{i}", target=f"e{i + 1}") for i in range(199)]


def fill(target):
    with Workspace.open(target) as ws:
        ws.add_events(EVENTS)
        ws.add_edges(EDGES)
        ws.set_setting("name", "Mine")
        ws.save_config("c", RetrievalConfig())
        ws.save_run("r", {"query": "q", "mode": "cpt", "hops": []})


def damage(target, *statements):
    database = Database(target)
    with database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement.replace("'\\x010203'::bytea", "x'010203'") if database.is_sqlite else statement)
    database.close()


def all_edits(ws):
    return {
        "add_events": lambda: ws.add_events([Event(id="new", text="t")]),
        "update_events": lambda: ws.update_events([Event(id="e1", text="t")]),
        "delete_events": lambda: ws.delete_events(["e1"]),
        "add_edges": lambda: ws.add_edges([Edge(source="e1", target="e1")]),
        "update_edge": lambda: ws.update_edge(EDGES[0].key, EDGES[0]),
        "delete_edges": lambda: ws.delete_edges([EDGES[0].key]),
        "set_spaces": lambda: ws.set_spaces(semantic="s"),
        "change": lambda: ws.change("x").__enter__(),
        "undo": ws.undo,
        "redo": ws.redo,
        "set_setting": lambda: ws.set_setting("a", 1),
        "save_config": lambda: ws.save_config("x", RetrievalConfig()),
        "delete_config": lambda: ws.delete_config("c"),
        "save_rule": lambda: ws.save_rule("x", {}),
        "save_mapping": lambda: ws.save_mapping("x", {}),
        "save_run": lambda: ws.save_run("x", {}),
        "delete_run": lambda: ws.delete_run(1),
    }


def check_refuses_edits(ws):
    before = (ws.events(), ws.edges(), ws.version)
    for edit in all_edits(ws).values():
        with pytest.raises(WorkspaceError) as caught:
            edit()
        assert str(caught.value) == ws.read_only
    assert (ws.events(), ws.edges(), ws.version) == before
    assert not ws.refresh()


def test_a_newer_workspace_is_read_and_not_written(target):
    fill(target)
    damage(target, "UPDATE workspace SET schema_version = 99", "CREATE TABLE invented_later (x INTEGER)")
    with Workspace.open(target) as ws:
        assert "was made by a newer version of this app (its schema is 99, this version knows up to 2); update the app" in ws.read_only
        assert (ws.events(), ws.edges(), ws.name, ws.config_names()) == (tuple(EVENTS), tuple(EDGES), "Mine", ["c"])
        assert ws.run(ws.runs()[0].id)["query"] == "q"
        check_refuses_edits(ws)


def test_a_newer_file_is_left_as_it_is(tmp_path):
    path = tmp_path / "ws.sqlite"
    fill(path)
    damage(path, "UPDATE workspace SET schema_version = 99")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    before = path.read_bytes()
    with Workspace.open(path) as ws:
        assert len(ws) == 200
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["ws.sqlite"]


@pytest.mark.parametrize("statement", ["ALTER TABLE events RENAME COLUMN kind TO sort", "UPDATE events SET kind = 'INVENTED LATER'"])
def test_a_newer_workspace_that_this_version_cannot_read_is_refused(target, statement):
    fill(target)
    damage(target, "UPDATE workspace SET schema_version = 99", statement)
    with pytest.raises(WorkspaceError, match=r"newer version of this app .* update the app to change it, as this version cannot read it"):
        Workspace.open(target)


@pytest.mark.parametrize(
    ("statements", "n_events", "n_edges", "sentence"),
    [
        (["DROP TABLE edges"], 200, 0, "some of its links could not be read"),
        (["DELETE FROM workspace"], 200, 199, "some of its settings and other parts could not be read"),
        (["UPDATE events SET kind = 'NONSENSE' WHERE place = 7"], 199, 197, "1 of its events and 2 of its links could not be read"),
        (["UPDATE events SET metadata = '{' WHERE place < 4"], 197, 196, "3 of its events and 3 of its links could not be read"),
        (["UPDATE events SET semantic_vec = '\\x010203'::bytea WHERE place = 7"], 199, 197, "1 of its events"),
        (["UPDATE events SET semantic_dtype = 'O' WHERE place = 7"], 199, 197, "1 of its events"),
        (["UPDATE events SET timestamp = 9223372036854775807 WHERE place = 7"], 199, 197, "1 of its events"),
        (["UPDATE events SET kind = '' WHERE place = 7", "UPDATE events SET valence = 7 WHERE place = 9"], 198, 195, "2 of its events"),
        (["UPDATE edges SET attributes = '{' WHERE place = 7"], 200, 198, "1 of its links could not be read"),
        (["UPDATE settings SET value = '{'"], 200, 199, "some of its settings and other parts could not be read"),
    ],
)
def test_what_is_whole_of_a_damaged_workspace_is_read(target, statements, n_events, n_edges, sentence):
    fill(target)
    damage(target, *statements)
    with Workspace.open(target) as ws:
        assert "is damaged" in ws.read_only
        assert "it is open for reading only. Export what is left, or put a backup in its place" in ws.read_only
        assert sentence in ws.read_only
        assert (len(ws), ws.n_edges) == (n_events, n_edges)
        assert set(ws.events()) <= set(EVENTS)
        assert (ws.undo_label, ws.redo_label) == (None, None)
        check_refuses_edits(ws)


def test_a_text_that_is_no_text_is_damage(tmp_path):
    path = tmp_path / "ws.sqlite"
    fill(path)
    for statement in ("UPDATE events SET text = x'ff' WHERE place = 7", "UPDATE events SET text = CAST(x'ff' AS TEXT) WHERE place = 8"):
        damage(path, statement)
    with Workspace.open(path) as ws:
        assert "2 of its events and 3 of its links could not be read" in ws.read_only
        assert [event.id for event in ws.events()] == [f"e{i}" for i in range(200) if i not in (6, 7)]


def test_a_link_to_nowhere_is_left_out(tmp_path):
    path = tmp_path / "ws.sqlite"
    fill(path)
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO edges VALUES (1000, 1, 777, 'next', NULL)")
    connection.commit()
    connection.close()
    with Workspace.open(path) as ws:
        assert "1 of its links could not be read" in ws.read_only
        assert (len(ws), ws.n_edges) == (200, 199)


@pytest.mark.parametrize("share", [0.4, 0.7, 0.95])
def test_the_first_part_of_a_truncated_file_is_read(tmp_path, share):
    path = tmp_path / "ws.sqlite"
    fill(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with Workspace.open(path) as ws:
        assert "some of its" in ws.read_only
        assert 0 < len(ws) <= 200 * share
        assert set(ws.events()) <= set(EVENTS)
        check_refuses_edits(ws)
    assert path.read_bytes() == content[: int(len(content) * share)]


def test_what_lies_before_and_after_a_hole_in_a_file_is_read(tmp_path):
    path = tmp_path / "ws.sqlite"
    fill(path)
    content = bytearray(path.read_bytes())
    middle = content.index(b"100 word")
    start = middle - middle % 4096
    content[start : start + 8192] = b"\xa5" * 8192
    path.write_bytes(content)
    with Workspace.open(path) as ws:
        assert "some of its events" in ws.read_only
        assert len(ws) > 150
        assert ws.has_event("e0")
        assert ws.has_event("e199")
        assert not ws.has_event("e100")


@pytest.mark.parametrize("kept", [0, 50, 100, 3000])
def test_where_nothing_can_be_read_it_is_refused(tmp_path, kept):
    path = tmp_path / "ws.sqlite"
    fill(path)
    content = path.read_bytes()
    path.write_bytes(content[:kept] + b"\xa5" * (len(content) - kept))
    with pytest.raises(WorkspaceError, match="damaged"):
        Workspace.open(path)


def test_a_second_event_of_one_id_is_refused_by_the_database_itself(target):
    fill(target)
    database = Database(target)
    with database.reading() as connection:
        row = connection.execute(select(schema.events).where(schema.events.c.place == 1)).one()._asdict() | {"place": 5000}
    with pytest.raises(WorkspaceError), database.writing() as connection:
        connection.execute(schema.events.insert().values(row))
    database.close()
