"""One reading of time: whatever a file or a form holds becomes an aware UTC time or a clear refusal."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import EventError
from affrag_core.events.times import EPOCH, MILLISECONDS_FROM, as_utc, iso_text, seconds_since_epoch

NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        ("2024-01-01T00:00:00Z", NEW_YEAR),
        ("2024-01-01T00:00:00z", NEW_YEAR),
        ("2024-01-01T02:00:00+02:00", NEW_YEAR),
        ("2023-12-31T19:00:00-05:00", NEW_YEAR),
        ("2024-01-01T00:00:00", NEW_YEAR),
        ("2024-01-01 00:00", NEW_YEAR),
        (" 2024-01-01 ", NEW_YEAR),
        ("20240101", NEW_YEAR),
        (date(2024, 1, 1), NEW_YEAR),
        (datetime(2024, 1, 1), NEW_YEAR),  # noqa: DTZ001 - naive on purpose
        (datetime(2024, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), NEW_YEAR),
        (1_704_067_200, NEW_YEAR),
        ("1704067200", NEW_YEAR),
        (1_704_067_200_000, NEW_YEAR),
        ("1704067200000", NEW_YEAR),
        (1_704_067_200.5, NEW_YEAR + timedelta(seconds=0.5)),
        ("2024-01-01T00:00:00.123456789Z", NEW_YEAR + timedelta(microseconds=123_456)),
        (0, EPOCH),
        (-86_400, EPOCH - timedelta(days=1)),
    ],
)
def test_every_common_way_to_write_a_time_is_read(given_value, expected):
    read = as_utc(given_value)
    assert read == expected
    assert read.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "value",
    [
        *("", "  ", "yesterday", "2024", "31/01/2024", "2024-02-30", "2024-01-01T24:00:00Z", "1e400", "NaN", "1" * 5000),
        *(math.nan, math.inf, True, None, [], {}, 10**400, "0001-01-01T00:00:00+14:00"),
    ],
)
def test_what_is_no_time_is_refused_with_field_and_event(value):
    with pytest.raises(EventError) as caught:
        as_utc(value, field="valid_from", event_id="e042")
    assert caught.value.field == "valid_from"
    assert str(caught.value).startswith("valid_from must be a date or time such as")
    assert str(caught.value).endswith("(event e042)")
    assert len(str(caught.value)) < 200


def test_a_year_alone_is_never_taken_for_seconds():
    with pytest.raises(EventError):
        as_utc("2024")


def test_numbers_from_the_year_5138_in_seconds_on_are_milliseconds():
    assert as_utc(MILLISECONDS_FROM - 1).year == 5138
    assert as_utc(MILLISECONDS_FROM) == EPOCH + timedelta(seconds=MILLISECONDS_FROM / 1000)


def test_naive_and_aware_times_compare():
    assert as_utc("2024-01-01T00:00:00") < as_utc("2024-01-01T00:00:00-01:00")


@given(st.datetimes(timezones=st.just(UTC)))
def test_iso_text_reads_back_to_the_microsecond(time):
    assert as_utc(iso_text(time)) == time


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)), st.integers(-840, 840))  # noqa: DTZ001
def test_an_offset_never_changes_the_moment(time, minutes):
    time = time.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert as_utc(time) == time
    assert as_utc(time.isoformat()) == time


def test_no_time_has_no_text_and_no_seconds():
    assert iso_text(None) is None
    assert math.isnan(seconds_since_epoch(None))
    assert seconds_since_epoch(EPOCH + timedelta(days=1, microseconds=1)) == 86_400.000001
