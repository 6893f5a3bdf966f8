"""Workspaces that older versions made are brought up to date with all that is in them."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psycopg
import pytest
from sqlalchemy import MetaData, create_engine, inspect

from affrag_core.config import RetrievalConfig
from affrag_core.errors import WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.workspace import Workspace, backup, migration, schema
from affrag_core.workspace.database import Database

OLD = Path(__file__).parent / "data" / "schema_1.sql"
"""Written by the first version: three events, two links, a deletion that can be undone, an addition that can be done again."""


@pytest.fixture
def old_file(tmp_path):
    path = tmp_path / "diary.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(OLD.read_text(encoding="utf-8"))
    connection.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request, old_file):
    """The address of a workspace of the first schema."""
    if request.param == "sqlite":
        return str(old_file)
    address = request.getfixturevalue("new_schema")()
    database = Database(address)
    with database.writing() as connection:
        migration.upgrade(connection, None, to="1")
    source = create_engine(f"sqlite:///{old_file}")
    tables = MetaData()
    tables.reflect(source)
    with source.connect() as connection, database.writing() as server:
        server.execute(tables.tables["workspace"].delete())
        server.exec_driver_sql("DROP TABLE alembic_version")
        for table in tables.sorted_tables:
            rows = [dict(row._mapping) for row in connection.execute(table.select())]
            server.execute(table.insert(), rows)
    source.dispose()
    database.close()
    return address


def check_contents(ws):
    assert ws.events() == (
        Event(
            id="e1",
            text="Tea with Ada.",
            timestamp="2024-01-31T18:00:00.123456Z",
            valid_from="0001-01-01",
            valid_until="9999-12-31T23:59:59.999999Z",
            kind="EVENT",
            doc_type="diary",
            supersedes_id="e0",
            emotion=Emotion(0.1, -1.0),
            semantic_vec=np.array([0.5, -2.25, 0.0], dtype=np.float32),
            emotional_vec=[0.1, 1e-300],
            metadata={"who": ["Ada", None, True, 1, 0.1], "nested": {"": "\ud800 \0"}},
        ),
        Event(
            id="e2",
            text="A walk home, l'été.\nSecond line; <b>bold</b>",
            emotion="joy",
            semantic_vec=np.array([1, 0, 0], dtype=np.float32),
        ),
        Event(id="e3", text="Nothing much, changed."),
    )
    assert ws.edges() == (
        Edge(source="e1", target="e2", relation="next", attributes={"w": 0.5}),
        Edge(source="e2", target="e2", relation="self"),
    )
    assert (ws.version, ws.undo_label, ws.redo_label) == (7, "Delete event gone", "Add event undone")
    assert (ws.semantic_space, ws.emotional_space) == ("all-MiniLM-L6-v2", "valence-arousal")
    assert (ws.name, ws.setting("as_of")) == ("An older diary", "2024-02-01T00:00:00Z")
    assert ws.config("mine") == RetrievalConfig(mode="cpt")


def test_an_older_workspace_keeps_everything_and_learns_what_is_new(old):
    with Workspace.open(old) as ws:
        assert ws.read_only is None
        check_contents(ws)
        ws.save_rule("by time", {"kind": "next in time"})
        ws.add_events([Event(id="x" * 5000, text="a long id")])
        ws.undo()
    with Workspace.open(old) as ws:
        assert ws.rules() == {"by time": {"kind": "next in time"}}
        ws.redo()
        ws.undo()
        assert ws.undo() == "Delete event gone"
        assert ws.edges_of("gone") == [Edge(source="gone", target="e1")]


def test_the_file_is_copied_before_and_the_copy_is_a_workspace_too(old_file):
    before = old_file.read_bytes()
    Workspace.open(old_file).close()
    Workspace.open(old_file).close()
    copies = list((old_file.parent / "backups").iterdir())
    assert [copy.name for copy in copies] == ["diary.schema-1.sqlite"]
    with sqlite3.connect(copies[0]) as connection:
        assert connection.execute("SELECT schema_version FROM workspace").fetchall() == [(1,)]
    connection.close()
    with Workspace.open(copies[0]) as ws:
        check_contents(ws)
    assert old_file.read_bytes() != before


def test_copies_do_not_overwrite_each_other(old_file):
    folder = old_file.parent / "backups"
    folder.mkdir()
    (folder / "diary.schema-1.sqlite").write_text("an earlier copy")
    Workspace.open(old_file).close()
    assert sorted(copy.name for copy in folder.iterdir()) == ["diary.schema-1-2.sqlite", "diary.schema-1.sqlite"]
    assert (folder / "diary.schema-1.sqlite").read_text() == "an earlier copy"


def test_without_a_copy_nothing_is_changed(old_file):
    (old_file.parent / "backups").write_text("not a folder")
    before = old_file.read_bytes()
    with pytest.raises(WorkspaceError, match="a copy of the workspace .* cannot be written"):
        Workspace.open(old_file)
    assert old_file.read_bytes() == before


def test_a_revision_that_fails_leaves_the_workspace_as_it_was(old_file, monkeypatch):
    connection = sqlite3.connect(old_file)
    connection.execute("CREATE TABLE runs (stands_in_the_way TEXT)")
    connection.close()
    with pytest.raises(WorkspaceError, match="table runs already exists"):
        Workspace.open(old_file)
    connection = sqlite3.connect(old_file)
    assert connection.execute("SELECT schema_version FROM workspace").fetchall() == [(1,)]
    assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name IN ('rules', 'alembic_version')").fetchall()
    connection.execute("DROP TABLE runs")
    connection.close()
    with Workspace.open(old_file) as ws:
        check_contents(ws)


def test_several_that_open_it_at_once_bring_it_up_to_date_once(old):
    def look(_):
        with Workspace.open(old) as ws:
            check_contents(ws)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(look, range(3)))


def test_an_older_workspace_that_cannot_be_written_is_read_as_it_is(old_file):
    with Workspace.open(f"sqlite:///file:{old_file}?mode=ro&uri=true") as ws:
        check_all_but_undo(ws)
        assert "made by an older version of this app and cannot be written: the file or its folder is read-only" in ws.read_only
        assert (ws.rules(), ws.runs(), ws.mapping("x")) == ({}, (), None)
        with pytest.raises(WorkspaceError, match="older version"):
            ws.save_rule("by time", {})
    assert not (old_file.parent / "backups").exists()


def check_all_but_undo(ws):
    assert [event.id for event in ws.events()] == ["e1", "e2", "e3"]
    assert (ws.n_edges, ws.version, ws.name) == (2, 7, "An older diary")


def shape(database):
    """Tables, columns, keys and indexes as the database tells them."""
    with database.reading() as connection:
        there = inspect(connection)
        names = sorted(there.get_table_names())
        columns = {name: [(c["name"], str(c["type"]), c["nullable"]) for c in there.get_columns(name)] for name in names}
        keys = {name: (there.get_pk_constraint(name)["constrained_columns"], len(there.get_foreign_keys(name))) for name in names}
        if database.is_sqlite:
            told = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
            unique = sorted((name, re.findall(r"UNIQUE \([^)]*\)|UNIQUE(?=,)", sql)) for name, sql in told)
            indexes = sorted(connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").scalars())
        else:
            unique = []
            found = connection.exec_driver_sql("SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()").scalars()
            indexes = sorted(re.sub(r"test_\w+\.", "", text) for text in found)
    return names, columns, keys, unique, indexes


def test_a_migrated_workspace_has_the_same_tables_as_a_new_one(old, tmp_path, request):
    new = request.getfixturevalue("new_schema")() if "://" in old else str(tmp_path / "new.sqlite")
    shapes = []
    for target in (old, new):
        Workspace.open(target).close()
        database = Database(target)
        shapes.append(shape(database))
        database.close()
    assert shapes[0] == shapes[1]


def test_every_schema_version_has_a_revision_and_they_form_one_line():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(migration.__file__).parent / "migrations"))
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert revisions == [str(number) for number in range(schema.SCHEMA_VERSION, 0, -1)]


def test_a_new_workspace_names_its_revision(target):
    Workspace.open(target).close()
    database = Database(target)
    with database.reading() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all() == [str(schema.SCHEMA_VERSION)]
    database.close()


def test_a_copy_is_whole_or_not_there(tmp_path):
    (tmp_path / "broken.sqlite").write_bytes(b"no database " * 500)
    with pytest.raises(WorkspaceError, match="is not a workspace file"):
        backup.copy_file(tmp_path / "broken.sqlite", tmp_path / "backups" / "copy.sqlite")
    assert list((tmp_path / "backups").iterdir()) == []


def test_an_object_left_open_by_an_older_version_is_followed(old_file):
    """What an older version writes after the change of tables stands in no step, so everything is read again."""
    with Workspace.open(old_file) as ws:
        connection = sqlite3.connect(old_file)
        connection.execute("UPDATE events SET text = 'written by the older version' WHERE id = 'e3'")
        connection.execute("UPDATE workspace SET version = version + 1, revision = revision + 1")
        connection.commit()
        connection.close()
        assert ws.refresh()
        assert ws.event("e3").text == "written by the older version"


def test_a_newer_version_that_takes_over_is_noticed_at_the_next_change(target):
    with Workspace.open(target) as ws:
        ws.add_events([Event(id="a", text="a")])
        database = Database(target)
        with database.writing() as connection:
            connection.exec_driver_sql("UPDATE workspace SET schema_version = 99")
        database.close()
        with pytest.raises(WorkspaceError, match="taken over by a newer version"):
            ws.add_events([Event(id="b", text="b")])
        assert len(ws) == 1


def test_psycopg_is_the_driver():
    assert Database("postgresql://me@127.0.0.1/db")._engine.dialect.driver == "psycopg"
    assert psycopg.__version__.startswith("3.")
