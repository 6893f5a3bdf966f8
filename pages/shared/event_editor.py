"""Events changed in a table, many at once. Edits stay drafts, by event and field, until they are saved or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError, EventError
from pages.shared import event_rows, event_table, model_view, session
from pages.shared.feelings_work import with_feeling_vector
from pages.shared.text import counted, plain
from pages.shared.vectors_work import without_stale_vectors

if TYPE_CHECKING:
    from affrag_core import Event, Workspace

Cells = dict[str, dict[str, str]]
"""Changed cells by event and field."""


def edit_table(ws: Workspace) -> None:
    """The table whose cells can be changed, its unsaved edits, and what is wrong with those that could not be saved."""
    if not len(ws):
        st.info("There are no events yet. Write the first one under “Browse and write”, or choose “Bring in a file”.")
        return
    shown = event_table.filtered(ws, "editor")
    event_table.say_how_many(ws, shown)
    draft: Cells = session.drafts(ws, "event_cells")
    bar = st.container()
    if shown.events:
        draft.update(_merged(draft, _editor(ws, shown.events, draft)))
    _forget_unchanged(ws, draft)
    with bar:
        _save_bar(ws, draft)


def _editor(ws: Workspace, events: Sequence[Event], draft: Cells) -> Cells:
    """Draw the editor over the events with their drafts; returns the cells that differ from what it was given."""
    import pandas as pd

    columns = list(event_table.COLUMNS)
    start = session.drafts(ws, "event_editor")
    name = f"{event_table.digest(event.id for event in events)}_{start.get('n', 0)}"
    key = f"event_editor_{name}"
    if key not in st.session_state:
        # What the editor starts from stays the same while it is open, as its edits are kept by position.
        start["cells"] = {event.id: dict(draft[event.id]) for event in events if event.id in draft}
    given = [event_rows.event_cells(event) | start["cells"].get(event.id, {}) for event in events]
    kinds = st.column_config.SelectboxColumn("Kind", options=event_rows.KINDS, required=True)
    st.data_editor(
        pd.DataFrame(given, columns=columns),
        key=key,
        hide_index=True,
        height=event_table.table_height(len(given)),
        disabled=["id"],
        column_config=event_table.event_columns() | {"kind": kinds},
        alt="Events, to be changed",
    )
    edited = st.session_state[key]["edited_rows"]
    return {events[int(row)].id: {field: value or "" for field, value in cells.items()} for row, cells in edited.items()}


def _merged(draft: Cells, edited: Cells) -> Cells:
    return {name: draft.get(name, {}) | cells for name, cells in edited.items()}


def _forget_unchanged(ws: Workspace, draft: Cells) -> None:
    """Cells that say what is stored are no edits; nor are those of events that are gone."""
    for name in list(draft):
        stored = event_rows.event_cells(ws.event(name)) if ws.has_event(name) else None
        cells = {} if stored is None else {field: text for field, text in draft[name].items() if text != stored[field]}
        draft[name] = cells
        if not cells:
            del draft[name]


def _save_bar(ws: Workspace, draft: Cells) -> None:
    n_cells = sum(len(cells) for cells in draft.values())
    faults: list[dict[str, Any]] = session.drafts(ws, "event_cell_faults").get("rows", [])
    why = None if draft else "Nothing is changed."
    with st.container(horizontal=True, vertical_alignment="center"):
        save = st.button("Save the changes", key="editor_save", type="primary", disabled=not draft, help=why)
        drop = st.button("Drop them", key="editor_drop", disabled=not draft, help=why)
        if draft:
            st.caption(f"{counted(n_cells, 'cell')} of {counted(len(draft), 'event')} changed and not saved yet.")
        else:
            st.caption("Double-click a cell to change it. A feeling is a word, or valence and arousal such as 0.4, -0.2.")
    if save:
        _save(ws, draft)
    if drop:
        draft.clear()
        session.drafts(ws, "event_cell_faults").clear()
        _renew(ws)
    if faults:
        st.error(f"{counted(len(faults), 'event')} could not be saved. The cells still hold what you typed; mend them and save again.")
        st.dataframe(faults, hide_index=True, key="editor_faults", alt="Changes that could not be saved")


def _save(ws: Workspace, draft: Cells) -> None:
    good, faults, warnings = changed_events(ws, draft, text_is_encoded=session.model_of(ws) is not None)
    try:
        if good:
            ws.update_events(good)
    except AffragError as error:
        st.error(plain(error))
        return
    session.drafts(ws, "event_cell_faults")["rows"] = faults
    for event in good:
        del draft[event.id]
    if good:
        session.say(f"Saved {counted(len(good), 'event')}." + "".join(f" {warning}" for warning in warnings[:3]))
        model_view.fill_missing(ws)
    _renew(ws)


def _renew(ws: Workspace) -> None:
    start = session.drafts(ws, "event_editor")
    start["n"] = start.get("n", 0) + 1
    st.rerun()


def changed_events(
    ws: Workspace, draft: Mapping[str, Mapping[str, str]], *, text_is_encoded: bool
) -> tuple[list[Event], list[dict[str, Any]], list[str]]:
    """The events that the changed cells make, what is wrong with the others, and sentences about feelings without a place."""
    good, faults, warnings = [], [], []
    for name, cells in draft.items():
        old = ws.event(name)
        try:
            changed = event_rows.event_with_cells(old, cells)
            new = without_stale_vectors(old, changed, text_is_encoded=text_is_encoded, space=ws.emotional_space)
        except EventError as error:
            field = "emotion" if error.field in ("valence", "arousal") else error.field
            label = event_rows.LABELS.get(field, field)
            faults.append({"Event": name, "Field": label, "You typed": cells.get(field, ""), "What is wrong": error.message})
            continue
        new, warning = with_feeling_vector(new, ws.emotional_space)
        good.append(new)
        warnings += [warning] if warning else []
    return good, faults, warnings
