"""`VectorStore`: a plain dot product, exact, with ties in order of insertion."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core import Document, EventError, VectorStore

NOW = datetime(2025, 6, 1)  # noqa: DTZ001 - as the second reference writes its times


def document(name, embedding):
    return Document(name, name, embedding=None if embedding is None else np.array(embedding), created_at=NOW)


def store_of(**embeddings):
    store = VectorStore()
    store.add([document(name, embedding) for name, embedding in embeddings.items()])
    return store


def found(store, query, **more):
    return [(item.id, score) for item, score in store.search(np.array(query), **more)]


def test_scores_are_dot_products_and_not_cosines():
    store = store_of(short=[1.0, 0.0], long=[3.0, 4.0], opposite=[-2.0, 0.0])
    assert found(store, [2.0, 1.0]) == [("long", 10.0), ("short", 2.0), ("opposite", -4.0)]


def test_a_zero_vector_scores_zero():
    assert found(store_of(zero=[0.0, 0.0], less=[-1.0, 0.0]), [1.0, 0.0]) == [("zero", 0.0), ("less", -1.0)]
    assert found(store_of(a=[1.0, 2.0], b=[3.0, 4.0]), [0.0, 0.0]) == [("a", 0.0), ("b", 0.0)]


def test_ties_come_in_order_of_insertion_and_twenty_are_given_unless_said_otherwise():
    store = store_of(**{f"d{i}": [1.0, float(i % 2)] for i in range(30)})
    assert [name for name, _ in found(store, [1.0, 0.0])] == [f"d{i}" for i in range(20)]
    assert [name for name, _ in found(store, [0.0, 1.0], top_k=3)] == ["d1", "d3", "d5"]
    assert found(store, [1.0, 0.0], top_k=0) == []
    assert len(found(store, [1.0, 0.0], top_k=99)) == 30


def test_documents_without_an_embedding_are_never_found():
    assert found(store_of(a=None, b=[1.0], c=[]), [1.0]) == [("b", 1.0)]
    assert found(store_of(a=None), [1.0]) == []
    assert found(VectorStore(), [1.0]) == []


def test_documents_added_later_are_found_and_those_changed_by_hand_after_recompile():
    store = store_of(a=[1.0])
    assert found(store, [1.0]) == [("a", 1.0)]
    store.add([document("b", [2.0])])
    assert found(store, [1.0]) == [("b", 2.0), ("a", 1.0)]
    store.documents[0].embedding = np.array([3.0])
    store.recompile()
    assert found(store, [1.0]) == [("a", 3.0), ("b", 2.0)]


def test_an_embedding_may_be_a_plain_list():
    store = VectorStore()
    store.add([Document("a", "words", embedding=[1.0, 2.0], created_at=NOW)])
    assert found(store, [3.0, 4.0]) == [("a", 11.0)]


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        ([1.0, 2.0, 3.0], r"embedding must have 2 numbers as the first vector has, got 3 \(event b\)"),
        ([1.0, float("nan")], r"embedding must be finite, got nan at position 1 \(event b\)"),
        ([float("inf"), 0.0], r"embedding must be finite, got inf at position 0 \(event b\)"),
    ],
)
def test_an_embedding_that_does_not_fit_names_its_document(embedding, message):
    store = store_of(a=[1.0, 0.0], b=embedding)
    with pytest.raises(EventError, match=message):
        store.search(np.array([1.0, 0.0]))


def test_a_query_that_does_not_fit_is_an_error_that_gives_both_sizes():
    with pytest.raises(EventError, match="query_embedding must have 2 numbers as the documents' have, got 1"):
        store_of(a=[1.0, 0.0]).search(np.array([1.0]))
    with pytest.raises(EventError, match="query_embedding must be finite, got nan"):
        store_of(a=[1.0]).search(np.array([float("nan")]))


ROWS = arrays(np.float64, st.tuples(st.integers(1, 30), st.just(4)), elements=st.integers(-3, 3).map(float) | st.floats(-1e3, 1e3))


@given(ROWS, arrays(np.float64, 4, elements=st.floats(-1e3, 1e3)), st.integers(0, 35), st.sampled_from([np.float64, np.float32]))
def test_the_search_equals_a_slow_one(rows, query, top_k, dtype):
    rows = rows.astype(dtype)
    store = VectorStore()
    store.add([document(str(i), row) for i, row in enumerate(rows)])
    scores = [float(np.dot(query, row.astype(np.float64))) for row in rows]
    expected = sorted(range(len(rows)), key=lambda i: -scores[i])[:top_k]
    assert found(store, query, top_k=top_k) == [(str(i), scores[i]) for i in expected]
