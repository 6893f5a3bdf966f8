"""`TemporalRAG`, `NaiveRAG` and the encoder they share: from texts to a context."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import sqrt

import numpy as np
import pytest

from affrag_core import Document, DocumentKind, EmbeddingModel, NaiveRAG, TemporalConfig, TemporalRAG
from affrag_core.reference import systems

NOW = datetime(2025, 6, 1, 12)  # noqa: DTZ001 - as the second reference writes its times


def documents():
    """A limit that was lifted for two days, the rule it returns to, and something else."""
    return [
        Document("rule", "the limit is ten requests", created_at=NOW - timedelta(days=60), doc_type="policy", kind=DocumentKind.VERSIONED),
        Document(
            "lifted",
            "the limit is lifted today",
            created_at=NOW - timedelta(days=1),
            kind=DocumentKind.EVENT,
            valid_until=NOW + timedelta(hours=24),
        ),
        Document("lunch", "soup and bread", created_at=NOW - timedelta(days=3)),
    ]


@pytest.fixture
def rag(capsys):
    rag = TemporalRAG()
    rag.index(documents())
    capsys.readouterr()
    return rag


def test_indexing_says_how_many_as_the_reference_does(capsys):
    rag = TemporalRAG()
    rag.index(documents())
    assert capsys.readouterr().out == "Indexed 3 documents.\n"
    NaiveRAG().index(documents())
    assert capsys.readouterr().out == ""


def test_the_live_event_stands_before_the_rule_while_it_lasts(rag):
    during, after = (rag.retrieve("what is the limit", query_time=time) for time in (NOW, NOW + timedelta(days=2)))
    assert [item.document.id for item in during] == ["lifted", "rule", "lunch"]
    assert [item.document.id for item in after] == ["rule", "lunch"]


def test_the_scores_follow_from_similarity_and_age(rag):
    lifted, rule, lunch = rag.retrieve("what is the limit", query_time=NOW)
    # Three known terms in the question, five in each document: 3 / sqrt(15) for both, the best of the pool.
    assert lifted.final_score == pytest.approx(0.65 + 0.35 * 0.5 ** (1 / 30) * 1.2, abs=1e-12)
    assert rule.final_score == pytest.approx(0.65 + 0.35 * 0.5 ** (60 / 30) * 0, abs=1e-12)
    assert lunch.final_score == pytest.approx(0.3 * 0.35 * 0.5 ** (3 / 30) * (1 - 2 / 59), abs=1e-12)


def test_the_pool_bounds_what_time_can_raise():
    rag = TemporalRAG(temporal_config=TemporalConfig(temporal_weight=1.0, min_vector_score=0.0), candidate_pool_size=1)
    rag.index(documents())
    assert [item.document.id for item in rag.retrieve("the limit is ten", query_time=NOW)] == ["rule"]


def test_a_context_has_ages_as_of_the_retrieval_and_not_of_the_clock(rag):
    results = rag.retrieve("what is the limit", top_k=2, query_time=NOW)
    assert rag.build_context(results) == (
        f"[Source 1 | general | EVENT | 1 days ago | freshness: {0.5 ** (1 / 30):.2f}]\nthe limit is lifted today\n\n"
        "[Source 2 | policy | VERSIONED | 60 days ago | freshness: 0.25]\nthe limit is ten requests"
    )
    assert rag.build_context([]) == ""


def test_the_naive_baseline_knows_no_time_but_states_ages_as_of_one():
    rag = NaiveRAG()
    rag.index(documents())
    results = rag.retrieve("what is the limit", top_k=2)
    assert [(document.id, score) for document, score in results] == [
        ("rule", pytest.approx(3 / sqrt(15), abs=1e-12)),
        ("lifted", pytest.approx(3 / sqrt(15), abs=1e-12)),
    ]
    assert rag.build_context(results, query_time=NOW + timedelta(days=1)) == (
        "[Source 1 | policy | 61 days ago | similarity: 0.77]\nthe limit is ten requests\n\n"
        "[Source 2 | general | 2 days ago | similarity: 0.77]\nthe limit is lifted today"
    )


def test_only_these_faces_read_the_clock_where_no_time_is_given(rag, monkeypatch):
    monkeypatch.setattr(systems, "utc_clock", lambda: NOW + timedelta(days=30))
    results = rag.retrieve("what is the limit")
    assert {item.query_time for item in results} == {NOW + timedelta(days=30)}
    naive = NaiveRAG()
    naive.index(documents())
    assert "90 days ago" in naive.build_context(naive.retrieve("ten requests"))


def test_the_clock_of_the_faces_is_utc(rag):
    before = datetime.now(UTC).replace(tzinfo=None)
    [*_, last] = rag.retrieve("soup")
    assert before <= last.query_time <= datetime.now(UTC).replace(tzinfo=None)


def test_the_default_answer_has_five_documents_from_a_pool_of_twenty():
    rag, naive = TemporalRAG(), NaiveRAG()
    assert rag.candidate_pool_size == 20
    for system in (rag, naive):
        system.index([Document(str(i), f"word{i} limit", created_at=NOW) for i in range(9)])
    assert len(rag.retrieve("limit", query_time=NOW)) == len(naive.retrieve("limit")) == 5


def test_any_encoder_with_the_same_two_methods_fits():
    class Lengths:
        def encode(self, text):
            return np.array([float(len(text)), 1.0])

        def encode_corpus(self, texts):
            return [self.encode(text) for text in texts]

    rag = TemporalRAG(embedding_model=Lengths())
    rag.index(documents())
    assert rag.store.search(np.array([1.0, 0.0]), top_k=1)[0][1] == len("the limit is ten requests")


def test_a_system_without_documents_finds_nothing():
    assert TemporalRAG().retrieve("anything", query_time=NOW) == []
    assert NaiveRAG().retrieve("anything") == []


def test_terms_are_counted_by_their_place_in_the_sorted_vocabulary():
    model = EmbeddingModel()
    first, second = model.encode_corpus(["b A a", "c"])
    assert (model.vocab, model.dim) == ({"a": 0, "b": 1, "c": 2}, 256)
    assert first[:3] == pytest.approx([2 / sqrt(5), 1 / sqrt(5), 0])
    assert second[:3] == pytest.approx([0, 0, 1])
    assert model.encode("A c unknown")[:3] == pytest.approx([1 / sqrt(2), 0, 1 / sqrt(2)])
    assert not model.encode("unknown").any()
    assert not EmbeddingModel().encode("before any corpus").any()


def test_a_new_corpus_brings_a_new_vocabulary():
    model = EmbeddingModel()
    model.encode_corpus(["a b"])
    model.encode_corpus(["c"])
    assert model.vocab == {"c": 0}
