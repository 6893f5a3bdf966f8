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
_FLOAT32_SAFE = 1e15
"""Rows longer than this could overflow a float32 dot; they are scored in float64 at once."""


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
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix)) if norms is None else norms
        self._longest = float(lengths.max(initial=0.0))
        self._compact: npt.NDArray[np.float32] | None = None
        if self._longest < _FLOAT32_SAFE:
            self._compact = np.ascontiguousarray(matrix, dtype=np.float32)
            if norms is not None and not np.allclose(norms[norms > 0], 1.0, atol=1e-3):
                self._compact = (matrix / np.where(norms > 0, norms, 1.0)[:, None]).astype(np.float32)

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
        query = np.asarray(query, dtype=np.float64)
        rows = self._candidates(query, k, self._mask(allowed))
        scores = self.scores(query, rows)
        best = np.argsort(-scores, kind="stable")[:k]
        return rows[best], scores[best]

    def scores(self, query: Float64Array, rows: IntArray) -> Float64Array:
        """Score of each of the given rows, float64; shape (n_rows_given,)."""
        wide = self._matrix[rows].astype(np.float64, copy=False)
        dots = np.fromiter((np.dot(query, row) for row in wide), dtype=np.float64, count=len(rows))
        if self._norms is None:
            return dots
        scale = self._norms[rows] * np.sqrt(np.dot(query, query))
        cosines: Float64Array = np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0)
        return cosines

    def _mask(self, allowed: BoolArray | None) -> BoolArray | None:
        if allowed is None or self._members is None:
            return self._members if allowed is None else allowed
        return allowed & self._members

    def _candidates(self, query: Float64Array, k: int, mask: BoolArray | None) -> IntArray:
        """Rows that may be among the best `k`, in order."""
        n = len(self._matrix)
        length = float(np.sqrt(np.dot(query, query)))
        if self._compact is None or not 0 < length < _FLOAT32_SAFE or k >= n:
            return np.arange(n) if mask is None else np.flatnonzero(mask)
        rough = self._compact @ (query / length).astype(np.float32)
        if mask is not None:
            rough[~mask] = -np.inf
            n = int(mask.sum())
            if k >= n:
                return np.flatnonzero(mask)
        if k <= 0:
            return np.arange(0)
        reach = 1.1 if self._norms is not None else self._longest
        slack = 4 * (self._matrix.shape[1] + 8) * _FLOAT32_STEP * reach
        return np.flatnonzero(rough >= np.partition(rough, len(rough) - k)[len(rough) - k] - np.float32(slack))
