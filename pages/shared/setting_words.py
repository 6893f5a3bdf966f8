"""What stands on and behind a control: its label with a dot, its help, and why it is disabled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pages.shared.settings import Setting

if TYPE_CHECKING:
    from affrag_core import RetrievalConfig

DOT = ":primary[●]"
# Starts of names, which settings (any of them) they need to have an effect, and what to say; the widget is disabled until then.
NEEDS = {
    "cpt.activation_": (("cpt.spreading_activation",), "Switch on “Spreading activation” first."),
    "cpt.sampling_": (("cpt.random_sampling", "cpt.activation_random"), "Switch on “Draw at random” first."),
    "mood_weight": (("mood",), "Give a mood first."),
}


def dot_of(some: Iterable[Setting], config: RetrievalConfig, base: RetrievalConfig) -> str:
    """A dot for a heading over settings of which one is not the preset's."""
    return f" {DOT}" if any(one.value(config) != one.value(base) for one in some) else ""


def missing(one: Setting, config: RetrievalConfig) -> str | None:
    """Why a setting is without effect; None where it has one."""
    for start, (needed, sentence) in NEEDS.items():
        if one.name.startswith(start):
            return None if any(_held(config, name) for name in needed) else sentence
    return None


def hint(one: Setting, config: RetrievalConfig) -> str | None:
    """What else is to be set before a setting that is on does anything."""
    cpt = config.cpt
    if one.name == "cpt.random_sampling" and cpt.random_sampling and not cpt.sampling_temperature:
        return "Nothing is drawn until “Temperature” is on and above 0."
    return None


def _held(config: RetrievalConfig, name: str) -> Any:
    held: Any = config
    for step in name.split("."):
        held = getattr(held, step)
    return held


def help_of(one: Setting, config: RetrievalConfig) -> str:
    """The field's own description, and why the control is disabled if it is."""
    sentence = missing(one, config)
    return f"{one.help}\n\n{sentence}" if sentence else one.help


def label_of(one: Setting, config: RetrievalConfig, base: RetrievalConfig) -> str:
    """The label, without the stage that its heading names already, and with a dot where the value is not the preset's."""
    words = one.control.label.removeprefix(f"{one.control.stage}: ")
    words = words[:1].upper() + words[1:]
    return f"{DOT} {words}" if one.value(config) != one.value(base) else words
