"""Seconds that a workspace of 10,000 events and 1,000,000 links takes to fill, open, read and change.

Run from the project's root: ``python tests/bench/bench_workspace.py [n_events] [n_edges]``.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

ALONE = """
import os, sys, time
import numpy
from affrag_core.workspace import Workspace
def held(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
before, start = held(), time.perf_counter()
workspace = Workspace.open(sys.argv[1])
seconds, opened = time.perf_counter() - start, held()
workspace.events(), workspace.edges()
print(f"{seconds:8.3f} s   holds {opened - before:.0f} MB, {held() - before:.0f} MB once edges() was asked for")
"""


@contextmanager
def timed(what: str) -> Iterator[None]:
    start, busy = time.perf_counter(), time.process_time()
    yield
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:<52} {seconds:8.3f} s   of which computing {busy:7.3f} s   peak {memory:5.0f} MB")


def main(n_events: int, n_edges: int) -> None:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((n_events, 384)).astype(np.float32)
    with timed(f"make {n_events:,} Event objects"):
        events = [Event(id=f"event-{i}", text=f"Text {i}", timestamp=1.7e9 + i, semantic_vec=vectors[i]) for i in range(n_events)]
    pairs = np.unique(rng.integers(0, n_events, (n_edges + n_edges // 10, 2)), axis=0)
    pairs = rng.permutation(pairs)[:n_edges].tolist()
    with timed(f"make {len(pairs):,} Edge objects"):
        edges = [Edge(source=f"event-{s}", target=f"event-{t}", relation="next") for s, t in pairs]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite"
        with Workspace.open(path) as workspace:
            with timed("add the events"):
                workspace.add_events(events)
            with timed("add the links"):
                workspace.add_edges(edges)
        print(f"{'file':<52} {path.stat().st_size / 2**20:8.1f} MB")
        del edges
        command = [sys.executable, "-c", ALONE, str(path)]
        print(f"{'open in a process of its own':<52} {subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()}")
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


if __name__ == "__main__":
    main(*(int(number) for number in (sys.argv[1:] + ["10000", "1000000"][len(sys.argv) - 1 :])))
