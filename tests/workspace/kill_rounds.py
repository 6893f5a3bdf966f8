"""Runs children that change a workspace, kills them with SIGKILL at mixed moments, and looks at what each leaves behind.

A program of its own, so that it can fork: everything is imported once. ``python kill_rounds.py edits|migration|import|deletion FOLDER
TARGET N`` prints one line of JSON; a child that finds what it should not ends the program with the reason.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import sqlite3
import sys
import time
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
from sqlalchemy import Engine, event

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, whole
from affrag_core.workspace.archive_load import import_workspace
from affrag_core.workspace.archive_write import export_workspace
from affrag_core.workspace.backup import remove_file
from affrag_core.workspace.listing import list_workspaces

N_EVENTS = 60
TRACE = {"query": "q", "mode": "cpt", "hops": list(range(2_000))}


def child(work, *, statements=None, delay=None):
    """Fork; the child does `work(say)` and is killed at a statement or after a delay. Returns what it said and whether it was killed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        status = 1
        try:
            if statements is not None:
                die_at(statements)
            work(lambda line: os.write(writer, f"{line}\n".encode()))
            status = 0
        except BaseException as error:
            os.write(writer, f"failed {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    os.close(writer)
    said = listen(reader, pid, delay)
    _, status = os.waitpid(pid, 0)
    os.close(reader)
    failed = [line for line in said if line.startswith("failed")]
    if failed:
        raise SystemExit(failed[0])
    return said, os.WIFSIGNALED(status)


def listen(reader, pid, delay):
    """Lines until the child is gone; it is killed once `delay` has passed since its first line."""
    content, deadline = b"", time.monotonic() + 60
    waiting = delay is not None
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + 60
            continue
        part = os.read(reader, 65_536)
        if not part:
            return content.decode().splitlines()
        content += part
        if waiting:
            waiting, deadline = False, time.monotonic() + delay


def die_at(n):
    """Kill this process before or after the n-th statement to come, commits and rollbacks among them."""
    left = [n]

    def count(*_):
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, count)


# Edits: operation n of an endless series, and the state after n of them.


def edit(ws, n):
    cycle, step = divmod(n, 7)
    ids = [f"c{cycle}-{i}" for i in range(N_EVENTS)]
    if step == 0:
        vectors = np.random.default_rng(cycle).random((N_EVENTS, 16), dtype=np.float32)
        with ws.change(f"Import {cycle}") as draft:
            draft.add_events(Event(id=id_, text="word " * 40, semantic_vec=vector) for id_, vector in zip(ids, vectors, strict=True))
            draft.add_edges(Edge(source=a, target=b) for a, b in pairwise(ids))
    elif step == 1:
        ws.update_events([event.replace(text=f"changed {cycle}") for event in ws.events()])
    elif step == 2:
        ws.set_setting("cycle", cycle)
    elif step == 3:
        ws.save_run(f"run {cycle}", TRACE)
    elif step == 4:
        ws.delete_events(ids[::2])
    elif step == 5:
        ws.undo()
    else:
        ws.delete_events(ids)


def state_after(n):
    cycle, step = divmod(n, 7)
    texts = {f"c{cycle}-{i}": "word " * 40 if step == 1 else f"changed {cycle}" for i in range(N_EVENTS)} if step else {}
    if step == 5:
        texts = {id_: text for id_, text in texts.items() if int(id_.split("-")[1]) % 2}
    labels = ["Delete 60 events", f"Import {cycle}", *["Change 60 events"] * 3, "Delete 30 events", "Change 60 events"]
    return {
        "texts": texts,
        "n_edges": 0 if step in (0, 5) else N_EVENTS - 1,
        "cycle": cycle if step > 2 else (cycle - 1 if cycle else None),
        "runs": [f"run {i}" for i in range(cycle + (step > 3))],
        "version": 5 * cycle + [0, 1, 2, 2, 2, 3, 4][step],
        "undo": labels[step] if n else None,
    }


def state_of(ws):
    if ws.runs():
        assert ws.run(ws.runs()[-1].id) == TRACE
    return {
        "texts": {event.id: event.text for event in ws.events()},
        "n_edges": ws.n_edges,
        "cycle": ws.setting("cycle"),
        "runs": [card.name for card in ws.runs()],
        "version": ws.version,
        "undo": ws.undo_label,
    }


def look(target, confirmed):
    """Open the store; returns it and how many edits it holds: those confirmed, or one more in whole."""
    ws = Workspace.open(target)
    assert ws.read_only is None, ws.read_only
    found = state_of(ws)
    for n in (confirmed, confirmed + 1):
        if found == state_after(n):
            return ws, n
    raise AssertionError(f"after {confirmed} edits were confirmed: {found}")


