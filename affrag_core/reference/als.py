"""`calculate_als_score` of the first reference, over the same kernels as every other link score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from affrag_core.config import DEFAULT_ALS_CONFIG, ALSConfig
from affrag_core.events.times import as_utc, seconds_since_epoch
from affrag_core.events.vectors import FloatArray, as_vector
from affrag_core.graph.features import EventArrays, link_features
from affrag_core.graph.vector_table import VectorTable
from affrag_core.retrieval.als import link_scores


@dataclass(frozen=True, slots=True)
class LinkNode:
    """An event dictionary as link scoring reads it; what is missing stays None."""

    id: Any
    semantic_vec: FloatArray | None
    emotional_vec: FloatArray | None
    timestamp: datetime | None

    @classmethod
    def read(cls, event: Mapping[str, Any], event_id: Any) -> LinkNode:
        """Read vectors and time of a dictionary.

        Raises
        ------
        EventError
            Naming the event and the field that cannot be read.
        """
        semantic = as_vector(event.get("semantic_vec"), field="semantic_vec", event_id=event_id)
        emotional = as_vector(event.get("emotional_vec"), field="emotional_vec", event_id=event_id)
        time = event.get("timestamp")
        return cls(event_id, semantic, emotional, None if time is None else as_utc(time, event_id=event_id))


def calculate_als_score(a: Mapping[str, Any], b: Mapping[str, Any], als_config: ALSConfig = DEFAULT_ALS_CONFIG) -> float:
    """Affective link score of two events; a missing vector or time adds 0.

    Parameters
    ----------
    a, b : mapping
        With ``semantic_vec``, ``emotional_vec`` and ``timestamp``, each optional.
    als_config : ALSConfig

    Raises
    ------
    EventError
        If a field cannot be read, or two vectors differ in length.

    References
    ----------
    seeds/affective_rag.md, "Affective Link Scoring (ALS)".
    """
    nodes = [LinkNode.read(event, event.get("id", name)) for name, event in (("a", a), ("b", b))]
    ids = [node.id for node in nodes]
    arrays = EventArrays(
        VectorTable.from_rows([node.semantic_vec for node in nodes], ids=ids, field="semantic_vec"),
        VectorTable.from_rows([node.emotional_vec for node in nodes], ids=ids, field="emotional_vec"),
        np.array([seconds_since_epoch(node.timestamp) for node in nodes]),
    )
    first, second = np.zeros(1, dtype=np.intp), np.ones(1, dtype=np.intp)
    return float(link_scores(link_features(arrays, first, second), als_config)[0])
