"""Events and links as rows of the database, and back.

Rows from the database were checked when they came in, so they become events without being checked again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

import numpy as np

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Emotion, Event
from affrag_core.events.kinds import DocumentKind
from affrag_core.events.times import EPOCH
from affrag_core.events.vectors import FloatArray
from affrag_core.workspace.plain_json import json_text, storable_text

EventRow = tuple[Any, ...]
"""Values of the `events` table's columns, in their order: place and id first."""
EdgeRow = tuple[int, int, int, str, str | None]
"""Values of the `edges` table's columns: place, place of source, place of target, relation, attributes."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""Shared by everything without metadata or attributes."""
_KINDS = {kind.value: kind for kind in DocumentKind}
_SETTERS = [Event.__dict__[field.name].__set__ for field in fields(Event)]
"""Write a field of an `Event`, frozen as it is, three times as fast as by its name."""
_MICROSECOND = timedelta(microseconds=1)


def event_row(place: int, event: Event) -> EventRow:
    """An event as a row of the `events` table.

    Raises
    ------
    EventError
        If its metadata is not plain JSON, or a text holds what no database keeps.
    """
    word = event.emotion if isinstance(event.emotion, str) else None
    for field, value in (("id", event.id), ("text", event.text), ("doc_type", event.doc_type)):
        storable_text(value, field=field, event_id=event.id)
    for field, optional in (("supersedes_id", event.supersedes_id), ("emotion", word)):
        storable_text(optional or "", field=field, event_id=event.id)
    return (
        place,
        event.id,
        event.text,
        *(microseconds(time) for time in (event.timestamp, event.valid_from, event.valid_until)),
        event.kind.value,
        event.doc_type,
        event.supersedes_id,
        word,
        *((event.emotion.valence, event.emotion.arousal) if isinstance(event.emotion, Emotion) else (None, None)),
        *_vector_columns(event.semantic_vec),
        *_vector_columns(event.emotional_vec),
        json_text(dict(event.metadata), field="metadata", event_id=event.id) if event.metadata else None,
    )


def event_from_row(row: EventRow) -> Event:
    """The event that `event_row` was given; its vectors are read-only views of the row's bytes."""
    _, id_, text, timestamp, valid_from, valid_until, kind, doc_type, supersedes_id, word, valence, arousal, *rest = row
    semantic_dtype, semantic_vec, emotional_dtype, emotional_vec, metadata = rest
    if type(id_) is not str or type(text) is not str:
        raise TypeError(f"id and text must be text, got {type(id_).__name__} and {type(text).__name__}")
    event = object.__new__(Event)
    values = (
        id_,
        text,
        None if timestamp is None else time_from_microseconds(timestamp),
        None if valid_from is None else time_from_microseconds(valid_from),
        None if valid_until is None else time_from_microseconds(valid_until),
        _KINDS[kind],
        doc_type,
        supersedes_id,
        word if valence is None else Emotion(valence, arousal),
        None if semantic_dtype is None else _vector(semantic_dtype, semantic_vec),
        None if emotional_dtype is None else _vector(emotional_dtype, emotional_vec),
        NOTHING if metadata is None else mapping_from_text(metadata),
    )
    for setter, value in zip(_SETTERS, values, strict=True):
        setter(event, value)
    return event


def attributes_text(edge: Edge) -> str | None:
    """An edge's attributes as JSON; None where it has none."""
    return json_text(dict(edge.attributes), field="attributes", event_id=edge.source) if edge.attributes else None


def mapping_from_text(text: str | None) -> Mapping[str, Any]:
    """A read-only mapping from JSON; the shared empty one for None."""
    return NOTHING if text is None else MappingProxyType(json.loads(text))


def edges_from_keys(keys: Iterable[EdgeKey], attributes: Mapping[EdgeKey, Mapping[str, Any]]) -> list[Edge]:
    """Edges made without being checked again: a million of them in half a second."""
    set_source, set_target, set_relation, set_attributes = (
        Edge.__dict__[name].__set__ for name in ("source", "target", "relation", "attributes")
    )
    edges = []
    for key in keys:
        edge = object.__new__(Edge)
        set_source(edge, key[0])
        set_target(edge, key[1])
        set_relation(edge, key[2])
        set_attributes(edge, attributes.get(key, NOTHING))
        edges.append(edge)
    return edges


def microseconds(value: datetime | None) -> int | None:
    """Whole microseconds from 1970 to an aware time."""
    return None if value is None else (value - EPOCH) // _MICROSECOND


def time_from_microseconds(value: int | None) -> datetime | None:
    """The time that `microseconds` was given."""
    return None if value is None else EPOCH + timedelta(microseconds=value)


def _vector_columns(vector: FloatArray | None) -> tuple[str | None, bytes | None]:
    if vector is None:
        return None, None
    dtype = vector.dtype.newbyteorder("<")
    return dtype.str, vector.astype(dtype, copy=False).tobytes()


def _vector(dtype: str | None, content: bytes | None) -> FloatArray | None:
    if dtype is None or content is None:
        return None
    if dtype not in ("<f4", "<f8"):
        raise ValueError(dtype)
    native: FloatArray = np.frombuffer(content, dtype=dtype)
    if not native.dtype.isnative:
        native = native.astype(native.dtype.newbyteorder("="))
        native.flags.writeable = False
    return native
