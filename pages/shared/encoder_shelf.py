"""Text encoders that load in threads while the page is already up. No Streamlit here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from affrag_core import Encoder

BUNDLED = "all-MiniLM-L6-v2"
TERM_COUNT = "term-count"
THREADS = "AFFRAG_THREADS"
"""The environment variable that says how many threads a sentence model may use."""
Phase = Literal["not loaded", "loading", "ready", "failed"]


@dataclass(slots=True)
class EncoderState:
    """Where an encoder stands: its phase, a sentence where it failed, itself when ready."""

    model: str
    phase: Phase = "not loaded"
    sentence: str = ""
    encoder: Encoder | None = None
    settled: threading.Event = field(default_factory=threading.Event)


class EncoderShelf:
    """Sentence models of this process, each loaded once, in a thread of its own, for all sessions.

    Parameters
    ----------
    build : callable, optional
        Makes a loaded encoder from what a person typed; a test puts a small one here.
    """

    def __init__(self, build: Callable[[str], Encoder] | None = None) -> None:
        self._build = build or _sentence_encoder
        self._states: dict[str, EncoderState] = {}
        self._lock = threading.Lock()

    def state(self, model: str) -> EncoderState:
        """Where a model stands; asking starts nothing."""
        with self._lock:
            return self._states.setdefault(model, EncoderState(model))

    def begin(self, model: str) -> EncoderState:
        """Start loading a model unless that is under way or done; after a failure it is tried again."""
        with self._lock:
            state = self._states.setdefault(model, EncoderState(model))
            if state.phase in ("loading", "ready"):
                return state
            state.phase, state.sentence = "loading", ""
            state.settled.clear()
        threading.Thread(target=self._load, args=(state,), name=f"load {model}", daemon=True).start()
        return state

    def _load(self, state: EncoderState) -> None:
        from affrag_core import AffragError

        try:
            state.encoder = self._build(state.model)
            state.phase = "ready"
        except AffragError as error:
            state.phase, state.sentence = "failed", str(error)
        except Exception as error:  # a thread that dies silently would leave the page waiting for ever
            state.phase, state.sentence = "failed", f"the model could not be loaded ({type(error).__name__}: {error})"
        finally:
            state.settled.set()

    def wait(self, model: str, cancelled: Callable[[], bool] = lambda: False) -> Encoder:
        """The loaded model, loading it first if need be.

        Raises
        ------
        EncoderError
            If it cannot be loaded.
        CancelledError
            When `cancelled` says so while waiting.
        """
        from affrag_core import CancelledError, EncoderError

        state = self.begin(model)
        while not state.settled.wait(0.2):
            if cancelled():
                raise CancelledError("stopped while the model was loading")
        if state.encoder is None:
            raise EncoderError(state.sentence)
        return state.encoder


def thread_count() -> int:
    """Threads that a sentence model may use: the setting ``AFFRAG_THREADS``, else one core fewer than there are.

    One core stays free for the pages, which must answer while texts are encoded; two threads on two busy cores are slower than one.

    Raises
    ------
    ConfigError
        If the setting is not a whole number of at least 1.
    """
    from affrag_core import ConfigError

    text = os.environ.get(THREADS, "").strip()
    if not text:
        return max(1, (os.cpu_count() or 2) - 1)
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise ConfigError(f"{THREADS} must be a whole number of at least 1, got {text[:40]!r}")
    return int(text)


def threads_sentence() -> str:
    """What `thread_count` says, for a person."""
    from affrag_core import ConfigError

    try:
        n_threads = thread_count()
    except ConfigError as error:
        return f"The model cannot start: {error}."
    return f"It may use {n_threads} of {os.cpu_count() or 1} processor cores; the setting {THREADS} changes that at the next start."


def _sentence_encoder(model: str) -> Encoder:
    from affrag_core import SentenceEncoder, bundled_encoder

    n_threads = thread_count()
    encoder = bundled_encoder(n_threads=n_threads) if model == BUNDLED else SentenceEncoder(model, n_threads=n_threads)
    encoder.load()
    return encoder
