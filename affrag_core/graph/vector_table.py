"""The vectors of all events as one matrix, and exact cosines between its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from affrag_core.errors import EventError
from affrag_core.events.vectors import FloatArray

Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
_SAFE = (1e-100, 1e100)
"""Norms whose squares neither overflow nor vanish in float64."""
_BLOCK = 4096
"""How many numbers of a row are multiplied at once; below the size of NumPy's buffer."""


@dataclass(frozen=True, slots=True)
class VectorTable:
    """Rows in the precision they came with, their norms, and which events have one.

    Parameters
    ----------
    matrix : ndarray of shape (n_events, dim), float32 or float64
        Zero rows where an event has no vector; float64 as soon as one row is.
    norms : ndarray of shape (n_events,), float64
    present : ndarray of shape (n_events,), bool
    """

    matrix: FloatArray
    norms: Float64Array
    present: npt.NDArray[np.bool_]

    @classmethod
    def from_rows(cls, rows: Sequence[FloatArray | None], *, ids: Sequence[str], field: str) -> Self:
        """Stack vectors of one length.

        Raises
        ------
        EventError
            If two events have vectors of different lengths; names the later one and both sizes.
        """
        present = np.fromiter((row is not None for row in rows), dtype=bool, count=len(rows))
        given = [row for row in rows if row is not None]
        dim = given[0].size if given else 0
        dtype = np.float32 if given and all(row.dtype == np.float32 for row in given) else np.float64
        if any(row.size != dim for row in given):
            _refuse_lengths(rows, ids, field, dim)
        matrix = np.zeros((len(rows), dim), dtype=dtype)
        if given:
            matrix[present] = given
        return cls._measured(matrix, present)

    @classmethod
    def _measured(cls, matrix: FloatArray, present: npt.NDArray[np.bool_]) -> Self:
        with np.errstate(over="ignore"):  # a norm that overflows is mended just below
            norms = np.sqrt(_row_dots(matrix, matrix))
        odd = present & ((norms < _SAFE[0]) | (norms > _SAFE[1])) if matrix.size else np.zeros(len(present), dtype=bool)
        largest = np.abs(matrix[odd]).max(axis=1, initial=0.0).astype(np.float64) if odd.any() else np.zeros(0)
        if (largest > 0).any():  # a cosine does not depend on a row's scale, so bring such rows to 1
            matrix = matrix.astype(np.float64)
            matrix[odd] /= np.where(largest > 0, largest, 1.0)[:, None]
            norms[odd] = np.sqrt(_row_dots(matrix[odd], matrix[odd]))
        matrix.flags.writeable = norms.flags.writeable = present.flags.writeable = False
        return cls(matrix, norms, present)

    def cosines(self, a: IntArray, b: IntArray) -> Float64Array:
        """Cosine of rows `a` with rows `b`, pair by pair; 0 where either is missing or zero.

        Each is one float64 dot in a fixed order, so equal rows give equal cosines whatever stands beside them.

        Parameters
        ----------
        a, b : ndarray of shape (n_pairs,), int

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            In [-1, 1] up to rounding.
        """
        if not self.matrix.shape[1]:
            return np.zeros(len(a))
        scale: Float64Array = self.norms[a] * self.norms[b]
        return np.divide(_row_dots(self.matrix[a], self.matrix[b]), scale, out=np.zeros_like(scale), where=scale > 0)

    def replaced(self, rows: dict[int, FloatArray | None], kept: IntArray, added: Sequence[FloatArray | None], **names: Any) -> Self:
        """The table with rows exchanged, only `kept` rows kept, and rows added at the end."""
        old: list[FloatArray | None] = [self.matrix[i] if self.present[i] else None for i in kept]
        position = {int(i): n for n, i in enumerate(kept)}
        for i, row in rows.items():
            old[position[i]] = row
        return type(self).from_rows([*old, *added], **names)


def _row_dots(a: FloatArray, b: FloatArray) -> Float64Array:
    # Widened first, and in blocks of our own: einsum's cast and its buffer cut rows at places that depend on how many rows there are, and
    # equal rows would differ in the last bit.
    wide, other = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    blocks = [slice(start, start + _BLOCK) for start in range(0, wide.shape[1], _BLOCK)]
    dots: Float64Array = np.einsum("ij,ij->i", wide[:, blocks[0]], other[:, blocks[0]]) if blocks else np.zeros(len(wide))
    for block in blocks[1:]:
        dots += np.einsum("ij,ij->i", wide[:, block], other[:, block])
    return dots


def _refuse_lengths(rows: Sequence[FloatArray | None], ids: Sequence[str], field: str, dim: int) -> None:
    for event_id, row in zip(ids, rows, strict=True):
        if row is not None and row.size != dim:
            raise EventError(f"{field} must have {dim} numbers as the first vector has, got {row.size}", field=field, event_id=event_id)
