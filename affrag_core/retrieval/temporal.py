"""The temporal layer as arrays: validity, age, decay, recency, gates and the hybrid score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from affrag_core.events.kinds import DocumentKind, ValidityState
from affrag_core.events.times import as_utc, seconds_since_epoch

Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]

SECONDS_PER_DAY = 86400.0
SHORTEST_HALF_LIFE_DAYS = 1e-290
"""Any age is endlessly many of these and still a finite number of them."""
IRRELEVANT_EVENT = 0.5
"""What is left of the temporal component of an active EVENT below its relevance gate."""
BELOW_GATE = 0.3
"""What is left of the final score of an event below the general relevance gate."""


class Dated(Protocol):
    """What the temporal layer reads of an event."""

    @property
    def timestamp(self) -> datetime | None: ...
    @property
    def valid_from(self) -> datetime | None: ...
    @property
    def valid_until(self) -> datetime | None: ...
    @property
    def kind(self) -> DocumentKind: ...


class TimeTable(NamedTuple):
    """The times of all events, in seconds since 1970; NaN where there is none.

    Parameters
    ----------
    created_s, valid_from_s, valid_until_s : ndarray of shape (n_events,), float64
    is_event : ndarray of shape (n_events,), bool
        Of kind EVENT.
    """

    created_s: Float64Array
    valid_from_s: Float64Array
    valid_until_s: Float64Array
    is_event: BoolArray

    @classmethod
    def of(cls, events: Iterable[Dated]) -> TimeTable:
        """Read the times of events."""
        seconds = seconds_since_epoch
        rows = [(seconds(e.timestamp), seconds(e.valid_from), seconds(e.valid_until), e.kind is DocumentKind.EVENT) for e in events]
        table = np.array(rows, dtype=np.float64).reshape(len(rows), 4)
        return cls(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(bool))

    def take(self, positions: IntArray) -> TimeTable:
        """The rows at some positions."""
        return TimeTable(self.created_s[positions], self.valid_from_s[positions], self.valid_until_s[positions], self.is_event[positions])


class Validity(NamedTuple):
    """What the windows of some events say at the query time; each array of shape (n_events,), bool.

    `expired`: outside the window; `active`: an EVENT inside its window (the state TEMPORAL).
    """

    expired: BoolArray
    active: BoolArray

    def state(self, position: int) -> ValidityState:
        """The state of one event by name."""
        if self.expired.item(position):
            return ValidityState.EXPIRED
        return ValidityState.TEMPORAL if self.active.item(position) else ValidityState.VALID

    def states(self) -> list[ValidityState]:
        """The states by name."""
        return [self.state(i) for i in range(len(self.expired))]


def validity(times: TimeTable, now_s: float) -> Validity:
    """Classify each event's window at the query time; both ends count as inside.

    Parameters
    ----------
    times : TimeTable
    now_s : float
        Query time, seconds since 1970.

    References
    ----------
    seeds/temporal_rag.py, ``Document.validity_state``.
    """
    expired = (now_s < times.valid_from_s) | (now_s > times.valid_until_s)
    if not np.count_nonzero(times.is_event):
        return Validity(expired, times.is_event)
    inside = (now_s >= times.valid_from_s) | (now_s <= times.valid_until_s)  # has a window, and is not on its wrong side
    return Validity(expired, inside & times.is_event & ~expired)


def age_days(created_s: Float64Array, now_s: float) -> Float64Array:
    """Days from creation to the query time, never negative; NaN where undated.

    Parameters
    ----------
    created_s : ndarray of shape (n_events,), float64
    now_s : float
        Query time, seconds since 1970.

    Returns
    -------
    ndarray of shape (n_events,), float64

    References
    ----------
    seeds/temporal_rag.py, ``Document.age_in_days``.
    """
    return np.maximum(now_s - created_s, 0.0) / SECONDS_PER_DAY


def decay_scores(ages: Float64Array, *, half_life_days: float) -> Float64Array:
    r"""Weight each event by its age: one half for every half-life passed.

    .. math:: d_i = 2^{-a_i / h}

    Parameters
    ----------
    ages : ndarray of shape (n_events,), float64
        Days from creation to the query time; NaN where undated.
    half_life_days : float
        h, in days, > 0.

    Returns
    -------
    ndarray of shape (n_events,), float64
        In [0, 1]; 0 where undated.

    References
    ----------
    seeds/temporal_rag.py, section 4.2.
    """
    rate = -1.0 / max(half_life_days, SHORTEST_HALF_LIFE_DAYS)
    return np.fmax(np.exp2(ages * rate), 0.0)  # fmax turns the NaN of an undated event into 0


def recency_scores(ages: Float64Array, span: tuple[float, float] | None) -> Float64Array:
    r"""Place each event between the youngest and the oldest age of the pool.

    .. math:: r_i = \frac{a_{max} - a_i}{a_{max} - a_{min}}

    Parameters
    ----------
    ages : ndarray of shape (n_events,), float64
        Days; NaN where undated.
    span : (float, float), optional
        Youngest and oldest age of the pool; None if it has no dated event.

    Returns
    -------
    ndarray of shape (n_events,), float64
        In [0, 1], clipped for events outside the pool's ages; 1 for every dated event where the ages are equal or there are none; 0 where
        undated.

    References
    ----------
    seeds/temporal_rag.py, section 4.3; the clipping and the undated are ours, so that events outside the pool can be scored.
    """
    if span is None or span[0] == span[1]:
        return np.where(np.isnan(ages), 0.0, 1.0)
    youngest, oldest = span
    return np.fmin(np.fmax((oldest - ages) / (oldest - youngest), 0.0), 1.0)


def age_span(ages: Float64Array) -> tuple[float, float] | None:
    """Youngest and oldest age; None without a dated event."""
    if not ages.size:
        return None
    youngest, oldest = float(np.fmin.reduce(ages)), float(np.fmax.reduce(ages))
    return None if math.isnan(youngest) else (youngest, oldest)


def validity_multipliers(state: Validity, *, boost: float) -> Float64Array:
    """0 outside the window, `boost` for an active EVENT, 1 otherwise; shape (n_events,).

    References
    ----------
    seeds/temporal_rag.py, section 4.4.
    """
    open_or_none = np.subtract(1.0, state.expired, dtype=np.float64)
    return np.where(state.active, boost, open_or_none) if np.count_nonzero(state.active) else open_or_none


def event_relevance_multipliers(state: Validity, raw_similarities: Float64Array, *, floor: float) -> Float64Array:
    """`IRRELEVANT_EVENT` for an active EVENT whose similarity to the question is below `floor`, else 1; shape (n_events,).

    References
    ----------
    seeds/temporal_rag.py, section 4.6.
    """
    if floor <= 0 or not np.count_nonzero(state.active):
        return 1.0 + np.zeros(len(raw_similarities))
    return np.where(state.active & (raw_similarities < floor), IRRELEVANT_EVENT, 1.0)


def minmax(values: Float64Array) -> Float64Array:
    """Values scaled to [0, 1]; all 1 where they are equal.

    References
    ----------
    seeds/temporal_rag.py, section 4.7, step 2.
    """
    if not values.size:
        return values
    low, high = np.minimum.reduce(values), np.maximum.reduce(values)
    return (values - low) / (high - low) if high > low else np.ones(len(values))


def semantic_penalties(vector_scores: Float64Array, *, minimum: float) -> Float64Array:
    """`BELOW_GATE` where the scaled similarity is below `minimum`, else 1; shape (n_events,).

    References
    ----------
    seeds/temporal_rag.py, section 4.5.
    """
    return np.where(vector_scores < minimum, BELOW_GATE, 1.0)


def hybrid_scores(vector_scores: Float64Array, temporal_components: Float64Array, *, temporal_weight: float) -> Float64Array:
    r"""Mix similarity and time.

    .. math:: f_i = (1 - w) v_i + w t_i

    Parameters
    ----------
    vector_scores, temporal_components : ndarray of shape (n,), float64
    temporal_weight : float
        w, in [0, 1].

    References
    ----------
    seeds/temporal_rag.py, section 4.7.
    """
    return (1.0 - temporal_weight) * vector_scores + temporal_weight * temporal_components


def validity_states(events: Iterable[Dated], as_of: datetime) -> list[ValidityState]:
    """The state of each event's window as of a time."""
    return validity(TimeTable.of(events), seconds_since_epoch(as_utc(as_of, field="as_of"))).states()
