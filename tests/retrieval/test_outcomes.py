"""What became of each candidate of a hop."""

from __future__ import annotations

from plain_graph import PlainGraph, rules

from affrag_core.retrieval.outcomes import outcomes
from affrag_core.retrieval.traversal import traverse

LINKS = {"ab": 6.0, "ac": 5.0, "ad": 4.0, "ae": 3.0, "af": 2.0, "ag": 1.0, "aa": 9.0}


def found(links: dict[str, float] = LINKS, **settings) -> dict[str, str]:
    """The outcome of each candidate of the first hop from a."""
    under = rules(max_depth=1, **settings)
    hop = traverse([("a", 0.0)], PlainGraph(links), under).hops[0]
    return dict(zip(hop.candidates.row.targets, outcomes(hop, under, lambda key: f"{key} is blocked"), strict=True))


def test_each_candidate_says_what_stopped_it():
    assert found(blocked="c", min_als_score=1.5, top_k=3, max_neighbors=2) == {
        "a": "already on path",
        "b": "chosen",
        "c": "c is blocked",
        "d": "beyond branching_factor",
        "e": "beyond max_neighbors",
        "f": "outside top_k",
        "g": "below min_als_score",
    }


def test_all_branches_are_chosen():
    assert list(found(branching_factor=2).values()).count("chosen") == 2


def test_of_equal_candidates_the_first_is_chosen():
    assert found({"ab": 1.0, "ac": 1.0}) == {"b": "chosen", "c": "beyond branching_factor"}


def test_outside_top_p_comes_before_outside_top_k():
    """Shares 0.4, 0.3, 0.2, 0.1: the first three hold 0.9."""
    links = {"ab": 4.0, "ac": 3.0, "ad": 2.0, "ae": 1.0}
    expected = {"b": "chosen", "c": "beyond branching_factor", "d": "outside top_k", "e": "outside top_p"}
    assert found(links, top_p=0.85, top_k=2) == expected
    assert found(links, top_p=0.7)["d"] == "outside top_p"


def test_what_a_draw_leaves_is_not_sampled():
    links = {"ab": 4.0, "ac": 3.0, "ad": 2.0, "ae": 1.0}
    for seed in range(10):
        counts = list(found(links, random_sampling=True, sampling_temperature=1.0, top_k=2, top_p=0.85, sampling_seed=seed).values())
        assert sorted(counts) == ["beyond branching_factor", "chosen", "not sampled", "outside top_p"]


def test_a_dead_end_has_nothing_chosen():
    assert found({"aa": 1.0, "ab": 0.2}, min_als_score=0.5) == {"a": "already on path", "b": "below min_als_score"}
    assert found({}) == {}
    assert found({"ab": 1.0, "ac": 2.0}, top_k=0) == {"b": "outside top_k", "c": "outside top_k"}


def test_closed_candidates_take_no_share_of_top_p():
    """Were the blocked one counted, 0.9 / 1.6 of all would be reached by it alone."""
    links = {"ab": 9.0, "ac": 4.0, "ad": 3.0}
    assert found(links, blocked="b", top_p=0.9) == {"b": "b is blocked", "c": "chosen", "d": "beyond branching_factor"}
