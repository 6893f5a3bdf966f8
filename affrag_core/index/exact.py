"""Exact lookup: a float32 pass picks the candidates, a float64 pass scores them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Float64Array = npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.floating[Any]]
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]

_FLOAT32_STEP = 2.0**-24
_FLOAT32_SAFE = (1e-15, 1e15)
"""Lengths whose float32 dots neither vanish nor overflow; others are scored in float64 at once."""
_FLOAT64_SAFE = (1e-100, 1e100)
"""The same for a query in float64."""
_UNIT_WITHIN = 1e-6
"""Rows this near to length 1 are used as they are in the float32 pass."""


class VectorIndex(Protocol):
    """Any lookup of the rows most like a query: exact, approximate or external."""

    def search(self, query: Float64Array, k: int, *, allowed: BoolArray | None = None) -> tuple[IntArray, Float64Array]:
        """Positions and scores of the best `k` rows, best first."""


class ExactIndex:
    """Rows by dot product, or by cosine where their norms are given.

    The float32 pass keeps every row that could be among the best once its rounding error is allowed for, so the answer is that of a full
    float64 search; each survivor's score is one float64 dot in a fixed order, so equal rows tie exactly and the earlier one comes first.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, dim), float32 or float64
    norms : ndarray of shape (n_rows,), float64, optional
        Given, scores are cosines; a zero row scores 0.
    members : ndarray of shape (n_rows,), bool, optional
        Rows that may be found at all.
    """

    def __init__(self, matrix: FloatArray, *, norms: Float64Array | None = None, members: BoolArray | None = None) -> None:
        self._matrix = matrix
        self._norms = norms
        self._members = None if members is None or members.all() else members
        self._compact: npt.NDArray[np.float32] | None = None
        self._slack = 0.0
        if norms is not None:
            self._prepare_cosines(norms)
        else:
            self._prepare_dots()

    def _prepare_cosines(self, norms: Float64Array) -> None:
        off_unit = float(np.abs(norms[norms > 0] - 1.0).max(initial=0.0))
        if off_unit > _UNIT_WITHIN:
            self._compact, off_unit = (self._matrix / np.where(norms > 0, norms, 1.0)[:, None]).astype(np.float32), 0.0
        else:
            self._compact = np.ascontiguousarray(self._matrix, dtype=np.float32)
        self._slack = self._rounding() + 2 * off_unit

    def _prepare_dots(self) -> None:
        with np.errstate(over="ignore", under="ignore"):
            longest = float(np.sqrt(np.einsum("ij,ij->i", self._matrix, self._matrix, dtype=np.float64)).max(initial=0.0))
        if _FLOAT32_SAFE[0] < longest < _FLOAT32_SAFE[1]:
            self._compact = np.ascontiguousarray(self._matrix, dtype=np.float32)
            self._slack = self._rounding() * longest

    def _rounding(self) -> float:
        """How far two float32 dots of unit vectors can be wrong against each other."""
        return float(4.4 * (self._matrix.shape[1] + 8) * _FLOAT32_STEP)

    def search(self, query: Float64Array, k: int, *, allowed: BoolArray | None = None) -> tuple[IntArray, Float64Array]:
        """Positions and scores of the best `k` rows.

        Parameters
        ----------
        query : ndarray of shape (dim,)
        k : int
            More than there are rows gives all of them.
        allowed : ndarray of shape (n_rows,), bool, optional
            Only these rows are looked at.

        Returns
        -------
        positions : ndarray of shape (n_found,), int
            Best first, ties in order of rows.
        scores : ndarray of shape (n_found,), float64
            Cosines, or dot products where the index has no norms.
        """
        query = self._within_range(np.asarray(query, dtype=np.float64))
        rows = self._candidates(query, k, self._mask(allowed))
        scores = self.scores(query, rows)
        best = np.argsort(-scores, kind="stable")[:k]
        return rows[best], scores[best]

    def scores(self, query: Float64Array, rows: IntArray) -> Float64Array:
        """Score of each of the given rows, float64; shape (n_rows_given,)."""
        query = self._within_range(query)
        wide = self._matrix[rows].astype(np.float64, copy=False)
        dots = np.fromiter((np.dot(query, row) for row in wide), dtype=np.float64, count=len(rows))
        if self._norms is None:
            return dots
        scale = self._norms[rows] * np.sqrt(np.dot(query, query))
        cosines: Float64Array = np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0)
        return cosines

    def _within_range(self, query: Float64Array) -> Float64Array:
        """The query brought to a scale whose squares neither overflow nor vanish; a cosine does not depend on it, a dot product does."""
        largest = float(np.abs(query).max(initial=0.0))
        if self._norms is None or largest == 0 or _FLOAT64_SAFE[0] < largest < _FLOAT64_SAFE[1]:
            return query
        return query / largest

    def _mask(self, allowed: BoolArray | None) -> BoolArray | None:
        if allowed is None or self._members is None:
            return self._members if allowed is None else allowed
        return allowed & self._members

    def _candidates(self, query: Float64Array, k: int, mask: BoolArray | None) -> IntArray:
        """Rows that may be among the best `k`, in order."""
        n = len(self._matrix)
        with np.errstate(over="ignore"):  # such a length is not safe, and the float64 pass does without it
            length = float(np.sqrt(np.dot(query, query)))
        if self._compact is None or not _FLOAT64_SAFE[0] < length < _FLOAT64_SAFE[1] or k >= n:
            return np.arange(n) if mask is None else np.flatnonzero(mask)
        rough = self._compact @ (query / length).astype(np.float32)
        if mask is not None:
            rough[~mask] = -np.inf
            n = int(mask.sum())
            if k >= n:
                return np.flatnonzero(mask)
        if k <= 0:
            return np.arange(0)
        return np.flatnonzero(rough >= np.partition(rough, len(rough) - k)[len(rough) - k] - np.float32(self._slack))
