"""What decides a retrieval, and how far a weight can move before it changes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases, event, links, settings_for

from affrag_core.config import DEFAULT_ALS_CONFIG
from affrag_core.retrieval.retriever import Retriever
from affrag_core.retrieval.sensitivity import term_shares, time_dominance, weight_interval, why_not
from affrag_core.retrieval.trace import RetrievalTrace

# From a, meaning prefers b (0.8 against 0.6), time prefers c (a day against three).
STORY = [
    event("a", [1.0, 0.0], day=-9),
    event("b", [0.8, 0.6], day=-6, emotional_vec=[1.0, 0.0]),
    event("c", [0.6, 0.8], day=-8, emotional_vec=[0.0, 1.0]),
]


def retrieved(*edges: str, events=STORY, mode="cpt", **options) -> RetrievalTrace:
    options = {"seed_nodes": 1, "max_depth": 1} | options
    return Retriever(MemorySource(events, links(*edges))).retrieve([1.0, 0.0], settings_for(mode, **options), NOW)


def test_a_weight_may_move_until_another_candidate_wins():
    """With s on meaning and t on time, b scores 0.8 s + t / 4 and c 0.6 s + t / 2: they meet where s = 5 t / 4."""
    trace = retrieved("ab", "ac", semantic=1.0, temporal=0.5)
    assert trace.paths[0]["event_ids"] == ["a", "b"]
    assert weight_interval(trace, "semantic") == pytest.approx((5 * 0.5 / 4, math.inf))
    assert weight_interval(trace, "temporal") == pytest.approx((-math.inf, 4 * 1.0 / 5))
    assert weight_interval(trace, "emotional") == (-math.inf, math.inf)


def test_several_hops_bound_a_weight_together():
    events = [*STORY, event("d", [1.0, 0.0], day=-6), event("e", [0.8, 0.6], day=-5)]
    trace = retrieved("ab", "ac", "bd", "be", events=events, semantic=1.0, temporal=0.5, max_depth=2)
    low, high = weight_interval(trace, "temporal")
    assert low < 0.5 < high
    alone = [weight_interval(retrieved(*pair, events=events, semantic=1.0, temporal=0.5), "temporal") for pair in [("ab", "ac")]]
    assert high <= alone[0][1]


def test_without_hops_or_rivals_nothing_bounds_a_weight():
    for trace in (retrieved(), retrieved("ab"), retrieved(mode="vector")):
        assert weight_interval(trace, "semantic") == (-math.inf, math.inf)


def winners(trace: RetrievalTrace) -> dict[tuple[str, ...], str]:
    closed = ("already on path", "expired", "superseded", "after as_of")
    best = {}
    for hop in trace.hops:
        rows = [row for row in hop["candidates"] if row["outcome"] not in closed]
        if rows:
            best[tuple(hop["path"])] = max(rows, key=lambda row: row["score"])["event_id"]
    return best


@settings(max_examples=80)
@given(cases(smallest=2))
def test_inside_its_interval_a_weight_changes_no_winner_and_just_outside_it_does(case):
    events, edges, query, config = case
    cpt = config.cpt.with_changes(branching_factor=1, min_als_score=None, spreading_activation=False, top_k=None, top_p=None)
    config = config.with_changes(mode="cpt", cpt=cpt)
    retriever = Retriever(MemorySource(events, edges))
    trace = retriever.retrieve(query, config, NOW)
    before = winners(trace)
    for term in ("semantic", "emotional", "temporal"):
        name, (low, high) = f"{term}_weight", weight_interval(trace, term)
        now = getattr(config.als, name)
        assert low - 1e-12 <= now <= high + 1e-12
        for end, far in ((low, now - 50), (high, now + 50)):
            inside = now + 0.99 * ((end if math.isfinite(end) else far) - now)
            if abs(inside - now) > 1e-6:
                moved = retriever.retrieve(query, config.with_changes(als=config.als.with_changes(**{name: inside})), NOW)
                assert winners(moved) == before
            if math.isfinite(end):
                outside = end + math.copysign(1e-6 * max(1.0, abs(end)), far - now)
                moved = retriever.retrieve(query, config.with_changes(als=config.als.with_changes(**{name: outside})), NOW)
                assert winners(moved) != before


def test_shares_are_the_parts_of_the_chosen_links_by_size():
    trace = retrieved("ab", "ac", semantic=1.0, emotional=0.0, temporal=-0.4, bias=0.1)
    assert term_shares(trace) == pytest.approx({"semantic": 0.8 / 1.0, "emotional": 0, "temporal": 0.1 / 1.0, "bias": 0.1 / 1.0})


def test_without_a_chosen_link_there_are_no_shares():
    assert term_shares(retrieved()) == {}
    assert term_shares(retrieved("ab", semantic=0.0)) == {}


def test_where_time_decides_nearly_everything_a_warning_says_so_and_what_to_change():
    published = {name.removesuffix("_weight"): value for name, value in DEFAULT_ALS_CONFIG.model_dump().items()}
    trace = retrieved("ab", "ac", **published)
    warning = time_dominance(trace)
    assert trace.paths[0]["event_ids"] == ["a", "c"]
    assert "3.15" in warning
    assert "0.0791" in warning
    assert time_dominance(retrieved("ab", "ac", semantic=1.0, emotional=0.3, temporal=0.5)) is None
    assert time_dominance(retrieved(mode="vector")) is None
    assert time_dominance(retrieved()) is None


GONE = event("gone", [1.0, 0.05], day=-9, window=(None, -2))


@pytest.mark.parametrize(
    ("event_id", "says"),
    [
        ("a", "It is in path 1."),
        ("b", "It is in path 1."),
        ("c", "Number 3 of the first stage but not a seed: it scores 0.6, the last seed has 1."),
        ("c", "Met at 1 hop; from a it scores 0.6, b has 0.8: not the best."),
        ("far", "It is not among the 3 events most like the question. No link from a path leads to it."),
        ("no such event", "It is not among the 3 events most like the question."),
    ],
)
def test_why_an_event_is_in_no_path_is_told(event_id, says):
    trace = retrieved("ab", "ac", events=[*STORY, event("far", [-1.0, 0.0])], candidate_pool_size=3)
    assert says in why_not(trace, event_id)


def test_why_an_event_was_left_out_is_told():
    trace = retrieved("ab", events=[*STORY, GONE], mode="combined")
    assert why_not(trace, "gone").startswith("Left out: expired 2 days ago.")
    met = Retriever(MemorySource([*STORY, GONE], [*links("ab"), *links("ac")])).retrieve([1.0, 0.0], settings_for("vector"), NOW)
    assert why_not(met, "gone").startswith("It is in path 2")


def test_an_event_in_several_paths_is_told_with_all_of_them():
    assert why_not(retrieved("ab", "cb", seed_nodes=3), "b") == "It is in paths 1, 2, 3."
