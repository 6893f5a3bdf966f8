"""`TemporalLayer` of the second reference, over the kernels of the combined retriever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from affrag_core.config import TemporalConfig
from affrag_core.errors import EventError
from affrag_core.events.kinds import DocumentKind, ValidityState
from affrag_core.reference.documents import Document, ScoredDocument, clock_seconds, document_times
from affrag_core.retrieval.temporal_layer import pool_scores
from affrag_core.retrieval.wording import AGEING_ABOVE, FRESH_ABOVE


class TemporalLayer:
    """Filters and reranks candidates by time.

    Parameters
    ----------
    config : TemporalConfig, optional

    References
    ----------
    seeds/temporal_rag.py, section 4.
    """

    def __init__(self, config: TemporalConfig | None = None) -> None:
        self.config = config or TemporalConfig()

    def rerank(self, candidates: Sequence[tuple[Document, float]], query_time: datetime, top_k: int = 5) -> list[ScoredDocument]:
        """The best `top_k` candidates by hybrid score, ties in the order given.

        Parameters
        ----------
        candidates : sequence of (Document, float)
            With their raw similarity.
        query_time : datetime
            UTC where it has no offset.
        top_k : int

        Raises
        ------
        EventError
            If a similarity is NaN or infinite; names the document.
        """
        if not candidates:
            return []
        documents, similarities = zip(*candidates, strict=True)
        raw = np.array(similarities, dtype=np.float64)
        if np.count_nonzero(np.isfinite(raw)) < len(raw):
            document, score = candidates[int(np.flatnonzero(~np.isfinite(raw))[0])]
            raise EventError(f"similarity must be finite, got {score}", field="similarity", event_id=document.id)
        scores = pool_scores(document_times(documents), raw, clock_seconds(query_time), self.config)
        # The ones left out have no score and sort to the end.
        best = (-scores.final_score).argsort(kind="stable")[: min(top_k, int(np.count_nonzero(scores.kept)))]
        columns = (scores.vector_score, scores.time.recency, scores.time.decay, scores.time.validity_multiplier, scores.final_score, raw)
        found = []
        for place in best.tolist():
            state = scores.time.validity.state(place)
            vector_score, recency, decay, multiplier, final, similarity = [column.item(place) for column in columns]
            document = documents[place]
            reason = self._reason(document, state, decay, vector_score, similarity, query_time)
            found.append(ScoredDocument(document, vector_score, recency, decay, state, multiplier, final, reason, query_time))
        return found

    def _reason(
        self, document: Document, state: ValidityState, decay: float, vector_score: float, similarity: float, query_time: datetime
    ) -> str:
        """The reference's reason, in its words."""
        minimum, floor = self.config.min_vector_score, self.config.event_min_raw_vector_score
        if vector_score < minimum:
            return f"Penalized: normalized vector score {vector_score:.3f} below relevance threshold {minimum}"
        if state is ValidityState.TEMPORAL:
            if floor > 0 and similarity < floor:
                return f"EVENT signal present but low query relevance (raw sim {similarity:.3f} < {floor}) — temporal boost halved"
            return f"Active EVENT signal ({document.window_label(query_time)}) — overrides static sources"
        if document.kind is DocumentKind.VERSIONED:
            return f"Latest version — supersedes {document.supersedes_id}" if document.supersedes_id else "Latest version in sequence"
        if state is not ValidityState.VALID:
            return "Included by vector similarity"
        if decay > FRESH_ABOVE:
            return "Fresh, open-ended fact — high confidence"
        if decay > AGEING_ABOVE:
            return "Aging but valid — use alongside fresher sources"
        return "Stale — semantically relevant but low freshness weight"
