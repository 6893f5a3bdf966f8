"""One whole trace, as it was when somebody last looked at it.

``pytest tests/golden --update-golden`` writes it anew; the difference is then read before it is committed.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from affrag_core import ALSConfig, CPTConfig, Edge, Event, RetrievalConfig, RetrievalTrace, Retriever, TemporalConfig, Workspace

GOLDEN = Path(__file__).with_name("combined_trace.json")

EVENTS = [
    Event(id="offer", text="The bakery offered me the morning shift.", timestamp="2025-03-03T09:00:00Z",
          semantic_vec=[0.9, 0.1, 0.3], emotional_vec=[0.7, 0.4]),
    Event(id="fear", text="I lay awake and feared the early hours.", timestamp="2025-03-04T02:30:00Z",
          semantic_vec=[0.6, 0.5, 0.1], emotional_vec=[-0.6, 0.7]),
    Event(id="first day", text="First day: flour everywhere, and I laughed.", timestamp="2025-03-10T06:00:00Z",
          semantic_vec=[0.8, 0.2, 0.5], emotional_vec=[0.9, 0.6]),
    Event(id="rota 1", text="The rota says five days a week.", timestamp="2025-03-08T12:00:00Z", kind="VERSIONED",
          semantic_vec=[0.7, -0.2, 0.4]),
    Event(id="rota 2", text="The new rota says four days a week.", timestamp="2025-04-20T12:00:00Z", kind="VERSIONED",
          supersedes_id="rota 1", semantic_vec=[0.7, -0.25, 0.45]),
    Event(id="sale", text="Half price on all bread until Sunday.", timestamp="2025-05-28T08:00:00Z", kind="EVENT",
          valid_from="2025-05-28T00:00:00Z", valid_until="2025-06-01T23:59:59Z", semantic_vec=[0.5, 0.1, 0.9], emotional_vec=[0.3, 0.5]),
    Event(id="fair", text="The spring fair is on the square this week.", timestamp="2025-05-01T08:00:00Z", kind="EVENT",
          valid_until="2025-05-08T00:00:00Z", semantic_vec=[0.4, 0.3, 0.9], emotional_vec=[0.5, 0.6]),
    Event(id="recipe", text="Rye needs twice the water.", semantic_vec=[0.2, 0.1, 0.95]),
    Event(id="move", text="I shall move above the bakery.", timestamp="2025-07-01T00:00:00Z", semantic_vec=[0.85, 0.15, 0.3]),
    Event(id="note", text="Buy milk.", timestamp="2025-05-30T10:00:00Z"),
]  # fmt: skip
EDGES = [("offer", "fear", "next"), ("fear", "first day", "next"), ("offer", "first day", "led to"), ("offer", "first day", "same place"),
         ("first day", "rota 1", "next"), ("first day", "rota 2", "later"), ("rota 2", "rota 1", "replaces"), ("rota 2", "sale", "next"),
         ("first day", "fair", "next"), ("sale", "recipe", "about"), ("sale", "sale", "again"), ("offer", "move", "led to")]  # fmt: skip
CONFIG = RetrievalConfig(
    als=ALSConfig(semantic_weight=1.0, emotional_weight=0.3, temporal_weight=0.5, bias=-0.1),
    cpt=CPTConfig(seed_nodes=2, max_depth=3, branching_factor=2, max_neighbors=3, min_als_score=0.2, spreading_activation=True,
                  activation_top_k=3, activation_score_multiplier=0.8),
    temporal=TemporalConfig(decay_half_life_days=60.0),
    candidate_pool_size=7,
    drop_superseded=True,
)  # fmt: skip


def traced() -> dict[str, Any]:
    """The trace without what depends on the machine."""
    with Workspace.open(":memory:") as workspace:
        workspace.add_events(EVENTS)
        workspace.add_edges([Edge(source=source, target=target, relation=relation) for source, target, relation in EDGES])
        trace = Retriever(workspace).retrieve("How did I come to the bakery?", CONFIG, "2025-06-01T12:00:00Z", query_vec=[0.9, 0.2, 0.35])
    return json.loads(json.dumps(trace.to_dict() | {"timings_ms": {}}, allow_nan=False))


def differences(got: Any, want: Any, at: str = "trace") -> list[str]:
    """Where two JSON values differ by more than rounding."""
    if isinstance(want, dict) and isinstance(got, dict) and got.keys() == want.keys():
        return [line for key in want for line in differences(got[key], want[key], f"{at}.{key}")]
    if isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        return [line for place, value in enumerate(want) for line in differences(got[place], value, f"{at}[{place}]")]
    if isinstance(want, float) and isinstance(got, float) and math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12):
        return []
    return [] if got == want and type(got) is type(want) else [f"{at}: {got!r}, was {want!r}"]


def test_a_retrieval_traces_as_it_did(pytestconfig: pytest.Config):
    got = traced()
    if pytestconfig.getoption("--update-golden"):
        GOLDEN.write_text(json.dumps(got, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert differences(got, json.loads(GOLDEN.read_text(encoding="utf-8"))) == []


def test_the_golden_trace_reads_back():
    row = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(RetrievalTrace.from_dict(row).to_dict())) == row


def test_the_golden_trace_shows_most_of_what_can_become_of_an_event():
    row = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert {one["outcome"] for one in row["pool"]} == {"seed", "not a seed", "expired", "superseded"}
    candidates = [one for hop in row["hops"] for one in hop["candidates"]]
    assert {one["via"] for one in candidates} == {"edge", "activation", "both"}
    assert {one["outcome"] for one in candidates} >= {"chosen", "already on path", "expired", "superseded", "after as_of"}
