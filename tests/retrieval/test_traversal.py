"""Context Path Traversal over small graphs written down by hand."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_graph import PlainGraph, rules

from affrag_core.config import CPTConfig
from affrag_core.errors import PathLimitError
from affrag_core.retrieval.candidates import WalkRules
from affrag_core.retrieval.sampling import Cut
from affrag_core.retrieval.traversal import traverse


def walks(graph: PlainGraph, seeds, **settings) -> dict[str, float]:
    """Paths as words with their scores, in order of discovery."""
    return {"".join(walk.path): walk.score for walk in traverse(seeds, graph, rules(**settings)).walks}


def hops(graph: PlainGraph, seeds, **settings) -> list[tuple[str, str]]:
    """Each hop as the path so far and the letters it chose."""
    found = traverse(seeds, graph, rules(**settings)).hops
    return [("".join(hop.path), "".join(hop.candidates.row.targets[i] for i in hop.chosen)) for hop in found]


CHAIN = PlainGraph({"ab": 0.5, "ac": 0.4, "bd": 0.1, "be": 0.3, "cf": 9.0})


def test_a_path_scores_its_seed_and_each_hop():
    assert walks(CHAIN, [("a", 0.7)]) == {"abe": pytest.approx(0.7 + 0.5 + 0.3)}
    walk = traverse([("a", 0.7)], CHAIN, rules()).walks[0]
    assert (walk.seed_score, walk.hop_scores) == (0.7, (0.5, 0.3))


def test_depth_zero_walks_nowhere_and_looks_at_nothing():
    graph = PlainGraph({"ab": 1.0})
    assert walks(graph, [("a", 0.7), ("b", 0.2)], max_depth=0) == {"a": 0.7, "b": 0.2}
    assert graph.asked == []


FULL = PlainGraph({a + b: 0.1 for a in "abcde" for b in "abcde" if a != b})


def limited(most: int, seeds: str, **settings) -> int:
    found = replace(rules(**settings), most_walks=most)
    return len(traverse([(seed, 1.0) for seed in seeds], FULL, found).walks)


def test_more_paths_than_are_allowed_are_refused_and_as_many_are_not():
    settings = {"branching_factor": 2, "max_depth": 3}
    assert limited(2**3, "a", **settings) == 2**3
    assert limited(2 * 2**3, "ab", **settings) == 2 * 2**3
    with pytest.raises(PathLimitError, match="more than 7 paths with 2 branches a hop, 3 hops"):
        limited(2**3 - 1, "a", **settings)
    with pytest.raises(PathLimitError):
        limited(2 * 2**3 - 1, "ab", **settings)


def test_too_many_paths_are_refused_long_before_they_are_walked():
    FULL.asked.clear()
    with pytest.raises(PathLimitError):
        limited(10, "a", branching_factor=4, max_depth=4, max_neighbors=4)
    n_events_of_all_paths = 1 + 4 + 4 * 3 + 4 * 3 * 2
    assert len(FULL.asked) < n_events_of_all_paths / 2


def test_no_seeds_make_no_paths():
    assert walks(CHAIN, []) == {}


def test_a_branching_factor_of_two_follows_the_two_best_of_each_path():
    found = walks(CHAIN, [("a", 0.0)], branching_factor=2, max_depth=2)
    assert found == {"abe": pytest.approx(0.5 + 0.3), "abd": pytest.approx(0.5 + 0.1), "acf": pytest.approx(0.4 + 9.0)}


def test_no_more_branches_than_candidates_kept():
    assert list(walks(CHAIN, [("a", 0.0)], branching_factor=5, max_neighbors=1, max_depth=1)) == ["ab"]
    assert list(walks(CHAIN, [("a", 0.0)], branching_factor=0, max_neighbors=0, max_depth=1)) == ["ab"]


def test_a_seed_seen_before_is_skipped_and_a_path_may_cross_another_seed():
    assert list(walks(CHAIN, [("a", 1.0), ("a", 2.0), ("b", 0.5)])) == ["abe", "be"]


def test_a_path_never_steps_onto_an_event_twice():
    circle = PlainGraph({"ab": 1.0, "ba": 9.0, "bc": 0.5, "ca": 9.0, "aa": 99.0})
    assert list(walks(circle, [("a", 0.0)], max_depth=10)) == ["abc"]


def test_a_link_to_itself_is_looked_at_and_never_walked():
    assert hops(PlainGraph({"aa": 1.0}), [("a", 0.0)]) == [("a", "")]


def test_a_dead_end_is_one_hop_however_deep_the_walk_might_go():
    graph = PlainGraph({"ab": 1.0, "ac": 0.9, "cd": 1.0})
    assert hops(graph, [("a", 0.0)], max_depth=6, branching_factor=2) == [("a", "bc"), ("ac", "d"), ("ab", ""), ("acd", "")]
    assert Counter(graph.asked) == {"a": 1, "b": 1, "c": 1, "d": 1}


def test_a_path_of_full_length_has_no_dead_end():
    assert hops(CHAIN, [("a", 0.0)], max_depth=2) == [("a", "b"), ("ab", "e")]


def test_links_below_the_minimum_are_not_walked_and_those_at_it_are():
    assert list(walks(CHAIN, [("a", 0.0)], min_als_score=0.5)) == ["ab"]
    assert list(walks(CHAIN, [("a", 0.0)], min_als_score=0.51)) == ["a"]


def test_negative_scores_are_walked_unless_a_minimum_says_otherwise():
    graph = PlainGraph({"ab": -2.0, "ac": -1.0})
    assert walks(graph, [("a", 0.5)]) == {"ac": 0.5 - 1.0}
    assert walks(graph, [("a", 0.5)], min_als_score=0.0) == {"a": 0.5}


def test_blocked_events_are_never_stepped_onto():
    assert list(walks(CHAIN, [("a", 0.0)], blocked="b")) == ["acf"]
    assert list(walks(CHAIN, [("a", 0.0)], blocked="abc")) == ["a"]


def test_of_equal_links_the_first_is_walked():
    graph = PlainGraph({"ab": 0.5, "ac": 0.5, "ad": 0.5})
    assert list(walks(graph, [("a", 0.0)], branching_factor=2)) == ["ab", "ac"]


def test_top_k_zero_ends_every_path_where_it_stands():
    assert walks(CHAIN, [("a", 0.3)], top_k=0) == {"a": 0.3}


def test_top_p_and_top_k_narrow_the_branches():
    wide = PlainGraph({"ab": 4.0, "ac": 3.0, "ad": 2.0, "ae": 1.0})
    assert "".join(walks(wide, [("a", 0.0)], branching_factor=9, top_k=2)) == "abac"
    assert "".join(walks(wide, [("a", 0.0)], branching_factor=9, top_p=0.7)) == "abac"
    assert "".join(walks(wide, [("a", 0.0)], branching_factor=9, top_p=0.9, top_k=2)) == "abac"
    assert "".join(walks(wide, [("a", 0.0)], branching_factor=9, top_p=1e-9)) == "ab"
    assert "".join(walks(wide, [("a", 0.0)], branching_factor=9, top_p=0)) == "ab"


def test_top_p_over_negative_scores_keeps_the_last_of_equal_shares():
    assert list(walks(PlainGraph({"ab": -1.0, "ac": -2.0, "ad": -3.0}), [("a", 0.0)], top_p=0.5)) == ["ac"]


def test_a_path_from_an_event_nothing_is_known_of_is_dropped():
    assert walks(PlainGraph({"a?": 5.0, "ab": 1.0}), [("a", 0.0)], branching_factor=2, max_depth=2) == {"ab": 1.0}


# Spreading activation: e is like a, b is both like a and linked from it.

LIKE = PlainGraph(
    {"ab": 0.5, "ac": 0.4},
    activated={"a": {"a": 1.0, "e": 0.9, "b": 0.8, "f": 0.2}},
    others={"ae": 0.45, "af": 0.1, "ae!": 7.0, "ab!": 6.0, "af!": 5.0, "aa": 0.0, "aa!": 0.0},
)
SPREAD = {"spreading_activation": True, "max_depth": 1, "branching_factor": 9}


def test_activated_events_join_the_neighbours():
    found = walks(LIKE, [("a", 0.0)], **SPREAD)
    assert found == {"ab": 0.5, "ae": 0.45, "ac": 0.4, "af": 0.1}


def test_the_multiplier_lifts_activated_events_and_neighbours_that_are_activated_too():
    found = walks(LIKE, [("a", 0.0)], **SPREAD, activation_score_multiplier=0.5)
    assert found == {"ac": 0.4, "ab": 0.5 * 0.5, "ae": 0.5 * 0.45, "af": 0.5 * 0.1}


def test_standing_apart_an_event_that_is_both_has_two_rows_and_its_own_score():
    result = traverse([("a", 0.0)], LIKE, rules(**SPREAD, activation_as_neighbors=False, activation_score_multiplier=0.5))
    assert [("".join(walk.path), walk.score) for walk in result.walks] == [
        ("ae", 0.5 * 7.0),
        ("ab", 0.5 * 6.0),
        ("af", 0.5 * 5.0),
        ("ac", 0.4),
        ("ab", 0.5 * 0.5),
    ]
    candidates = result.hops[0].candidates
    assert (candidates.row.targets, candidates.n_neighbours, candidates.apart) == (["b", "c", "e", "b", "f"], 2, True)


def test_events_less_alike_than_the_minimum_are_not_activated():
    assert "af" not in walks(LIKE, [("a", 0.0)], **SPREAD, activation_min_score=0.3)
    assert "af" in walks(LIKE, [("a", 0.0)], **SPREAD, activation_min_score=0.2)


def test_the_activation_is_cut_before_it_joins():
    assert list(walks(LIKE, [("a", 0.0)], **SPREAD, activation_top_k=1)) == ["ab", "ae", "ac"]
    assert list(walks(LIKE, [("a", 0.0)], **SPREAD, activation_top_p=0.4)) == ["ab", "ae", "ac"]


def test_an_activated_event_nothing_is_known_of_is_no_candidate():
    graph = PlainGraph({}, activated={"a": {"z": 1.0, "e": 0.5}}, others={"ae": 0.3})
    assert walks(graph, [("a", 0.0)], **SPREAD) == {"ae": 0.3}


def test_an_activated_event_on_the_path_only_stands_by():
    graph = PlainGraph({"ab": 1.0}, activated={"b": {"b": 1.0, "a": 0.9}}, others={"ba": 5.0})
    result = traverse([("a", 0.0)], graph, rules(spreading_activation=True, max_depth=3))
    assert ["".join(walk.path) for walk in result.walks] == ["ab"]
    assert result.hops[-1].candidates.row.targets == ["a"]
    assert result.hops[-1].chosen == ()


def test_a_fresh_draw_of_activated_events_may_open_a_dead_end_again():
    """One of two is drawn at each depth, the blocked one leads nowhere: within ten tries the other comes up."""
    graph = PlainGraph({}, activated={"a": {"x": 0.5, "y": 0.5}}, others={"ax": 1.0, "ay": 1.0})
    drawn = {"spreading_activation": True, "activation_top_k": 1, "activation_random": True, "activation_sampling_temperature": 1.0}
    found = {tuple(walks(graph, [("a", 0.0)], max_depth=10, blocked="x", sampling_seed=seed, **drawn)) for seed in range(20)}
    assert found == {("ay",)}
    assert graph.asked.count("a") > 20


def test_a_dead_end_that_stays_shut_is_one_hop_though_it_is_drawn_again():
    graph = PlainGraph({}, activated={"a": {"x": 0.5}}, others={"ax": 1.0})
    drawn = {"spreading_activation": True, "activation_random": True, "activation_sampling_temperature": 1.0}
    assert hops(graph, [("a", 0.0)], max_depth=5, blocked="x", sampling_seed=0, **drawn) == [("a", "")]


def test_a_draw_repeats_with_its_seed_and_differs_without():
    wide = PlainGraph({f"a{letter}": 1.0 for letter in "bcdefghijklmnopqrstuvw"})
    drawn = {"random_sampling": True, "sampling_temperature": 1.0, "top_k": 1, "max_depth": 1}
    assert len({tuple(walks(wide, [("a", 0.0)], **drawn, sampling_seed=3)) for _ in range(5)}) == 1
    assert len({tuple(walks(wide, [("a", 0.0)], **drawn)) for _ in range(12)}) > 1


def test_a_draw_at_temperature_zero_takes_the_best():
    assert list(walks(CHAIN, [("a", 0.0)], random_sampling=True, sampling_temperature=0.0)) == ["abe"]


def test_a_complete_graph_is_walked_in_an_instant():
    letters = "abcdefghijklmnopqrstuvwxyzABCD"
    complete = PlainGraph({a + b: ord(a) * ord(b) % 97 / 97 for a in letters for b in letters if a != b})
    start = time.process_time()
    result = traverse([(letter, 1.0) for letter in letters[:3]], complete, rules(max_depth=8))
    assert time.process_time() - start < 2
    assert [len(walk.path) for walk in result.walks] == [9, 9, 9]


LINKS = st.dictionaries(st.sampled_from([a + b for a in "abcdef" for b in "abcdef"]), st.integers(-9, 9).map(lambda n: n / 8), max_size=20)
SETTINGS = st.fixed_dictionaries(
    {
        "max_depth": st.integers(0, 5),
        "branching_factor": st.integers(0, 3),
        "max_neighbors": st.integers(0, 4),
        "min_als_score": st.none() | st.just(0.25),
        "top_k": st.sampled_from([None, 0, 1, 2]),
        "blocked": st.sampled_from(["", "c", "ad"]),
    }
)


class KeepsAll(Cut):
    """A cut that says it has a top-p, so that the traversal goes the long way, and keeps what top-k keeps."""

    def apply(self, scores, rng):
        return Cut(self.top_k, None, None).apply(scores, rng)


@given(LINKS, SETTINGS)
def test_the_short_way_to_the_best_links_equals_the_long_way_through_the_cut(links, settings):
    settings = dict(settings)
    blocked, config = settings.pop("blocked"), CPTConfig(**settings)
    cuts = (Cut(config.top_k, None, None), KeepsAll(config.top_k, 1.0, None))
    ways = [WalkRules(config, cut, cut, None, frozenset(blocked)) for cut in cuts]
    short, long = (traverse([("a", 1.0), ("b", 0.5)], PlainGraph(links), way) for way in ways)
    assert [(walk.path, walk.hop_scores) for walk in short.walks] == [(walk.path, walk.hop_scores) for walk in long.walks]
    assert [(hop.path, hop.chosen) for hop in short.hops] == [(hop.path, hop.chosen) for hop in long.hops]


@given(LINKS, SETTINGS)
def test_every_path_walks_open_links_and_ends_where_it_must(links, settings):
    graph = PlainGraph(links)
    result = traverse([("a", 1.0), ("b", 0.5)], graph, rules(**settings))
    for walk in result.walks:
        steps = list(pairwise(walk.path))
        assert [links[a + b] for a, b in steps] == list(walk.hop_scores)
        assert walk.score == pytest.approx(walk.seed_score + sum(walk.hop_scores), abs=1e-12)
        assert len(set(walk.path)) == len(walk.path)
        assert not set(walk.path[1:]) & set(settings["blocked"])
        assert (len(steps) == settings["max_depth"]) or walk.dead_end.path == walk.path
    assert len({hop.path for hop in result.hops}) == len(result.hops)
