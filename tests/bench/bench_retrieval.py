"""A workspace of 10,000 events and 1,000,000 edges: the first retrieval after opening it beside one with one weight changed.

    python tests/bench/bench_retrieval.py [--events 10000] [--edges 1000000] [--dim 384] [--seed 0]

Prints seconds and the ratio; asserts nothing. The second must be under a tenth of the first.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from affrag_core import PRESETS, Edge, Event, Retriever, Workspace

BALANCED = PRESETS["Balanced"]
START = datetime(2024, 1, 1, tzinfo=UTC)
KINDS = ("STATIC", "VERSIONED", "EVENT")


def random_events(n_events: int, dim: int, rng: np.random.Generator) -> list[Event]:
    """Events spread over a year, their vectors float32 as an encoder gives them."""
    semantic = rng.standard_normal((n_events, dim)).astype(np.float32)
    emotional = rng.uniform(-1, 1, (n_events, 2))
    hours = rng.uniform(0, 365 * 24, n_events)
    return [
        Event(
            id=f"e{i}",
            text=f"event {i}",
            timestamp=START + timedelta(hours=float(hours[i])),
            kind=KINDS[i % 3],
            semantic_vec=semantic[i],
            emotional_vec=emotional[i],
        )
        for i in range(n_events)
    ]


def random_edges(n_events: int, n_edges: int, rng: np.random.Generator) -> list[Edge]:
    """Distinct links between distinct events, as many out of each event."""
    degree = n_edges // n_events
    steps = np.stack([1 + rng.choice(n_events - 1, degree, replace=False) for _ in range(n_events)])
    targets = (np.arange(n_events)[:, None] + steps) % n_events
    return [Edge(source=f"e{i}", target=f"e{j}") for i in range(n_events) for j in targets[i]]


def timed(label: str, action):
    """What the action gives and its seconds, printed."""
    start = time.perf_counter()
    result = action()
    seconds = time.perf_counter() - start
    print(f"{label:<40}{seconds:>10.4f} s", flush=True)
    return result, seconds


def fill(path: Path, options: argparse.Namespace) -> None:
    """A workspace on disk with random events and links."""
    rng = np.random.default_rng(options.seed)
    events = random_events(options.events, options.dim, rng)
    edges = random_edges(options.events, options.edges, rng)
    with Workspace.open(path) as workspace:
        timed(f"store {len(events):,} events", lambda: workspace.add_events(events))
        timed(f"store {len(edges):,} edges", lambda: workspace.add_edges(edges))


def measure(path: Path, dim: int, seed: int) -> None:
    """The first retrieval, then the same question with the semantic weight moved."""
    query = np.random.default_rng(seed + 1).standard_normal(dim)
    as_of = START + timedelta(days=366)
    workspace, opening = timed("open the workspace", lambda: Workspace.open(path))
    with workspace:
        retriever = Retriever(workspace)
        _, first = timed("first retrieval after opening", lambda: retriever.retrieve(query, BALANCED, as_of))
        seconds = []
        for weight in (0.9, 0.8, 0.7, 1.1, 1.2, 1.3, 1.4):
            config = BALANCED.with_changes(als=BALANCED.als.with_changes(semantic_weight=weight))
            _, one = timed(f"semantic weight {weight}", lambda config=config: retriever.retrieve(query, config, as_of))
            seconds.append(one)
    changed = statistics.median(seconds)
    print(f"\none weight changed / first retrieval after opening  {changed / first:.4f}  (median of {len(seconds)}; to be under 0.1)")
    print(f"one weight changed / opening and first retrieval    {changed / (opening + first):.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite"
        fill(path, options)
        measure(path, options.dim, options.seed)


if __name__ == "__main__":
    main()
