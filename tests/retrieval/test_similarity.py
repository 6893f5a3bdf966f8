"""How like a question each event is, in meaning and in mood."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import EMOTIONAL, QUERIES, SEMANTIC, event

from affrag_core.errors import EncoderError
from affrag_core.graph.structure import EventGraph
from affrag_core.index.exact import ExactIndex
from affrag_core.retrieval.similarity import QuerySimilarity


def similarity_of(events, query, **mood) -> QuerySimilarity:
    arrays = EventGraph.build(events).arrays
    index = ExactIndex(arrays.semantic.matrix, norms=arrays.semantic.norms, members=arrays.semantic.present)
    mood |= {"mood": np.array(mood["mood"], dtype=np.float64)} if "mood" in mood else {}
    return QuerySimilarity(np.array(query, dtype=np.float64), index, semantic=arrays.semantic, emotional=arrays.emotional, **mood)


EVENTS = [event("a", [3.0, 4.0], emotional_vec=[-1.0, 0.0]), event("b", [1.0, 0.0], emotional_vec=[0.0, 2.0]), event("c", None)]
ALL = np.ones(3, dtype=bool)


def test_similarity_is_the_cosine_to_the_question():
    found = similarity_of(EVENTS, [2.0, 0.0])
    assert found.of(np.array([0, 1, 2])).tolist() == pytest.approx([3 / 5, 1, 0])
    positions, scores = found.best(5, ALL)
    assert (positions.tolist(), scores.tolist()) == ([1, 0], pytest.approx([1, 3 / 5]))


def test_a_mood_adds_its_weight_times_the_cosine_of_feeling():
    found = similarity_of(EVENTS, [2.0, 0.0], mood=[-3.0, 0.0], mood_weight=0.5)
    assert found.of(np.array([0, 1, 2])).tolist() == pytest.approx([3 / 5 + 0.5 * 1, 1 + 0.5 * 0, 0])
    assert found.best(1, ALL)[0].tolist() == [0]


def test_a_negative_mood_weight_seeks_the_opposite_feeling():
    assert similarity_of(EVENTS, [2.0, 0.0], mood=[-3.0, 0.0], mood_weight=-1.0).of(np.array([0]))[0] == pytest.approx(3 / 5 - 1)


def test_only_allowed_events_with_a_vector_are_among_the_best():
    for mood in ({}, {"mood": [1.0, 0.0], "mood_weight": 1.0}):
        assert similarity_of(EVENTS, [1.0, 1.0], **mood).best(5, np.array([False, True, True]))[0].tolist() == [1]
        assert similarity_of(EVENTS, [1.0, 1.0], **mood).best(5, ~ALL)[0].tolist() == []


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_huge_and_tiny_questions_and_moods_count_by_their_direction(scale):
    found = similarity_of(EVENTS, [2 * scale, 0.0], mood=[-3 * scale, 0.0], mood_weight=0.5)
    assert found.of(np.array([0, 1])).tolist() == pytest.approx([3 / 5 + 0.5, 1])


def test_a_workspace_without_vectors_is_like_no_question():
    found = similarity_of([event("a", None)], [1.0, 2.0, 3.0])
    assert found.best(5, np.array([True]))[0].tolist() == []
    assert found.of(np.array([0])).tolist() == [0]


def test_a_mood_finds_nothing_in_a_workspace_without_feelings():
    assert similarity_of([event("a")], [1.0, 0.0], mood=[1.0], mood_weight=9.0).of(np.array([0])).tolist() == [1]


def test_a_question_of_another_length_is_refused_with_both_sizes():
    with pytest.raises(EncoderError, match="the question's vector has 3 numbers, the events' vectors have 2"):
        similarity_of(EVENTS, [1.0, 2.0, 3.0])


def test_a_mood_of_another_length_is_refused_only_where_it_counts():
    with pytest.raises(EncoderError, match="the mood's vector has 1 numbers, the events' vectors have 2"):
        similarity_of(EVENTS, [1.0, 0.0], mood=[1.0], mood_weight=0.1)
    assert similarity_of(EVENTS, [1.0, 0.0], mood=[1.0], mood_weight=0.0).of(np.array([1])).tolist() == [1]


@given(
    st.lists(st.tuples(st.sampled_from([*SEMANTIC, None]), st.sampled_from([*EMOTIONAL, None])), min_size=1, max_size=12),
    st.sampled_from(QUERIES),
    st.sampled_from([0.0, 0.7, -2.0]),
    st.integers(0, 14),
    st.data(),
)
def test_the_best_are_those_that_score_best_one_by_one(rows, query, weight, k, data):
    events = [event(f"e{i}", meaning, emotional_vec=feeling) for i, (meaning, feeling) in enumerate(rows)]
    allowed = np.array([data.draw(st.booleans()) for _ in rows])
    found = similarity_of(events, query, mood=[0.3, -0.7], mood_weight=weight)
    singly = [float(found.of(np.array([i]))[0]) for i in range(len(rows))]
    assert found.of(np.arange(len(rows))).tolist() == singly
    if any(meaning is not None for meaning, _ in rows):
        open_rows = [i for i, (meaning, _) in enumerate(rows) if allowed[i] and meaning is not None]
        expected = sorted(open_rows, key=lambda i: -singly[i])[:k]
        positions, scores = found.best(k, allowed)
        assert (positions.tolist(), scores.tolist()) == (expected, [singly[i] for i in expected])
