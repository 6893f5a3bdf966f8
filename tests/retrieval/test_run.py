"""The parts of each candidate's score, recomputed from what the traversal used."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases, event, links, settings_for

from affrag_core.config import ALSConfig
from affrag_core.retrieval import retriever as retriever_module
from affrag_core.retrieval.retriever import Retriever
from affrag_core.retrieval.run import Run


@pytest.fixture
def runs(monkeypatch) -> list[Run]:
    """The runs of the retrievals that a test makes."""
    made: list[Run] = []

    def kept(*parts):
        made.append(Run(*parts))
        return made[-1]

    monkeypatch.setattr(retriever_module, "Run", kept)
    return made


STORY = [event("a", [1.0, 0.0], day=-3), event("b", [1.0, 1.0], day=-2), event("c", [0.0, 1.0], day=-1)]
APART = {"spreading_activation": True, "activation_as_neighbors": False, "activation_score_multiplier": 0.5}


def test_parts_are_weight_times_similarity_and_the_bias(runs):
    config = settings_for("cpt", semantic=2.0, temporal=4.0, bias=0.1, seed_nodes=1)
    Retriever(MemorySource(STORY, links("ab"))).retrieve([1, 0], config, NOW)
    terms = runs[0].hop_terms(runs[0].traversal.hops[0])
    assert terms.similarities == pytest.approx(np.array([[0.5**0.5, 0, 1 / (1 + 1)]]))
    assert terms.contributions == pytest.approx(np.array([[2 * 0.5**0.5, 0, 4 / 2, 0.1]]))
    assert terms.multipliers.tolist() == [1]


def test_activated_events_that_stand_apart_have_parts_by_their_own_weights(runs):
    own = ALSConfig(bias=3.0)
    config = settings_for("cpt", seed_nodes=1, max_depth=1, **APART, activation_als_config=own)
    Retriever(MemorySource(STORY, links("ab"))).retrieve([1, 0], config, NOW)
    hop = runs[0].traversal.hops[0]
    terms = runs[0].hop_terms(hop)
    assert hop.candidates.row.targets == [1, 1, 2]  # b by its link, then b and c by activation
    assert terms.contributions[:, 3].tolist() == [0, 3, 3]
    assert terms.contributions[:, 0] == pytest.approx([0.5**0.5, 0, 0])
    assert terms.multipliers.tolist() == [0.5, 0.5, 0.5]  # a neighbour that is activated too is multiplied, as in the reference


@settings(max_examples=60)
@given(cases(smallest=2))
def test_the_parts_of_every_candidate_add_up_to_the_score_it_was_walked_by(case):
    events, edges, query, config = case
    made: list[Run] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retriever_module, "Run", lambda *parts: made.append(Run(*parts)) or made[-1])
        Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    for hop in made[0].traversal.hops:
        terms = made[0].hop_terms(hop)
        assert terms.multipliers * terms.contributions.sum(axis=1) == pytest.approx(hop.candidates.row.scores, abs=1e-12)
