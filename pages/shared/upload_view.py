"""A file of events: what was understood of it, what was not and why, the choices to make, and then the import."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import FOLDER_ENDINGS, AffragError, pack_files
from pages.shared import fault_choice, file_reading, import_choices, mapping_memory, model_view, reading_view, session, update_view
from pages.shared.file_types import FILE_TYPES, FILE_WORDS
from pages.shared.importing import ready_import
from pages.shared.text import plain, size

if TYPE_CHECKING:
    from affrag_core import Reading, Workspace

FORMS = (
    f"{FILE_WORDS} Tables: CSV or TSV with a header, JSON, JSON lines, Excel, Parquet; only a text is needed, you say which column "
    "is what, and all other columns are kept with the event. Chats: WhatsApp, Slack, Discord, ChatGPT, LoCoMo. Also iCalendar, Markdown "
    "notes (one, or a zip or folder of many), mbox mail, GraphML and node-link JSON."
)


NEXT_STEPS = (
    ("pages/data/links.py", "Propose links, which paths walk along", "link"),
    ("pages/explore/retrieve.py", "Ask a question", "travel_explore"),
    ("pages/explore/graph.py", "See the graph", "hub"),
)


def bring_in(ws: Workspace) -> None:
    """Draw the whole way of a file into the workspace."""
    draft = session.drafts(ws, "upload")
    _choose_file(draft)
    if "content" not in draft:
        _show_next_steps(draft)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(draft['name'], most=80)}** · {size(len(draft['content']))}")
        if st.button("Put the file away", key="upload_drop", help="Nothing of it is kept."):
            put_away(draft)
            st.rerun()
    reading = file_reading.read(ws, draft)
    if reading is not None:
        _preview_and_import(ws, draft, reading)


def _show_next_steps(draft: dict[str, Any]) -> None:
    """After an import: what was brought in, until the next file, and where to go with it."""
    if "done" not in draft:
        return
    st.success(plain(draft["done"]), icon="✅")
    with st.container(horizontal=True):
        for page, label, icon in NEXT_STEPS:
            st.page_link(page, label=label, icon=f":material/{icon}:", query_params={session.WORKSPACE: session.current_slug() or ""})


def _choose_file(draft: dict[str, Any]) -> None:
    n = draft.get("n", 0)
    file = st.file_uploader("A file of events", type=FILE_TYPES, key=f"upload_file_{n}")
    if "content" not in draft:
        st.caption(FORMS)
        _choose_folder(draft, n)
    if file is not None:
        take(draft, file.name, file.getvalue())
        st.rerun()


def _choose_folder(draft: dict[str, Any], n: int) -> None:
    with st.expander(
        "Or a whole folder: a Slack export that was unpacked, a folder of notes", icon=":material/folder:", key=f"folder_box_{n}"
    ):
        files = st.file_uploader(
            "A folder of events", type=list(FOLDER_ENDINGS), accept_multiple_files="directory", key=f"upload_folder_{n}"
        )
    if not files:
        return
    try:
        content = pack_files({file.name: file.getvalue() for file in files})
    except AffragError as error:
        st.error(plain(error))
        return
    take(draft, files[0].name.partition("/")[0], content)
    st.rerun()


def take(draft: dict[str, Any], name: str, content: bytes) -> None:
    """Keep a file in the session and empty the uploader, so that the file is still there after a look at another page."""
    put_away(draft)
    draft.update(name=name, content=content, digest=hashlib.sha256(content).hexdigest()[:16])


def put_away(draft: dict[str, Any]) -> None:
    """Forget the file; a new uploader takes the place of the old."""
    n = draft.get("n", 0) + 1
    draft.clear()
    draft["n"] = n


def _preview_and_import(ws: Workspace, draft: dict[str, Any], reading: Reading) -> None:
    try:
        choices = import_choices.ask(ws, draft, reading)
        ready = ready_import(ws, draft["name"], reading, choices, file_reading.absent_fields(draft))
    except AffragError as error:
        st.error(plain(error))
        return
    reading_view.show_summary(ready)
    update_view.show_update(ready)
    why_not = None if ready.changes_anything else "Nothing would change." if ready.comparison else "No row could be read, see below."
    if st.button(ready.button, key="upload_import", type="primary", disabled=why_not is not None, help=why_not):
        try:
            with st.spinner("Bringing it in…"):
                ready.write(ws)
                mapping_memory.remember(ws, draft["preview"].shape, draft["mapping"])
        except AffragError as error:
            st.error(plain(error))
            return
        put_away(draft)
        draft["done"] = ready.done
        model_view.fill_missing(ws)
        st.rerun()
    fault_choice.choose_fixes(draft)
    reading_view.show_faults(ready.reading)
    reading_view.show_preview(ready)
