"""One workspace beside the list: opened, renamed, copied, saved as one file, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError
from pages.shared import folders, resources, server_door, session, workspace_files, workspace_rows
from pages.shared.event_table import digest
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Workspace
    from pages.shared.places import Place


def show_card(place: Place, ws: Workspace | None) -> None:
    """Draw all that can be done with a workspace; `ws` is the same one where it is open in this session."""
    st.subheader(plain(_name(place, ws), most=60), anchor=False)
    st.caption(" · ".join(workspace_rows.facts(place, ws)))
    st.caption(f"Kept in {plain(place.shown)}")
    reason = workspace_rows.why_not_changed(place, ws)
    if reason is not None:
        kind = "cannot be read" if workspace_rows.is_unread(place, ws) else "can only be read"
        st.warning(f"This workspace {kind}: {plain(reason)}")
    if place.path is None and ws is None:
        server_door.show_closed(place)
        return
    with st.container(horizontal=True):
        _open(place, ws)
        _export(place, ws)
        if place.path is None:
            server_door.forget_button(place)
    _rename(place, ws, reason)
    _duplicate(place, ws)
    _delete(place, ws)


def _name(place: Place, ws: Workspace | None) -> str:
    return ws.name if ws is not None else place.name


def _named(field: str, place: Place, ws: Workspace | None) -> str:
    """A key that goes with the name, so that a field with the name in it follows when that is changed."""
    return f"{field}_{place.slug}_{digest([_name(place, ws)])}"


def _open(place: Place, ws: Workspace | None) -> None:
    why = workspace_rows.why_not_opened(place) or ("It is open already; choose a page on the left." if ws is not None else None)
    label = "Open, to see what can be read" if workspace_rows.is_unread(place, ws) else "Open"
    pressed = st.button(label, key=f"ws_open_{place.slug}", type="primary", icon=":material/folder_open:", disabled=bool(why), help=why)
    if not pressed:
        return
    try:
        with st.spinner("Opening the workspace…"):
            found = resources.opened(workspace_files.target(place))
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.enter(place.slug, found)


def _export(place: Place, ws: Workspace | None) -> None:
    why = workspace_rows.why_not_copied(place, ws)
    st.download_button(
        "Save as one file",
        lambda: workspace_files.exported(place),
        file_name=folders.slug_of(place.slug) + workspace_files.EXPORT_SUFFIX,
        mime="application/zip",
        key=f"ws_export_{place.slug}",
        icon=":material/download:",
        on_click="ignore",
        disabled=why is not None,
        help=why or "Everything in it: events, vectors, links, settings, saved runs. Only the history behind undo is left out.",
    )


def _rename(place: Place, ws: Workspace | None, reason: str | None) -> None:
    with st.form(f"ws_rename_{place.slug}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name", _name(place, ws), max_chars=80, key=_named("ws_name", place, ws), disabled=reason is not None, help=reason
        )
        if not st.form_submit_button("Rename", key=f"ws_rename_go_{place.slug}", disabled=reason is not None, help=reason):
            return
    try:
        with st.spinner("Opening the workspace…"):
            workspace_files.renamed(place, name)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.say(f"It is called “{name.strip()}” now. Addresses that lead to it still do.")
    st.rerun()


def _duplicate(place: Place, ws: Workspace | None) -> None:
    why = workspace_rows.why_not_copied(place, ws) or workspace_rows.why_nothing_made()
    with st.form(f"ws_copy_{place.slug}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        start = f"Copy of {_name(place, ws)}"[:80]
        name = st.text_input(
            "Name of a copy", start, max_chars=80, key=_named("ws_copy_name", place, ws), disabled=why is not None, help=why
        )
        if not st.form_submit_button("Make a copy", key=f"ws_copy_go_{place.slug}", disabled=why is not None, help=why):
            return
    try:
        with st.spinner("Copying the workspace…"):
            workspace_files.duplicated(place, name)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.say(f"Made “{name.strip()}”, a copy of “{_name(place, ws)}”.")
    st.rerun()


def _delete(place: Place, ws: Workspace | None) -> None:
    why, name = workspace_rows.why_not_deleted(place, ws), _name(place, ws)
    with st.expander("Delete this workspace", icon=":material/delete:", key=f"ws_delete_box_{place.slug}"):
        st.write(f"A copy goes to the backups first, and can be brought back from there. To go on, type **{plain(name)}** below.")
        with st.form(f"ws_delete_{place.slug}", border=False):
            typed = st.text_input("Its name", key=f"ws_delete_name_{place.slug}", autocomplete="off", disabled=why is not None, help=why)
            if not st.form_submit_button("Delete it", key=f"ws_delete_go_{place.slug}", disabled=why is not None, help=why):
                return
        if " ".join(typed.split()) != " ".join(name.split()):
            st.error(f"Nothing was deleted: the name is {plain(name)}, with the same capital letters.")
            return
        try:
            with st.spinner("Keeping a copy, then deleting…"):
                copy = workspace_files.deleted(place)
        except (AffragError, OSError) as error:
            st.error(plain(error))
            return
    session.say(f"Deleted “{name}”. Its copy is the backup {copy.name}, which you can bring back below.")
    st.rerun()
