"""Presets and saved configs: choose one, go back to it, save what is set under a name, delete a saved one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import PRESETS, AffragError, RetrievalConfig
from pages.shared.settings_state import choose, current_config, current_preset, keep, preset, preset_names
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Workspace

SELECT, NAME, SAID = "preset-select", "preset-new-name", "preset-said"


def draw_presets(ws: Workspace) -> RetrievalConfig:
    """Draw the choice of preset with its buttons; returns what the controls reset to."""
    names = preset_names(ws)
    chosen = current_preset() if current_preset() in names else names[0]
    if st.session_state.get(SELECT) != chosen:
        st.session_state[SELECT] = chosen
    base = preset(ws, chosen)
    st.selectbox("Preset", names, key=SELECT, help="Settings to start from; each control resets to them.", on_change=_choose, args=(ws,))
    with st.container(horizontal=True, gap="small", wrap=False):
        st.button("↺ Reset all", key="preset-reset", on_click=choose, args=(ws, chosen), help=f"Back to every value of “{plain(chosen)}”")
        with st.popover("Save as…"):
            _save_form(ws, chosen)
    if said := st.session_state.pop(SAID, None):
        st.caption(said)
    return base


def _choose(ws: Workspace) -> None:
    choose(ws, st.session_state[SELECT])


def _save_form(ws: Workspace, chosen: str) -> None:
    st.text_input("Name", key=NAME, max_chars=60, placeholder="such as “Calm evenings”")
    st.button("Save these settings", key="preset-save", on_click=_save, args=(ws,))
    if chosen not in PRESETS:
        st.button(f"Delete “{plain(chosen, most=30)}”", key="preset-delete", on_click=_delete, args=(ws, chosen))


def _save(ws: Workspace) -> None:
    name = " ".join((st.session_state[NAME] or "").split())
    if not name:
        st.session_state[SAID] = "Give the settings a name first."
    elif name in PRESETS:
        st.session_state[SAID] = f"“{plain(name)}” is a built-in preset; choose another name."
    else:
        _write(ws, name)


def _write(ws: Workspace, name: str) -> None:
    try:
        ws.save_config(name, current_config())
    except AffragError as error:
        st.session_state[SAID] = plain(error)
        return
    keep(current_config(), name)
    st.session_state[SAID] = f"Saved in this workspace as “{plain(name)}”."


def _delete(ws: Workspace, name: str) -> None:
    try:
        ws.delete_config(name)
    except AffragError as error:
        st.session_state[SAID] = plain(error)
        return
    keep(current_config(), next(iter(PRESETS)))
    st.session_state[SAID] = f"Deleted “{plain(name)}”."
