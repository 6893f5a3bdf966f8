"""Words, signs and pairs of them, counted and weighed: the part of a text that a sentence vector blurs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from affrag_core.events.vectors import FloatArray

MOST_CHARACTERS = 20_000
"""A text is read this far: feelings of a whole book are no use, and its words would take long to count."""

START, END, SHOUTED = "<s>", "</s>", "<caps>"
"""Stand for the two ends of a text inside pairs (``"<s> why"``), and for a shouted word; no text can hold such tokens."""

_DROPPED = str.maketrans("", "", "\ufe0e\ufe0f\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_ALIKE = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "…": "..."})
_TOKENS = re.compile(
    r"""
    \[[a-z]+\]                      # a name that was blanked out: [name]
    | [:;=x]['-]?[()dpo/|*](?!\w)   # a face of signs
    | <3
    | [^\W_]+(?:'[^\W_]+)*          # a word, with its apostrophes: don't
    | ([!?.])[!?.]*                 # a run of end marks counts as one, or as one doubled
    | [^\w\s]                       # any other sign: emoji, quotes
    """,
    re.VERBOSE,
)
_STRETCHED = re.compile(r"(\w)\1{2,}")
_CAPITALS = re.compile(r"(?<!\[)\b[A-Z]{4,}\b")


def tokens(text: str) -> list[str]:
    """A text's words in small letters, its signs and its emoji, in order.

    A letter written three times or more is written twice (``soooo`` is ``soo``), skin tones are dropped, and a run of end marks
    becomes one mark or two.

    Examples
    --------
    >>> tokens("I don't KNOW!!! 😂")
    ['i', "don't", 'know', '!!', '😂']
    """
    plain = text[:MOST_CHARACTERS].translate(_DROPPED).translate(_ALIKE).lower()
    return [_token(match) for match in _TOKENS.finditer(_STRETCHED.sub(r"\1\1", plain))]


def _token(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[0]
    return match[0][:3] if match[0].startswith("...") else match[0][:2]


def terms(text: str) -> Iterator[str]:
    """A text's tokens, then every pair of neighbours, the ends of the text among them; a pair is written with one space.

    A text with a word of four capitals or more has the term `SHOUTED` besides.
    """
    found = tokens(text)
    yield from found
    for left, right in zip([START, *found], [*found, END], strict=True):
        yield f"{left} {right}"
    if _CAPITALS.search(text[:MOST_CHARACTERS]):
        yield SHOUTED


def inverse_document_frequencies(document_counts: npt.ArrayLike, n_documents: int) -> FloatArray:
    r"""Weigh each term by how rare it is.

    .. math:: \mathrm{idf}_t = 1 + \ln \frac{1 + n}{1 + n_t}

    Parameters
    ----------
    document_counts : ndarray of shape (n_terms,)
        :math:`n_t`, in how many documents a term stands.
    n_documents : int
        n.
    """
    result: FloatArray = 1.0 + np.log((1.0 + n_documents) / (1.0 + np.asarray(document_counts, dtype=np.float64)))
    return result


class TermWeights:
    r"""Texts to weights of a fixed list of terms.

    .. math:: x_t = (1 + \ln c_t) \cdot \mathrm{idf}_t, \qquad x \leftarrow x / \lVert x \rVert

    where :math:`c_t` counts the term in the text; a text without any listed term is the zero vector.

    Parameters
    ----------
    listed : sequence of str
        The terms, in the order of the columns.
    idf : ndarray of shape (n_terms,)
    """

    def __init__(self, listed: Sequence[str], idf: FloatArray) -> None:
        self.terms = tuple(listed)
        self._columns = {term: column for column, term in enumerate(self.terms)}
        self._idf = np.asarray(idf, dtype=np.float64).tolist()

    def sparse_row(self, text: str) -> dict[int, float]:
        """Weight by column of one text's listed terms, of length 1 together."""
        counts = Counter(column for term in terms(text) if (column := self._columns.get(term)) is not None)
        row = {column: (1.0 + math.log(count)) * self._idf[column] for column, count in counts.items()}
        length = math.sqrt(sum(weight * weight for weight in row.values()))
        return {column: weight / length for column, weight in sorted(row.items())}

    def rows(self, texts: Iterable[str]) -> FloatArray:
        """One row per text, shape (n_texts, n_terms), float64."""
        sparse = [self.sparse_row(text) for text in texts]
        dense: FloatArray = np.zeros((len(sparse), len(self.terms)))
        for number, row in enumerate(sparse):
            dense[number, list(row)] = list(row.values())
        return dense
