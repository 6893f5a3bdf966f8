"""Random sampling on one hop with three candidates, where every chance can be worked out by hand."""

from __future__ import annotations

from collections import Counter
from math import exp, sqrt

import numpy as np
import pytest
from reference_cases import steady_numpy

import affrag_core
from affrag_core.retrieval.sampling import Cut

N_DRAWS = 600
SCORES = {"b": 0.0, "c": 1.0, "d": 2.0}
CHANCE = {key: exp(score) / (1 + exp(1) + exp(2)) for key, score in SCORES.items()}
"""Chances of a single draw at temperature 1."""
PAIR_BEST = {
    "c": CHANCE["b"] * CHANCE["c"] * (1 / (1 - CHANCE["b"]) + 1 / (1 - CHANCE["c"])),
    "d": 1 - CHANCE["b"] * CHANCE["c"] * (1 / (1 - CHANCE["b"]) + 1 / (1 - CHANCE["c"])),
}
"""Chances of the better one of two that are drawn without replacement: c only where d is not drawn."""


def step(library, **settings):
    """The event stepped onto from a."""
    graph = library.MemoryGraph()
    for event_id in "abcd":
        graph.add_event(event_id, {})
    for event_id in "bcd":
        graph.add_edge("a", event_id)
    config = library.CPTConfig(max_depth=1, random_sampling=True, **settings)
    result = graph.retrieve("?", vector_lookup=lambda q: [("a", 0.0)], cpt_config=config, score_fn=lambda a, b: SCORES[b["id"]])
    return result.paths[0].nodes[-1]["id"]


def steps(n=N_DRAWS, **settings):
    return Counter(step(affrag_core, sampling_seed=seed, **settings) for seed in range(n))


def assert_spread(counts, chances):
    """Every count lies within four standard deviations of what is expected, and nothing else occurs."""
    assert counts.keys() <= chances.keys()
    n = counts.total()
    for key, chance in chances.items():
        assert abs(counts[key] - n * chance) <= 4 * sqrt(n * chance * (1 - chance)), f"{key}: {counts[key]} of {n}"


@pytest.mark.parametrize(("size", "chances"), [(1, CHANCE), (2, PAIR_BEST), (3, {"d": 1.0}), (None, {"d": 1.0}), (0, {"d": 1.0})])
def test_draws_over_many_seeds_spread_as_their_chances(size, chances):
    assert_spread(steps(top_k=size, sampling_temperature=1.0, n=N_DRAWS if len(chances) > 1 else 20), chances)


def test_a_high_temperature_evens_the_chances_out():
    assert_spread(steps(top_k=1, sampling_temperature=1e9), dict.fromkeys("bcd", 1 / 3))


@pytest.mark.parametrize("temperature", [None, 0.0, 1e-9, 1e-300])
def test_without_a_temperature_or_near_zero_the_best_is_taken(temperature):
    assert steps(n=20, top_k=1, sampling_temperature=temperature) == {"d": 20}


def test_top_p_comes_before_the_draw():
    kept = {"c": exp(1) / (exp(1) + exp(2)), "d": exp(2) / (exp(1) + exp(2))}  # 2 of 3 is below 0.9, and 2 + 1 of 3 reach it
    assert_spread(steps(top_k=1, top_p=0.9, sampling_temperature=1.0), kept)
    assert steps(n=20, top_k=1, top_p=0.6, sampling_temperature=1.0) == {"d": 20}


def test_where_too_few_have_a_chance_the_first_candidates_are_taken():
    assert steps(n=5, top_k=2, sampling_temperature=1e-9) == {"c": 5}  # b and c come first, and c is the better


def test_a_fresh_draw_of_activated_events_opens_a_dead_end_again():
    """From a, one of two hits is drawn at each of three depths; the graph holds only b, and b leads nowhere."""
    hits = {"?": [("a", 0.0)], "text a": [("gone", 0.5), ("b", 0.5)]}
    ends = Counter()
    for seed in range(N_DRAWS):
        graph = affrag_core.MemoryGraph()
        graph.add_event("a", {"text": "text a"})
        graph.add_event("b", {})
        config = affrag_core.CPTConfig(
            spreading_activation=True, activation_top_k=1, activation_random=True, activation_sampling_temperature=1.0, sampling_seed=seed
        )
        result = graph.retrieve("?", vector_lookup=hits.get, cpt_config=config)
        ends[result.paths[0].nodes[-1]["id"]] += 1
    assert_spread(ends, {"a": 0.5**3, "b": 1 - 0.5**3})


@pytest.mark.parametrize(
    ("settings", "draws"),
    [
        ({}, False),
        ({"activation_random": True}, False),
        ({"activation_random": True, "activation_sampling_temperature": 9.0}, True),
        ({"activation_random": True, "sampling_temperature": 9.0}, True),
        ({"activation_random": True, "sampling_temperature": 9.0, "activation_sampling_temperature": 0.0}, False),
        ({"random_sampling": True, "sampling_temperature": 9.0}, True),
        ({"random_sampling": True, "activation_sampling_temperature": 9.0}, True),
        ({"random_sampling": True, "sampling_temperature": 9.0, "activation_random": False}, False),
    ],
)
def test_activated_events_are_drawn_by_their_own_settings_or_else_by_the_hops(settings, draws):
    cut = Cut.of_activation(affrag_core.CPTConfig(activation_top_k=1, **settings))
    kept = {cut.apply([0.3, 0.2, 0.1], np.random.default_rng(seed))[0] for seed in range(40)}
    assert kept == ({0, 1, 2} if draws else {0})


def test_the_package_spreads_its_draws_the_same_way(monkeypatch):
    published = pytest.importorskip("affective_rag", reason="affective-rag 0.1.0, the published first reference, is not installed")
    monkeypatch.setattr("affective_rag.core.context_path_traversal._np", steady_numpy(np.random.default_rng(11)))
    for size, chances in ((1, CHANCE), (2, PAIR_BEST)):
        assert_spread(Counter(step(published, top_k=size, sampling_temperature=1.0) for _ in range(N_DRAWS)), chances)


def test_the_same_seed_repeats_a_draw_and_none_draws_afresh():
    settings = {"top_k": 1, "sampling_temperature": 1e9}
    assert all(step(affrag_core, sampling_seed=seed, **settings) == step(affrag_core, sampling_seed=seed, **settings) for seed in range(5))
    assert len({step(affrag_core, **settings) for _ in range(60)}) > 1  # all alike by chance once in 3 ** 59 runs


def test_global_random_state_is_neither_used_nor_changed():
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    drawn = [step(affrag_core, sampling_seed=0, top_k=1, sampling_temperature=1.0) for _ in range(3)]
    assert np.random.random() == expected
    assert len(set(drawn)) == 1
