"""Valence and arousal on scales other than -1 to 1: asked about, and rescaled only when told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from affrag_core.errors import ReadError
from affrag_core.events.readers.rows import refused
from affrag_core.events.report import ScaleQuestion

AffectScale = Literal["-1..1", "0..1", "1..5", "1..9", "0..10", "0..100"]
AFFECT_SCALES: tuple[str, ...] = get_args(AffectScale)
"""Scales that a file may use for valence and arousal; the middle of each is neutral."""


def scale_bounds(scale: str) -> tuple[float, float]:
    """Lowest and highest value of a scale. Raises ReadError if it is not one of `AFFECT_SCALES`."""
    if scale not in AFFECT_SCALES:
        raise ReadError(f"The scale of valence and arousal must be one of {', '.join(AFFECT_SCALES)}, got {scale!r}.")
    low, high = scale.split("..")
    return float(low), float(high)


def rescaled(value: float, scale: str, name: str) -> float:
    """A value of valence or arousal brought to [-1, 1]: ``(2 v - low - high) / (high - low)``."""
    low, high = scale_bounds(scale)
    if not low <= value <= high:
        raise refused(f"{name} must be in [{low:g}, {high:g}], got {value:g}", name)
    return value if scale == "-1..1" else (2 * value - low - high) / (high - low)


def _share_within(values: Sequence[float], scale: str) -> float:
    low, high = scale_bounds(scale)
    return sum(low <= value <= high for value in values) / len(values)


def scale_question(values: Sequence[float]) -> ScaleQuestion | None:
    """What to ask where no value is negative and some scale other than -1 to 1 would fit; None where all is clear.

    Parameters
    ----------
    values : sequence of float
        Every valence and arousal of the file, as given.
    """
    if not values or min(values) < 0 or max(values) == 0:
        return None
    low, high = min(values), max(values)
    fits = [scale for scale in AFFECT_SCALES[1:] if _share_within(values, scale) >= (0.75 if scale == "0..1" else 0.98)]
    if not fits:
        return None
    words = fits[0].replace("..", " to ")
    middle = sum(scale_bounds(fits[0])) / 2
    seen = f"Valence and arousal lie between {low:.3g} and {high:.3g} in this file, none is negative."
    ask = f"Is their scale {words}, with {middle:g} for neutral, or -1 to 1, with 0 for neutral?"
    return ScaleQuestion(f"{seen} {ask}", fits[0], low, high)
