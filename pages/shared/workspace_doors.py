"""Ways in: a new workspace, one from an exported file, one from a backup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, list_backups
from pages.shared import making, session, workspace_files, workspace_rows
from pages.shared.text import counted, plain, size

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


def show_new() -> None:
    """An empty workspace by its name."""
    why = workspace_rows.why_nothing_made()
    st.subheader("New, empty workspace", anchor=False)
    with st.form("ws_new", border=False, clear_on_submit=True):
        name = st.text_input("Its name", key="ws_new_name", placeholder="My memories", max_chars=80, disabled=why is not None, help=why)
        pressed = st.form_submit_button("Make it", key="ws_new_go", icon=":material/add:", disabled=why is not None, help=why)
    if not pressed:
        return
    if not name.strip():
        st.error("Please give it a name first, so that you find it again.")
        return
    try:
        slug = making.empty_workspace(name)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.switch_workspace(slug)
    session.say(f"Made “{' '.join(name.split())}” and opened it.")
    st.rerun()


def show_import() -> None:
    """A workspace that was saved as one file, on this machine or another."""
    why = workspace_rows.why_nothing_made()
    st.subheader("From a saved file", anchor=False)
    n = st.session_state.setdefault("ws_import_n", 0)
    file = st.file_uploader("A workspace saved as one file", type=["zip"], key=f"ws_import_{n}", disabled=why is not None, help=why)
    if file is None:
        st.caption("One that “Save as one file” made. For tables, chats and notes go to the Events page.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(f"Bring in {plain(file.name, most=40)}, {size(file.size)}", key="ws_import_go", type="primary")
        st.button("Stop", key="ws_import_stop", help="Nothing of it is kept.", disabled=not pressed)
    if pressed:
        _bring_in(file)


def _bring_in(file: UploadedFile) -> None:
    bar = st.progress(0.0, text="Looking through the file…")

    def progress(n_done: int, n_total: int) -> None:
        # Drawing is also where a press on Stop ends this run, and with it the import.
        bar.progress(min(1.0, n_done / n_total) if n_total else 1.0, text=f"{n_done:,} of {n_total:,} events and links")

    try:
        slug = workspace_files.imported(file.name, file, progress)
    except (AffragError, OSError) as error:
        bar.empty()
        st.error(plain(error))
        return
    ws = making.opened(slug)
    st.session_state["ws_import_n"] += 1
    session.switch_workspace(slug)
    session.say(f"Brought in “{ws.name}” with {counted(len(ws), 'event')} and {counted(ws.n_edges, 'link')}, and opened it.")
    st.rerun()


def show_backups() -> None:
    """Copies of workspaces that were deleted, or as they were before an update of the app."""
    folder = workspace_rows.backup_folder()
    copies = list_backups(folder)
    st.subheader("Backups", anchor=False)
    if not copies:
        st.caption("There are none. When you delete a workspace, its copy is listed here.")
        return
    by_name = {copy.path.name: copy for copy in copies}
    chosen = st.selectbox(
        "Copies, the newest first", list(by_name), format_func=lambda name: workspace_rows.backup_words(by_name[name]), key="ws_backup"
    )
    why = workspace_rows.why_nothing_made()
    pressed = st.button("Bring it back", key="ws_restore", icon=":material/restore:", disabled=why is not None, help=why)
    st.caption(f"They lie in {plain(folder)}. Bringing one back makes a new workspace of it and leaves the copy where it is.")
    if not pressed or chosen is None:
        return
    try:
        with st.spinner("Bringing it back…"):
            slug = workspace_files.restored(by_name[chosen].path)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    session.say(f"Brought back “{by_name[chosen].name}”. Its address ends in {slug}.")
    st.rerun()
