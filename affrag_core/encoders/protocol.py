"""What an encoder is: a name, a length of vectors, and `encode`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from affrag_core.errors import CancelledError
from affrag_core.events.vectors import FloatArray

Progress = Callable[[int, int], None]
"""Called with texts done and texts in all, from the thread that encodes."""

Cancelled = Callable[[], bool]
"""Asked between batches; True stops the work with `CancelledError`."""


class Encoder(Protocol):
    """Texts to vectors of one length. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Names the space of its vectors; vectors of two names must not be compared."""

    @property
    def dim(self) -> int:
        """Numbers per vector."""

    @property
    def cache_key(self) -> str | None:
        """What `VectorCache` files its vectors under; None where a text's vector depends on more than the encoder's name."""

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None, cancelled: Cancelled | None = None) -> FloatArray:
        """One row per text, shape (n_texts, dim); a text without content may get a row of zeros."""


def stop_if_cancelled(cancelled: Cancelled | None, *, n_done: int, n_texts: int) -> None:
    """Raise `CancelledError`, saying how far it was, when asked to stop."""
    if cancelled is not None and cancelled():
        raise CancelledError(f"stopped after {n_done:,} of {n_texts:,} texts")


def report(progress: Progress | None, n_done: int, n_texts: int) -> None:
    """Tell how far the work is, if somebody asked."""
    if progress is not None:
        progress(n_done, n_texts)
