"""The Retrieve page in the address bar, so that back, reload and a link that was sent all return to the same view.

The session is the truth. The address is read when a page is first opened, and when it changed while the session did not: then someone
went back or followed a link. A slider moved twice in a hurry arrives with an old address; there the session has changed, and it wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, as_utc, iso_text
from pages.explore import retrieve_choice as choices
from pages.shared import session, settings_state

if TYPE_CHECKING:
    from affrag_core import Workspace

WRITTEN = "retrieve-address"
QUESTION, FROM, MOMENT = "q", "from", "at"
LONGEST = 500


def asked(ws: Workspace) -> dict[str, str]:
    """What was asked: `text`, or the id of an event under `from`; kept by workspace."""
    return session.drafts(ws, "retrieve-asked")


def read_address(ws: Workspace) -> None:
    """Take over the address where a person changed it."""
    given = {name: value for name, value in st.query_params.items() if name in _names()}
    written = st.session_state.get(_kept(ws))
    if not given or given == written or (written is not None and wanted(ws) != written):
        return
    if QUESTION in given or FROM in given:
        asked(ws).clear()
        asked(ws).update({"text": given[QUESTION]} if QUESTION in given else {"from": given[FROM]})
    if given.keys() & {QUESTION, FROM, *choices.IN_ADDRESS}:
        choices.from_address(ws, given)
    if MOMENT in given:
        _read_moment(ws, given[MOMENT])
    if given.keys() & settings_state.address_names():
        settings_state.from_address(ws, given)


def write_address(ws: Workspace) -> None:
    """Put the view into the address; other parameters stay."""
    mine = wanted(ws)
    st.session_state[_kept(ws)] = mine
    now = dict(st.query_params.items())
    then = {name: value for name, value in now.items() if name not in _names()} | mine
    if then != now:
        st.query_params.from_dict(then)


def wanted(ws: Workspace) -> dict[str, str]:
    """The view of this session as query parameters."""
    question = asked(ws)
    found = settings_state.to_address(ws) | choices.to_address(ws)
    if question.get("from"):
        found[FROM] = question["from"]
    elif 0 < len(question.get("text", "")) <= LONGEST:
        found[QUESTION] = question["text"]
    moment = session.as_of(ws)
    if moment is not None and moment != session.default_as_of(ws):
        found[MOMENT] = iso_text(moment)
    return found


def _read_moment(ws: Workspace, text: str) -> None:
    try:
        session.set_as_of(ws, as_utc(text, field="at"))
    except AffragError:
        return  # an address that was mistyped leaves the time as it is


def _kept(ws: Workspace) -> str:
    return f"{WRITTEN}:{ws.target}"


def _names() -> set[str]:
    return {QUESTION, FROM, MOMENT, *choices.IN_ADDRESS} | settings_state.address_names()
