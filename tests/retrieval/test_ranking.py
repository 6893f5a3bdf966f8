"""The final order of paths."""

from __future__ import annotations

import pytest
from memory_source import MemorySource
from retrieval_cases import NOW, event, links, settings_for

from affrag_core.retrieval.retriever import Retriever


def paths(events, edges=(), mode="combined", **options):
    return Retriever(MemorySource(events, edges)).retrieve([1.0, 0.0], settings_for(mode, **options), NOW).paths


NEAR, FAR = event("n", [1.0, 0.0], day=-30), event("f", [0.0, 1.0], day=-10)
FRESH, STALE = event("x", [0.0, 1.0], day=0), event("y", [1.0, 0.0], day=-60)


def test_a_combined_path_mixes_its_scaled_score_with_the_mean_time_part_of_its_events():
    options = {"temporal_weight": 0.4, "seed_nodes": 4, "max_depth": 1, "min_vector_score": 0, "bias": 0.2}
    found = paths([NEAR, FAR, FRESH, STALE], links("nx", "fy"), **options)
    by_ids = {"".join(path["event_ids"]): path for path in found}
    time = {"n": 0.5 * (1 - 30 / 60), "f": 0.5 ** (1 / 3) * (1 - 10 / 60), "x": 1.0, "y": 0.0}
    like = {"n": 1, "f": 0, "x": 0, "y": 1}
    seed = {key: 0.6 * like[key] + 0.4 * time[key] for key in "nfxy"}
    score = {"nx": seed["n"] + 0.2, "fy": seed["f"] + 0.2, "x": seed["x"], "y": seed["y"]}
    low, high = min(score.values()), max(score.values())
    for ids, path in by_ids.items():
        mean = sum(time[key] for key in ids) / len(ids)
        assert path["path_score"] == pytest.approx(score[ids], abs=1e-12)
        assert path["normalised_score"] == pytest.approx((score[ids] - low) / (high - low), abs=1e-12)
        assert path["temporal_component"] == pytest.approx(mean, abs=1e-12)
        assert path["final_score"] == pytest.approx(0.6 * (score[ids] - low) / (high - low) + 0.4 * mean, abs=1e-12)
    assert [path["final_score"] for path in found] == sorted((path["final_score"] for path in found), reverse=True)


def test_a_path_of_cpt_is_ranked_by_its_own_score():
    found = paths([NEAR, FAR, FRESH, STALE], links("fy"), mode="cpt", bias=3.0, max_depth=1)
    assert ["".join(path["event_ids"]) for path in found][:2] == ["fy", "n"]
    assert [path["final_score"] for path in found][:2] == [0 + 3, 1]


def test_equal_scores_are_all_scaled_to_one():
    found = paths([event("p", day=-1), event("q", day=-1)])
    assert [path["normalised_score"] for path in found] == [1, 1]


def test_one_path_has_rank_one_and_no_margin():
    (only,) = paths([NEAR])
    assert (only["rank"], only["margin"], only["normalised_score"]) == (1, None, 1)


def test_equal_paths_keep_the_order_in_which_they_were_found():
    found = paths([event(key, day=-5) for key in "srq"])
    assert ["".join(path["event_ids"]) for path in found] == ["s", "r", "q"]
    assert [path["margin"] for path in found] == [0, 0, None]


def test_of_equal_final_scores_the_higher_path_score_wins():
    """With all the weight on time and no time anywhere, only the path scores differ."""
    found = paths([event("a", [1.0, 1.0]), event("b", [1.0, 0.0])], links("ab"), temporal_weight=1.0, bias=0.5, max_depth=1)
    assert [path["final_score"] for path in found] == [0, 0]
    assert ["".join(path["event_ids"]) for path in found] == ["ab", "b"]


def test_margins_are_over_the_next_path():
    found = paths([NEAR, FAR, FRESH])
    finals = [path["final_score"] for path in found]
    assert [path["margin"] for path in found] == [finals[0] - finals[1], finals[1] - finals[2], None]
    assert [path["rank"] for path in found] == [1, 2, 3]


def test_no_paths_have_no_ranking():
    assert list(paths([])) == []
