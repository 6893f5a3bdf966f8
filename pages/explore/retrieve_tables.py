"""What lies behind the answer, one click away: every candidate, the first stage, all paths, timings, the whole trace as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import OUTCOME_WORDS, candidate_table, final_formula, number, path_hops
from pages.explore import retrieve_choice as choices
from pages.shared.event_words import title
from pages.shared.text import plain, shortened

if TYPE_CHECKING:
    import pandas as pd

    from affrag_core import RetrievalTrace, Workspace

CANDIDATES, POOL, PATHS, RUN = "Candidates of this hop", "First stage", "All paths", "Timings and download"
DIGITS = "%.4g"
FIRST = ("rank", "event_id", "event_ids", "text", "final_score", "score", "path_score", "temporal_component", "outcome")
"""What a person looks for, in the columns that every screen has room for."""


def draw_tables(ws: Workspace, trace: RetrievalTrace, baseline: RetrievalTrace, chosen: choices.Choice) -> None:
    """The tabs below the answer; only the open one is drawn."""
    drawers = {
        CANDIDATES: lambda: _candidates(ws, trace, chosen),
        POOL: lambda: _pool(ws, trace),
        PATHS: lambda: _paths(ws, trace, chosen),
        RUN: lambda: _run(ws, trace, baseline),
    }
    if chosen.path is None or not path_hops(trace, chosen.path):
        del drawers[CANDIDATES]  # This method walks no links, or nothing was found.
    if not trace.paths:
        del drawers[PATHS]
    # Which tab is open is remembered by its name, so other tabs need another key.
    tabs = st.tabs(list(drawers), key="retrieve-tab" if CANDIDATES in drawers else f"retrieve-tab-{len(drawers)}", on_change="rerun")
    for tab, draw in zip(tabs, drawers.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def _candidates(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    hops = path_hops(trace, chosen.path) if chosen.path is not None else []
    hop = hops[max(chosen.place, 1) - 1]
    st.caption(f"Every event that hop {max(chosen.place, 1)} could have gone to, and what became of it. Click a row to look at its event.")
    _table(ws, trace, candidate_table(hop), "candidates")


def _pool(ws: Workspace, trace: RetrievalTrace) -> None:
    st.caption("The events most alike to the question, how time changed their scores, and why. Nothing else can start a path.")
    _table(ws, trace, list(trace.pool), "pool")


def _paths(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    st.caption("What each path's final score is made of. Click a row to look at its path.")
    if chosen.path is not None:
        st.markdown(f"Path {chosen.path['rank']}: `{final_formula(dict(chosen.path), trace.config)}`")
    joined = {"event_ids": " → ".join, "hop_scores": lambda scores: ", ".join(number(score) for score in scores)}
    rows = [{"rank": path["rank"]} | {name: joined.get(name, _same)(value) for name, value in path.items()} for path in trace.paths]
    _table(ws, trace, rows, "paths")


def _same(value: Any) -> Any:
    return value


def _table(ws: Workspace, trace: RetrievalTrace, rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """Rows as a table: four digits shown, all of them kept for its own download; a click on a row looks at its event or path."""
    import pandas as pd

    frame = pd.DataFrame(list(rows))
    if "event_id" in frame:
        texts = [shortened(ws.event(one).text, 80) if ws.has_event(one) else "" for one in frame["event_id"]]
        frame.insert(1, "text", texts)
    if "outcome" in frame:
        frame["outcome"] = [OUTCOME_WORDS.get(outcome, outcome) for outcome in frame["outcome"]]
    frame = frame[[*(column for column in FIRST if column in frame), *(column for column in frame if column not in FIRST)]]
    key = f"table-{name}"

    def look() -> None:
        picked = st.session_state[key]["selection"]["rows"]
        if picked and "event_id" in frame:
            choices.choose_event(ws, trace, frame["event_id"].iloc[picked[0]])
        elif picked:
            choices.choose_path(ws, int(frame["rank"].iloc[picked[0]]))

    st.dataframe(frame, key=key, hide_index=True, column_config=_columns(frame), on_select=look, selection_mode="single-row")


def _columns(frame: pd.DataFrame) -> dict[str, Any]:
    """Plain headings, and four digits for numbers that are not whole; downloads keep names and digits."""
    floats = set(frame.select_dtypes("float"))
    headings = {column: str(column).replace("_", " ") for column in frame}
    return {
        column: st.column_config.NumberColumn(words, format=DIGITS) if column in floats else st.column_config.Column(words)
        for column, words in headings.items()
    }


def _run(ws: Workspace, trace: RetrievalTrace, baseline: RetrievalTrace) -> None:
    import pandas as pd

    left, right = st.columns(2)
    with left:
        st.caption("Milliseconds by stage, as this question was first answered.")
        stages = pd.DataFrame({"stage": list(trace.timings_ms), "ms": list(trace.timings_ms.values())})
        st.dataframe(stages, hide_index=True, key="table-timings")
    with right:
        st.caption("Without this part, the share of hops that would have gone elsewhere.")
        shares = pd.DataFrame({"part": list(trace.term_influence), "share of hops": list(trace.term_influence.values())})
        share = st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="percent")
        st.dataframe(shares, hide_index=True, key="table-influence", column_config={"share of hops": share})
    with st.container(horizontal=True):
        for words, one, file in (("this retrieval", trace, "trace"), ("the baseline", baseline, "baseline")):
            st.download_button(
                f"Download {words} (JSON)",
                lambda one=one: json.dumps(one.to_dict(), ensure_ascii=False, indent=1),
                file_name=f"{file}.json",
                mime="application/json",
                key=f"download-{file}",
                on_click="ignore",
            )
    st.caption(f"Data version {plain(trace.versions.get('data'))}. Files keep every digit; {title(ws, ws.name, 60)} is the workspace.")
