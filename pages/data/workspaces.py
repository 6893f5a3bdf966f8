"""Workspaces: made, opened, renamed, copied, saved as one file, deleted, and brought back."""

from __future__ import annotations

import streamlit as st

from affrag_core import AffragError, Workspace, list_workspaces
from pages.shared import folders, header, history, places, server_door, servers, session, workspace_card, workspace_doors, workspace_table
from pages.shared.places import Place
from pages.shared.style import apply_style
from pages.shared.text import plain


def current() -> Workspace | None:
    """The open workspace; a sentence where there is one that cannot be read, as it can be deleted here."""
    try:
        ws = session.current_workspace()
        if ws is not None:
            ws.refresh()
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return None
    return ws


def known() -> list[Place]:
    """All workspaces; those of the data folder alone, and a sentence, where the server that the app was told of has no right address."""
    try:
        return places.all_places()
    except AffragError as error:
        st.error(plain(f"{servers.SETTING}: {error}"))
        return [places.of_card(card) for card in list_workspaces(folders.workspace_folder())]


apply_style()
with st.container(horizontal=True, vertical_alignment="center", key="header"):
    st.title("Workspaces", anchor=False, width="content")
    ws = current()
    if ws is not None:
        header.show_state(ws)
history.say_what_was_done()
found = known()
if found:
    table, chosen = st.columns([3, 2], gap="medium")
    with table:
        place = workspace_table.choose(found, ws)
    if place is not None:
        with chosen, st.container(border=True):
            workspace_card.show_card(place, workspace_table.opened(place, ws))
else:
    st.info("There are no workspaces yet. Make one here, or open a demo on the Start page.")
doors = (workspace_doors.show_new, workspace_doors.show_import, workspace_doors.show_backups)
for column, show_door in zip(st.columns(3), doors, strict=True):
    with column.container(border=True, height="stretch"):
        show_door()
with st.container(border=True):
    server_door.show_server()