def sound(target):
    if "://" not in target:
        connection = sqlite3.connect(target)
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        connection.close()
        assert verdict == "ok", verdict


def edits(folder, target, n_kills):
    chance = random.Random(7)
    confirmed, counts = 0, {"killed": 0, "in the middle": 0, "whole though not confirmed": 0, "edits": 0}

    def work(say):
        ws, n = look(target, confirmed)
        say(f"found {n}")
        while True:
            say(f"begin {n}")
            edit(ws, n)
            n += 1
            say(f"done {n}")

    while counts["killed"] < n_kills:
        by_statement = counts["killed"] % 2 == 0
        said, killed = child(
            work, statements=chance.randint(20, 160) if by_statement else None, delay=None if by_statement else chance.uniform(0.0, 0.12)
        )
        assert killed
        counts["killed"] += 1
        for line in said:
            word, number = line.split()
            if word == "found":
                counts["whole though not confirmed"] += int(number) - confirmed
                confirmed = int(number)
            elif word == "done":
                confirmed = int(number)
        counts["in the middle"] += bool(said) and said[-1].startswith("begin")

    def finish(say):
        look(target, confirmed)[0].close()
        sound(target)

    child(finish)
    return counts | {"edits": confirmed}


# The same for what happens to a whole file.


def old_file(folder):
    path = Path(folder) / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript((Path(__file__).parent / "data" / "schema_1.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


def migrations(folder, target, n_kills):
    template = old_file(folder)
    n_old = 0

    def bring_up_to_date(path, say):
        Workspace.open(path).close()

    def check(path, say):
        connection = sqlite3.connect(path)
        say(f"schema {connection.execute('SELECT schema_version FROM workspace').fetchone()[0]}")
        connection.close()
        with Workspace.open(path) as ws:
            assert (ws.read_only, len(ws), ws.n_edges, ws.version, ws.name) == (None, 3, 2, 7, "An older diary")
            assert ws.undo() == "Delete event gone"
        sound(str(path))

    for round_ in range(n_kills):
        path = Path(folder) / f"diary{round_}.sqlite"
        shutil.copy(template, path)
        _, killed = child(partial(bring_up_to_date, path), statements=1 + 4 * round_)
        said, _ = child(partial(check, path))
        n_old += killed and said == ["schema 1"]
    return {"killed before the change of tables": n_old}


def imports(folder, target, n_kills):
    file, path = Path(folder) / "out.zip", Path(folder) / "in.sqlite"
    n_absent = 0

    def write(say):
        with Workspace.open(":memory:") as ws:
            edit(ws, 0)
            export_workspace(ws, file)

    def bring_in(say):
        import_workspace(file, path).close()

    def check(say):
        if path.exists():
            with Workspace.open(path) as ws:
                assert len(ws) == N_EVENTS
        assert [card.slug for card in list_workspaces(folder)] == (["in"] if path.exists() else [])
        say("there" if path.exists() else "absent")

    child(write)
    for round_ in range(n_kills):
        child(bring_in, statements=1 + 6 * round_)
        n_absent += child(check)[0] == ["absent"]
        remove_file(path)
    child(bring_in)
    assert child(check)[0] == ["there"]
    assert sorted(p.name for p in Path(folder).iterdir() if p.name.startswith("in.")) == ["in.sqlite"]
    return {"absent": n_absent}


def deletions(folder, target, n_kills):
    path, backups = Path(folder) / "diary.sqlite", Path(folder) / "backups"
    n_kept = 0

    def fill(say):
        with Workspace.open(path) as ws:
            edit(ws, 0)

    def check(say):
        copies = [whole.restore_workspace(copy, Path(folder) / "back") for copy in backups.glob("*.sqlite")]
        found = [Workspace.open(copy) for copy in copies]
        assert all(len(ws) == N_EVENTS for ws in found)
        kept = path.exists() and not list_workspaces(folder)[0].fault
        assert kept or found, "neither the workspace nor its copy"
        say("kept" if kept else "gone")

    for round_ in range(n_kills):
        for place in (backups, Path(folder) / "back"):
            shutil.rmtree(place, ignore_errors=True)
        remove_file(path)
        child(fill)
        child(lambda say: whole.delete_workspace(path, backups), statements=1 + round_)
        n_kept += child(check)[0] == ["kept"]
    return {"kept": n_kept}


if __name__ == "__main__":
    # Before the first fork, so that no child has to read them from disk.
    for name in ("alembic.command", "psycopg", "affrag_core.workspace.migration"):
        import_module(name)
    what = {"edits": edits, "migration": migrations, "import": imports, "deletion": deletions}[sys.argv[1]]
    print(json.dumps(what(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
