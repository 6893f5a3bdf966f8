"""Links between events: made, changed, proposed by a rule, brought in from a file, and taken out again."""

from __future__ import annotations

import streamlit as st

from pages.shared import edge_table, edge_upload, export_view, header, history, proposal_view, remembered_rules

VIEWS = {"make": "Browse and make", "propose": "Propose links", "file": "Bring in a file"}

ws = header.page_header("Links", toast=False)
with st.container(horizontal=True, vertical_alignment="bottom"):
    view = st.segmented_control(
        "View",
        list(VIEWS),
        default="make",
        format_func=VIEWS.get,
        key="links_view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    history.say_what_was_done()
    remembered_rules.run_button(ws)
    history.undo_buttons(ws, "links")
    export_view.export_menu(ws)
if view == "propose":
    proposal_view.propose(ws)
elif view == "file":
    edge_upload.bring_in(ws)
else:
    edge_table.browse(ws)
history.undo_keys("links")
