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
        self._compiled: tuple[list[Document], ExactIndex] | None = None

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
        documents, index = self._index()
        if not documents:
            return []
        query = as_vector(query_embedding, field="query_embedding")
        dim = documents[0].embedding.size if documents[0].embedding is not None else 0
        if query is None or query.size != dim:
            size = 0 if query is None else query.size
            raise EventError(f"query_embedding must have {dim} numbers as the documents' have, got {size}", field="query_embedding")
        rows, scores = index.search(query.astype(np.float64, copy=False), top_k)
        return [(documents[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]

    def _index(self) -> tuple[list[Document], ExactIndex]:
        if self._compiled is None:
            documents = [document for document in self.documents if document.embedding is not None]
            rows = [as_vector(document.embedding, field="embedding", event_id=document.id) for document in documents]
            VectorTable.from_rows(rows, ids=[document.id for document in documents], field="embedding")  # refuses unequal lengths
            self._compiled = (documents, ExactIndex(np.array(rows)))
        return self._compiled
