"""Golden cases of both references, where they lie beside this tree: closer than the rounding of their vectors asks for."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path

import pytest
from reference_cases import Case, found, run

import affrag_core
from affrag_core import ALSConfig, Document, DocumentKind, NaiveRAG, TemporalConfig, TemporalLayer, calculate_als_score

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden"
NUMBERS = ("vector_score", "recency_score", "decay_score", "validity_multiplier", "final_score")
pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden cases of the references are not beside this tree")


def golden(name):
    cases = json.loads(gzip.decompress((GOLDEN / f"{name}.json.gz").read_bytes()))
    assert cases
    return cases


def test_link_scores():
    for case in golden("als"):
        config = ALSConfig(**case["weights"]) if case["weights"] else affrag_core.DEFAULT_ALS_CONFIG
        assert calculate_als_score(case["a"], case["b"], config) == pytest.approx(case["expected"], abs=1e-9)


def test_paths():
    for case in golden("cpt"):
        hits = {text: [tuple(hit) for hit in rows] for text, rows in case["lookup"].items()}
        result, _ = run(Case(case["events"], case["edges"], hits, case["config"], takes_top_k=True), affrag_core)
        assert [ids for ids, _ in found(result)] == [path["ids"] for path in case["expected"]]
        assert [score for _, score in found(result)] == pytest.approx([path["score"] for path in case["expected"]], abs=1e-9)


def test_reranked_documents():
    for case in golden("temporal"):
        pool = []
        for row in case["documents"]:
            similarity = row.pop("raw_vector_score")
            row |= {name: row[name] and datetime.fromisoformat(row[name]) for name in ("created_at", "valid_from", "valid_until")}
            pool.append((Document(**row | {"kind": DocumentKind(row["kind"])}), similarity))
        layer = TemporalLayer(TemporalConfig(**case["config"]))
        results = layer.rerank(pool, datetime.fromisoformat(case["query_time"]), top_k=case["top_k"])
        assert [item.document.id for item in results] == [row["id"] for row in case["expected"]]
        for item, row in zip(results, case["expected"], strict=True):
            assert item.validity_state.value == row["validity_state"]
            assert [getattr(item, name) for name in NUMBERS] == pytest.approx([row[name] for name in NUMBERS], abs=1e-9)


def test_similarities_of_term_counts():
    for case in golden("embedding"):
        rag = NaiveRAG()
        rag.index([Document(id=str(i), content=text) for i, text in enumerate(case["corpus"])])
        results = rag.retrieve(case["query"], top_k=50)
        assert [document.id for document, _ in results] == [event_id for event_id, _ in case["expected"]]
        assert [score for _, score in results] == pytest.approx([score for _, score in case["expected"]], abs=1e-9)
