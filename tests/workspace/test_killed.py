"""What is left when the process ends without warning in the middle of a change."""

from __future__ import annotations

import subprocess
import sys

import pytest

from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

PROGRAM = """
import os, sys
from sqlalchemy import event
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

path, sign = sys.argv[1:]
ws = Workspace.open(path)
ws.add_events([Event(id=f"kept{i}", text="t") for i in range(10)])
print("confirmed", flush=True)

@event.listens_for(ws._state.database._engine, "after_cursor_execute")
def die(connection, cursor, statement, *_):
    if statement.startswith(sign):
        os._exit(9)

with ws.change("Import") as draft:
    draft.add_events([Event(id=f"lost{i}", text="word " * 1000) for i in range(2000)])
    draft.add_edges([Edge(source="kept0", target=f"lost{i}") for i in range(2000)])
"""


@pytest.mark.parametrize("sign", ["INSERT INTO events", "INSERT INTO edges", "INSERT INTO journal", "UPDATE workspace"])
def test_a_killed_import_leaves_what_was_confirmed_and_nothing_else(tmp_path, sign):
    path = tmp_path / "ws.sqlite"
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path), sign], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (9, "confirmed"), done.stderr
    with Workspace.open(path) as ws:
        assert [event.id for event in ws.events()] == [f"kept{i}" for i in range(10)]
        assert (ws.n_edges, ws.version, ws.undo_label) == (0, 1, "Add 10 events")
        ws.add_events([Event(id="next", text="t")])
        ws.undo()
        assert len(ws) == 10
