"""The array files that linear text models are shipped in, and their cards."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from affrag_core.encoders.quantised import LinearTextModel, Quantised
from affrag_core.errors import EncoderError

FORMAT = 1
_ARRAYS = {
    "format": "i", "labels": "U", "terms": "u", "n_documents": "i", "document_counts": "i", "bias": "f", "thresholds": "f",
    "vector_weights": "i", "vector_scales": "f", "term_weights": "i", "term_scales": "f",
}  # fmt: skip


def model_bytes(model: LinearTextModel) -> bytes:
    """A model as an array file; the same model gives the same bytes."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        format=np.int32(FORMAT),
        labels=np.array(model.labels),
        terms=np.frombuffer("\n".join(model.terms).encode("utf-8"), dtype=np.uint8),
        n_documents=np.int32(model.n_documents),
        document_counts=model.document_counts.astype(np.int32),
        vector_weights=model.vector_weights.weights,
        vector_scales=model.vector_weights.scales.astype(np.float32),
        term_weights=model.term_weights.weights,
        term_scales=model.term_weights.scales.astype(np.float32),
        bias=model.bias.astype(np.float32),
        thresholds=model.thresholds.astype(np.float32),
    )
    return file.getvalue()


def model_from_bytes(content: bytes, *, name: str) -> LinearTextModel:
    """Read an array file; no object in it is ever unpickled.

    Raises
    ------
    EncoderError
        If it is not such a file, or its arrays do not fit together.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {key: stored[key] for key in _ARRAYS}
        terms = arrays["terms"].tobytes().decode("utf-8").split("\n")
    except Exception as error:  # zipfile, zlib and numpy each have their own ways to fail
        raise EncoderError(f"the weights {name} cannot be read ({type(error).__name__})") from error
    _check(arrays, len(terms), name)
    return LinearTextModel(
        labels=tuple(arrays["labels"].tolist()),
        terms=tuple(terms),
        document_counts=arrays["document_counts"],
        n_documents=int(arrays["n_documents"]),
        vector_weights=Quantised(arrays["vector_weights"], arrays["vector_scales"]),
        term_weights=Quantised(arrays["term_weights"], arrays["term_scales"]),
        bias=arrays["bias"],
        thresholds=arrays["thresholds"],
    )


def _check(arrays: Mapping[str, npt.NDArray[Any]], n_terms: int, name: str) -> None:
    n_labels, dim = arrays["labels"].size, arrays["vector_weights"].shape[0] if arrays["vector_weights"].ndim else 0
    shapes = {
        "format": (), "labels": (n_labels,), "n_documents": (), "document_counts": (n_terms,), "bias": (n_labels,),
        "thresholds": (n_labels,), "vector_weights": (dim, n_labels), "vector_scales": (n_labels,),
        "term_weights": (n_terms, n_labels), "term_scales": (n_labels,),
    }  # fmt: skip
    wrong = [key for key, shape in shapes.items() if arrays[key].shape != shape]
    wrong += [key for key, kind in _ARRAYS.items() if arrays[key].dtype.kind != kind]
    wrong += [key for key, kind in _ARRAYS.items() if kind == "f" and arrays[key].dtype.kind == "f" and not np.isfinite(arrays[key]).all()]
    if wrong:
        raise EncoderError(f"the weights {name} cannot be read: {wrong[0]} does not fit")
    if int(arrays["format"]) != FORMAT:
        raise EncoderError(f"the weights {name} are of format {int(arrays['format'])}, this version reads format {FORMAT}")


def weights_path(file_name: str) -> Path:
    """Where a shipped file lies."""
    return Path(str(files("affrag_core.encoders").joinpath("weights", file_name)))


def shipped_card(name: str) -> dict[str, Any]:
    """The figures that a shipped model's card states, with the checksum of its array file."""
    try:
        card: dict[str, Any] = json.loads(weights_path(f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EncoderError(f"the card of {name} cannot be read; install affrag-explorer again ({error})") from error
    return card


def shipped_model(name: str) -> LinearTextModel:
    """A model that comes with this package, its array file checked against its card.

    Raises
    ------
    EncoderError
        If a file is missing or changed.
    """
    try:
        content = weights_path(f"{name}.npz").read_bytes()
    except OSError as error:
        raise EncoderError(f"the weights {name} are missing; install affrag-explorer again ({error})") from error
    if hashlib.sha256(content).hexdigest() != shipped_card(name).get("sha256"):
        raise EncoderError(f"the weights {name} are not those that their card describes; install affrag-explorer again")
    return model_from_bytes(content, name=name)
