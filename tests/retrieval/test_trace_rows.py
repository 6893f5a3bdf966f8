"""Rows of a trace: every candidate, what stopped it, and parts that add up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases, event, links, settings_for

from affrag_core.retrieval.retriever import Retriever
from affrag_core.retrieval.trace import RetrievalTrace

STORY = [
    event("a", [1.0, 0.0], day=-9),
    event("b", [1.0, 1.0], day=-5),
    event("c", [0.0, 1.0], day=-1),
    event("d", [1.0, 0.1], day=-9, window=(None, -1)),
]


def retrieved(*edges: str, events=STORY, mode="combined", **options) -> RetrievalTrace:
    options = {"seed_nodes": 1, "temporal_weight": 0.0} | options
    return Retriever(MemorySource(events, links(*edges))).retrieve([1.0, 0.0], settings_for(mode, **options), NOW)


def first_hop(*edges: str, **options) -> dict:
    return retrieved(*edges, max_depth=1, **options).hops[0]


def test_a_hop_tells_its_runner_up_and_by_how_much_it_was_beaten():
    hop = first_hop("ab", "ac", "ad")
    assert (hop["seed"], hop["path"], hop["depth"]) == ("a", ["a"], 0)
    assert [(row["event_id"], row["outcome"]) for row in hop["candidates"]] == [
        ("b", "chosen"),
        ("d", "expired"),
        ("c", "beyond branching_factor"),
    ]
    assert hop["runner_up"] == "c"
    assert hop["margin"] == pytest.approx(0.5**0.5 - 0)


def test_a_candidate_shows_its_similarities_parts_and_time():
    row = first_hop("abX", "abY", semantic=2.0, temporal=1.0, bias=-0.5)["candidates"][0]
    assert (row["via"], row["relations"], row["multiplier"]) == ("edge", ["X", "Y"], 1.0)
    assert row["similarities"] == pytest.approx({"semantic": 0.5**0.5, "emotional": 0, "temporal": 1 / (1 + 4)})
    assert row["contributions"] == pytest.approx({"semantic": 2 * 0.5**0.5, "emotional": 0, "temporal": 1 / 5, "bias": -0.5})
    assert row["temporal"]["age_days"] == 5
    assert row["temporal"]["recency_score"] == pytest.approx(1 - (5 - 1) / (9 - 1))
    assert row["temporal"]["raw_similarity"] == pytest.approx(0.5**0.5)


def test_with_one_way_on_there_is_no_runner_up():
    hop = first_hop("ab", "ad")
    assert (hop["runner_up"], hop["margin"]) == (None, None)


def test_a_dead_end_has_a_runner_up_only_where_something_was_open():
    hop = first_hop("ad")
    assert (hop["runner_up"], hop["margin"], [row["outcome"] for row in hop["candidates"]]) == (None, None, ["expired"])
    hop = first_hop("ab", top_k=0)
    assert (hop["runner_up"], hop["margin"]) == ("b", None)


def test_the_margin_of_several_branches_is_that_of_the_last_chosen():
    hop = first_hop("ab", "ac", "ad", branching_factor=2, mode="cpt")
    assert [row["event_id"] for row in hop["candidates"]] == ["d", "b", "c"]
    assert (hop["runner_up"], hop["margin"]) == ("c", pytest.approx(0.5**0.5 - 0))
    hop = first_hop("ab", "ac", "aa", branching_factor=2)
    assert (hop["runner_up"], hop["margin"]) == (None, None)


def test_a_drawn_candidate_may_trail_its_runner_up():
    drawn = {"random_sampling": True, "sampling_temperature": 100.0, "top_k": 1}
    margins = {first_hop("ab", "ac", **drawn, sampling_seed=seed)["margin"] for seed in range(12)}
    assert sorted(margins) == pytest.approx([-(0.5**0.5), 0.5**0.5])


def test_an_activated_event_that_stands_apart_is_no_rival_to_itself():
    spread = {"spreading_activation": True, "activation_as_neighbors": False, "activation_top_k": 3}
    hop = first_hop("ab", events=STORY[:3], **spread)
    assert sorted((row["event_id"], row["via"]) for row in hop["candidates"]) == [("b", "activation"), ("b", "edge"), ("c", "activation")]
    assert hop["runner_up"] == "c"
    assert hop["margin"] > 0


def test_an_event_both_linked_and_activated_says_so_and_is_multiplied():
    hop = first_hop("ab", events=STORY[:3], spreading_activation=True, activation_score_multiplier=0.5)
    rows = {row["event_id"]: row for row in hop["candidates"]}
    assert {key: row["via"] for key, row in rows.items()} == {"b": "both", "c": "activation"}
    assert rows["b"]["score"] == pytest.approx(0.5 * 0.5**0.5)
    assert rows["c"]["relations"] == []


def test_the_pool_says_why_each_event_counts_as_it_does():
    trace = retrieved(temporal_weight=0.35, max_age_days=6)
    assert {row["event_id"]: (row["outcome"], row["reason"]) for row in trace.pool} == {
        "a": ("too old", "Left out: 9 days old, the limit is 6."),
        "d": ("expired", "Left out: expired 24 hours ago."),
        "b": ("seed", "Fresh: time keeps most of its weight."),
        "c": ("not a seed", "Weak match within this pool (0 below 0.15): keeps 0.3 of its score."),
    }
    assert [row["final_score"] is None for row in trace.pool] == [True, True, False, False]


def test_without_time_the_final_score_is_the_similarity_and_the_time_fields_are_there():
    for mode in ("vector", "cpt"):
        trace = retrieved(mode=mode)
        assert all(row["final_score"] == row["raw_similarity"] for row in trace.pool)
        states = {row["event_id"]: (row["validity_state"], row["validity_multiplier"], row["window"]) for row in trace.pool}
        assert states["d"] == ("EXPIRED", 0.0, "expired 24 hours ago")
        assert states["a"] == ("VALID", 1.0, "open-ended")


@settings(max_examples=120)
@given(cases(smallest=1))
def test_everything_in_a_trace_adds_up(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    weight = config.temporal.temporal_weight
    for row in trace.pool:
        parts = ("decay_score", "recency_score", "validity_multiplier", "event_relevance_multiplier")
        product = 1.0
        for part in parts:
            product *= row[part]
        assert row["temporal_component"] == pytest.approx(product, abs=1e-12)
        if config.mode in ("temporal", "combined") and row["final_score"] is not None:
            mix = (1 - weight) * row["vector_score"] + weight * row["temporal_component"]
            assert row["final_score"] == pytest.approx(row["semantic_penalty"] * mix, abs=1e-12)
    for hop in trace.hops:
        for row in hop["candidates"]:
            assert row["score"] == pytest.approx(row["multiplier"] * sum(row["contributions"].values()), abs=1e-12)
        rows = [row for row in hop["candidates"] if row["outcome"] != "chosen"]
        assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    chosen = {(*hop["path"], row["event_id"]) for hop in trace.hops for row in hop["candidates"] if row["outcome"] == "chosen"}
    for path in trace.paths:
        assert path["path_score"] == pytest.approx(path["seed_score"] + sum(path["hop_scores"]), abs=1e-12)
        assert {tuple(path["event_ids"][:size]) for size in range(2, len(path["event_ids"]) + 1)} <= chosen


def best_ids(rows, scores) -> set[str]:
    """Who scores best, several where scores differ by no more than rounding."""
    return {row["event_id"] for row, score in zip(rows, scores, strict=True) if score >= max(scores) - 1e-12}


def influence_by_hand(trace) -> tuple[dict[str, float], dict[str, float]]:
    """Every term of every hop set to zero in turn, and the open candidates sorted anew: the least and most that ties leave possible."""
    least, most, counted = (dict.fromkeys(("semantic", "emotional", "temporal", "bias"), 0) for _ in range(3))
    closed = ("already on path", "after as_of", "expired", "superseded")
    for hop in trace.hops:
        rows = [row for row in hop["candidates"] if row["outcome"] not in closed]
        for term in least if rows else ():
            without = [row["multiplier"] * sum(value for name, value in row["contributions"].items() if name != term) for row in rows]
            before, after = best_ids(rows, [row["score"] for row in rows]), best_ids(rows, without)
            counted[term] += 1
            least[term] += not before & after
            most[term] += before != after or len(after) > 1
    return tuple({term: n / counted[term] if counted[term] else 0.0 for term, n in some.items()} for some in (least, most))


def test_influence_is_the_share_of_hops_that_a_term_decides():
    """From a, meaning prefers b and time prefers c; from b, both prefer the only way on."""
    events = [event("a", [1.0, 0.0], day=-9), event("b", [1.0, 0.1], day=-5), event("c", [0.0, 1.0], day=-8)]
    trace = retrieved("ab", "ac", "bc", events=events, semantic=1.0, temporal=0.5, max_depth=2, mode="cpt")
    assert [path["event_ids"] for path in trace.paths] == [["a", "b", "c"]]
    assert trace.term_influence == {"semantic": 1 / 2, "emotional": 0, "temporal": 0, "bias": 0}


def test_a_bias_alone_decides_only_between_multiplied_and_not():
    """With a bias of -1 the link scores 0.9 - 1, the activated event half of 1 - 1; without it 0.9 beats 0.5."""
    events = [event("a", [1.0, 0.0]), event("b", [1.0, 0.0]), event("c", [0.9, 0.19**0.5])]
    options = {"events": events, "mode": "cpt", "max_depth": 1, "semantic": 1.0, "bias": -1.0}
    spread = {"spreading_activation": True, "activation_top_k": 2, "activation_score_multiplier": 0.5}
    trace = retrieved("ac", **options, **spread)
    assert [path["event_ids"] for path in trace.paths] == [["a", "b"]]
    assert trace.term_influence["bias"] == 1
    assert retrieved("ab", "ac", **options).term_influence["bias"] == 0


def test_ties_that_a_term_leaves_behind_do_not_count_as_decided_by_rounding():
    """Without time, all links score the bias of 0.1, and the first, which won, wins again."""
    events = [event("a", [1.0, 0.0], day=-30), *(event(key, None, day=-30 + n * 1.7) for n, key in enumerate("bcdefg"))]
    trace = retrieved("ab", "ac", "ad", "ae", "af", "ag", events=events, semantic=0.0, temporal=3.147, bias=0.1, max_depth=1, mode="cpt")
    assert trace.term_influence["temporal"] == 0


@settings(max_examples=80)
@given(cases(smallest=2))
def test_influence_equals_a_slow_reading_up_to_ties(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    least, most = influence_by_hand(trace)
    for term, share in trace.term_influence.items():
        assert least[term] - 1e-12 <= share <= most[term] + 1e-12
