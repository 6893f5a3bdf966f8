"""Turn scores into probabilities that hold, and pick from which probability a label counts as present."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from affrag_core.events.vectors import FloatArray

PULL = 5.0
"""How strongly slopes are held near 1 and shifts near 0: a rare label has a dozen examples in a split, too few to set its own freely."""

BLUR = 0.3
"""Thresholds are judged over neighbouring ones as well, by this much in log odds, so that no single text decides."""

_TRIED = np.linspace(-5.0, 2.5, 151)


def sigmoid(scores: FloatArray) -> FloatArray:
    """Log odds to probabilities."""
    result: FloatArray = 1.0 / (1.0 + np.exp(-np.clip(scores, -60.0, 60.0)))
    return result


def slopes_and_shifts(scores: FloatArray, truth: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""Platt's calibration, label by label: probabilities :math:`\sigma(a_k z + b_k)` that fit the truth best.

    .. math:: \min_{a, b} \sum_i \left[ \ln(1 + e^{a z_i + b}) - y_i (a z_i + b) \right] + c \left[ (a - 1)^2 + b^2 \right]

    with c = `PULL`.

    Returns
    -------
    tuple of two ndarrays of shape (n_labels,)
    """
    pairs = [_slope_and_shift(scores[:, label], truth[:, label]) for label in range(scores.shape[1])]
    slopes, shifts = np.array(pairs).T
    return slopes, shifts


def _slope_and_shift(scores: FloatArray, truth: FloatArray) -> FloatArray:
    def loss(pair: FloatArray) -> tuple[float, FloatArray]:
        moved = pair[0] * scores + pair[1]
        gaps = sigmoid(moved) - truth
        away = pair - np.array([1.0, 0.0])
        total = (np.logaddexp(0.0, moved) - truth * moved).sum() + PULL * (away @ away)
        return float(total), np.array([gaps @ scores, gaps.sum()]) + 2.0 * PULL * away

    found: FloatArray = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS").x
    return found


def best_thresholds(probabilities: FloatArray, truth: FloatArray) -> FloatArray:
    """The probability from which choosing each label gives the best F1, blurred by `BLUR`; shape (n_labels,)."""
    clipped = np.clip(probabilities, 1e-9, 1 - 1e-9)
    odds = np.log(clipped) - np.log1p(-clipped)
    best = np.zeros(odds.shape[1])
    for label in range(odds.shape[1]):
        chosen = sigmoid(1.7 * (odds[:, label][:, None] - _TRIED) / BLUR)
        f1 = 2.0 * (truth[:, label][:, None] * chosen).sum(axis=0) / (chosen.sum(axis=0) + truth[:, label].sum())
        best[label] = _TRIED[int(np.argmax(f1))]
    return sigmoid(best)
