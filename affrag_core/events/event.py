"""One event, checked at the door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from affrag_core.errors import EventError, shortened
from affrag_core.events.kinds import DocumentKind
from affrag_core.events.times import as_utc, iso_text
from affrag_core.events.vectors import FloatArray, as_vector


@dataclass(frozen=True, slots=True)
class Emotion:
    """A point on the valence-arousal plane, each in [-1, 1]."""

    valence: float
    arousal: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Event:
    """A dated memory. Only `id` and `text` are required.

    Parameters
    ----------
    id : str
        Unique within a workspace, compared letter by letter.
    text : str
        What happened.
    timestamp : datetime, str, int or float, optional
        When it happened (the temporal layer's ``created_at``); see `times.as_utc`. Kept as an aware UTC datetime.
    valid_from, valid_until : like timestamp, optional
        The window within which it is true, both ends included.
    kind : DocumentKind or str
        STATIC, VERSIONED or EVENT.
    doc_type : str
        A free word for the source, such as ``policy``.
    supersedes_id : str, optional
        The event that this one replaces.
    emotion : str, Emotion or mapping with valence and arousal, optional
        A word, or a point with both coordinates in [-1, 1].
    semantic_vec, emotional_vec : array_like of shape (dim,), optional
        Finite; kept read-only in the precision given.
    metadata : mapping, optional
        Anything else worth keeping, as plain JSON types.

    Raises
    ------
    EventError
        Naming the event, the field, the rule and the value.
    """

    id: str
    text: str
    timestamp: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    kind: DocumentKind = DocumentKind.STATIC
    doc_type: str = "general"
    supersedes_id: str | None = None
    emotion: str | Emotion | None = None
    semantic_vec: FloatArray | None = None
    emotional_vec: FloatArray | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip():
            raise EventError(f"id must be a text that is not blank, got {shortened(self.id)}", field="id")
        if not isinstance(self.text, str) or not self.text.strip():
            self._refuse("text", f"text must not be blank, got {shortened(self.text)}")
        for name in ("timestamp", "valid_from", "valid_until"):
            value = getattr(self, name)
            if value is not None:
                self._set(name, as_utc(value, field=name, event_id=self.id))
        if self.valid_from and self.valid_until and self.valid_from > self.valid_until:
            window = f"{iso_text(self.valid_from)} > {iso_text(self.valid_until)}"
            self._refuse("valid_from", f"valid_from must not be after valid_until, got {window}")
        self._set("kind", self._read_kind())
        self._check_words()
        self._set("emotion", self._read_emotion())
        for name in ("semantic_vec", "emotional_vec"):
            self._set(name, as_vector(getattr(self, name), field=name, event_id=self.id))
        if not isinstance(self.metadata, Mapping):
            self._refuse("metadata", f"metadata must be a mapping, got {shortened(self.metadata)}")
        self._set("metadata", MappingProxyType(dict(self.metadata)))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _refuse(self, name: str, message: str) -> NoReturn:
        raise EventError(message, field=name, event_id=self.id)

    def _check_words(self) -> None:
        if not isinstance(self.doc_type, str):
            self._refuse("doc_type", f"doc_type must be text, got {shortened(self.doc_type)}")
        if self.supersedes_id is not None and (not isinstance(self.supersedes_id, str) or not self.supersedes_id.strip()):
            self._refuse("supersedes_id", f"supersedes_id must be an event's id, got {shortened(self.supersedes_id)}")

    def _read_kind(self) -> DocumentKind:
        try:
            return DocumentKind(self.kind.strip().upper() if isinstance(self.kind, str) else self.kind)
        except ValueError:
            self._refuse("kind", f"kind must be STATIC, VERSIONED or EVENT, got {shortened(self.kind)}")

    def _read_emotion(self) -> str | Emotion | None:
        value = self.emotion
        if value is None or (isinstance(value, str) and value.strip()):
            return value.strip() if isinstance(value, str) else None
        if isinstance(value, Mapping) and set(value) == {"valence", "arousal"}:
            value = Emotion(value["valence"], value["arousal"])
        if not isinstance(value, Emotion):
            self._refuse("emotion", f"emotion must be a word, or valence and arousal, got {shortened(value)}")
        for name, part in (("valence", value.valence), ("arousal", value.arousal)):
            number = isinstance(part, (int, float, np.number)) and not isinstance(part, bool)
            if not number or not -1 <= part <= 1:  # NaN is not within either
                self._refuse(name, f"{name} must be in [-1, 1], got {shortened(part)}")
        return Emotion(float(value.valence), float(value.arousal))

    @property
    def flags(self) -> tuple[str, ...]:
        """What makes a term of its links 0 although nothing is wrong, in sentences: a vector of zeros, or none; no time."""
        found = []
        for name, word in (("semantic_vec", "meaning"), ("emotional_vec", "feeling")):
            vector = getattr(self, name)
            if vector is None:
                found.append(f"No {word} vector: likeness of {word} counts 0.")
            elif not vector.any():
                found.append(f"Its {word} vector is all zeros: likeness of {word} counts 0.")
        if self.timestamp is None:
            found.append("No date: closeness in time counts 0.")
        return tuple(found)

    def replace(self, **changes: Any) -> Event:
        """The same event with some fields changed, checked again."""
        return Event(**{f.name: changes.get(f.name, getattr(self, f.name)) for f in fields(self)})

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Event, **{f.name: getattr(self, f.name) for f in fields(self)} | {"metadata": dict(self.metadata)}), ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash(self.id)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; only fields that are set, and `kind` always. `Event(**d)` gives the event back, float32 as float64."""
        row: dict[str, Any] = {"id": self.id, "text": self.text, "kind": self.kind.value}
        for name in ("timestamp", "valid_from", "valid_until"):
            row[name] = iso_text(getattr(self, name))
        row["doc_type"] = self.doc_type if self.doc_type != "general" else None
        row["supersedes_id"] = self.supersedes_id
        row["emotion"] = asdict(self.emotion) if isinstance(self.emotion, Emotion) else self.emotion
        for name in ("semantic_vec", "emotional_vec"):
            vector = getattr(self, name)
            row[name] = None if vector is None else vector.tolist()
        row["metadata"] = dict(self.metadata) or None
        return {name: value for name, value in row.items() if value is not None}


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return type(a) is type(b) and bool(a == b)
