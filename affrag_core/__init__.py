"""Explore how an emotion- and time-aware retrieval walks a graph of dated events, and why.

Importing it needs numpy, networkx and pydantic only; each name below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_LAZY: dict[str, str] = {
    "ALSConfig": "config",
    "AffragError": "errors",
    "CPTConfig": "config",
    "ConfigError": "errors",
    "Control": "config",
    "DEFAULT_ALS_CONFIG": "config",
    "DocumentKind": "events.kinds",
    "EMOTION_WORDS": "encoders.emotions",
    "Edge": "events.edge",
    "Emotion": "events.event",
    "Event": "events.event",
    "EventError": "errors",
    "OUTCOME_WORDS": "retrieval.explain",
    "PRESETS": "config",
    "RetrievalConfig": "config",
    "RetrievalTrace": "retrieval.trace",
    "Retriever": "retrieval.retriever",
    "Stage": "config",
    "TemporalConfig": "config",
    "ValidityState": "events.kinds",
    "Workspace": "workspace.workspace",
    "as_utc": "events.times",
    "candidate_table": "retrieval.explain",
    "chosen_on": "retrieval.explain",
    "contribution_rows": "retrieval.explain",
    "final_formula": "retrieval.explain",
    "hop_sentence": "retrieval.explain",
    "iso_text": "events.times",
    "link_formula": "retrieval.explain",
    "number": "retrieval.wording",
    "path_hops": "retrieval.explain",
    "temporal_formula": "retrieval.explain",
    "temporal_parts": "retrieval.explain",
    "time_dominance": "retrieval.sensitivity",
    "why_not": "retrieval.sensitivity",
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
