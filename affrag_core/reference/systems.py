"""`TemporalRAG` and `NaiveRAG` of the second reference."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from affrag_core.config import TemporalConfig
from affrag_core.reference.documents import Document, ScoredDocument, utc_clock
from affrag_core.reference.embedding import EmbeddingModel
from affrag_core.reference.temporal_layer import TemporalLayer
from affrag_core.reference.vector_store import VectorStore


class Embedder(Protocol):
    """Any model that can stand in for `EmbeddingModel`."""

    def encode(self, text: str) -> npt.NDArray[np.floating[Any]]: ...
    def encode_corpus(self, texts: Sequence[str]) -> Sequence[npt.NDArray[np.floating[Any]]]: ...


def _index(documents: Sequence[Document], embedder: Embedder, store: VectorStore) -> None:
    embeddings = embedder.encode_corpus([document.content for document in documents])
    for document, embedding in zip(documents, embeddings, strict=True):
        document.embedding = embedding
    store.add(documents)


class TemporalRAG:
    """Vector search, then the temporal layer.

    References
    ----------
    seeds/temporal_rag.py, section 5.
    """

    def __init__(
        self, embedding_model: Embedder | None = None, temporal_config: TemporalConfig | None = None, candidate_pool_size: int = 20
    ) -> None:
        self.embedder: Embedder = embedding_model or EmbeddingModel()
        self.store = VectorStore()
        self.temporal = TemporalLayer(temporal_config)
        self.candidate_pool_size = candidate_pool_size

    def index(self, documents: Sequence[Document]) -> None:
        """Embed and store documents, and say how many as the reference does."""
        _index(documents, self.embedder, self.store)
        print(f"Indexed {len(documents)} documents.")  # noqa: T201 - the reference prints here

    def retrieve(self, query: str, top_k: int = 5, query_time: datetime | None = None) -> list[ScoredDocument]:
        """Retrieve and rerank as of a time; the present where none is given."""
        candidates = self.store.search(self.embedder.encode(query), top_k=self.candidate_pool_size)
        return self.temporal.rerank(candidates, query_time or utc_clock(), top_k=top_k)

    def build_context(self, results: Sequence[ScoredDocument]) -> str:
        """The documents as numbered sources, aged as of their retrieval."""
        parts = []
        for number, result in enumerate(results, 1):
            document = result.document
            age = document.age_in_days(result.query_time or utc_clock())
            label = f"Source {number} | {document.doc_type} | {document.kind.value} | {age:.0f} days ago"
            parts.append(f"[{label} | freshness: {result.decay_score:.2f}]\n{document.content}")
        return "\n\n".join(parts)


class NaiveRAG:
    """Vector search alone, blind to time: the baseline.

    References
    ----------
    seeds/temporal_rag.py, section 6.
    """

    def __init__(self, embedding_model: Embedder | None = None) -> None:
        self.embedder: Embedder = embedding_model or EmbeddingModel()
        self.store = VectorStore()

    def index(self, documents: Sequence[Document]) -> None:
        """Embed and store documents."""
        _index(documents, self.embedder, self.store)

    def retrieve(self, query: str, top_k: int = 5) -> list[tuple[Document, float]]:
        """The best documents by similarity."""
        return self.store.search(self.embedder.encode(query), top_k=top_k)

    def build_context(self, results: Sequence[tuple[Document, float]], query_time: datetime | None = None) -> str:
        """The documents as numbered sources, aged as of a time; the present where none is given."""
        now = query_time or utc_clock()
        parts = []
        for number, (document, similarity) in enumerate(results, 1):
            age = document.age_in_days(now)
            parts.append(f"[Source {number} | {document.doc_type} | {age:.0f} days ago | similarity: {similarity:.2f}]\n{document.content}")
        return "\n\n".join(parts)
