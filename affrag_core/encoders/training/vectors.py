"""Sentence vectors for training: made once, kept on disk, brought to one scale."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from affrag_core.encoders.cache import VectorCache, encode_cached
from affrag_core.encoders.sentence import SentenceEncoder
from affrag_core.encoders.weight_files import weights_path
from affrag_core.events.vectors import FloatArray

LEAST_DEVIATION = 1e-3
"""Three of MiniLM's dimensions are constant; their noise must not be blown up."""


class Standard(NamedTuple):
    """Means and deviations of the training vectors."""

    means: FloatArray
    deviations: FloatArray

    @classmethod
    def of(cls, vectors: FloatArray) -> Standard:
        """Those of some vectors."""
        rows = vectors.astype(np.float64)
        return cls(rows.mean(axis=0), np.maximum(rows.std(axis=0), LEAST_DEVIATION))

    def applied(self, vectors: FloatArray) -> FloatArray:
        """The vectors with mean 0 and deviation 1 in every dimension."""
        result: FloatArray = (vectors.astype(np.float64) - self.means) / self.deviations
        return result

    def folded(self, weights: FloatArray, bias: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weights and bias that give, from plain vectors, what these give from standardised ones."""
        plain = weights / self.deviations[:, None]
        return plain, bias - self.means @ plain


def training_parser(description: str | None) -> argparse.ArgumentParser:
    """What both training scripts may be told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the labelled set")
    parser.add_argument("--cache", type=Path, default=None, help="a folder that keeps sentence vectors between runs")
    parser.add_argument("--out", type=Path, default=weights_path(""), help="where the array file and the card go")
    parser.add_argument("--threads", type=int, default=1, help="threads for the sentence model")
    parser.add_argument("--without-test", action="store_true", help="print development figures only and write nothing")
    return parser


def sentence_vectors(texts: Sequence[str], asked: argparse.Namespace) -> FloatArray:
    """One row per text from the bundled model, looked up in the cache first."""

    def progress(done: int, total: int) -> None:
        if done % 3_200 == 0:
            sys.stderr.write(f"sentence vectors: {done:,} of {total:,}\n")

    cache = None if asked.cache is None else VectorCache(asked.cache)
    try:
        return encode_cached(SentenceEncoder(n_threads=asked.threads), texts, cache, progress)
    finally:
        if cache is not None:
            cache.close()
