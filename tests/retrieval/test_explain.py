"""A trace as rows to draw, formulas and sentences."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases, event, links, settings_for

from affrag_core.config import ALSConfig
from affrag_core.retrieval.explain import (
    OUTCOME_WORDS,
    candidate_table,
    chosen_on,
    contribution_rows,
    final_formula,
    hop_sentence,
    link_formula,
    path_hops,
    path_sentence,
    pool_contribution_rows,
    temporal_formula,
    temporal_parts,
)
from affrag_core.retrieval.retriever import Retriever
from affrag_core.retrieval.trace import RetrievalTrace

STORY = [event("a", [1.0, 0.0], day=-9), event("b", [1.0, 1.0], day=-5), event("c", [0.0, 1.0], day=-1)]


def retrieved(*edges: str, events=STORY, mode="cpt", query=(1.0, 0.0), **options) -> RetrievalTrace:
    return Retriever(MemorySource(events, links(*edges))).retrieve(query, settings_for(mode, **{"seed_nodes": 1} | options), NOW)


def value_of(formula: str) -> tuple[float, float]:
    """Both sides of a formula, counted."""
    left, right = formula.split(" = ")
    return tuple(eval(side.replace("×", "*").replace("^", "**").replace("−", "-").replace(",", "")) for side in (left, right))  # noqa: S307


def test_the_hops_of_a_path_are_one_fewer_than_its_events():
    trace = retrieved("ab", "bc", "ac", branching_factor=2)
    for path in trace.paths:
        hops = path_hops(trace, path)
        assert [hop["path"] for hop in hops] == [path["event_ids"][:size] for size in range(1, len(path["event_ids"]))]
        assert [chosen_on(path, hop)["event_id"] for hop in hops] == path["event_ids"][1:]
        assert [chosen_on(path, hop)["score"] for hop in hops] == path["hop_scores"]


def test_a_single_event_has_no_hops():
    trace = retrieved(mode="vector")
    assert [path_hops(trace, path) for path in trace.paths] == [[], [], []]


def test_only_the_hops_of_the_path_are_built(monkeypatch):
    trace = retrieved("ab", "bc")
    trace.hops._build = lambda place: pytest.fail(f"hop {place} was built") if place == 2 else {"place": place}
    assert path_hops(trace, trace.paths[0]) == [{"place": 0}, {"place": 1}]


def test_contribution_rows_are_signed_and_hold_the_multiplier():
    spread = {"spreading_activation": True, "activation_score_multiplier": 0.5, "activation_top_k": 3}
    trace = retrieved("ab", max_depth=1, **spread, semantic=1.0, temporal=-2.0, bias=0.25)
    rows = contribution_rows(trace.hops[0])
    assert [(row["event_id"], row["term"]) for row in rows[:4]] == [("b", term) for term in ("semantic", "emotional", "temporal", "bias")]
    assert [row["contribution"] for row in rows[:4]] == pytest.approx([0.5 * 0.5**0.5, 0, 0.5 * -2 / (1 + 4), 0.5 * 0.25])
    assert [row["word"] for row in rows[:4]] == ["meaning", "feeling", "time", "bias"]
    assert {row["event_id"] for row in contribution_rows(trace.hops[0], most=1)} == {"b"}


@settings(max_examples=60)
@given(cases(smallest=1))
def test_the_rows_of_each_bar_add_up_to_its_score(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    for hop in trace.hops:
        bars: dict[int, float] = {}
        for place, row in enumerate(contribution_rows(hop, most=99)):
            bars[place // 4] = bars.get(place // 4, 0.0) + row["contribution"]
        assert list(bars.values()) == pytest.approx([row["score"] for row in hop["candidates"]], abs=1e-12)
    sums: dict[str, float] = {}
    for row in pool_contribution_rows(trace, most=99):
        sums[row["event_id"]] = sums.get(row["event_id"], 0.0) + row["contribution"]
    assert sums == pytest.approx({row["event_id"]: row["final_score"] for row in trace.pool if row["final_score"] is not None}, abs=1e-12)


def test_the_bars_of_the_pool_begin_with_the_seeds_and_leave_out_what_was_left_out():
    events = [*STORY, event("d", [1.0, 0.0], window=(None, -1))]
    trace = retrieved(events=events, mode="combined", temporal_weight=0.5, min_vector_score=0.0)
    rows = pool_contribution_rows(trace)
    assert list(dict.fromkeys(row["event_id"] for row in rows)) == ["b", "a", "c"]
    assert [(row["term"], row["word"]) for row in rows[:2]] == [("query", "similarity"), ("temporal", "time")]
    assert {row["event_id"] for row in pool_contribution_rows(trace, most=1)} == {"b"}


def test_the_bars_of_a_method_without_time_have_one_part():
    rows = pool_contribution_rows(retrieved(mode="vector", max_results=1))
    assert (rows[0]["event_id"], rows[0]["term"], rows[0]["contribution"]) == ("a", "query", 1.0)
    assert {row["term"] for row in rows} == {"query"}


def test_a_path_says_how_it_stands_against_the_next():
    trace = retrieved(mode="vector")
    assert path_sentence(trace, trace.paths[0]).startswith("0.293 ahead of ")
    assert path_sentence(trace, trace.paths[2]) == "last of 3"
    tied = retrieved(mode="vector", events=[event("a"), event("b")])
    assert path_sentence(tied, tied.paths[0]).startswith("tied with ")
    alone = retrieved(mode="vector", events=[event("a")])
    assert path_sentence(alone, alone.paths[0]) == "the only result"
    walked = retrieved("ab", mode="cpt", seed_nodes=2)
    assert path_sentence(walked, walked.paths[0]).endswith(" path 2")


def test_the_table_has_one_flat_row_a_candidate():
    trace = retrieved("abX", "abY", "ac", max_depth=1, semantic=2.0)
    rows = candidate_table(trace.hops[0])
    assert [(row["event_id"], row["outcome"], row["relations"]) for row in rows] == [
        ("b", "chosen", "X, Y"),
        ("c", "beyond branching_factor", "next"),
    ]
    assert rows[0]["semantic similarity"] == pytest.approx(0.5**0.5)
    assert rows[0]["semantic part"] == pytest.approx(2 * 0.5**0.5)
    assert not any(isinstance(value, dict | list) for row in rows for value in row.values())


def test_a_link_formula_has_its_numbers_in_place():
    events = [event("a", [1.0, 0.0], day=-2, emotional_vec=[1.0, 0.0]), event("b", [0.6, 0.8], day=-1, emotional_vec=[-1.0, 0.0])]
    weights = {"semantic": 0.0791, "emotional": -0.5179, "temporal": 3.147}
    trace = retrieved("ab", events=events, **weights)
    assert link_formula(trace.hops[0]["candidates"][0], trace.config) == "0.0791 × 0.6 − 0.518 × −1 + 3.15 × 0.5 = 2.14"
    trace = retrieved("ab", events=events, **weights, bias=-0.1)
    assert link_formula(trace.hops[0]["candidates"][0], trace.config) == "0.0791 × 0.6 − 0.518 × −1 + 3.15 × 0.5 − 0.1 = 2.04"


def test_a_link_formula_shows_the_multiplier_and_the_weights_that_counted():
    options = {"spreading_activation": True, "activation_score_multiplier": 0.5, "semantic": 1.0, "max_depth": 1}
    own = ALSConfig(bias=2.0)
    together = retrieved("ab", **options, activation_als_config=own)
    (both, _) = together.hops[0]["candidates"]
    assert link_formula(both, together.config) == "0.5 × (1 × 0.707 + 0 × 0 + 0 × 0.2) = 0.354"
    apart = retrieved("ab", **options, activation_als_config=own, activation_as_neighbors=False)
    formulas = {(row["event_id"], row["via"]): link_formula(row, apart.config) for row in apart.hops[0]["candidates"]}
    assert formulas[("b", "activation")] == "0.5 × (0 × 0.707 + 0 × 0 + 0 × 0.2 + 2) = 1"
    assert formulas[("b", "edge")] == "0.5 × (1 × 0.707 + 0 × 0 + 0 × 0.2) = 0.354"


def test_a_temporal_formula_has_its_numbers_in_place():
    trace = retrieved(mode="temporal", min_vector_score=0.0)
    rows = {row["event_id"]: row for row in trace.pool}
    assert temporal_formula(rows["b"], trace.config) == "0.5^(5 / 30) × 0.5 × 1 × 1 = 0.445"
    undated = retrieved(events=[event("a")])
    assert temporal_formula(undated.pool[0], undated.config) == "no date: 0"


def test_a_final_formula_follows_the_method():
    trace = retrieved(mode="temporal", max_results=3)
    rows = {row["event_id"]: row for row in trace.pool}
    assert final_formula(rows["a"], trace.config) == "0.65 × 1 + 0.35 × 0 = 0.65"
    assert final_formula(rows["c"], trace.config) == "0.3 × (0.65 × 0 + 0.35 × 0.977) = 0.103"
    vector = retrieved(mode="vector")
    assert final_formula(vector.pool[1], vector.config) == "similarity 0.707"
    assert final_formula(vector.paths[1], vector.config) == "0.707 = 0.707"
    cpt = retrieved("ab", bias=-1.0, semantic=0.0, max_depth=1)
    assert final_formula(cpt.paths[0], cpt.config) == "1 − 1 = 0"
    combined = retrieved(mode="combined", temporal_weight=0.25)
    assert final_formula(combined.paths[0], combined.config).startswith("0.75 × 1 + 0.25 × ")
    gone = retrieved(events=[event("a", window=(None, -1))], mode="combined")
    assert final_formula(gone.pool[0], gone.config) == "left out"


@settings(max_examples=40)
@given(cases(smallest=1))
def test_every_formula_counts_up_to_what_it_says(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    formulas = [link_formula(row, config) for hop in trace.hops for row in hop["candidates"]]
    formulas += [temporal_formula(row, config) for row in trace.pool if row["age_days"] is not None]
    finals = [final_formula(row, config) for row in [*trace.pool, *trace.paths]]
    for formula in formulas + [text for text in finals if " = " in text]:
        left, right = value_of(formula)
        # Each number is cut to three digits; the largest of them bounds what the cuts may add up to.
        largest = max([1.0, *(abs(float(found.replace("−", "-"))) for found in re.findall(r"[0-9.]+(?:e[+−]\d+)?", formula))])
        assert left == pytest.approx(right, abs=0.02 * largest)


def test_the_temporal_breakdown_has_words_for_every_part():
    trace = retrieved(mode="temporal", max_results=3)
    parts = {row["part"]: row["value"] for row in temporal_parts(trace.pool[1])}
    assert parts["Age"].startswith("5 day")
    assert parts["State"] == "valid"
    assert (parts["Recency in the pool"], parts["Validity"], parts["Event relevance"]) == ("0.5", "1", "1")
    assert parts["Decay"] == "0.891"
    assert parts["Time part"] == "0.445"
    assert all(row["meaning"] for row in temporal_parts(trace.pool[1]))
    undated = {row["part"]: row["value"] for row in temporal_parts(retrieved(events=[event("a")]).pool[0])}
    assert (undated["Age"], undated["Decay"], undated["Time part"]) == ("–", "0", "0")


def sentence(*edges: str, **options) -> str:
    return hop_sentence(retrieved(*edges, **{"max_depth": 1} | options).hops[0])


def test_a_hop_is_told_in_one_sentence():
    assert sentence("ab", "ac") == "Went to b: c is behind by 0.707."
    assert sentence("ab") == "Went to b: nothing else was open."
    assert sentence("ab", "ac", branching_factor=2) == "Went to b and c: nothing else was open."
    assert sentence("ab", "ac", semantic=0.0) == "Went to b: tied with c, the earlier link goes first."


def test_a_hop_that_goes_many_ways_names_three_and_counts_the_rest():
    def told(letters: str) -> str:
        story = [event(letter, [1.0, 0.0], day=-1) for letter in f"a{letters}"]
        return sentence(*(f"a{letter}" for letter in letters), events=story, branching_factor=len(letters))

    assert told("bcd") == "Went to b, c and d: nothing else was open."
    assert told("bcde") == "Went to b, c, d and e: nothing else was open."
    assert told("bcdef") == "Went to b, c, d and 2 more: nothing else was open."


def test_a_stop_is_told_with_its_reasons():
    assert sentence() == "Stopped: no link leads on from here."
    reasons = "2 below the minimum link score, 1 already on the path"
    assert sentence("ab", "ac", "aa", min_als_score=0.9) in (
        f"Stopped: nothing to step onto ({reasons}).",
        "Stopped: nothing to step onto (1 already on the path, 2 below the minimum link score).",
    )


def test_a_rival_that_scores_higher_says_why_it_was_left_out():
    drawn = {"random_sampling": True, "sampling_temperature": 100.0, "top_k": 1}
    sentences = {sentence("ab", "ac", **drawn, sampling_seed=seed) for seed in range(12)}
    assert sentences == {"Went to b: c is behind by 0.707.", "Went to c: b scores higher by 0.707 but was left out (not drawn)."}


def test_a_share_of_scores_below_zero_leaves_out_the_better_and_nothing_was_drawn():
    told = sentence("ab", "ac", bias=-5.0, semantic=1.0, top_p=0.5)
    assert told == "Went to c: b scores higher by 0.707 but was left out (outside the top share)."
    told = sentence("ab", "ac", bias=-5.0, semantic=0.0, top_p=0.5)
    assert told == "Went to c: b scores the same but was left out (outside the top share)."


def test_every_outcome_of_a_candidate_has_plain_words():
    assert set(OUTCOME_WORDS) == {
        "chosen",
        "below min_als_score",
        "outside top_k",
        "outside top_p",
        "not sampled",
        "beyond max_neighbors",
        "beyond branching_factor",
        "already on path",
        "expired",
        "superseded",
        "after as_of",
    }


@settings(max_examples=40)
@given(cases(smallest=1))
def test_every_outcome_that_occurs_has_plain_words(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    for hop in trace.hops:
        assert {row["outcome"] for row in hop["candidates"]} <= OUTCOME_WORDS.keys()
        assert hop_sentence(hop).endswith(".")
