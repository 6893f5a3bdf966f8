"""What a trace says in words: windows and reasons."""

from __future__ import annotations

from dataclasses import dataclass

from affrag_core.config import TemporalConfig
from affrag_core.events.event import Event
from affrag_core.events.kinds import DocumentKind, ValidityState
from affrag_core.events.times import seconds_since_epoch

SECONDS_PER_HOUR = 3600.0
NOT_BEGUN = "starts in"
"""Begins the window's words where it has not begun."""
FRESH_ABOVE, AGEING_ABOVE = 0.7, 0.3
"""Decay scores that the second reference calls fresh and ageing."""


def number(value: float | None) -> str:
    """Three significant digits, a true minus sign, no exponent within reach; a dash for None."""
    if value is None:
        return "–"
    value += 0.0  # no sign on zero
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        text = f"{value:.2e}"
    else:
        text = f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"
    return text.replace("-", "−")


def span_words(seconds: float) -> str:
    """A length of time in whole hours below two days, in whole days from there, in years from three years."""
    hours = seconds / SECONDS_PER_HOUR
    if hours < 1:
        return "less than an hour"
    count, unit = (hours, "hour") if hours < 48 else (hours / 24, "day")
    if unit == "day" and count >= 3 * 365.25:
        count, unit = count / 365.25, "year"
    return f"{int(count):,} {unit}{'' if int(count) == 1 else 's'}"


def window_words(event: Event, state: ValidityState, now_s: float) -> str:
    """What the validity window says at the query time, in plain words."""
    starts, ends = seconds_since_epoch(event.valid_from), seconds_since_epoch(event.valid_until)
    if state is ValidityState.EXPIRED:
        return f"{NOT_BEGUN} {span_words(starts - now_s)}" if now_s < starts else f"expired {span_words(now_s - ends)} ago"
    if event.valid_until is not None:
        return f"{span_words(ends - now_s)} left"
    if state is ValidityState.TEMPORAL:
        return "active, no end set"
    if event.kind is DocumentKind.VERSIONED and event.supersedes_id:
        return f"open-ended, supersedes {event.supersedes_id}"
    return "open-ended"


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of one pool event when its reason is put into words."""

    event: Event
    state: ValidityState
    window: str
    age_days: float | None
    decay_score: float
    raw_similarity: float
    vector_score: float | None
    superseded_by: str | None
    outcome: str


def reason_words(at: Standing, config: TemporalConfig) -> str:
    """Why an event of the pool counts as it does, in one sentence."""
    if at.outcome == "expired":
        return f"Left out: {at.window}."
    if at.outcome == "superseded":
        return f"Left out: superseded by {at.superseded_by}."
    if at.outcome == "too old":
        return f"Left out: {number(at.age_days)} days old, the limit is {number(config.max_age_days)}."
    if at.vector_score is not None and at.vector_score < config.min_vector_score:
        return f"Weak match within this pool ({number(at.vector_score)} below {number(config.min_vector_score)}): keeps 0.3 of its score."
    return time_words(at, config)


def time_words(at: Standing, config: TemporalConfig) -> str:
    """What time does to an event, in one sentence."""
    if at.state is ValidityState.EXPIRED:
        return f"Outside its window ({at.window}): time adds nothing."
    if at.superseded_by is not None:
        return f"Superseded by {at.superseded_by}, still counted."
    if at.age_days is None:
        return "No date: time adds nothing."
    if at.state is ValidityState.TEMPORAL:
        floor = config.event_min_raw_vector_score
        if floor > 0 and at.raw_similarity < floor:
            unlike = f"{number(at.raw_similarity)} below {number(floor)}"
            return f"Active ({at.window}) but too unlike the question ({unlike}): half its time part."
        return f"Active ({at.window}): its time part counts × {number(config.validity_boost)}."
    if at.event.kind is DocumentKind.VERSIONED and at.event.supersedes_id:
        return f"Newest version, supersedes {at.event.supersedes_id}."
    if at.decay_score > FRESH_ABOVE:
        return "Fresh: time keeps most of its weight."
    if at.decay_score > AGEING_ABOVE:
        return "Ageing: time keeps part of its weight."
    return "Old: time adds little, similarity carries it."
