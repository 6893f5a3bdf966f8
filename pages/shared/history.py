"""Undo and redo, wherever the data is changed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError
from pages.shared import making, session
from pages.shared.text import plain
from pages.shared.vectors_work import VECTORS_LABEL

if TYPE_CHECKING:
    from affrag_core import Workspace

SHORTCUTS = """
export default function ({ data }) {
  const typing = (node) => node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT|CANVAS)$/.test(node.tagName));
  const listen = (event) => {
    const letter = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || typing(document.activeElement)) return;
    const name = letter === "y" || (letter === "z" && event.shiftKey) ? data.redo : letter === "z" ? data.undo : null;
    const button = name && document.querySelector(`.st-key-${name} button:not([disabled])`);
    if (button) { event.preventDefault(); button.click(); }
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
"""
"""A button's own shortcut would also fire while a person types, and undo a saved change instead of a letter."""


def undo_buttons(ws: Workspace, key: str) -> None:
    """Two buttons that say what they would undo and do again."""
    undo, redo = ws.undo_label, ws.redo_label
    if undo is not None and undo.startswith(making.LOAD_LABEL):
        undo = None  # a demo as it was when it was opened
    if st.button("Undo", key=f"{key}_undo", icon=":material/undo:", disabled=undo is None, help=_help("Undo", undo)):
        _step(ws, forward=False)
    if st.button("Redo", key=f"{key}_redo", icon=":material/redo:", disabled=redo is None, help=_help("Do again", redo)):
        _step(ws, forward=True)


def say_what_was_done() -> None:
    """The sentence kept for this page, beside the buttons that would undo it; takes up what room is left."""
    sentence = session.said()
    st.caption(f":green[✓ {plain(sentence)}]" if sentence else "", width="stretch")


def undo_keys(key: str) -> None:
    """Ctrl-Z and Ctrl-Y for those two buttons; takes up no room."""
    _shortcuts()(data={"undo": f"{key}_undo", "redo": f"{key}_redo"}, key=f"{key}_shortcuts", height=1)


def _help(verb: str, label: str | None) -> str:
    if label is None:
        return f"There is nothing to {verb.lower()}."
    if label.startswith(VECTORS_LABEL):
        return f"{verb}: the last change and the vectors that were made after it"
    return f"{verb}: {plain(label, most=80)}"


def _step(ws: Workspace, *, forward: bool) -> None:
    """Undo or redo one change of a person's; vectors made for it go and come with it."""
    try:
        label = ws.redo() if forward else ws.undo()
        if forward and (ws.redo_label or "").startswith(VECTORS_LABEL):
            ws.redo()
        elif not forward and label.startswith(VECTORS_LABEL) and ws.undo_label:
            label = ws.undo()
    except AffragError as error:
        st.error(plain(error))
        return
    # Vectors that are missing now are not made here: that would be a new change, after which nothing could be done again.
    session.say(f"{'Done again' if forward else 'Undone'}: {label}")
    st.rerun()


@cache
def _shortcuts() -> Any:
    """Ctrl-Z and Ctrl-Y for the page; while a field is being typed in they belong to the field."""
    return st.components.v2.component("affrag_shortcuts", js=SHORTCUTS)
