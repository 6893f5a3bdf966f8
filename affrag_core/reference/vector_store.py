"""`VectorStore` of the second reference, over the exact index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from affrag_core.errors import EventError
from affrag_core.events.vectors import as_vector
from affrag_core.graph.vector_table import VectorTable
from affrag_core.index.exact import ExactIndex
from affrag_core.reference.documents import Document


class VectorStore:
    """Documents and a plain dot product, as in the reference.

    Whoever edits `documents` or an embedding by hand calls `recompile` afterwards.

    References
    ----------
    seeds/temporal_rag.py, section 3.
    """

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self._compiled: tuple[list[Document], int, ExactIndex] | None = None

    def add(self, docs: Sequence[Document]) -> None:
        """Add documents; one without an embedding is never found."""
        self.documents.extend(docs)
        self.recompile()

    def recompile(self) -> None:
        """Read the documents again at the next search."""
        self._compiled = None

    def search(self, query_embedding: npt.NDArray[np.floating[Any]], top_k: int = 20) -> list[tuple[Document, float]]:
        """The `top_k` documents by dot product with the query, ties in order of insertion.

        Raises
        ------
        EventError
            If a vector is not finite or two differ in length; names the document or the query.
        """
        documents, dim, index = self._index()
        if not documents:
            return []
        query = as_vector(query_embedding, field="query_embedding")
        if query is None or query.size != dim:
            size = 0 if query is None else query.size
            raise EventError(f"query_embedding must have {dim} numbers as the documents' have, got {size}", field="query_embedding")
        rows, scores = index.search(query.astype(np.float64, copy=False), top_k)
        return [(documents[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]

    def _index(self) -> tuple[list[Document], int, ExactIndex]:
        """The documents that have an embedding, its length, and their index."""
        if self._compiled is None:
            read = [(document, as_vector(document.embedding, field="embedding", event_id=document.id)) for document in self.documents]
            rows = [(document, row) for document, row in read if row is not None]
            # Refuses unequal lengths; its matrix is scaled for cosines, so the dot products need one of their own.
            VectorTable.from_rows([row for _, row in rows], ids=[document.id for document, _ in rows], field="embedding")
            matrix = np.stack([row for _, row in rows]) if rows else np.zeros((0, 0))
            self._compiled = ([document for document, _ in rows], matrix.shape[1], ExactIndex(matrix))
        return self._compiled
