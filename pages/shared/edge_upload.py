"""A file of links: what was understood of it, what was not and why, and then the import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError, Reading, preview_file, read_edges
from pages.shared import column_choice, edge_rows, mapping_memory, reading_view, resources, session
from pages.shared.text import counted, plain, size
from pages.shared.upload_view import put_away, take

if TYPE_CHECKING:
    from affrag_core import Preview, Workspace

TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson"]
HELP = (
    "CSV or TSV with a column for the event that a link starts from, one for the event it leads to, and perhaps one for the relation; or "
    "the same as JSON or JSON lines; in JSON also pairs such as [e1, e2]."
)


def bring_in(ws: Workspace) -> None:
    """Draw the whole way of a file of links into the workspace."""
    draft = session.drafts(ws, "edge_upload")
    if not len(ws):
        st.info("Links lead from one event to another, and there are no events yet. Bring those in first, on the Events page.")
        return
    file = st.file_uploader("A file of links", type=TYPES, key=f"edge_file_{draft.get('n', 0)}", help=HELP)
    if file is not None:
        take(draft, file.name, file.getvalue())
        st.rerun()
    if "content" not in draft:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(draft['name'], most=80)}** · {size(len(draft['content']))}")
        if st.button("Put the file away", key="edge_file_drop", help="Nothing of it is kept."):
            put_away(draft)
            st.rerun()
    reading = _read(ws, draft)
    if reading is not None:
        _show(ws, draft, reading)


def _read(ws: Workspace, draft: dict[str, Any]) -> Reading | None:
    try:
        if "preview" not in draft:
            draft["preview"] = preview_file(draft["name"], draft["content"], part="edge", known_ids=resources.event_ids(ws))
            draft["kept"] = mapping_memory.remembered(ws, draft["preview"].shape)
        preview: Preview = draft["preview"]
        columns = None
        if preview.is_table and preview.columns:
            columns = column_choice.choose_columns(draft, preview, draft["kept"], column_choice.LINK_FIELDS)
            if columns is None:
                return None
        draft["mapping"] = {"columns": columns}
        return _read_once(ws, draft, None if columns is None else column_choice.to_read(preview, columns))
    except AffragError as error:
        st.error(plain(error))
        return None


def _read_once(ws: Workspace, draft: dict[str, Any], told: dict[str, str] | None) -> Reading:
    key = (draft["digest"], tuple((told or {}).items()), ws.version)
    if draft.get("read_as") != key:
        known = {edge.key for edge in ws.edges()}
        draft["reading"] = read_edges(draft["name"], draft["content"], resources.event_ids(ws), known_edges=known, columns=told)
        draft["read_as"] = key
    return draft["reading"]


def _show(ws: Workspace, draft: dict[str, Any], reading: Reading) -> None:
    import pandas as pd

    st.write(
        f"{plain(reading.form)}, {plain(reading.encoding)} · {counted(reading.n_links, 'row')} · {len(reading.edges):,} accepted · "
        f"{len(reading.faults):,} not taken"
    )
    reading_view.show_notes(reading.notes)
    label = f"Bring in {counted(len(reading.edges), 'link')}"
    why = None if reading.edges else "No row could be taken, see below."
    if st.button(label, key="edge_import", type="primary", disabled=not reading.edges, help=why):
        try:
            with ws.change(f"{label} from {draft['name'][:40]}") as change:
                change.add_edges(reading.edges)
            mapping_memory.remember(ws, draft["preview"].shape, draft["mapping"])
        except AffragError as error:
            st.error(plain(error))
            return
        put_away(draft)
        session.say(f"Brought in {counted(len(reading.edges), 'link')}. Undo takes them out again.")
        st.rerun()
    reading_view.show_faults(reading, "edge_upload")
    if reading.edges:
        rows = pd.DataFrame([edge_rows.edge_cells(ws, edge) for edge in reading.edges[:50]], columns=list(edge_rows.LABELS))
        columns = {field: st.column_config.TextColumn(title) for field, title in edge_rows.LABELS.items()}
        st.dataframe(rows, hide_index=True, key="edge_preview", column_config=columns, alt="The first links of the file")
