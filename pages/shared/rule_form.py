"""The choice of a rule and its settings: a widget for each of its fields."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import ByReference, ConfigError
from pages.shared import resources, session
from pages.shared.rule_fields import Columns, RuleField, columns_of, fields_of
from pages.shared.rule_words import CHOICES, WITHIN_WORDS, RuleChoice
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import LinkRule, Workspace


def ask_rule(ws: Workspace) -> LinkRule | None:
    """Draw the choice and the settings; returns the rule, None where a setting is missing, which is then said."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        kind = st.selectbox(
            "Which events to link",
            list(CHOICES),
            format_func=lambda kind: CHOICES[kind].label,
            key="rule_kind",
            persist_state="session",
        )
        choice = CHOICES[kind]
        st.caption(choice.sentence)
    columns = _columns(ws)
    if kind == "refers" and not columns.references:
        st.info("No event has a column that could hold ids. Bring in a file with one, such as reply_to, on the Events page.")
        return None
    with right:
        values = _ask_all(f"rule_{kind}_{hashlib.sha256(ws.target.encode()).hexdigest()[:8]}", choice, columns)
    try:
        return type(choice.start)(**values)
    except ConfigError as error:
        st.error(plain(error))
        return None


def _columns(ws: Workspace) -> Columns:
    draft = session.drafts(ws, "rule_columns")
    if draft.get("version") != ws.version:
        draft.update(version=ws.version, columns=columns_of(ws.events(), resources.event_ids(ws)))
    return draft["columns"]


def _ask_all(key: str, choice: RuleChoice, columns: Columns) -> dict[str, Any]:
    """All values of the rule: asked, or settled by the choice."""
    values = {name: getattr(choice.start, name) for name in choice.settled}
    asked = [field for field in fields_of(type(choice.start)) if field.name not in choice.settled]
    for n, column in enumerate(st.columns(2)):
        with column:
            # The relation stands last: what is linked is decided before what it is called.
            for field in (asked[1:] + asked[:1])[n::2]:
                values[field.name] = _ask(f"{key}_{field.name}", field, getattr(choice.start, field.name), columns, choice)
    return values


def _ask(key: str, field: RuleField, start: Any, columns: Columns, choice: RuleChoice) -> Any:
    if field.name == "within":
        return _one_of(key, field, columns.within, "(all together)")
    if field.name == "column" and isinstance(choice.start, ByReference):
        return st.selectbox(field.label, columns.references, key=key, help=field.help, persist_state="session")
    if field.name == "columns":
        return tuple(
            st.multiselect(field.label, columns.names, key=key, help=field.help, persist_state="session", placeholder="None chosen")
        )
    if field.kind == "texts":
        help_text = f"{field.help} With commas between."
        text = st.text_input(field.label, key=key, help=help_text, persist_state="session", placeholder="Ada, Paris")
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if field.kind == "flag":
        return st.toggle(field.label, start, key=key, help=field.help, persist_state="session")
    if field.kind == "weights":
        with st.popover(field.label, width="stretch"):
            parts = fields_of(type(start))
            return type(start)(**{part.name: _number(f"{key}_{part.name}", part, getattr(start, part.name)) for part in parts})
    if field.kind == "text":
        typed = st.text_input(field.label, start, key=key, help=field.help, max_chars=80, persist_state="session")
        return typed.strip() or start
    return _number(key, field, start)


def _one_of(key: str, field: RuleField, options: list[str], none: str) -> str | None:
    if not options:
        return None
    return st.selectbox(
        field.label,
        options,
        index=None,
        format_func=lambda name: WITHIN_WORDS.get(name, name),
        key=key,
        help=field.help,
        placeholder=none,
        persist_state="session",
    )


def _number(key: str, field: RuleField, start: float | None) -> float | None:
    """A number; an optional one that starts as None stays so while it is left empty."""
    whole = field.kind == "whole"
    cast = int if whole else float
    return st.number_input(
        field.label,
        min_value=None if field.minimum is None else cast(field.minimum),
        max_value=None if field.maximum is None else cast(field.maximum),
        value="min" if start is None and not field.optional else start,
        step=1 if whole else 0.05,
        format="%d" if whole else "%.6g",
        key=key,
        help=field.help,
        placeholder="(no limit)",
        persist_state="session",
    )
