"""Vectors at the door: one-dimensional, finite, read-only, in the precision they came with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from affrag_core.errors import EventError, shortened

FloatArray = npt.NDArray[np.floating[Any]]


def as_vector(value: object, *, field: str, event_id: str | None = None) -> FloatArray | None:
    """Read a vector: float32 stays float32, everything else becomes float64.

    Parameters
    ----------
    value : array_like of shape (dim,), or None
        An empty one counts as none.
    field, event_id : str
        Named in the error.

    Returns
    -------
    ndarray of shape (dim,), read-only, or None

    Raises
    ------
    EventError
        If it is not one-dimensional, not numbers, or holds NaN or infinity.
    """
    if value is None:
        return None
    try:
        given = np.asarray(value)
        if given.size and given.dtype.kind not in "iufO":
            raise TypeError
        with np.errstate(over="ignore"):  # what does not fit becomes infinite and is refused below
            array: FloatArray = np.array(given, dtype=np.float32 if given.dtype == np.float32 else np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EventError(f"{field} must be a list of numbers, got {shortened(value)}", field=field, event_id=event_id) from None
    if array.ndim != 1:
        raise EventError(f"{field} must be one list of numbers, got shape {array.shape}", field=field, event_id=event_id)
    if not np.isfinite(array).all():
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        raise EventError(f"{field} must be finite, got {array[position]} at position {position}", field=field, event_id=event_id)
    array.flags.writeable = False
    return array if array.size else None
