"""Events: written, changed, brought in from a file, and taken out again."""

from __future__ import annotations

import streamlit as st

from pages.shared import event_editor, event_table, export_view, header, history, upload_view

VIEWS = {"write": "Browse and write", "table": "Edit in a table", "file": "Bring in a file"}

ws = header.page_header("Events", toast=False)
with st.container(horizontal=True, vertical_alignment="bottom"):
    view = st.segmented_control(
        "View",
        list(VIEWS),
        default="write",
        format_func=VIEWS.get,
        key="events_view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    history.say_what_was_done()
    history.undo_buttons(ws, "events")
    export_view.export_menu(ws)
if view == "file":
    upload_view.bring_in(ws)
elif view == "table":
    event_editor.edit_table(ws)
else:
    event_table.browse(ws)
history.undo_keys("events")
