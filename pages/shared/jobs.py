"""A long action in a thread: how far it is, how long it still takes, how it is stopped. No Streamlit here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True)
class Job:
    """A long action in a thread: what it does, how far it is, and how it ended."""

    label: str
    phase: Literal["running", "done", "cancelled", "failed"] = "running"
    n_done: int = 0
    n_total: int = 0
    sentence: str = ""
    _first: tuple[float, int] | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self, work: Callable[[Job], str]) -> Job:
        """Run `work(job)` in a thread; what it returns is the sentence that tells the result."""
        self._thread = threading.Thread(target=self._run, args=(work,), name=self.label, daemon=True)
        self._thread.start()
        return self

    def _run(self, work: Callable[[Job], str]) -> None:
        from affrag_core import AffragError, CancelledError

        try:
            self.sentence = work(self)
            self.phase = "done"
        except CancelledError as error:
            self.sentence, self.phase = str(error), "cancelled"
        except AffragError as error:
            self.sentence, self.phase = str(error), "failed"
        except Exception as error:  # as above: the page must learn that the work has ended
            self.sentence, self.phase = f"the work stopped ({type(error).__name__}: {error})", "failed"

    def advance(self, n_done: int, n_total: int) -> None:
        """Say how far the work is."""
        if self._first is None:
            self._first = (time.monotonic(), n_done)
        self.n_done, self.n_total = n_done, n_total

    def cancel(self) -> None:
        """Ask the work to stop; what is done stays done."""
        self._stop.set()

    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        if self._thread is not None:
            self._thread.join(timeout)

    def share(self) -> float:
        """How much is done, 0 to 1."""
        return self.n_done / self.n_total if self.n_total else 0.0

    def seconds_left(self) -> float | None:
        """A guess from the pace so far; None before there is one."""
        if self._first is None or self.n_done <= self._first[1]:
            return None
        pace = (time.monotonic() - self._first[0]) / (self.n_done - self._first[1])
        return pace * (self.n_total - self.n_done)
