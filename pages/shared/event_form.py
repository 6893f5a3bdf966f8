"""One event as a form: written anew, changed or deleted. What is typed stays until it is saved or dropped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import EMOTION_SOURCE, EMOTION_WORDS, AffragError, DocumentKind, Emotion, Event, EventError, StaleError
from pages.shared import event_rows, model_view, session
from pages.shared.feelings import AS_SAID, unweighed_word, with_said_feelings
from pages.shared.feelings_view import feelings_field, show_estimate
from pages.shared.feelings_work import reads_texts, with_feeling_vector
from pages.shared.text import counted, plain
from pages.shared.vectors_work import without_stale_vectors

if TYPE_CHECKING:
    from affrag_core import Workspace

LABELS = event_rows.LABELS | {"valence": "Valence", "arousal": "Arousal"}
KIND_WORDS = {
    "STATIC": "STATIC – stays true",
    "VERSIONED": "VERSIONED – a newer one may replace it",
    "EVENT": "EVENT – true within its window",
}
CHANGED_ELSEWHERE = "This event was changed elsewhere meanwhile. What you typed is still here: save again to put it in the place of that."
TIME_HELP = "Such as 2024-01-31 18:00. Without an offset it means UTC; 2024-01-31T20:00+02:00 is understood too. May stay empty."


@st.fragment
def event_form(ws: Workspace, event: Event | None) -> None:
    """Draw the form for an event, or for a new one; saves and deletes through the workspace."""
    prefix = _prefix(ws, event)
    st.subheader("Write an event" if event is None else f"Change {plain(event.id, most=40)}", anchor=False)
    faults: dict[str, str] = session.drafts(ws, "event_faults").get(prefix, {})
    typed = _main_fields(ws, prefix, event, faults)
    typed["feelings"] = feelings_field(ws, prefix, event)
    typed |= _more_fields(ws, prefix, event, faults)
    if "" in faults:
        st.error(faults[""])
    _buttons(ws, prefix, event, typed)


def _prefix(ws: Workspace, event: Event | None) -> str:
    """Keys change with what is stored, so that a form never shows an older state of its event."""
    if event is None:
        return f"event_new{session.drafts(ws, 'event_form').get('n_written', 0)}"
    stored = json.dumps(event.replace(semantic_vec=None, emotional_vec=None).to_dict(), sort_keys=True, default=str)
    return "event_" + hashlib.sha256(f"{ws.target}\n{stored}".encode()).hexdigest()[:16]


def _main_fields(ws: Workspace, prefix: str, event: Event | None, faults: Mapping[str, str]) -> dict[str, Any]:
    cells = event_rows.event_cells(event) if event else dict.fromkeys(event_rows.LABELS, "")
    typed: dict[str, Any] = {}
    typed["text"] = st.text_area(
        "What happened",
        cells["text"],
        key=f"{prefix}_text",
        height=110,
        persist_state="session",
        placeholder="One memory, in a sentence or more",
    )
    _fault(faults, "text")
    when = "When it happened (UTC)"
    typed["timestamp"] = _line(prefix, "timestamp", cells, faults, label=when, help_text=TIME_HELP, shown="2024-01-31 18:00")
    word, valence, arousal = st.columns([2, 1, 1])
    point = event.emotion if event and isinstance(event.emotion, Emotion) else None
    given = event.emotion if event and isinstance(event.emotion, str) else None
    words = sorted({*EMOTION_WORDS, *([given] if given else [])})
    with word:
        typed["word"] = st.selectbox(
            "Feeling, as a word",
            words,
            index=words.index(given) if given else None,
            key=f"{prefix}_word",
            accept_new_options=True,
            placeholder="Choose or type",
            persist_state="session",
            help=f"A word with a known place between pleasant and unpleasant, calm and excited. {EMOTION_SOURCE}",
        )
    for column, name, help_text in (
        (valence, "valence", "How pleasant: -1 very unpleasant, 0 neutral, 1 very pleasant."),
        (arousal, "arousal", "How excited: -1 very calm, 0 neutral, 1 very excited."),
    ):
        typed[name] = column.number_input(
            f"or {name}",
            value=getattr(point, name, None),
            step=0.1,
            format="%.3f",
            key=f"{prefix}_{name}",
            persist_state="session",
            help=help_text,
            placeholder="-1 to 1",
        )
    for name in ("emotion", "valence", "arousal"):
        _fault(faults, name)
    unweighed = unweighed_word(typed["word"] or "", ws.emotional_space)
    if unweighed:
        st.caption(plain(unweighed))
    if event is not None:
        show_estimate(ws, event)
    return typed


def _more_fields(ws: Workspace, prefix: str, event: Event | None, faults: Mapping[str, str]) -> dict[str, Any]:
    cells = event_rows.event_cells(event) if event else dict.fromkeys(event_rows.LABELS, "")
    if event and reads_texts(ws):  # they have a field of their own
        cells["metadata"] = event_rows.more_text({name: value for name, value in event.metadata.items() if name != AS_SAID})
    inside = ("kind", "doc_type", "valid_from", "valid_until", "supersedes_id", "id", "metadata")
    typed: dict[str, Any] = {}
    with st.expander("Kind, validity and more", expanded=any(name in faults for name in inside), key=f"{prefix}_more"):
        typed["kind"] = st.selectbox(
            "Kind",
            event_rows.KINDS,
            index=event_rows.KINDS.index(cells["kind"] or DocumentKind.STATIC.value),
            format_func=KIND_WORDS.get,
            key=f"{prefix}_kind",
            persist_state="session",
        )
        start, end = st.columns(2)
        with start:
            typed["valid_from"] = _line(prefix, "valid_from", cells, faults, help_text=TIME_HELP)
        with end:
            typed["valid_until"] = _line(prefix, "valid_until", cells, faults, help_text=TIME_HELP)
        kind, replaced = st.columns(2)
        with kind:
            typed["doc_type"] = _line(prefix, "doc_type", cells, faults, help_text="A free word, such as policy.", shown="general")
        with replaced:
            older = "The id of the event that this one is a newer version of."
            typed["supersedes_id"] = _line(prefix, "supersedes_id", cells, faults, label="Replaces (id)", help_text=older)
        if event is None:
            free = event_rows.free_id(ws.has_event, len(ws))
            typed["id"] = _line(prefix, "id", cells, faults, help_text="Any text that no other event has.", shown=f"{free} if left empty")
        typed["metadata"] = _line(
            prefix, "metadata", cells, faults, help_text="Anything else worth keeping, as a JSON object.", shown='{"place": "Oslo"}'
        )
    return typed


def _line(
    prefix: str, name: str, cells: Mapping[str, str], faults: Mapping[str, str], *, label: str = "", help_text: str = "", shown: str = ""
) -> str:
    text = st.text_input(
        label or LABELS[name], cells[name], key=f"{prefix}_{name}", help=help_text, placeholder=shown, persist_state="session"
    )
    _fault(faults, name)
    return text


def _fault(faults: Mapping[str, str], name: str) -> None:
    if name in faults:
        st.error(faults[name])


def _buttons(ws: Workspace, prefix: str, event: Event | None, typed: Mapping[str, Any]) -> None:
    with st.container(horizontal=True):
        if st.button("Save" if event else "Add the event", key=f"{prefix}_save", type="primary"):
            _save(ws, prefix, event, typed)
        if event is not None and st.button("Delete", key=f"{prefix}_delete", help="With its links. Undo brings them back."):
            _delete(ws, event)


def _save(ws: Workspace, prefix: str, event: Event | None, typed: Mapping[str, Any]) -> None:
    faults, kept = session.drafts(ws, "event_faults"), session.drafts(ws, "event_form")
    faults.pop(prefix, None)
    try:
        if event is not None and kept.pop("changed_elsewhere", None) != prefix:
            event = still_the_same(ws, event)
        new, warning = with_feeling_vector(typed_event(ws, event, typed), ws.emotional_space)
        if event is None:
            ws.add_events([new])
            kept["n_written"] = kept.get("n_written", 0) + 1
        else:
            ws.update_events([new])
    except StaleError:
        kept["changed_elsewhere"] = prefix
        faults[prefix] = {"": CHANGED_ELSEWHERE}
        st.rerun(scope="fragment")
    except EventError as error:
        faults[prefix] = {error.field: f"{LABELS.get(error.field, error.field)}: {plain(error.message)}"}
    except AffragError as error:
        faults[prefix] = {"": plain(error)}
    else:
        session.say(f"Saved {new.id}." + (f" {warning}" if warning else ""))
        model_view.fill_missing(ws)
    st.rerun()


def still_the_same(ws: Workspace, event: Event) -> Event:
    """The event as it is stored, which may have got its vectors meanwhile; StaleError where more has changed."""
    stored = ws.event(event.id)
    bare = {"semantic_vec": None, "emotional_vec": None}
    if stored.replace(**bare) != event.replace(**bare):
        raise StaleError(CHANGED_ELSEWHERE, stored=stored)
    return stored


def typed_event(ws: Workspace, event: Event | None, typed: Mapping[str, Any]) -> Event:
    """The event that a filled form describes.

    Raises
    ------
    EventError
        Naming the field at fault.
    """
    name = event.id if event else (typed["id"].strip() or event_rows.free_id(ws.has_event, len(ws)))
    replaced = typed["supersedes_id"].strip() or None
    if replaced is not None and (event is None or replaced != event.supersedes_id) and not ws.has_event(replaced):
        raise EventError(f"there is no event {replaced!r} to replace; write its id, or leave this empty", field="supersedes_id")
    values = {
        "id": name,
        "text": typed["text"],
        "kind": typed["kind"],
        "doc_type": typed["doc_type"].strip() or "general",
        "supersedes_id": replaced,
        "emotion": _typed_feeling(typed),
        "metadata": _typed_metadata(typed),
    } | {field: event_rows.read_time(typed[field], field) for field in event_rows.TIMES}
    if event is None:
        return Event(**values)
    encoded = session.model_of(ws) is not None
    return without_stale_vectors(event, event.replace(**values), text_is_encoded=encoded, space=ws.emotional_space)


def _typed_metadata(typed: Mapping[str, Any]) -> dict[str, Any]:
    metadata, feelings = event_rows.read_more(typed["metadata"]), typed.get("feelings")
    return metadata if feelings is None else with_said_feelings(metadata, feelings)


def _typed_feeling(typed: Mapping[str, Any]) -> str | Emotion | None:
    word, valence, arousal = (typed["word"] or "").strip(), typed["valence"], typed["arousal"]
    if valence is None and arousal is None:
        return word or None
    if word:
        raise EventError("give a word, or valence and arousal, not both; empty one of them", field="emotion")
    if valence is None or arousal is None:
        missing = "valence" if valence is None else "arousal"
        raise EventError(f"{missing} is missing; a feeling in numbers needs both", field=missing)
    return Emotion(valence, arousal)


def _delete(ws: Workspace, event: Event) -> None:
    n_links = len(ws.edges_of(event.id))
    try:
        ws.delete_events([event.id])
    except AffragError as error:
        st.error(plain(error))
        return
    session.say(f"Deleted {event.id}" + (f" and {counted(n_links, 'link')}." if n_links else ".") + " Undo brings it back.")
    st.rerun()
