"""`Document` and `ScoredDocument`: states, labels and ages by known answers."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from affrag_core import Document, DocumentKind, Event, EventError, ScoredDocument, ValidityState
from affrag_core.reference import documents

NOW = datetime(2025, 6, 1, 12)  # noqa: DTZ001 - as the second reference writes its times
STATIC, VERSIONED, EVENT = DocumentKind.STATIC, DocumentKind.VERSIONED, DocumentKind.EVENT
VALID, TEMPORAL, EXPIRED = ValidityState.VALID, ValidityState.TEMPORAL, ValidityState.EXPIRED


def ago(**parts):
    return NOW - timedelta(**parts)


def document(**values):
    return Document(**{"id": "d", "content": "words", "created_at": ago(days=10), **values})


def test_a_document_has_the_fields_of_the_reference_in_their_order():
    assert [field.name for field in fields(Document)] == [
        *("id", "content", "embedding", "created_at", "valid_from", "valid_until", "doc_type", "kind", "supersedes_id")
    ]
    plain = Document("d", "words", None, NOW)
    assert (plain.valid_from, plain.valid_until, plain.doc_type, plain.kind, plain.supersedes_id) == (None, None, "general", STATIC, None)


def test_the_states_and_kinds_are_named_as_in_the_reference():
    assert [kind.value for kind in DocumentKind] == ["STATIC", "VERSIONED", "EVENT"]
    assert [state.value for state in ValidityState] == ["VALID", "TEMPORAL", "EXPIRED"]


def test_a_document_is_new_where_no_time_is_given(monkeypatch):
    before = datetime.now(UTC).replace(tzinfo=None)
    made = Document("d", "words").created_at
    assert made.tzinfo is None
    assert before <= made <= datetime.now(UTC).replace(tzinfo=None)


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize(
    ("opens", "closes", "inside"),
    [
        (None, None, None),
        (ago(days=1), None, True),
        (None, ago(days=-1), True),
        (ago(days=1), ago(days=-1), True),
        (ago(days=-1), None, False),
        (None, ago(days=1), False),
        (ago(days=2), ago(days=1), False),
        (NOW, NOW, True),
        (ago(seconds=-1), None, False),
        (None, ago(seconds=1), False),
    ],
)
def test_the_state_follows_from_the_window_and_the_kind(kind, opens, closes, inside):
    expected = VALID if inside is None else EXPIRED if not inside else TEMPORAL if kind is EVENT else VALID
    assert document(kind=kind, valid_from=opens, valid_until=closes).validity_state(NOW) is expected


@pytest.mark.parametrize(
    ("values", "label"),
    [
        ({}, "open-ended"),
        ({"kind": EVENT}, "open-ended"),
        ({"kind": EVENT, "valid_from": ago(days=1)}, "active"),
        ({"kind": EVENT, "valid_until": NOW + timedelta(hours=36, minutes=20)}, "36h remaining"),
        ({"valid_until": NOW + timedelta(hours=36)}, "open-ended"),
        ({"kind": VERSIONED}, "open-ended"),
        ({"kind": VERSIONED, "supersedes_id": "v1"}, "supersedes v1"),
        ({"supersedes_id": "v1"}, "open-ended"),
        ({"valid_until": ago(days=3, hours=1)}, "expired 3d ago"),
        ({"kind": VERSIONED, "supersedes_id": "v1", "valid_until": ago(hours=1)}, "expired 0d ago"),
    ],
)
def test_the_window_in_the_references_words(values, label):
    assert document(**values).window_label(NOW) == label


@pytest.mark.parametrize("closes", [None, NOW + timedelta(days=30)])
def test_a_window_that_has_not_begun_is_expired_and_its_label_says_so(closes):
    later = document(kind=EVENT, valid_from=NOW + timedelta(days=5), valid_until=closes)
    assert later.validity_state(NOW) is EXPIRED
    assert later.window_label(NOW) == "not begun, starts in 5d"


@pytest.mark.parametrize(("created", "days"), [(ago(days=2, hours=12), 2.5), (NOW, 0.0), (NOW + timedelta(days=3), 0.0)])
def test_an_age_is_in_days_and_never_negative(created, days):
    assert document(created_at=created).age_in_days(NOW) == days


def test_times_with_and_without_an_offset_mix():
    east = timezone(timedelta(hours=2))
    mixed = document(created_at=ago(days=1).replace(tzinfo=UTC), kind=EVENT, valid_from=ago(days=1), valid_until=NOW.replace(tzinfo=UTC))
    for now in (NOW, NOW.replace(tzinfo=UTC), (NOW + timedelta(hours=2)).replace(tzinfo=east)):
        assert mixed.age_in_days(now) == 1.0
        assert mixed.validity_state(now) is TEMPORAL
        assert mixed.window_label(now) == "0h remaining"
    assert mixed.validity_state(NOW.replace(tzinfo=timezone(timedelta(hours=-1)))) is EXPIRED


def test_a_changed_time_or_kind_is_seen_at_once():
    changing = document(kind=EVENT, valid_until=NOW)
    assert changing.validity_state(NOW) is TEMPORAL
    changing.valid_until = ago(days=1)
    assert changing.validity_state(NOW) is EXPIRED
    changing.valid_until, changing.valid_from, changing.kind = None, ago(days=1), STATIC
    assert changing.validity_state(NOW) is VALID


def test_copies_of_a_document_are_its_equals_and_change_apart():
    original = document(kind=EVENT, valid_until=NOW)
    original.validity_state(NOW)
    for copied in (copy.copy(original), copy.deepcopy(original), pickle.loads(pickle.dumps(original)), replace(original)):  # noqa: S301
        assert copied == original
        copied.valid_until = ago(days=1)
        assert (copied.validity_state(NOW), original.validity_state(NOW)) == (EXPIRED, TEMPORAL)
    assert set(asdict(original)) == {field.name for field in fields(Document)}


def test_a_bare_document_accepts_a_window_that_ends_before_it_begins_and_an_event_does_not():
    backwards = document(valid_from=NOW, valid_until=ago(days=1))
    assert backwards.validity_state(NOW) is EXPIRED
    with pytest.raises(EventError, match=r"valid_from must not be after valid_until.*\(event d\)"):
        Event(id="d", text="words", valid_from=backwards.valid_from, valid_until=backwards.valid_until)


def test_an_event_takes_text_for_its_id_and_is_frozen():
    with pytest.raises(EventError, match="id must be a text that is not blank, got 7"):
        Event(id=7, text="words")
    with pytest.raises(FrozenInstanceError):
        Event(id="7", text="words").text = "other"


def scored(query_time=NOW, **values):
    parts = {"vector_score": 0.75, "recency_score": 0.5, "decay_score": 0.25, "validity_multiplier": 1.2, "final_score": 0.5375}
    return ScoredDocument(document(**values), **parts, validity_state=TEMPORAL, reason="because", query_time=query_time)


def test_an_explanation_has_a_line_for_each_part_as_of_the_query_time():
    explained = scored(kind=EVENT, valid_until=NOW + timedelta(hours=5), content="long " * 30).explain()
    assert explained == (
        "  [d]\n"
        f"    content      : {'long ' * 16}...\n"
        "    age          : 10.0 days\n"
        "    kind         : EVENT\n"
        "    vector score : 0.750\n"
        "    recency score: 0.500\n"
        "    decay score  : 0.250\n"
        "    state        : ⚡ temporal (active)\n"
        "    window       : 5h remaining\n"
        "    reason       : because\n"
        "    FINAL SCORE  : 0.537\n"
    )


def test_an_explanation_made_without_a_query_time_looks_from_the_present(monkeypatch):
    monkeypatch.setattr(documents, "utc_clock", lambda: NOW + timedelta(days=5))
    assert "age          : 15.0 days" in scored(query_time=None).explain()
    assert "age          : 10.0 days" in scored().explain()


def test_a_scored_document_has_the_fields_of_the_reference_and_the_query_time_last():
    assert [field.name for field in fields(ScoredDocument)] == [
        *("document", "vector_score", "recency_score", "decay_score", "validity_state", "validity_multiplier", "final_score", "reason"),
        "query_time",
    ]
    assert ScoredDocument(document(), 1.0, 1.0, 1.0, VALID, 1.0, 1.0, "because").query_time is None
