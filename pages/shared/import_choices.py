"""The questions that a file leaves open: ids that repeat, vectors that came with it, links that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import duplicate_ids, left_out, link_columns
from pages.shared import resources
from pages.shared.encoder_shelf import BUNDLED
from pages.shared.feelings_work import reads_texts
from pages.shared.import_plan import UPDATE, Choices
from pages.shared.importing import checked_space, lengths_differ, only_here
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Reading, Workspace

DUPLICATE_WORDS = {
    "refuse": "Leave all of them out, and list them below",
    UPDATE: "Update by id: see below what is new and what changes, before it does",
    "keep first": "Keep the first (an event that is here already stays as it is)",
    "keep last": "Keep the last (an event that is here already is replaced)",
    "rename": "Keep all, the later ones under a new id such as e7-2",
}
NOT_KNOWN, OTHER = "It is not known", "Another model"
KNOWN_LENGTHS = {BUNDLED: 384}


def ask(ws: Workspace, draft: dict[str, Any], reading: Reading) -> Choices:
    """Draw the questions that this file needs; returns the answers.

    Raises
    ------
    EventError
        If an answer cannot be right.
    """
    key = f"upload_{draft['digest']}"
    duplicates = _ask_duplicates(ws, key, reading)
    delete_missing = duplicates == UPDATE and _ask_whole(ws, key, reading)
    keep_semantic, space = _ask_semantic(ws, key, reading)
    keep_emotional = _ask_emotional(ws, key, reading)
    link_next, within = _ask_links(key, reading)
    return Choices(duplicates, link_next, within, keep_semantic, keep_emotional, space, delete_missing)


def _ask_duplicates(ws: Workspace, key: str, reading: Reading) -> str:
    repeated = duplicate_ids(reading, resources.event_ids(ws))
    if not repeated:
        return "refuse"
    some = ", ".join(list(repeated)[:5]) + (", …" if len(repeated) > 5 else "")
    several = "ids stand" if len(repeated) > 1 else "id stands"
    st.warning(f"{len(repeated):,} {several} more than once, in the file or beside what is here: {plain(some, most=200)}")
    can_update = any(ws.has_event(event_id) for event_id in repeated)
    options = [choice for choice in DUPLICATE_WORDS if can_update or choice != UPDATE]
    return st.radio("What to do with them", options, format_func=DUPLICATE_WORDS.get, key=f"{key}_duplicates", persist_state="session")


def _ask_whole(ws: Workspace, key: str, reading: Reading) -> bool:
    n_only_here = len(only_here(ws, reading))
    if not n_only_here:
        return False
    return st.checkbox(
        f"The file is the whole truth: delete the {counted(n_only_here, 'event')} not in it",
        key=f"{key}_whole",
        persist_state="session",
        help="With their links. Rows that could not be read count as being in the file. Undo brings all of it back.",
    )


def _ask_semantic(ws: Workspace, key: str, reading: Reading) -> tuple[bool, str | None]:
    given = [event for event in reading.events if event.semantic_vec is not None]
    if not given:
        return True, None
    differ = lengths_differ(ws, given, "semantic_vec")
    if differ:
        st.info(differ)
        return False, None
    words = {True: f"Keep the {counted(len(given), 'vector')} of the file", False: "Make new ones from the texts"}
    keep = st.radio(
        "The file brings its own semantic vectors",
        list(words),
        format_func=words.get,
        key=f"{key}_semantic",
        horizontal=True,
        persist_state="session",
    )
    if not keep:
        return False, None
    if ws.semantic_space is not None:
        st.caption(f"They must come from what made the vectors that are here: {plain(ws.semantic_space)}.")
        return True, None
    made_by = st.selectbox("What made them?", [NOT_KNOWN, BUNDLED, OTHER], key=f"{key}_made_by", persist_state="session")
    if made_by == OTHER:
        made_by = st.text_input("Its name or folder", key=f"{key}_made_by_name", persist_state="session").strip() or NOT_KNOWN
    if made_by == NOT_KNOWN:
        st.caption("Then typed questions cannot be compared with them; a question can start from an event.")
        return True, None
    return True, checked_space(made_by, given, KNOWN_LENGTHS)


def _ask_emotional(ws: Workspace, key: str, reading: Reading) -> bool:
    given = [event for event in reading.events if event.emotional_vec is not None]
    if not given:
        return True
    if reads_texts(ws):
        st.info("The feelings of this workspace are read from the texts, so the file’s own emotional vectors are not taken.")
        return False
    differ = lengths_differ(ws, given, "emotional_vec")
    if differ:
        st.info(differ)
        return False
    words = {True: f"Keep the {counted(len(given), 'vector')} of the file", False: "Make new ones from the feelings"}
    return st.radio(
        "The file brings its own emotional vectors",
        list(words),
        format_func=words.get,
        key=f"{key}_emotional",
        horizontal=True,
        persist_state="session",
    )


def _ask_links(key: str, reading: Reading) -> tuple[bool, str | None]:
    dated = sum(event.timestamp is not None for event in reading.events)
    if reading.edges or dated < 2:
        return False, None
    wanted = st.checkbox(
        "Link each event to the next in time",
        value=True,
        key=f"{key}_next",
        persist_state="session",
        help="The file has no links, and without any there is nothing to walk along. Each event gets a link to the one that follows it.",
    )
    return wanted, ask_within(key, list(reading.events)) if wanted else None


def ask_within(key: str, events: list[Any]) -> str | None:
    """Ask within which column events are linked to the next; says what is left out."""
    columns = link_columns(events)
    within = (
        None
        if not columns
        else st.selectbox(
            "Only among events with the same",
            columns,
            index=None,
            format_func=lambda name: {"doc_type": "type", "kind": "kind", "emotion": "feeling"}.get(name, name),
            key=f"{key}_within",
            placeholder="(all together)",
            persist_state="session",
            help="Such as a person or a place, so that each has a thread of its own.",
        )
    )
    missing = left_out(events, within=within)
    if missing:
        st.caption("Left without such a link: " + plain(", ".join(f"{counted(n, 'event')} {why}" for why, n in missing.items())))
    return within
