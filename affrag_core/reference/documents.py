"""`Document` and `ScoredDocument` of the second reference, with their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

import numpy as np
import numpy.typing as npt

from affrag_core.events.kinds import DocumentKind, ValidityState
from affrag_core.events.times import as_utc, seconds_since_epoch
from affrag_core.retrieval.temporal import TimeTable, age_days, validity

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - times without an offset mean UTC
_SECOND = timedelta(seconds=1)
_MISSING = float("nan")
_ROW = Struct("=3d?7x")
_ROW_TYPE = np.dtype([("created", "f8"), ("from", "f8"), ("until", "f8"), ("is_event", "?"), ("_", "V7")])
_TIME_FIELDS = frozenset({"created_at", "valid_from", "valid_until", "kind"})


def utc_clock() -> datetime:
    """The present in UTC, without an offset as the reference's times are."""
    return datetime.now(UTC).replace(tzinfo=None)


def clock_seconds(value: datetime | None) -> float:
    """Seconds since 1970 of a time, UTC where it has no offset; NaN for None."""
    if value is None:
        return _MISSING
    if type(value) is datetime and value.tzinfo is None:
        return (value - _EPOCH) / _SECOND
    return seconds_since_epoch(as_utc(value))


@dataclass
class Document:
    """A document with its times and kind; see the reference for the meaning of each field. Times without an offset mean UTC.

    References
    ----------
    seeds/temporal_rag.py, section 1.
    """

    id: str
    content: str
    embedding: npt.NDArray[np.floating[Any]] | None = None
    created_at: datetime = field(default_factory=utc_clock)
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    doc_type: str = "general"
    kind: DocumentKind = DocumentKind.STATIC
    supersedes_id: str | None = None

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)
        if name in _TIME_FIELDS:
            self.__dict__.pop("_time_row", None)

    def __getattr__(self, name: str) -> Any:
        """The row of `document_times` as bytes, read once and again after a time or the kind was set."""
        if name != "_time_row":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        times = (clock_seconds(self.created_at), clock_seconds(self.valid_from), clock_seconds(self.valid_until))
        row = self.__dict__["_time_row"] = _ROW.pack(*times, self.kind is DocumentKind.EVENT)
        return row

    def validity_state(self, query_time: datetime) -> ValidityState:
        """VALID, TEMPORAL (an EVENT inside its window) or EXPIRED (outside its window, past or not begun)."""
        return validity(document_times([self]), clock_seconds(query_time)).states()[0]

    def window_label(self, query_time: datetime) -> str:
        """The window in a few words. Unlike the reference, a window that has not begun says so."""
        state, now_s = self.validity_state(query_time), clock_seconds(query_time)
        if state is ValidityState.EXPIRED:
            starts_in = clock_seconds(self.valid_from) - now_s
            if starts_in > 0:
                return f"not begun, starts in {starts_in / 86400:.0f}d"
            return f"expired {int((now_s - clock_seconds(self.valid_until)) // 86400)}d ago"
        if state is ValidityState.TEMPORAL:
            if self.valid_until is None:
                return "active"
            return f"{(clock_seconds(self.valid_until) - now_s) / 3600:.0f}h remaining"
        if self.kind is DocumentKind.VERSIONED and self.supersedes_id:
            return f"supersedes {self.supersedes_id}"
        return "open-ended"

    def age_in_days(self, reference: datetime) -> float:
        """Days from creation to a time, never negative."""
        return float(age_days(np.array([clock_seconds(self.created_at)]), clock_seconds(reference))[0])


def document_times(documents: Sequence[Document]) -> TimeTable:
    """The times of documents as arrays."""
    table = np.frombuffer(b"".join([document._time_row for document in documents]), dtype=_ROW_TYPE)
    return TimeTable(table["created"], table["from"], table["until"], table["is_event"])


_STATE_LABELS = {
    ValidityState.VALID: "✓ valid",
    ValidityState.TEMPORAL: "⚡ temporal (active)",
    ValidityState.EXPIRED: "✗ expired",
}


@dataclass
class ScoredDocument:
    """A retrieved document with the parts of its score; `query_time` is ours and is what `explain` looks from.

    References
    ----------
    seeds/temporal_rag.py, section 1.
    """

    document: Document
    vector_score: float
    recency_score: float
    decay_score: float
    validity_state: ValidityState
    validity_multiplier: float
    final_score: float
    reason: str
    query_time: datetime | None = None

    def explain(self) -> str:
        """The parts of the score, a line each, as of the retrieval's query time."""
        document, now = self.document, self.query_time or utc_clock()
        rows = {
            "content": f"{document.content[:80]}...",
            "age": f"{document.age_in_days(now):.1f} days",
            "kind": document.kind.value,
            "vector score": f"{self.vector_score:.3f}",
            "recency score": f"{self.recency_score:.3f}",
            "decay score": f"{self.decay_score:.3f}",
            "state": _STATE_LABELS[self.validity_state],
            "window": document.window_label(now),
            "reason": self.reason,
            "FINAL SCORE": f"{self.final_score:.3f}",
        }
        return f"  [{document.id}]\n" + "".join(f"    {name:<13}: {value}\n" for name, value in rows.items())
