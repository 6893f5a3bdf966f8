"""Fit linear weights over two blocks of columns, one dense and one sparse, each with its own penalty."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from affrag_core.encoders.training.selection import Sparse
from affrag_core.events.vectors import FloatArray

MOST_STEPS = 500
STOP_AT = 1e-9


class Weights(NamedTuple):
    """Weights of sentence vectors and of terms, and the bias."""

    vectors: FloatArray
    terms: FloatArray
    bias: FloatArray


def logistic_weights(vectors: FloatArray, terms: Sparse, truth: FloatArray, *, vector_penalty: float, term_penalty: float) -> Weights:
    r"""One logistic regression per label, all fitted together by L-BFGS.

    .. math:: \min_W \sum_{i,k} \left[ \ln(1 + e^{z_{ik}}) - y_{ik} z_{ik} \right]
              + \frac{\lambda_v}{2} \lVert W_v \rVert^2 + \frac{\lambda_x}{2} \lVert W_x \rVert^2

    Parameters
    ----------
    vectors : ndarray of shape (n_texts, dim)
        Standardised.
    terms : sparse matrix of shape (n_texts, n_terms)
    truth : ndarray of shape (n_texts, n_labels)
        0 or 1.
    vector_penalty, term_penalty : float
        :math:`\lambda_v, \lambda_x`.
    """
    # Double precision and a tight stop, so that machines which round otherwise end at the same weights.
    dense, sparse = vectors.astype(np.float64), terms.astype(np.float64)
    sparse_transposed = sparse.T.tocsr()
    (n_texts, dim), n_terms, wanted = dense.shape, sparse.shape[1], truth.astype(np.float64)
    penalty = np.concatenate([np.full(dim, vector_penalty), np.full(n_terms, term_penalty), [1e-3]])[:, None]
    squares = np.concatenate([(dense**2).sum(axis=0), np.asarray(sparse.multiply(sparse).sum(axis=0)).ravel(), [n_texts]])[:, None]
    share = wanted.mean(axis=0)
    # Steps in units of each weight's own curvature: without them the rare terms are far from settled after hundreds of steps.
    unit = np.sqrt(penalty + 0.5 * squares * share * (1 - share))

    def loss(flat: Any) -> tuple[float, FloatArray]:
        weights = flat.reshape(unit.shape) / unit
        scores = dense @ weights[:dim] + sparse @ weights[dim:-1] + weights[-1]
        small = np.exp(-np.abs(scores))
        losses = np.log1p(small) + np.maximum(scores, 0) - wanted * scores
        gaps = np.where(scores >= 0, 1, small) / (1 + small) - wanted
        slopes = (np.vstack([dense.T @ gaps, sparse_transposed @ gaps, gaps.sum(axis=0)]) + penalty * weights) / unit
        total = losses.sum() + 0.5 * (penalty * weights * weights).sum()
        return float(total) / n_texts, (slopes / n_texts).ravel()

    start = np.zeros(unit.shape)
    start[-1] = np.log(share / (1 - share))
    options = {"maxiter": MOST_STEPS, "maxcor": 10, "ftol": STOP_AT, "gtol": 1e-7}
    found = minimize(loss, (start * unit).ravel(), jac=True, method="L-BFGS-B", options=options).x.reshape(unit.shape) / unit
    return Weights(found[:dim], found[dim:-1], found[-1])


def ridge_weights(vectors: FloatArray, terms: Sparse, truth: FloatArray, *, vector_penalty: float, term_penalty: float) -> Weights:
    r"""Least squares with the same penalties, in closed form.

    .. math:: \min_W \lVert Y - Z \rVert^2 + \lambda_v \lVert W_v \rVert^2 + \lambda_x \lVert W_x \rVert^2

    Parameters
    ----------
    vectors, terms, truth, vector_penalty, term_penalty
        As in `logistic_weights`; the truth may be any numbers.
    """
    columns = np.hstack([vectors, terms.toarray()]).astype(np.float64)
    dim, means, truth_means = vectors.shape[1], columns.mean(axis=0), truth.mean(axis=0)
    columns -= means
    penalty = np.concatenate([np.full(dim, vector_penalty), np.full(columns.shape[1] - dim, term_penalty)])
    found = np.linalg.solve(columns.T @ columns + np.diag(penalty), columns.T @ (truth - truth_means))
    return Weights(found[:dim], found[dim:], truth_means - means @ found)
