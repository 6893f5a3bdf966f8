"""Links that a rule proposes, looked at before they are added; rules can be remembered and run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, Nearest
from pages.shared import model_view, remembered_rules, resources, rule_preview, rule_words, session
from pages.shared.rule_form import ask_rule
from pages.shared.rule_search import Asked, Found
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import LinkRule, Workspace


def propose(ws: Workspace) -> None:
    """Draw the choice of a rule and what it would add, or the rules that were asked for again; then the remembered rules."""
    if not remembered_rules.show_run(ws):
        rule = ask_rule(ws)
        if rule is not None:
            _preview(ws, rule)
    remembered_rules.show_remembered(ws)


def _preview(ws: Workspace, rule: LinkRule) -> None:
    why = rule_words.missing_for(rule, ws.events())
    if why is not None:
        st.info(why)
        _offer_vectors(ws, rule)
        return
    results = rule_preview.found_links(ws, "rules", [Asked(rule)])
    if results is None:
        _remember_button(ws, rule, ran=False)
        return
    (found,) = results
    rule_preview.show_found(ws, found)
    with st.container(horizontal=True):
        _add_button(ws, rule, found)
        _remember_button(ws, rule, ran=not found.new)
    if found.new:
        rule_preview.show_table(ws, found.new)
    if isinstance(rule, Nearest) and rule.by != "feeling" and resources.summary(ws).n_without_vector:
        _offer_vectors(ws, rule)


def _offer_vectors(ws: Workspace, rule: LinkRule) -> None:
    """The way to vectors, for rules that compare them."""
    missing = resources.summary(ws).n_without_vector
    if not isinstance(rule, Nearest) or rule.by == "feeling" or not missing or ws.read_only or session.model_of(ws) is None:
        return
    if st.button(f"Make the {counted(missing, 'missing vector')}", key="rule_vectors", help="With the text model named at the top."):
        model_view.fill_missing(ws)
        st.rerun()


def _add_button(ws: Workspace, rule: LinkRule, found: Found) -> None:
    if not found.new:
        return
    label = f"Add these {counted(len(found.new), 'link')}"
    if not st.button(label, key="propose_make", type="primary", disabled=bool(ws.read_only), help=ws.read_only):
        return
    what = rule_words.rule_sentence(rule)
    if rule_preview.add_links(ws, found.new, f"Add {counted(len(found.new), 'link')}: {what[:1].lower()}{what[1:]}"):
        remembered_rules.note_added(ws, rule)
        st.rerun()


def _remember_button(ws: Workspace, rule: LinkRule, *, ran: bool) -> None:
    why = ws.read_only or ("It is remembered already, see below." if remembered_rules.is_remembered(ws, rule) else None)
    help_text = why or "It is kept with the workspace, to be run again when events came in."
    if st.button("Remember this rule", key="rule_remember", icon=":material/bookmark_add:", disabled=bool(why), help=help_text):
        try:
            remembered_rules.remember(ws, rule, ran=ran)
        except AffragError as error:
            st.error(plain(error))
            return
        session.say("The rule is remembered. After an import, “Run remembered rules” above shows what it would add.")
        st.rerun()
