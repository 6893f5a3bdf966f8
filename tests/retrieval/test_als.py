"""Link scores: a weighted sum, term by term."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.config import DEFAULT_ALS_CONFIG, ALSConfig
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.structure import EventGraph
from affrag_core.retrieval.als import TERMS, LinkScorer, link_contributions, link_scores, term_weights

WEIGHTS = st.builds(ALSConfig, **dict.fromkeys(ALSConfig.model_fields, st.floats(-5, 5)))
FEATURES = st.integers(0, 12).flatmap(lambda n: arrays(np.float64, (n, 3), elements=st.floats(-1, 1)))


def graph_of(vectors: dict[str, list[float]], *pairs: str) -> EventGraph:
    when = datetime(2025, 1, 1, tzinfo=UTC)
    events = [Event(id=key, text=key, semantic_vec=vector, timestamp=when) for key, vector in vectors.items()]
    return EventGraph.build(events, [Edge(source=pair[0], target=pair[1]) for pair in pairs])


def test_a_score_is_each_similarity_by_its_weight_and_the_bias():
    config = ALSConfig(semantic_weight=2, emotional_weight=-1, temporal_weight=0.5, bias=0.1)
    assert link_scores(np.array([[0.5, 0.25, 1.0]]), config) == pytest.approx([2 * 0.5 - 1 * 0.25 + 0.5 * 1.0 + 0.1], abs=1e-15)


def test_the_published_weights_score_the_published_way():
    assert link_scores(np.array([[1.0, 1.0, 1.0]]), DEFAULT_ALS_CONFIG) == pytest.approx([0.0791 - 0.5179 + 3.1470], abs=1e-12)


def test_weights_of_zero_score_every_link_zero():
    assert link_scores(np.ones((3, 3)), ALSConfig()).tolist() == [0, 0, 0]


def test_no_links_have_no_scores():
    assert link_scores(np.zeros((0, 3)), DEFAULT_ALS_CONFIG).shape == (0,)
    assert link_contributions(np.zeros((0, 3)), DEFAULT_ALS_CONFIG).shape == (0, 4)


def test_every_term_has_a_weight_of_its_name_and_there_is_no_other():
    assert {f"{term}_weight" for term in TERMS} == ALSConfig.model_fields.keys() - {"bias"}
    assert term_weights(DEFAULT_ALS_CONFIG).tolist() == [0.0791, -0.5179, 3.1470]


@given(FEATURES, WEIGHTS)
def test_contributions_sum_to_the_score(features, config):
    assert link_contributions(features, config).sum(axis=1) == pytest.approx(link_scores(features, config), abs=1e-12)


@given(FEATURES, WEIGHTS)
def test_many_links_at_once_equal_one_at_a_time(features, config):
    assert link_scores(features, config).tolist() == [link_scores(row[None], config)[0] for row in features]


@given(FEATURES, WEIGHTS, st.floats(0, 3))
def test_more_weight_on_a_term_raises_what_is_like_and_lowers_what_is_unlike(features, config, more):
    heavier = config.with_changes(semantic_weight=config.semantic_weight + more)
    change = link_scores(features, heavier) - link_scores(features, config)
    assert change == pytest.approx(more * features[:, 0], abs=1e-12)


@given(FEATURES, WEIGHTS)
def test_scoring_leaves_the_features_as_they_were(features, config):
    before = features.copy()
    link_scores(features, config)
    link_contributions(features, config)
    assert np.array_equal(features, before)


def test_a_row_keeps_the_order_of_the_graph_and_knows_the_order_of_the_scores():
    graph = graph_of({"a": [1, 0], "b": [0, 1], "c": [1, 1], "d": [1, 1], "e": [1, 0]}, "ab", "ac", "ad", "ae")
    row = LinkScorer(graph, ALSConfig(semantic_weight=1)).row(0)
    assert row.targets == [1, 2, 3, 4]
    assert row.scores == pytest.approx([0, 0.5**0.5, 0.5**0.5, 1])
    assert row.order == [3, 1, 2, 0]  # c before d: a tie


def test_a_row_is_scored_once():
    scorer = LinkScorer(graph_of({"a": [1, 0], "b": [0, 1]}, "ab"), DEFAULT_ALS_CONFIG)
    assert scorer.row(0) is scorer.row(0)
    assert scorer.row(1).targets == []


def test_any_two_events_have_a_score_under_any_weights():
    scorer = LinkScorer(graph_of({"a": [1, 0], "b": [0, 1], "c": [1, 1]}, "ab"), ALSConfig(semantic_weight=1))
    assert scorer.scores(0, [2, 0]) == pytest.approx([0.5**0.5, 1])
    assert scorer.scores(0, [2], ALSConfig(temporal_weight=2, bias=1)) == [2 * 1 + 1]
    assert scorer.scores(0, []) == []
