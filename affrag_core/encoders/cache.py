"""Vectors kept on disk, so that a text is encoded once per encoder."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep

import numpy as np

from affrag_core.encoders.protocol import Cancelled, Encoder, Progress, report, stop_if_cancelled
from affrag_core.errors import EncoderError
from affrag_core.events.vectors import FloatArray

FILE_NAME = "vectors.sqlite3"
_ASKED_AT_ONCE = 500
_TRIES, _PAUSE_S = 200, 0.05
_CHUNK = 32
_TABLE = """CREATE TABLE IF NOT EXISTS vectors (
    encoder TEXT NOT NULL, text_sha256 BLOB NOT NULL, dtype TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (encoder, text_sha256))"""
_DTYPES = {"float32", "float64"}


class VectorCache:
    """Vectors by encoder and text, in one SQLite file; threads and processes may share it, and a kill loses only what was not yet written.

    A cache can always be made again: a file that is damaged is set aside under another name and a new one begun.

    Parameters
    ----------
    folder : str or Path
        Made if missing; the file in it is `FILE_NAME`.

    Raises
    ------
    EncoderError
        If the folder or file cannot be written.
    """

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / FILE_NAME
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
        except (OSError, sqlite3.Error) as error:
            raise EncoderError(f"the vector cache {self.path} cannot be opened: {error}") from error

    def _open(self) -> sqlite3.Connection:
        try:
            return _connect(self.path)
        except sqlite3.OperationalError:
            raise  # locked, read-only or full: not damaged
        except sqlite3.DatabaseError:
            self.path.replace(self.path.with_suffix(".damaged"))
            return _connect(self.path)

    def get(self, encoder: str, texts: Sequence[str]) -> list[FloatArray | None]:
        """The kept vector of each text, None where there is none."""
        keys = [_sha256(text) for text in texts]
        found: dict[bytes, FloatArray] = {}
        with self._using() as connection:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                part = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(part))
                sql = f"SELECT text_sha256, dtype, vector FROM vectors WHERE encoder = ? AND text_sha256 IN ({marks})"
                for key, dtype, blob in connection.execute(sql, (encoder, *part)):
                    if dtype in _DTYPES:
                        found[key] = np.frombuffer(blob, dtype=np.dtype(dtype).newbyteorder("<")).astype(dtype)
        return [found.get(key) for key in keys]

    def put(self, encoder: str, texts: Sequence[str], vectors: FloatArray) -> None:
        """Keep one row per text; it is on disk when this returns.

        Parameters
        ----------
        encoder : str
            The encoder's `cache_key`.
        texts : sequence of str
        vectors : ndarray of shape (n_texts, dim)
            float32 stays float32, everything else is kept as float64.
        """
        dtype = "float32" if vectors.dtype == np.float32 else "float64"
        blobs = np.ascontiguousarray(vectors, dtype=np.dtype(dtype).newbyteorder("<"))
        rows = [(encoder, _sha256(text), dtype, blob.tobytes()) for text, blob in zip(texts, blobs, strict=True)]
        with self._using() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)

    def clear(self) -> None:
        """Forget everything."""
        with self._using() as connection, connection:
            connection.execute("DELETE FROM vectors")

    def __len__(self) -> int:
        with self._using() as connection:
            return int(connection.execute("SELECT COUNT(*) FROM vectors").fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise EncoderError(f"the vector cache {self.path} cannot be used: {error}") from error


def encode_cached(
    encoder: Encoder,
    texts: Sequence[str],
    cache: VectorCache | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> FloatArray:
    """One row per text, taken from the cache where it is there, else encoded and kept.

    Each different text is encoded once and kept within `_CHUNK` texts, so that a cancel, an error or a kill loses little.

    Parameters
    ----------
    encoder : Encoder
    texts : sequence of str
    cache : VectorCache, optional
        None encodes everything.
    progress, cancelled : callable, optional
        As in `Encoder.encode`; progress counts different texts, those found in the cache among them.

    Returns
    -------
    ndarray of shape (n_texts, dim)
    """
    key = encoder.cache_key
    if cache is None or key is None or not texts:
        return encoder.encode(texts, progress=progress, cancelled=cancelled)
    different = list(dict.fromkeys(texts))
    found = {text: vector for text, vector in zip(different, cache.get(key, different), strict=True) if vector is not None}
    if len(found) < len(different) or len({vector.size for vector in found.values()}) > 1:
        found = {text: vector for text, vector in found.items() if vector.size == encoder.dim}
    # The longest first: texts of like length share a batch, and the guess at what remains errs on the safe side.
    missing = sorted((text for text in different if text not in found), key=len, reverse=True)
    report(progress, len(found), len(different))
    for start in range(0, len(missing), _CHUNK):
        stop_if_cancelled(cancelled, n_done=len(found), n_texts=len(different))
        part = missing[start : start + _CHUNK]
        rows = encoder.encode(part)
        cache.put(key, part, rows)
        found.update(zip(part, rows, strict=True))
        report(progress, len(found), len(different))
    return np.stack([found[text] for text in texts])


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, check_same_thread=False)
    try:
        _keep_log_beside(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_TABLE)
        connection.commit()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _keep_log_beside(connection: sqlite3.Connection) -> None:
    """Let processes read while one writes. Where another makes the same switch, SQLite refuses at once and does not wait its turn."""
    for _ in range(_TRIES):
        try:
            with closing(connection.execute("PRAGMA journal_mode = WAL")) as answer:
                answer.fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            sleep(_PAUSE_S)
        else:
            return


def _sha256(text: str) -> bytes:
    # surrogatepass: a lone surrogate from a broken upload must not stop the rest.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
