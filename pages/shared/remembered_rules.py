"""Rules that are kept with the workspace: listed, run again on what came in since, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError, read_rule
from pages.shared import rule_preview, rule_words, session
from pages.shared.rule_search import Asked, Found
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import LinkRule, Workspace

LAST_RUN = "link_rules_run"
"""The setting that holds, by a rule's name, the workspace's version at which nothing was left for it to add."""
PLACE = "rules_run"


def remember(ws: Workspace, rule: LinkRule, *, ran: bool) -> None:
    """Keep a rule; `ran` says that it has nothing to add at this moment.

    Raises
    ------
    AffragError
        If the workspace can only be read.
    """
    name = rule_words.name_for(rule, ws.rules())
    ws.save_rule(name, rule.model_dump(mode="json"))
    if ran:
        note_run(ws, [name])


def is_remembered(ws: Workspace, rule: LinkRule) -> bool:
    """Whether the same rule with the same settings is kept."""
    return rule.model_dump(mode="json") in ws.rules().values()


def note_run(ws: Workspace, names: list[str]) -> None:
    """Note that these rules have added what they could, so that the next run looks at newer events only."""
    kept = {name: version for name, version in _last_runs(ws).items() if name in ws.rules()}
    ws.set_setting(LAST_RUN, kept | dict.fromkeys(names, ws.version))


def note_added(ws: Workspace, rule: LinkRule) -> None:
    """The same for a rule that was run by itself, if it is kept."""
    described = rule.model_dump(mode="json")
    names = [name for name, kept in ws.rules().items() if kept == described]
    if names:
        note_run(ws, names)


def _last_runs(ws: Workspace) -> dict[str, int]:
    kept = ws.setting(LAST_RUN)
    return kept if isinstance(kept, dict) else {}


def run_button(ws: Workspace) -> None:
    """The button above the views of the Links page; only where there are rules to run."""
    rules = ws.rules()
    if rules:
        help_text = "Shows first how many links each of them would add, as after an import."
        st.button(
            "Run remembered rules",
            key="rules_run_all",
            icon=":material/replay:",
            help=help_text,
            on_click=_ask_for_run,
            args=(ws, list(rules)),
        )


def _ask_for_run(ws: Workspace, names: list[str]) -> None:
    session.drafts(ws, PLACE)["names"] = names
    session.show_view("links_view", "propose")


def show_run(ws: Workspace) -> bool:
    """What the rules that were asked for would add, and the button that adds it; returns whether any were asked for."""
    draft = session.drafts(ws, PLACE)
    rules = {name: rule for name in draft.get("names", ()) if name in ws.rules() and (rule := _read(ws, name)) is not None}
    if not rules:
        return False
    with st.container(border=True, key="rules_run_box"):
        st.subheader("Run remembered rules", anchor=False)
        usable, blocked = {}, {}
        for name, rule in rules.items():
            why = rule_words.missing_for(rule, ws.events())
            (blocked if why else usable)[name] = why or rule
        for name, why in blocked.items():
            st.warning(f"{plain(name)}: {plain(why)}")
        results = rule_preview.found_links(ws, PLACE, _asked(ws, usable)) if usable else []
        found = None if results is None else dict(zip(usable, results, strict=True))
        if found is not None:
            _say_counts(ws, found)
        with st.container(horizontal=True):
            if found is not None:
                _add_button(ws, draft, found)
            if st.button("Not now", key="rules_run_drop"):
                _drop(draft)
    return True


def _asked(ws: Workspace, rules: dict[str, Any]) -> list[Asked]:
    """The rules, each on the events that came or changed since it last ran, where that is known and wanted."""
    since = {}
    for name in rules:
        version = _last_runs(ws).get(name)
        fresh = ws.events_put_since(version) if isinstance(version, int) else None
        if fresh is not None:
            since[name] = fresh
    if since:
        of_any = frozenset().union(*since.values())
        only_new = st.toggle(
            f"Only links of events that came or changed since the last run ({len(of_any):,})",
            value=True,
            key="rules_only_new",
            help="Off: all events are looked at, so links that you deleted are proposed again.",
        )
        if not only_new:
            since = {}
    return [Asked(rule, since.get(name)) for name, rule in rules.items()]


def _say_counts(ws: Workspace, results: dict[str, Found]) -> None:
    for name, found in results.items():
        sample = f"  \nSuch as {rule_words.link_sentence(ws, found.new[0])}" if found.new else ""
        st.markdown(f"**{counted(len(found.new), 'new link')}** · {plain(name)}{sample}")


def _add_button(ws: Workspace, draft: dict[str, Any], results: dict[str, Found]) -> None:
    new = [edge for found in results.values() for edge in found.new]
    if not new:
        return
    change = f"Add {counted(len(new), 'link')} by {counted(len(results), 'remembered rule')}"
    label = f"Add these {counted(len(new), 'link')}"
    pressed = st.button(label, key="rules_run_add", type="primary", disabled=bool(ws.read_only), help=ws.read_only)
    if pressed and rule_preview.add_links(ws, new, change):
        note_run(ws, list(results))
        _drop(draft)


def _drop(draft: dict[str, Any]) -> None:
    job = draft.pop("job", None)
    if job is not None:
        job.cancel()
    draft.pop("names", None)
    st.rerun()


def show_remembered(ws: Workspace) -> None:
    """The rules that are kept, each with its two buttons."""
    rules = ws.rules()
    if not rules:
        return
    st.subheader("Remembered rules", anchor=False)
    for n, name in enumerate(rules):
        with st.container(horizontal=True, vertical_alignment="center", key=f"rule-row-{n}"):
            st.markdown(plain(name), width="stretch")
            readable = _read(ws, name) is not None
            if st.button("Run again", key=f"rule_again_{n}", disabled=not readable, help=None if readable else "It cannot be read."):
                _ask_for_run_now(ws, name)
            if st.button("Forget", key=f"rule_forget_{n}", disabled=bool(ws.read_only), help=ws.read_only or "Links that it made stay."):
                _forget(ws, name)


def _ask_for_run_now(ws: Workspace, name: str) -> None:
    session.drafts(ws, PLACE)["names"] = [name]
    st.rerun()


def _forget(ws: Workspace, name: str) -> None:
    try:
        ws.delete_rule(name)
    except AffragError as error:
        st.error(plain(error))
        return
    session.say("The rule is forgotten. Links that it made stay.")
    st.rerun()


def _read(ws: Workspace, name: str) -> LinkRule | None:
    try:
        return read_rule(ws.rules()[name])
    except (AffragError, TypeError, ValueError):
        return None
