"""Feelings from text: the shipped weights and their card, the encoder around them, and what it says of plain sentences."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from affrag_core.encoders import weight_files
from affrag_core.encoders.cache import VectorCache, encode_cached
from affrag_core.encoders.emotion_head import EMOTION_LABELS_SPACE, EmotionEncoder, EmotionHead, TopEmotion, top_emotions
from affrag_core.encoders.sentence import BUNDLED_NAME, SentenceEncoder
from affrag_core.encoders.term_count import TermCountEncoder
from affrag_core.encoders.weight_files import shipped_card, shipped_model, weights_path
from affrag_core.errors import CancelledError, EncoderError

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "goemotions"
SENTENCES = {
    "Thank you so much for the flowers!": "gratitude",
    "My grandmother died last night.": "grief",
    "I'm so worried about the exam tomorrow.": "nervousness",
    "haha that was hilarious 😂": "amusement",
    "I love this place, I love these people.": "love",
    "I am so sorry, it was all my fault.": "remorse",
    "We had pasta for dinner.": "neutral",
}


class StubSentenceEncoder:
    """Stands for MiniLM: a row of small numbers that depends on the text alone."""

    name = cache_key = BUNDLED_NAME
    dim = 384

    def __init__(self):
        self.n_texts = 0

    def encode(self, texts, *, progress=None, cancelled=None):
        if cancelled is not None and cancelled():
            raise CancelledError("stopped")
        self.n_texts += len(texts)
        rows = [np.random.default_rng(list(text.encode())).normal(size=384) / 20 for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 384)


def test_the_array_file_is_small_and_is_the_one_of_its_card():
    content, card = weights_path("goemotions-28.npz").read_bytes(), shipped_card("goemotions-28")
    assert len(content) == card["n_bytes"] < 100_000
    assert hashlib.sha256(content).hexdigest() == card["sha256"]
    assert card["name"] == EMOTION_LABELS_SPACE


def test_the_card_states_its_figures_its_weak_labels_and_whose_data_it_is():
    card, text = shipped_card("goemotions-28"), weights_path("goemotions-28.md").read_text(encoding="utf-8")
    assert f"| macro-F1 | {card['dev']['macro_f1']:.4f} | {card['test']['macro_f1']:.4f} |" in text
    assert f"| micro-F1 | {card['dev']['micro_f1']:.4f} | {card['test']['micro_f1']:.4f} |" in text
    assert card["sha256"] in text
    assert "CC BY 4.0" in text
    assert "Demszky" in text
    for label, row in card["test"]["labels"].items():
        assert f"| {label} | {card['train']['n'][label]} | {row['n']} |" in text


def test_it_reaches_what_was_asked_of_it():
    card = shipped_card("goemotions-28")
    assert card["test"]["macro_f1"] >= 0.46
    assert np.mean([row["f1"] for row in card["test"]["labels"].values()]) == pytest.approx(card["test"]["macro_f1"], abs=0.001)
    assert card["test"]["calibration_error_by_label"] < 0.02


def test_the_shipped_model_has_28_labels_and_1500_terms():
    head = EmotionHead()
    assert len(head.labels) == len(head.thresholds) == len(set(head.labels)) == 28
    assert {"joy", "grief", "neutral"} <= set(head.labels)
    assert len(head.model.terms) == len(set(head.model.terms)) == 1_500
    assert head.model.dim == 384
    assert ((head.thresholds > 0) & (head.thresholds < 1)).all()


def test_changed_and_missing_weights_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(weight_files, "weights_path", lambda name: tmp_path / name)
    with pytest.raises(EncoderError, match="are missing"):
        shipped_model("goemotions-28")
    (tmp_path / "goemotions-28.npz").write_bytes(b"rubbish")
    with pytest.raises(EncoderError, match="card of goemotions-28 cannot be read"):
        shipped_model("goemotions-28")
    (tmp_path / "goemotions-28.json").write_text('{"sha256": "0"}')
    with pytest.raises(EncoderError, match="are not those that their card describes"):
        shipped_model("goemotions-28")


def test_it_is_an_encoder_with_a_space_of_its_own():
    encoder = EmotionEncoder(StubSentenceEncoder())
    assert (encoder.name, encoder.dim, encoder.labels) == ("goemotions-28/1", 28, EmotionHead().labels)
    assert encoder.cache_key == "goemotions-28/1 on all-MiniLM-L6-v2"
    rows = encoder.encode(["one text", "another", ""])
    assert rows.shape == (3, 28)
    assert rows.dtype == np.float32
    assert ((rows >= 0) & (rows <= 1)).all()
    assert encoder.encode([]).shape == (0, 28)


def test_sentence_vectors_that_are_there_are_not_made_again():
    stub = StubSentenceEncoder()
    texts = ["one text", "another"]
    vectors = stub.encode(texts)
    encoder = EmotionEncoder(stub)
    rows = encoder.from_embeddings(texts, vectors)
    assert stub.n_texts == 2
    assert np.array_equal(rows, encoder.encode(texts))


def test_a_cache_of_sentence_vectors_is_used(tmp_path):
    stub, cache = StubSentenceEncoder(), VectorCache(tmp_path)
    encoder = EmotionEncoder(stub, cache=cache)
    first = encoder.encode(["a", "b", "a"])
    assert np.array_equal(encoder.encode(["a", "b", "a"]), first)
    assert stub.n_texts == 2
    cache.close()


def test_a_batch_equals_single_texts():
    encoder, texts = EmotionEncoder(StubSentenceEncoder()), ["good!", "why?", "", "😂 😂", "word " * 50]
    rows = encoder.encode(texts)
    for text, row in zip(texts, rows, strict=True):
        assert encoder.encode([text])[0] == pytest.approx(row, rel=1e-5)


def test_another_sentence_encoder_is_refused_by_name():
    with pytest.raises(EncoderError, match="reads sentence vectors of all-MiniLM-L6-v2, got an encoder of term-count"):
        EmotionEncoder(TermCountEncoder(["a"]))


def test_a_cancel_passes_through():
    with pytest.raises(CancelledError):
        EmotionEncoder(StubSentenceEncoder()).encode(["a"], cancelled=lambda: True)


def test_top_emotions_are_the_likeliest_first_with_ties_in_the_order_of_labels():
    head = EmotionHead()
    row = np.zeros(28)
    row[[5, 3, 20]] = [0.9, 0.02, 0.02]
    assert head.top(row, k=3) == [
        [TopEmotion(head.labels[5], 0.9, True), TopEmotion(head.labels[3], 0.02, False), TopEmotion(head.labels[20], 0.02, False)]
    ]
    assert [len(best) for best in top_emotions(np.stack([row, row]), k=99)] == [28, 28]
    assert top_emotions(np.zeros((0, 28))) == []


@pytest.mark.parametrize(("rows", "k", "words"), [(np.zeros(3), 3, "28 numbers a row"), (np.zeros((1, 28)), 0, "k must be at least 1")])
def test_rows_of_another_length_and_no_labels_are_refused(rows, k, words):
    with pytest.raises(EncoderError, match=words):
        top_emotions(rows, k)


@pytest.fixture(scope="module")
def sentence_encoder():
    return SentenceEncoder(n_threads=1)


@pytest.mark.model
def test_plain_sentences_get_the_feeling_that_a_reader_would_name(sentence_encoder):
    best = top_emotions(EmotionEncoder(sentence_encoder).encode(list(SENTENCES)), k=1)
    assert [row[0].label for row in best] == list(SENTENCES.values())
    assert all(row[0].likely for row in best)


@pytest.mark.model
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not DATA.is_dir(), reason="GoEmotions is not there (shared/data/goemotions beside the project)")
def test_the_cards_figures_are_what_the_shipped_weights_reach_on_the_test_split(sentence_encoder):
    pytest.importorskip("scipy", reason="the training programs need scipy")
    from affrag_core.encoders.training.emotions import figures
    from affrag_core.encoders.training.sources import read_goemotions

    split, kept = read_goemotions(DATA, "test"), os.environ.get("AFFRAG_TRAINING_CACHE")
    cache = VectorCache(kept) if kept else None
    found = figures(EmotionHead(), split, encode_cached(sentence_encoder, split.texts, cache))
    if cache is not None:
        cache.close()
    stated = shipped_card("goemotions-28")["test"]
    for name in ("macro_f1", "micro_f1", "mean_average_precision", "calibration_error", "calibration_error_by_label"):
        assert found[name] == pytest.approx(stated[name], abs=0.002)
    for label, row in stated["labels"].items():
        assert found["labels"][label]["n"] == row["n"]
        assert found["labels"][label]["average_precision"] == pytest.approx(row["average_precision"], abs=0.01)
