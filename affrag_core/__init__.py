"""Explore how an emotion- and time-aware retrieval walks a graph of dated events, and why.

Importing it needs numpy, networkx and pydantic only; each name below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_LAZY: dict[str, str] = {
    "AFFECT_SCALES": "events.readers",
    "ALSConfig": "config",
    "AffragError": "errors",
    "CPTConfig": "config",
    "CPTResult": "reference.traversal",
    "CancelledError": "errors",
    "Changes": "events.source",
    "ConfigError": "errors",
    "ContextPath": "reference.traversal",
    "Control": "config",
    "DEFAULT_ALS_CONFIG": "config",
    "DUPLICATE_CHOICES": "events.duplicates",
    "Demo": "events.demos",
    "Document": "reference.documents",
    "DocumentKind": "events.kinds",
    "Drawn": "graph.selection",
    "DuplicateError": "errors",
    "EMOTION_SOURCE": "encoders.emotions",
    "EMOTION_SPACE": "encoders.emotions",
    "EMOTION_WORDS": "encoders.emotions",
    "Edge": "events.edge",
    "EmbeddingModel": "reference.embedding",
    "Emotion": "events.event",
    "Encoder": "encoders.protocol",
    "EncoderError": "errors",
    "Event": "events.event",
    "EventError": "errors",
    "EventGraph": "graph.structure",
    "EventSource": "events.source",
    "Fault": "events.report",
    "FloatArray": "events.vectors",
    "MemoryGraph": "reference.memory_graph",
    "MemoryStore": "reference.memory_graph",
    "NaiveRAG": "reference.systems",
    "OUTCOME_WORDS": "retrieval.explain",
    "PRESETS": "config",
    "ReadError": "errors",
    "Reading": "events.report",
    "RetrievalConfig": "config",
    "RetrievalTrace": "retrieval.trace",
    "Retriever": "retrieval.retriever",
    "ScoredDocument": "reference.documents",
    "SentenceEncoder": "encoders.sentence",
    "Stage": "config",
    "StaleError": "errors",
    "TERM_WORDS": "retrieval.explain",
    "TemporalConfig": "config",
    "TemporalLayer": "reference.temporal_layer",
    "TemporalRAG": "reference.systems",
    "TermCountEncoder": "encoders.term_count",
    "UnknownEventError": "errors",
    "ValidityState": "events.kinds",
    "VectorCache": "encoders.cache",
    "VectorStore": "reference.vector_store",
    "Workspace": "workspace.workspace",
    "WorkspaceError": "errors",
    "as_utc": "events.times",
    "calculate_als_score": "reference.als",
    "candidate_table": "retrieval.explain",
    "chosen_on": "retrieval.explain",
    "contribution_rows": "retrieval.explain",
    "drawn_events": "graph.selection",
    "duplicate_ids": "events.duplicates",
    "edges_csv": "events.export",
    "emotion_vector": "encoders.emotions",
    "encode_cached": "encoders.cache",
    "events_csv": "events.export",
    "execute_context_path_traversal": "reference.traversal",
    "faults_csv": "events.report",
    "final_formula": "retrieval.explain",
    "hop_sentence": "retrieval.explain",
    "iso_text": "events.times",
    "layout": "graph.layout",
    "left_out": "events.proposals",
    "link_columns": "events.proposals",
    "link_formula": "retrieval.explain",
    "list_conversations": "events.readers",
    "list_demos": "events.demos",
    "next_in_time": "events.proposals",
    "number": "retrieval.wording",
    "path_hops": "retrieval.explain",
    "path_sentence": "retrieval.explain",
    "pool_contribution_rows": "retrieval.explain",
    "read_demo": "events.demos",
    "read_edges": "events.readers",
    "read_events": "events.readers",
    "resolve_duplicates": "events.duplicates",
    "temporal_formula": "retrieval.explain",
    "temporal_parts": "retrieval.explain",
    "term_shares": "retrieval.sensitivity",
    "term_slots": "encoders.term_count",
    "time_dominance": "retrieval.sensitivity",
    "to_jsonl": "events.export",
    "validity_states": "retrieval.temporal",
    "weight_interval": "retrieval.sensitivity",
    "why_not": "retrieval.sensitivity",
    "window_words": "retrieval.wording",
    "with_semantic_vectors": "encoders.fill",
}

__all__ = sorted(_LAZY)  # noqa: PLE0605 - computed from the map, so that a name stands once


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
