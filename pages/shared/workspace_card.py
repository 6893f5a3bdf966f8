"""One workspace beside the list: opened, renamed, copied, saved as one file, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError
from pages.shared import resources, session, workspace_files, workspace_rows
from pages.shared.text import plain, size

if TYPE_CHECKING:
    from affrag_core import Workspace, WorkspaceCard

EVENTS_PAGE, RETRIEVE_PAGE = "pages/data/events.py", "pages/explore/retrieve.py"


def show_card(card: WorkspaceCard, ws: Workspace | None) -> None:
    """Draw all that can be done with a workspace; `ws` is the same one where it is open in this session."""
    st.subheader(plain(card.name, most=60), anchor=False)
    st.caption(f"{workspace_rows.counts(card, ws)} · {size(card.size)} · last changed {workspace_rows.when(card.changed)} UTC")
    st.caption(f"Kept in {plain(card.path)}")
    reason = workspace_rows.why_not_changed(card, ws)
    if reason is not None:
        kind = "cannot be read" if workspace_rows.is_unread(card, ws) else "can only be read"
        st.warning(f"This workspace {kind}: {plain(reason)}")
    with st.container(horizontal=True):
        _open(card, ws)
        _export(card, ws)
    _rename(card, reason)
    _duplicate(card, ws)
    _delete(card)


def _open(card: WorkspaceCard, ws: Workspace | None) -> None:
    why = workspace_rows.why_not_opened(card) or ("It is open already; choose a page on the left." if ws is not None else None)
    label = "Open, to see what can be read" if workspace_rows.is_unread(card, ws) else "Open"
    pressed = st.button(label, key=f"ws_open_{card.slug}", type="primary", icon=":material/folder_open:", disabled=bool(why), help=why)
    if not pressed:
        return
    try:
        with st.spinner("Opening the workspace…"):
            found = resources.opened(str(card.path))
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.switch_workspace(card.slug)
    page = RETRIEVE_PAGE if len(found) else EVENTS_PAGE
    st.switch_page(page, query_params={session.WORKSPACE: card.slug})


def _export(card: WorkspaceCard, ws: Workspace | None) -> None:
    why = "Open it first, to see what of it can be read." if workspace_rows.is_unread(card, ws) else None
    st.download_button(
        "Save as one file",
        lambda: workspace_files.exported(card),
        file_name=card.slug + workspace_files.EXPORT_SUFFIX,
        mime="application/zip",
        key=f"ws_export_{card.slug}",
        icon=":material/download:",
        on_click="ignore",
        disabled=why is not None,
        help=why or "Everything in it: events, vectors, links, settings, saved runs. Only the history behind undo is left out.",
    )


def _rename(card: WorkspaceCard, reason: str | None) -> None:
    with st.form(f"ws_rename_{card.slug}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", card.name, max_chars=80, key=f"ws_name_{card.slug}", disabled=reason is not None, help=reason)
        if not st.form_submit_button("Rename", key=f"ws_rename_go_{card.slug}", disabled=reason is not None, help=reason):
            return
    try:
        with st.spinner("Opening the workspace…"):
            workspace_files.renamed(card, name)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.say(f"It is called “{name.strip()}” now. Addresses that lead to it still do.")
    st.rerun()


def _duplicate(card: WorkspaceCard, ws: Workspace | None) -> None:
    why = "Open it first, to see what of it can be read." if workspace_rows.is_unread(card, ws) else workspace_rows.why_nothing_made()
    with st.form(f"ws_copy_{card.slug}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        start = f"Copy of {card.name}"[:80]
        name = st.text_input("Name of a copy", start, max_chars=80, key=f"ws_copy_name_{card.slug}", disabled=why is not None, help=why)
        if not st.form_submit_button("Make a copy", key=f"ws_copy_go_{card.slug}", disabled=why is not None, help=why):
            return
    try:
        with st.spinner("Copying the workspace…"):
            workspace_files.duplicated(card, name)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.say(f"Made “{name.strip()}”, a copy of “{card.name}”.")
    st.rerun()


def _delete(card: WorkspaceCard) -> None:
    why = workspace_rows.why_not_deleted(card)
    with st.expander("Delete this workspace", icon=":material/delete:", key=f"ws_delete_box_{card.slug}"):
        st.write(f"A copy goes to the backups first, and can be brought back from there. To go on, type **{plain(card.name)}** below.")
        with st.form(f"ws_delete_{card.slug}", border=False):
            typed = st.text_input("Its name", key=f"ws_delete_name_{card.slug}", autocomplete="off", disabled=why is not None, help=why)
            if not st.form_submit_button("Delete it", key=f"ws_delete_go_{card.slug}", disabled=why is not None, help=why):
                return
        if " ".join(typed.split()) != " ".join(card.name.split()):
            st.error(f"Nothing was deleted: the name is {plain(card.name)}, with the same capital letters.")
            return
        try:
            with st.spinner("Keeping a copy, then deleting…"):
                copy = workspace_files.deleted(card)
        except (AffragError, OSError) as error:
            st.error(plain(error))
            return
    session.say(f"Deleted “{card.name}”. Its copy is the backup {copy.name}, which you can bring back below.")
    st.rerun()
