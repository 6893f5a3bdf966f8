"""Encoders that put a small linear model, a head, on top of a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from affrag_core.encoders.cache import VectorCache, encode_cached
from affrag_core.encoders.onnx import bundled_encoder, in_bundled_space
from affrag_core.encoders.protocol import Cancelled, Encoder, Progress
from affrag_core.encoders.sentence import BUNDLED_NAME
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray


class Head(Protocol):
    """A small model over texts and their sentence vectors."""

    @property
    def name(self) -> str:
        """Names the space of its rows, with a version."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What each column says."""

    def rows(self, texts: Sequence[str], vectors: FloatArray) -> FloatArray:
        """One row per text, shape (n_texts, n_labels), float32."""


class HeadEncoder:
    """Texts to the rows of a head; an `Encoder` like any other.

    Parameters
    ----------
    head : Head
    sentence_encoder : Encoder, optional
        Must give vectors of all-MiniLM-L6-v2; None takes the one that is installed.
    cache : VectorCache, optional
        Where sentence vectors are looked up and kept, so that a text is encoded once.

    Raises
    ------
    EncoderError
        If the sentence encoder is another one, or none is installed.
    """

    def __init__(self, head: Head, sentence_encoder: Encoder | None = None, *, cache: VectorCache | None = None) -> None:
        encoder: Encoder = bundled_encoder() if sentence_encoder is None else sentence_encoder
        if not in_bundled_space(encoder):
            raise EncoderError(f"{head.name} reads sentence vectors of {BUNDLED_NAME}, got an encoder of {encoder.name}")
        self.head = head
        self._sentence_encoder = encoder
        self._cache = cache

    @property
    def name(self) -> str:
        """The head's name."""
        return self.head.name

    @property
    def dim(self) -> int:
        """One number per label."""
        return len(self.head.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """What each number says."""
        return self.head.labels

    @property
    def cache_key(self) -> str | None:
        """The name and the sentence encoder's own key; None where that has none."""
        below = self._sentence_encoder.cache_key
        return None if below is None else f"{self.name} on {below}"

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None, cancelled: Cancelled | None = None) -> FloatArray:
        """One row per text, shape (n_texts, dim), float32; the sentence vectors are made or looked up on the way.

        Raises
        ------
        CancelledError
            When `cancelled` says so.
        """
        vectors = encode_cached(self._sentence_encoder, texts, self._cache, progress, cancelled)
        return self.from_embeddings(texts, vectors)

    def from_embeddings(self, texts: Sequence[str], embeddings: FloatArray) -> FloatArray:
        """The same rows where the sentence vectors are there already, shape (n_texts, 384); takes milliseconds.

        Raises
        ------
        EncoderError
            If the vectors do not fit the texts or the model.
        """
        return self.head.rows(texts, embeddings)
