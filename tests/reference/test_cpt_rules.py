"""Each rule of the traversal on a star: one event in the middle, and candidates whose scores are given."""

from __future__ import annotations

from itertools import pairwise

import pytest

from affrag_core import CPTConfig, MemoryGraph
from affrag_core.reference.lookups import takes_top_k


def star(scores, hits=(), **settings):
    """The candidates stepped onto from the middle, best path first; `hits` are what spreading activation finds there."""
    graph = MemoryGraph()
    graph.add_event("middle", {"text": "middle"})
    for event_id in scores:
        graph.add_event(event_id, {})
        if not event_id.startswith("far"):
            graph.add_edge("middle", event_id)

    def lookup(query, top_k=None):
        return [("middle", 0.0)] if query == "start" else list(hits)[:top_k]

    config = CPTConfig(**{"max_depth": 1, "branching_factor": 9, "spreading_activation": bool(hits), **settings})
    result = graph.retrieve("start", vector_lookup=lookup, cpt_config=config, score_fn=lambda a, b: scores[b["id"]])
    return [(path.nodes[-1]["id"], path.score) for path in result.paths]


def names(*args, **settings):
    return [name for name, _ in star(*args, **settings)]


def test_all_candidates_are_walked_best_first_where_branches_allow():
    assert star({"a": 1.0, "b": 3.0, "c": 2.0}) == [("b", 3.0), ("c", 2.0), ("a", 1.0)]


def test_ties_come_in_order_of_the_links():
    assert names({"b": 1.0, "a": 1.0, "c": 1.0}) == ["b", "a", "c"]


@pytest.mark.parametrize(("setting", "n"), [("branching_factor", 2), ("max_neighbors", 2), ("top_k", 2)])
def test_only_the_best_few_are_walked(setting, n):
    assert names({"a": 1.0, "b": 3.0, "c": 2.0}, **{setting: n}) == ["b", "c"]
    assert names({"a": 1.0, "b": 3.0, "c": 2.0}, **{setting: 0}) == (["middle"] if setting == "top_k" else ["b"])


def test_a_candidate_at_the_minimum_stays_and_one_below_it_goes():
    assert names({"a": 0.5, "b": 0.4999}, min_als_score=0.5) == ["a"]
    assert names({"a": 0.5, "b": 0.4999}, min_als_score=0.5, top_p=1.0) == ["a"]


@pytest.mark.parametrize(
    ("top_p", "kept"),
    [
        (0.0, ["a"]),
        (0.5, ["a"]),  # a alone holds 4 of 8 shares: reaching top-p is enough
        (0.51, ["a", "b"]),
        (0.75, ["a", "b"]),
        (0.76, ["a", "b", "c"]),
        (1.0, ["a", "b", "c", "d"]),
    ],
)
def test_top_p_keeps_the_fewest_that_reach_it(top_p, kept):
    assert names({"d": 1.0, "c": 1.0, "b": 2.0, "a": 4.0}, top_p=top_p)[:2] == kept[:2]
    assert len(names({"d": 1.0, "c": 1.0, "b": 2.0, "a": 4.0}, top_p=top_p)) == len(kept)


def test_of_equal_shares_the_later_candidate_counts_first():
    assert names({"a": 1.0, "b": 1.0}, top_p=0.5) == ["b"]


def test_shares_are_even_where_scores_do_not_add_up_to_more_than_zero():
    assert names({"a": -1.0, "b": 1.0, "c": -3.0, "d": 0.0}, top_p=0.5) == ["d", "c"]


def test_an_activated_event_joins_the_candidates():
    assert star({"a": 1.0, "far": 2.0}, [("far", 0.9)]) == [("far", 2.0), ("a", 1.0)]


def test_an_activated_event_at_the_minimum_likeness_stays():
    assert names({"far": 1.0, "far2": 1.0}, [("far", 0.5), ("far2", 0.4999)], activation_min_score=0.5) == ["far"]


HITS = [("far", 0.4), ("far2", 0.3), ("far3", 0.2), ("far4", 0.1)]
FAR = {"far": 1.0, "far2": 2.0, "far3": 3.0, "far4": 4.0}


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, 4),
        ({"activation_top_k": 2}, 2),
        ({"activation_top_k": 2, "top_k": 3}, 2),
        ({"activation_top_k": None, "top_k": 3}, 3),
        ({"activation_top_k": 3, "top_k": 2}, 3),
        ({"activation_top_p": 0.7}, 2),
        ({"activation_top_p": 0.71}, 3),
        ({"activation_top_p": 0.7, "top_p": 0.9}, 2),
        ({"top_p": 0.7}, 2),
    ],
)
def test_activated_events_are_cut_by_their_own_rule_or_else_by_the_hops(settings, kept):
    """What the activation keeps shows in the best that is walked: the least alike of them scores highest."""
    assert names(FAR, HITS, **settings)[0] == f"far{kept if kept > 1 else ''}"


def test_activated_events_that_stand_apart_come_after_the_neighbours_and_twice_where_they_are_both():
    settings = {"activation_as_neighbors": False, "activation_score_multiplier": 0.5}
    assert star({"a": 1.0, "far": 1.0}, [("a", 0.9), ("far", 0.8)], **settings) == [("a", 0.5), ("a", 0.5), ("far", 0.5)]
    assert star({"a": 1.0, "far": 1.0}, [("a", 0.9), ("far", 0.8)], activation_score_multiplier=0.5) == [("a", 0.5), ("far", 0.5)]


def test_paths_through_a_complete_graph_never_meet_an_event_twice():
    graph = MemoryGraph()
    for i in range(30):
        graph.add_event(f"e{i}", {"timestamp": 86400.0 * i * i})
    for i in range(30):
        for j in range(30):
            graph.add_edge(f"e{i}", f"e{j}")
    config = CPTConfig(max_depth=8, branching_factor=2)
    result = graph.retrieve("?", vector_lookup=lambda query: [("e0", 0.0)], cpt_config=config)
    assert len(result.paths) == 2**8
    assert all(len({node["id"] for node in path.nodes}) == 9 for path in result.paths)
    best = result.paths[0]
    days = [(int(node["id"][1:]) ** 2) for node in best.nodes]
    links = [3.1470 / (1 + abs(a - b)) for a, b in pairwise(days)]
    assert best.score == pytest.approx(sum(links), abs=1e-9)


def test_a_callable_whose_arguments_cannot_be_read_is_told_how_many():
    assert takes_top_k(max)
