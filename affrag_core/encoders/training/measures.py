"""How good the trained heads are: F1 by label, calibration, correlation."""

from __future__ import annotations

import numpy as np

from affrag_core.events.vectors import FloatArray

N_BINS = 15


def f1_scores(truth: FloatArray, chosen: FloatArray) -> FloatArray:
    r"""F1 of every label; 0 where a label is neither given nor chosen.

    .. math:: F_1 = \frac{2\,tp}{2\,tp + fp + fn}

    Parameters
    ----------
    truth, chosen : ndarray of shape (n_texts, n_labels)
        1 or True where a label is given.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    true_positives = (truth * chosen).sum(axis=0)
    result: FloatArray = 2.0 * true_positives / np.maximum(truth.sum(axis=0) + chosen.sum(axis=0), 1.0)
    return result


def micro_f1(truth: FloatArray, chosen: FloatArray) -> float:
    """F1 over all texts and labels taken together."""
    return float(f1_scores(truth.reshape(-1, 1), chosen.reshape(-1, 1))[0])


def macro_f1_interval(truth: FloatArray, chosen: FloatArray, *, n_draws: int = 1_000, seed: int = 0) -> tuple[float, float]:
    """Between which values the mean F1 over labels lies in 95 of 100 sets of texts drawn anew from these, with repeats."""
    draws = np.random.default_rng(seed).multinomial(len(truth), np.full(len(truth), 1.0 / len(truth)), size=n_draws).astype(np.float64)
    hits, given = draws @ (truth * chosen), draws @ (truth + chosen)
    low, high = np.quantile((2.0 * hits / np.maximum(given, 1.0)).mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def average_precisions(truth: FloatArray, probabilities: FloatArray) -> FloatArray:
    """Mean precision at each true text, by label, in order of falling probability (ties by row); needs no threshold."""
    order = np.argsort(-probabilities, axis=0, kind="stable")
    hits = np.take_along_axis(truth, order, axis=0)
    precisions = np.cumsum(hits, axis=0) / np.arange(1, len(truth) + 1)[:, None]
    result: FloatArray = (precisions * hits).sum(axis=0) / np.maximum(hits.sum(axis=0), 1.0)
    return result


def calibration_error(truth: FloatArray, probabilities: FloatArray) -> float:
    r"""Expected calibration error: by how much stated and found shares differ, over `N_BINS` bins of equal width.

    .. math:: \mathrm{ECE} = \sum_b \frac{n_b}{n} \left| \overline{y}_b - \overline{p}_b \right|
    """
    stated, found = probabilities.ravel(), truth.ravel()
    bins = np.minimum((stated * N_BINS).astype(int), N_BINS - 1)
    gaps = np.bincount(bins, weights=found - stated, minlength=N_BINS)
    return float(np.abs(gaps).sum() / max(len(stated), 1))


def correlations(truth: FloatArray, estimates: FloatArray) -> FloatArray:
    """Pearson's r of every column."""
    return np.array([np.corrcoef(truth[:, column], estimates[:, column])[0, 1] for column in range(truth.shape[1])])
