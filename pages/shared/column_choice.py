"""Which column of a table is what: proposed by name or content, taken up again from last time, and changed as a person likes."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import edge_rows, event_rows
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Preview

NONE, UTC = "", "UTC"
FIELDS = {
    **{name: event_rows.LABELS[name] for name in ("text", "timestamp", "id", "emotion")},
    "valence": "Valence",
    "arousal": "Arousal",
    **{name: event_rows.LABELS[name] for name in ("kind", "doc_type", "valid_from", "valid_until", "supersedes_id")},
    "edges": "Links",
    "semantic_vec": "Semantic vector",
    "emotional_vec": "Emotional vector",
}
"""What a column of events can be, the likeliest asked about first."""
LINK_FIELDS = {name: edge_rows.LABELS[name] for name in ("source", "target", "relation", "attributes")}
"""What a column of links can be."""
NEEDED = {
    "text": "Say which column holds the text, under “Columns: what is what”. Only a text is needed.",
    "source": "Say which column holds the id of the event that each link starts from, under “Columns: what is what”.",
    "target": "Say which column holds the id of the event that each link leads to, under “Columns: what is what”.",
}
"""Fields without which nothing can be read, and what to say then."""


def first_columns(preview: Preview, kept: Mapping[str, Any], fields: Mapping[str, str] = FIELDS) -> dict[str, str]:
    """The column of each field to begin with: the last choice, else what was proposed; empty for none."""
    named = {column.casefold(): column for column in preview.columns}
    first = {field: preview.proposed.get(field, NONE) for field in fields}
    last = {field: column and named.get(column.casefold()) for field, column in (kept.get("columns") or {}).items() if field in fields}
    return first | {field: column for field, column in last.items() if column is not None}


def to_read(preview: Preview, chosen: Mapping[str, str]) -> dict[str, str]:
    """What the reader must be told: the choices that its own look at the names would not make."""
    by_name = {field: column for field, column in preview.proposed.items() if field not in preview.by_content}
    return {field: column for field, column in chosen.items() if column != by_name.get(field, NONE)}


def choose_columns(
    draft: Mapping[str, Any], preview: Preview, kept: Mapping[str, Any], fields: Mapping[str, str] = FIELDS
) -> dict[str, str] | None:
    """Draw the first rows and a box for each field; None where the choice cannot be read.

    Parameters
    ----------
    fields : mapping of str to str
        What a column can be, with its words: `FIELDS` or `LINK_FIELDS`.
    """
    first, needed = first_columns(preview, kept, fields), [field for field in NEEDED if field in fields]
    is_open = bool(preview.by_content) or not all(first[field] for field in needed)
    with st.expander("Columns: what is what", expanded=is_open, icon=":material/view_column:", key=f"map_{draft['digest']}"):
        _show_rows(preview)
        with st.container(horizontal=True):
            chosen = {field: _choose_one(draft, preview, (field, words), first[field]) for field, words in fields.items()}
        st.caption(_origins(preview, kept, first, chosen, fields))
    missing = [field for field in needed if not chosen[field]]
    if missing:
        st.info(NEEDED[missing[0]])
        return None
    field_of: dict[str, str] = {}
    for field, column in chosen.items():
        if column and column in field_of:
            both = f"{fields[field_of[column]]} and {fields[field]}"
            st.error(f"“{plain(column, most=40)}” is chosen for {both}. A column can be one of them; choose another, or none.")
            return None
        field_of[column] = field
    return chosen


def _show_rows(preview: Preview) -> None:
    import pandas as pd

    st.caption(f"The first {counted(len(preview.rows), 'row')} of {preview.n_rows:,}, as the file has them")
    st.dataframe(pd.DataFrame(preview.rows, columns=list(preview.columns)), hide_index=True, alt="The first rows of the file")


def _choose_one(draft: Mapping[str, Any], preview: Preview, field: tuple[str, str], column: str) -> str:
    options = [NONE, *preview.columns]
    return st.selectbox(
        field[1],
        options,
        index=options.index(column),
        format_func=lambda name: name or "none",
        key=f"map_{draft['digest']}_{field[0]}",
        persist_state="session",
        width=200,
    )


def _origins(
    preview: Preview, kept: Mapping[str, Any], first: Mapping[str, str], chosen: Mapping[str, str], fields: Mapping[str, str]
) -> str:
    """How each column was found, in one line of markdown."""
    found: dict[str, list[str]] = {}
    for field, column in chosen.items():
        if column != first[field]:
            how = "as you choose now"
        elif kept.get("columns") and (column or preview.proposed.get(field)):
            how = "as you chose last time"
        elif not column:
            continue
        else:
            how = "found by its content" if field in preview.by_content else "found by its name"
        found.setdefault(how, []).append(fields[field])
    others = [column for column in preview.columns if column not in chosen.values() and column not in preview.proposed.values()]
    lines = [f"**{', '.join(names)}**: {how}" for how, names in found.items()]
    return " · ".join(
        [
            *lines,
            *([f"kept with {'the link' if 'source' in fields else 'the event'}: {plain(', '.join(others), most=200)}"] if others else []),
        ]
    )


def choose_zone(draft: Mapping[str, Any], kept: Mapping[str, Any]) -> str:
    """Draw the question in which time zone the times without one were written."""
    zones = _zones()
    last = kept.get("time_zone")
    return st.selectbox(
        "Time zone of times that name none",
        zones,
        index=zones.index(last) if last in zones else 0,
        key=f"zone_{draft['digest']}",
        persist_state="session",
        width=320,
        help="Times that name a zone or an offset stay as they are." + (" As you chose last time." if last in zones else ""),
    )


@cache
def _zones() -> list[str]:
    return [UTC, *sorted(zoneinfo.available_timezones() - {UTC})]
