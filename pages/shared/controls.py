"""Config fields as widgets. The config in the session is the truth; every widget shows it, and hands a change back to be checked.

So values survive leaving the page, a preset or an address can set them all, and a value that the core refuses leaves the last good
config in place with a sentence under the control.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import streamlit as st

from affrag_core import RetrievalConfig
from pages.shared.setting_words import dot_of, help_of, hint, label_of, missing
from pages.shared.settings import STAGES, Setting, setting, settings, slider_range, value_words
from pages.shared.settings_state import change, current_config, refusal
from pages.shared.text import plain

STAGE_TITLES = {"Link score": "Link score (ALS)", "Traversal": "Paths (CPT)"}
FOLDED_TITLES = {"Sampling": "How candidates are drawn", "Activation": "More on activation"}
THREE_WAYS = {"As above": None, "Yes": True, "No": False}


def draw_stages(
    config: RetrievalConfig,
    base: RetrievalConfig,
    *,
    notes: Mapping[str, str] = MappingProxyType({}),
    leave_out: Collection[str] = (),
    above: Mapping[str, Callable[[], None]] = MappingProxyType({}),
) -> None:
    """Draw every setting by stage, in the order of the pipeline: the main ones open, the rest of each stage folded.

    Parameters
    ----------
    config, base : RetrievalConfig
        What is set, and what each control resets to.
    notes : mapping of str to str
        A sentence under a stage's heading.
    leave_out : collection of str
        Names of settings that the page draws elsewhere.
    above : mapping of str to callable
        Draws something of the page's own above the setting of that name.
    """
    for stage in STAGES:
        of_stage = [one for one in settings() if one.control.stage == stage and one.name not in leave_out]
        main = [one for one in of_stage if one.control.main]
        rest = [one for one in of_stage if not one.control.main]
        st.markdown(f"**{STAGE_TITLES.get(stage, stage)}**{dot_of(of_stage, config, base)}")
        if stage in notes:
            st.caption(notes[stage])
        _draw_all(main, config, base, above)
        if rest:
            folded = FOLDED_TITLES.get(stage, "More") + dot_of(rest, config, base)
            # Drawn only when open: most of the controls are folded, and a slider waits for all that is drawn.
            with st.expander(folded, key=f"settings-more-{stage}", type="compact", on_change="rerun") as more:
                if more.open:
                    _draw_all(rest, config, base, above)


def _draw_all(some: Sequence[Setting], config: RetrievalConfig, base: RetrievalConfig, above: Mapping[str, Callable[[], None]]) -> None:
    for one in some:
        if one.name in above:
            above[one.name]()
        draw_setting(one, config, base)


def draw_setting(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    """Draw one setting as the widget of its kind, with its dot, its reset and what was refused."""
    draw = {"flag": _flag, "choice": _choice, "weights": _weights}.get(one.kind, _number)
    with st.container(gap="xxsmall", key=f"setting-{one.name.replace('.', '-')}"):
        draw(one, config, base)
        if sentence := refusal(one.name):
            st.caption(f":red[{plain(sentence)}]")
        elif words := hint(one, config):
            st.caption(words)


def shown(key: str, value: Any) -> str:
    """Put a value into a widget's state before it is drawn, unless it is there, as that would undo what is being typed; returns the key."""
    if st.session_state.get(key) != value or type(st.session_state.get(key)) is not type(value):
        st.session_state[key] = value
    return key


def _take(name: str, key: str) -> None:
    value = st.session_state[key]
    if value is None:
        return
    # A slider's own sums leave dust such as 0.30000000000000004.
    change(name, round(value, 9) if isinstance(value, float) else value)


def _switch(name: str, key: str) -> None:
    change(name, _start(setting(name)) if st.session_state[key] else None)


def _start(one: Setting) -> Any:
    """Where an optional setting starts when it is switched on."""
    if one.kind == "weights":
        return current_config().als
    given = one.control.start if one.control.start is not None else one.control.low
    return int(given or 0) if one.kind == "whole" else float(given or 0)


def _reset(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    original = one.value(base)
    if one.value(config) == original:
        return
    words = "its own" if one.kind == "weights" else value_words(original)
    st.button(
        "↺",
        key=f"reset-{one.name}",
        help=f"Back to {words}, as in the preset",
        type="tertiary",
        on_click=change,
        args=(one.name, original),
    )


def _flag(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    if one.optional:
        _choice(one, config, base)
        return
    key = shown(f"flag-{one.name}", one.value(config))
    st.toggle(
        label_of(one, config, base),
        key=key,
        help=help_of(one, config),
        on_change=_take,
        args=(one.name, key),
        disabled=missing(one, config) is not None,
    )


def _choice(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    """A choice of named values; an optional flag is one of three."""
    values: dict[str, Any] = THREE_WAYS if one.kind == "flag" else {option: option for option in one.options}
    words = {value: word for word, value in values.items()}
    key = shown(f"choice-{one.name}", words[one.value(config)])
    st.segmented_control(
        label_of(one, config, base),
        list(values),
        key=key,
        help=help_of(one, config),
        required=True,
        on_change=lambda: change(one.name, values[st.session_state[key]]),
        disabled=missing(one, config) is not None,
    )


def _heading(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> bool:
    """The label's row, with a switch where the setting is optional; returns whether there is a value to draw."""
    value = one.value(config)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", wrap=False, gap="xxsmall"):
        if one.optional:
            key = shown(f"switch-{one.name}", value is not None)
            st.toggle(
                label_of(one, config, base),
                key=key,
                help=help_of(one, config),
                on_change=_switch,
                args=(one.name, key),
                disabled=missing(one, config) is not None,
            )
        else:
            st.markdown(label_of(one, config, base), help=help_of(one, config), width="content")
        _reset(one, config, base)
    return value is not None


def _number(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    if not _heading(one, config, base):
        return
    value: Any = one.value(config)
    value = int(value) if one.kind == "whole" else float(value)
    low, high, step = slider_range(one, value)
    given = {"on_change": _take, "disabled": missing(one, config) is not None, "label_visibility": "collapsed"}
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        slide, typed = shown(f"slide-{one.name}", value), shown(f"type-{one.name}", value)
        st.slider(one.control.label, low, high, step=step, key=slide, args=(one.name, slide), **given)
        st.number_input(
            f"{one.control.label}, typed",
            min_value=None if one.minimum is None else type(value)(one.minimum),
            max_value=None if one.maximum is None else type(value)(one.maximum),
            step=step,
            format="%d" if one.kind == "whole" else "%.6g",
            key=typed,
            args=(one.name, typed),
            width=84,
            **given,
        )


def _weights(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> None:
    """A config of its own that may be absent: a switch, and its fields once it is on; absent in the preset, they reset to its start."""
    if _heading(one, config, base):
        if one.value(base) is None:
            base = one.changed(base, base.als)
        for part in one.parts:
            draw_setting(part, config, base)
