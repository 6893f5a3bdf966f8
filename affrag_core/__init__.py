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
    "PRESETS": "config",
    "RetrievalConfig": "config",
    "RetrievalTrace": "retrieval.trace",
    "Retriever": "retrieval.retriever",
    "Stage": "config",
    "TemporalConfig": "config",
    "ValidityState": "events.kinds",
    "Workspace": "workspace.workspace",
    "as_utc": "events.times",
    "iso_text": "events.times",
    "number": "retrieval.wording",
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
