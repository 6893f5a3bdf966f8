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
"""Row widths to try, as multiples of the width of a `BOX` with the same area."""


def packed(pictures: Sequence[FloatArray]) -> list[FloatArray]:
    """Move pictures so that none overlaps another: in rows, the highest first, of the width that lets them be drawn largest.

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
    tries = [_rows(sizes, max(widest, even * factor)) for factor in WIDTHS_TRIED]
    corners = max(tries, key=lambda corners: _scale((corners + sizes).max(axis=0)))
    return [picture - low + corner for picture, low, corner in zip(pictures, lows, corners, strict=True)]


def _rows(sizes: FloatArray, row_width: float) -> FloatArray:
    """Top left corner of each rectangle, set in rows from the highest to the lowest; shape (n, 2) in and out."""
    corners = np.zeros_like(sizes)
    x = y = row_height = 0.0
    for i in np.lexsort((np.arange(len(sizes)), -sizes[:, 0], -sizes[:, 1])).tolist():
        width, height = sizes[i].tolist()
        if x > 0 and x + width > row_width + 1e-9:
            x, y, row_height = 0.0, y + row_height, 0.0
        corners[i] = x, y
        x, row_height = x + width, max(row_height, height)
    return corners


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
