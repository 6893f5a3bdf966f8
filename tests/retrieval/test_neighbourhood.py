"""What a traversal over compiled arrays knows of each event."""

from __future__ import annotations

import numpy as np
import pytest
from retrieval_cases import event, links

from affrag_core.config import ALSConfig, CPTConfig
from affrag_core.graph.structure import EventGraph
from affrag_core.index.exact import ExactIndex
from affrag_core.retrieval.als import LinkScorer
from affrag_core.retrieval.neighbourhood import ArrayNeighbourhood

EVENTS = [event("a", [1.0, 0.0]), event("b", [1.0, 1.0]), event("c", None), event("d", [1.0, 0.1]), event("e", [0.0, 0.0])]
SEMANTIC = ALSConfig(semantic_weight=1)


class CountingIndex(ExactIndex):
    """An index that counts how often it is asked."""

    asked = 0

    def search(self, query, k, *, allowed=None):
        self.asked += 1
        return super().search(query, k, allowed=allowed)


def around(exists=(True,) * 5, **settings) -> tuple[ArrayNeighbourhood, CountingIndex]:
    graph = EventGraph.build(EVENTS, links("ab", "ac"))
    semantic = graph.arrays.semantic
    index = CountingIndex(semantic.matrix, norms=semantic.norms, members=semantic.present)
    return ArrayNeighbourhood(LinkScorer(graph, SEMANTIC), index, np.array(exists), CPTConfig(**settings)), index


def test_neighbours_come_with_their_link_scores():
    row = around()[0].row(0)
    assert row.targets == [1, 2]
    assert row.scores == pytest.approx([0.5**0.5, 0])


def test_activated_are_the_most_alike_in_meaning_itself_among_them():
    found, _ = around(activation_top_k=2)
    assert found.activated(0) == [(0, 1.0), (3, pytest.approx(1 / 1.01**0.5))]


def test_without_a_limit_every_event_with_a_vector_is_activated():
    assert [i for i, _ in around(activation_top_k=None)[0].activated(0)] == [0, 3, 1, 4]
    assert around(activation_top_k=0)[0].activated(0) == []


def test_only_what_exists_is_activated():
    assert [i for i, _ in around((True, True, True, False, True))[0].activated(0)] == [0, 1, 4]


def test_an_event_without_a_vector_activates_nothing():
    assert around()[0].activated(2) == []


def test_each_event_is_looked_up_once_a_retrieval():
    found, index = around()
    assert [found.activated(i) for i in (0, 1, 0, 1)][2:] == [found.activated(0), found.activated(1)]
    assert index.asked == 2


def test_scores_follow_the_activations_own_weights_only_where_it_stands_apart():
    own, _ = around(activation_als_config=ALSConfig(bias=7))
    assert own.scores(0, [3], apart=True) == [7]
    assert own.scores(0, [3], apart=False) == pytest.approx([1 / 1.01**0.5])
    assert around()[0].scores(0, [3], apart=True) == pytest.approx([1 / 1.01**0.5])
    assert own.scores(0, [], apart=True) == []
