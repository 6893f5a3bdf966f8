"""Seconds that workspaces take to fill, open, follow, export and change: 100,000 events with vectors, and a million links.

Run from the project's root: ``python tests/bench/bench_workspace.py [n_events] [n_edges]``. With ``AFFRAG_TEST_POSTGRES`` set to the
address of a server, the same is timed in a schema of its own there.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from affrag_core import export_workspace, import_workspace
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

SCHEMA = "bench_workspace"
ALONE = """
import os, sys, time
import numpy
from affrag_core.workspace import Workspace
def held(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
Workspace.open(":memory:").close()
before, start, busy = held(), time.perf_counter(), time.process_time()
workspace = Workspace.open(sys.argv[1])
seconds, busy, opened = time.perf_counter() - start, time.process_time() - busy, held()
workspace.events(), workspace.edges()
held_then = f"holds {opened - before:.0f} MB, {held() - before:.0f} MB once edges() was asked for"
print(f"{seconds:8.3f} s   of which computing {busy:7.3f} s   {held_then}")
"""


@contextmanager
def timed(what: str) -> Iterator[None]:
    start, busy = time.perf_counter(), time.process_time()
    yield
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:<52} {seconds:8.3f} s   of which computing {busy:7.3f} s   peak {memory:5.0f} MB", flush=True)


def open_alone(target: str) -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, target], check=True, capture_output=True, text=True)
    print(f"{'open in a process of its own':<52} {done.stdout.strip()}", flush=True)


def made_events(n: int) -> list[Event]:
    vectors = np.random.default_rng(0).standard_normal((n, 384)).astype(np.float32)
    return [Event(id=f"event-{i}", text=f"Text {i} " + "word " * 12, timestamp=1.7e9 + i, semantic_vec=vectors[i]) for i in range(n)]


def many_events(target: str, folder: Path, n: int) -> None:
    """What an import of real data costs: many events with vectors, a few links each."""
    with timed(f"make {n:,} Event objects with 384 float32 each"):
        events = made_events(n)
    edges = [Edge(source=f"event-{i}", target=f"event-{(i + step) % n}", relation="next") for i in range(n) for step in (1, 7)]
    with Workspace.open(target) as workspace:
        with timed(f"import {n:,} events and {2 * n:,} links at once"), workspace.change("Import") as draft:
            draft.add_events(events)
            draft.add_edges(edges)
        del events, edges
        open_alone(target)
        with Workspace.open(target) as other:
            workspace.update_events([workspace.event("event-1").replace(text="Other text")])
            with timed("another session follows one changed event"):
                other.refresh()
        with timed("update 1,000 events"):
            workspace.update_events([event.replace(text="Other") for event in workspace.events()[:1000]])
        with timed("save a run of 20,000 rows"):
            run = workspace.save_run("r", {"query": "q", "mode": "cpt", "hops": [{"score": i / 7, "path": ["a"]} for i in range(20_000)]})
        with timed("read it"):
            workspace.run(run)
        file = folder / "out.workspace.zip"
        with timed("export it as one file"):
            export_workspace(workspace, file)
    print(f"{'size of the exported file':<52} {file.stat().st_size / 2**20:8.1f} MB")
    with timed("import that file and open it"):
        import_workspace(file, folder / "in.sqlite").close()


def many_edges(n_events: int, n_edges: int) -> None:
    """What a dense graph costs: few events, very many links."""
    events = made_events(n_events)
    pairs = np.unique(np.random.default_rng(0).integers(0, n_events, (n_edges + n_edges // 10, 2)), axis=0)
    pairs = np.random.default_rng(1).permutation(pairs)[:n_edges].tolist()
    with timed(f"make {len(pairs):,} Edge objects"):
        edges = [Edge(source=f"event-{s}", target=f"event-{t}", relation="next") for s, t in pairs]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite"
        with Workspace.open(path) as workspace:
            workspace.add_events(events)
            with timed("add the links"):
                workspace.add_edges(edges)
        print(f"{'file':<52} {path.stat().st_size / 2**20:8.1f} MB")
        del edges
        open_alone(str(path))
        with timed("open"):
            workspace = Workspace.open(path)
        with timed("events(), edges() first time"):
            workspace.events(), workspace.edges()
        with timed("events(), edges() again"):
            workspace.events(), workspace.edges()
        with timed("edges_of one event, first time"):
            workspace.edges_of("event-1")
        with timed("change one event"):
            workspace.update_events([workspace.event("event-1").replace(text="Other text")])
        with timed("add one event and one link"):
            workspace.add_events([Event(id="new", text="New")])
            workspace.add_edges([Edge(source="new", target="event-1")])
        with timed("delete one event with its links"):
            workspace.delete_events(["event-2"])
        with timed("undo that"):
            workspace.undo()
        with timed("edges() after it"):
            workspace.edges()
        with timed("delete all events and links"):
            workspace.delete_events([event.id for event in workspace.events()])
        with timed("undo that"):
            workspace.undo()
        with timed("refresh, nothing new"):
            workspace.refresh()
        workspace.close()


@contextmanager
def server_schema(server: str) -> Iterator[str]:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        yield f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3D{SCHEMA}"
        connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


def main(n_events: int, n_edges: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print("-- SQLite")
        many_events(str(Path(folder) / "many.sqlite"), Path(folder), n_events)
    server = os.environ.get("AFFRAG_TEST_POSTGRES")
    if server:
        with tempfile.TemporaryDirectory() as folder, server_schema(server) as address:
            print("-- PostgreSQL")
            many_events(address, Path(folder), n_events)
    print(f"-- SQLite, {n_edges:,} links")
    many_edges(n_events // 10, n_edges)


if __name__ == "__main__":
    main(*(int(number) for number in (sys.argv[1:] + ["100000", "1000000"][len(sys.argv) - 1 :])))
