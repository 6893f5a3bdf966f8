"""Which candidates stay in play: top-p, the draw, top-k."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_reading import cut as slow_cut

from affrag_core.config import CPTConfig
from affrag_core.retrieval.sampling import Cut, draw, generator, nucleus

SCORES = st.lists(st.integers(-40, 40).map(lambda n: n / 7), max_size=12)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("top_p", "kept"),
    [(0.0, [1]), (1e-9, [1]), (0.4, [1]), (0.41, [1, 3]), (0.7, [1, 3]), (0.71, [1, 3, 0]), (1.0, [1, 3, 0, 2])],
)
def test_top_p_keeps_the_fewest_that_hold_that_share(top_p, kept):
    """Shares 0.2, 0.4, 0.1, 0.3."""
    assert nucleus([2, 4, 1, 3], top_p) == kept


def test_of_equal_shares_the_later_comes_first():
    assert nucleus([1, 1, 1, 1], 0.5) == [3, 2]


@pytest.mark.parametrize("scores", [[-3, -1, -2], [0, 0, 0], [2, -1, -1]])
def test_where_scores_do_not_add_up_above_zero_every_candidate_has_the_same_share(scores):
    assert nucleus(scores, 0.0) == [2]
    assert nucleus(scores, 0.5) == [2, 1]
    assert nucleus(scores, 1.0) == [2, 1, 0]


def test_negative_scores_leave_the_rest_more_than_all():
    """Shares 3 / 1, -2 / 1: the first alone holds three times the sum."""
    assert nucleus([3, -2], 1.0) == [0]


def test_nothing_to_choose_from_leaves_nothing():
    assert nucleus([], 0.5) == []
    assert Cut(3, 0.5, None).apply([], None) == []
    assert Cut(3, 0.5, 1.0).apply([], rng()) == []


@given(SCORES, st.sampled_from([None, 0, 1, 3, 99]), st.sampled_from([None, 0.0, 1e-9, 0.43, 0.91]))
def test_a_cut_equals_a_slow_reading(scores, top_k, top_p):
    assert Cut(top_k, top_p, None).apply(scores, None) == slow_cut(list(enumerate(scores)), top_k, top_p)[1]


@given(SCORES, st.lists(st.floats(0, 1), min_size=2, max_size=5).map(sorted))
def test_a_larger_top_p_keeps_what_a_smaller_keeps(scores, shares):
    kept = [nucleus(scores, share) for share in shares]
    assert all(more[: len(fewer)] == fewer for fewer, more in pairwise(kept))


def test_without_limits_all_stay_best_first_and_ties_in_order():
    assert Cut(None, None, None).apply([1, 3, 1, 2], None) == [1, 3, 0, 2]
    assert Cut(0, None, None).apply([1, 3], None) == []


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=10), st.floats(1e-3, 50), st.integers(0, 2**32 - 1), st.data())
def test_a_draw_takes_each_at_most_once(scores, temperature, seed, data):
    size = data.draw(st.integers(1, len(scores)))
    drawn = draw(scores, size, temperature, rng(seed))
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(range(len(scores)))
    assert drawn == draw(scores, size, temperature, rng(seed))


def test_a_draw_follows_the_chances():
    """At temperature 1 the scores 0 and ln 3 have the chances 1 / 4 and 3 / 4; at 1/2 they have 1 / 10 and 9 / 10."""
    for temperature, chance in [(1.0, 3 / 4), (0.5, 9 / 10), (1e9, 1 / 2)]:
        one = rng(1)
        counts = Counter(draw([0.0, np.log(3)], 1, temperature, one)[0] for _ in range(2000))
        assert counts[1] / 2000 == pytest.approx(chance, abs=0.04)


@pytest.mark.parametrize("temperature", [1e-9, 1e-300, 5e-324])
def test_next_to_no_temperature_takes_the_best_alone(temperature):
    assert {draw([1.0, 5.0, 3.0], 1, temperature, rng(seed))[0] for seed in range(20)} == {1}


def test_where_too_few_have_a_chance_the_first_are_taken():
    assert draw([0.0, 1e6, 5.0], 2, 1e-3, rng()) == [0, 1]


def test_a_draw_takes_as_many_as_top_k_says_within_top_p():
    cut = Cut(2, 0.75, 1.0)
    seen = Counter(position for seed in range(200) for position in cut.apply([2, 4, 1, 3], rng(seed)))
    assert set(seen) == {1, 3, 0}  # shares 0.4 + 0.3 + 0.2 reach 0.75
    assert sum(seen.values()) == 2 * 200


def test_a_draw_with_top_k_zero_takes_all_as_in_the_reference():
    assert sorted(Cut(0, None, 1.0).apply([1, 2, 3], rng())) == [0, 1, 2]


def test_temperature_zero_or_none_means_no_draw():
    for temperature in (None, 0.0):
        config = CPTConfig(random_sampling=True, sampling_temperature=temperature)
        assert Cut.of_hop(config).temperature is None
        assert generator(config) is None
    assert Cut.of_hop(CPTConfig(sampling_temperature=2.0)).temperature is None


def test_the_activation_falls_back_on_the_hop_where_it_has_no_setting_of_its_own():
    hop = {"top_k": 3, "top_p": 0.9, "random_sampling": True, "sampling_temperature": 2.0}
    assert Cut.of_activation(CPTConfig(**hop, activation_top_k=None)) == Cut(3, 0.9, 2.0)
    own = {"activation_top_k": 7, "activation_top_p": 0.1, "activation_sampling_temperature": 0.5}
    assert Cut.of_activation(CPTConfig(**hop, **own)) == Cut(7, 0.1, 0.5)
    assert Cut.of_activation(CPTConfig(**hop, activation_random=False)).temperature is None
    assert Cut.of_activation(CPTConfig(sampling_temperature=2.0, activation_random=True)).temperature == 2.0
    assert Cut.of_activation(CPTConfig(**hop, activation_sampling_temperature=0.0)).temperature is None


def test_the_generator_repeats_with_a_seed_and_starts_afresh_without():
    draws = {"random_sampling": True, "sampling_temperature": 1.0}
    one, two, other = (generator(CPTConfig(**draws, sampling_seed=seed)).random() for seed in (5, 5, 6))
    assert one == two != other
    assert generator(CPTConfig(**draws)).random() != generator(CPTConfig(**draws)).random()
    assert generator(CPTConfig(activation_random=True, sampling_temperature=1.0, sampling_seed=5)).random() == one
