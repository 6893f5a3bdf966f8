"""The retrieval config that a session works with, the preset it started from, and both in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import PRESETS, ConfigError, RetrievalConfig
from pages.shared.settings import differences, setting, settings, with_differences

if TYPE_CHECKING:
    from affrag_core import Workspace

CONFIG, PRESET, REFUSED = "settings.config", "settings.preset", "settings.refused"
IN_ADDRESS, MOOD = "preset", "mood"
FIRST = next(iter(PRESETS))


def current_config() -> RetrievalConfig:
    """The config of this session; the first preset until something is chosen."""
    return st.session_state.setdefault(CONFIG, PRESETS[FIRST])


def current_preset() -> str:
    """The name of the preset or saved config that the controls reset to."""
    return st.session_state.setdefault(PRESET, FIRST)


def keep(config: RetrievalConfig, preset: str | None = None) -> None:
    """Make this the session's config, and that the preset which its controls reset to."""
    st.session_state[CONFIG] = config
    st.session_state.pop(REFUSED, None)
    if preset is not None:
        st.session_state[PRESET] = preset


def change(name: str, value: Any) -> None:
    """Set one setting; what the core refuses is remembered as a sentence and changes nothing."""
    try:
        keep(setting(name).changed(current_config(), value))
    except ConfigError as error:
        st.session_state[REFUSED] = (name, str(error))


def refusal(name: str) -> str | None:
    """Why the last value given to that setting was refused, without the field's name, which stands above it."""
    refused = st.session_state.get(REFUSED)
    if refused is None or refused[0] != name:
        return None
    place, _, rest = refused[1].partition(": ")
    return rest[:1].upper() + rest[1:] if rest and " " not in place else refused[1]


def preset_names(ws: Workspace) -> list[str]:
    """The built-in presets, then the configs saved in the workspace."""
    return [*PRESETS, *(name for name in ws.config_names() if name not in PRESETS)]


def preset(ws: Workspace, name: str) -> RetrievalConfig:
    """A preset or saved config; the first preset where the name is gone."""
    if name in PRESETS:
        return PRESETS[name]
    return ws.config(name) if name in ws.config_names() else PRESETS[FIRST]


def choose(ws: Workspace, name: str) -> None:
    """Take over a preset or saved config. A built-in one keeps the method and the mood, which belong to the question."""
    config, now = preset(ws, name), current_config()
    if name in PRESETS:
        config = config.with_changes(mode=now.mode, mood=now.mood, mood_weight=now.mood_weight)
    keep(config, name)


def to_address(ws: Workspace) -> dict[str, str]:
    """The preset's name, what differs from it, and the mood, as query parameters."""
    name, config, base = current_preset(), current_config(), preset(ws, current_preset())
    # A mood that is a vector comes only with a saved config, which brings it back.
    mood = {} if config.mood == base.mood or isinstance(config.mood, tuple) else {MOOD: config.mood or ""}
    return {IN_ADDRESS: name} | mood | differences(config, base)


def from_address(ws: Workspace, given: Mapping[str, str]) -> None:
    """Take over what `to_address` wrote; without a preset, or with an unknown one, from the present one."""
    name = given.get(IN_ADDRESS, "")
    name = name if name in preset_names(ws) else current_preset()
    config = with_differences(preset(ws, name), given)
    keep(config.with_changes(mood=given[MOOD] or None) if MOOD in given else config, name)


def address_names() -> set[str]:
    """Every query parameter that `to_address` may write."""
    return {IN_ADDRESS, MOOD, *(one.name for one in settings())}
