"""Choose the terms that a head looks at, and count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from affrag_core.encoders.tfidf import TermWeights, terms
from affrag_core.events.vectors import FloatArray

Sparse = Any
"""A scipy sparse matrix, one row per text."""


class Occurrence:
    """Which term stands in which of some texts.

    Parameters
    ----------
    texts : sequence of str
    fewest : int
        Terms that stand in fewer texts than this are left out.
    """

    def __init__(self, texts: Sequence[str], *, fewest: int) -> None:
        found = [set(terms(text)) for text in texts]
        counts = Counter(term for row in found for term in row)
        self.terms = tuple(sorted(term for term, count in counts.items() if count >= fewest))
        self.n_texts = len(texts)
        self.counts = np.array([counts[term] for term in self.terms], dtype=np.int32)
        columns = {term: column for column, term in enumerate(self.terms)}
        cells = [(row, columns[term]) for row, there in enumerate(found) for term in there if term in columns]
        rows, cols = np.array(cells).T
        self.matrix: Sparse = sparse.csr_matrix((np.ones(len(cells)), (rows, cols)), shape=(len(texts), len(self.terms)))


def chi_squared(occurrence: Occurrence, truth: FloatArray) -> FloatArray:
    r"""How far each term stands with each label more, or less, often than by chance; shape (n_terms, n_labels).

    .. math:: \chi^2 = (o - e)^2 / e, \qquad e = n_t \, \overline{y}_k

    Every label's own sum counts alike, so that a term of a rare label has a fair chance.
    """
    observed = np.asarray(occurrence.matrix.T @ truth)
    expected = np.outer(occurrence.counts, truth.mean(axis=0))
    result: FloatArray = (observed - expected) ** 2 / expected
    return result


def squared_correlations(occurrence: Occurrence, truth: FloatArray) -> FloatArray:
    """Squared Pearson's r of each term's presence with each column of numbers; shape (n_terms, n_columns)."""
    share = occurrence.counts / occurrence.n_texts
    centred = truth - truth.mean(axis=0)
    covariance = np.asarray(occurrence.matrix.T @ centred) / occurrence.n_texts
    result: FloatArray = (covariance / np.sqrt(share * (1 - share))[:, None] / truth.std(axis=0)) ** 2
    return result


def best_columns(merit: FloatArray, most: int) -> npt.NDArray[np.intp]:
    """The columns of the highest merit, in rising order; ties go to the first."""
    return np.sort(np.argsort(-merit, kind="stable")[:most])


def term_matrix(weighed: TermWeights, texts: Sequence[str]) -> Sparse:
    """The weights of `TermWeights`, shape (n_texts, n_terms), sparse."""
    rows = [weighed.sparse_row(text) for text in texts]
    pointers = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int64)
    values = np.fromiter((value for row in rows for value in row.values()), dtype=np.float64)
    return sparse.csr_matrix((values, columns, pointers), shape=(len(rows), len(weighed.terms)))
