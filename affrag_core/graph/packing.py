"""Pictures of separate groups, set side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

BOX = (1.6, 1.0)
"""Width and height of the box that all positions lie in."""
GAP = 1.5
"""Free space around an event without links, in units of the distance between neighbours; a group has one unit more."""
WIDTHS_TRIED = (0.8, 1.0, 1.25, 1.6, 2.0, 2.5)
"""Widths to try, as multiples of the width of a `BOX` with the same area."""
MANY = 300
"""With more groups than this, one width is good enough."""


def packed(pictures: Sequence[FloatArray]) -> list[FloatArray]:
    """Move pictures so that none overlaps another: the highest first, each as far up as it fits, and the whole as large as it can be.

    Parameters
    ----------
    pictures : sequence of ndarray of shape (n_i, 2), float64

    Returns
    -------
    list of ndarray of shape (n_i, 2), float64
        In the order given.
    """
    if not pictures:
        return []
    lows = np.array([picture.min(axis=0) for picture in pictures])
    gaps = np.array([[GAP + (len(picture) > 1)] for picture in pictures])
    sizes = np.array([picture.max(axis=0) for picture in pictures]) - lows + gaps
    even = float(np.sqrt(sizes.prod(axis=1).sum() * BOX[0] / BOX[1]))
    widest = float(sizes[:, 0].max())
    factors = WIDTHS_TRIED if len(pictures) <= MANY else (1.0,)
    tries = [_corners(sizes, max(widest, even * factor)) for factor in factors]
    corners = max(tries, key=lambda corners: _scale((corners + sizes).max(axis=0)))
    return [picture - low + corner for picture, low, corner in zip(pictures, lows, corners, strict=True)]


def _corners(sizes: FloatArray, width: float) -> FloatArray:
    """Top left corner of each rectangle within a strip of some width; shape (n, 2) in and out.

    `skyline` holds the lower edge of what is placed, from left to right, as steps (x, y); it ends at (width, infinity).
    """
    corners = np.zeros_like(sizes)
    skyline = [(0.0, 0.0), (width, np.inf)]
    for i in np.lexsort((np.arange(len(sizes)), -sizes[:, 0], -sizes[:, 1])).tolist():
        w, h = sizes[i].tolist()
        y, x = np.inf, 0.0
        for at, (left, lower) in enumerate(skyline[:-1]):
            if lower < y and (resting := _resting(skyline, at, w)) < y:
                y, x = resting, left
        corners[i] = x, y
        below = [step for step in skyline if step[0] < x]
        after = [step for step in skyline if step[0] >= x + w]
        level = [y for left, y in skyline if left <= x + w][-1]
        beside = [] if after and after[0][0] == x + w else [(x + w, level)]
        skyline = [*below, (x, y + h), *beside, *after]
    return corners


def _resting(skyline: list[tuple[float, float]], at: int, width: float) -> float:
    """How far up a rectangle of some width can go if its left edge stands at a step; infinity where the strip is too narrow."""
    x = skyline[at][0]
    if x + width > skyline[-1][0] + 1e-9:
        return float(np.inf)
    y = skyline[at][1]
    for left, lower in skyline[at + 1 : -1]:
        if left >= x + width:
            break
        y = max(y, lower)
    return y


def fitted(positions: FloatArray) -> FloatArray:
    """Scale positions evenly to fill `BOX` and centre them in it; shape (n, 2) in and out."""
    box = np.array(BOX)
    if not len(positions):
        return positions
    low, high = positions.min(axis=0), positions.max(axis=0)
    if not (high - low).any():
        return np.tile(box / 2, (len(positions), 1))
    centred = (positions - (low + high) / 2) * _scale(high - low) + box / 2
    inside: FloatArray = np.clip(centred, 0.0, box)
    return inside


def _scale(extent: FloatArray) -> float:
    """How much a picture of some width and height, not both 0, can grow until it fills the box along one side."""
    return min(float(BOX[side] / extent[side]) for side in range(2) if extent[side] > 0)
