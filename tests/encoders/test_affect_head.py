"""Valence, arousal and dominance from text: the shipped weights, their card and licence, and the order they put plain sentences in."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from affrag_core.encoders.affect_head import (
    AFFECT_DEVIATIONS,
    AFFECT_SPACE,
    AFFECT_TRUST,
    Affect,
    AffectEncoder,
    AffectHead,
    affect_estimate,
    affect_words,
)
from affrag_core.encoders.cache import VectorCache, encode_cached
from affrag_core.encoders.emotion_head import EmotionEncoder
from affrag_core.encoders.emotions import EMOTION_SPACE
from affrag_core.encoders.sentence import BUNDLED_NAME, SentenceEncoder
from affrag_core.encoders.weight_files import shipped_card, weights_path
from affrag_core.errors import EncoderError

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "emobank"


class ZeroSentenceEncoder:
    """Stands for MiniLM where only the words shall count."""

    name = cache_key = BUNDLED_NAME
    dim = 384

    def encode(self, texts, *, progress=None, cancelled=None):
        return np.zeros((len(texts), 384), dtype=np.float32)


def test_the_array_file_is_small_and_is_the_one_of_its_card():
    content, card = weights_path("emobank-vad.npz").read_bytes(), shipped_card("emobank-vad")
    assert len(content) == card["n_bytes"] < 100_000
    assert hashlib.sha256(content).hexdigest() == card["sha256"]
    assert card["name"] == AFFECT_SPACE


def test_the_licence_of_the_data_lies_beside_the_weights_and_stands_in_the_card():
    licence = weights_path("emobank-vad.LICENSE.txt").read_text(encoding="utf-8")
    card = weights_path("emobank-vad.md").read_text(encoding="utf-8")
    for text in (licence, card):
        assert "CC BY-SA 4.0" in text
        assert "Sven Buechel and Udo Hahn" in text
    for label, row in shipped_card("emobank-vad")["test"]["labels"].items():
        assert f"| {label} | " in card
        assert f" {row['r']:.3f} " in card


def test_it_reaches_the_correlations_of_the_trial():
    labels = shipped_card("emobank-vad")["test"]["labels"]
    assert [labels[label]["r"] for label in ("valence", "arousal", "dominance")] == pytest.approx([0.64, 0.475, 0.37], abs=0.01)


def test_it_is_an_encoder_whose_space_is_neither_that_of_labels_nor_that_of_words():
    encoder = AffectEncoder(ZeroSentenceEncoder())
    assert (encoder.name, encoder.dim, encoder.labels) == ("emobank-vad/1", 3, ("valence", "arousal", "dominance"))
    assert encoder.name not in {EmotionEncoder(ZeroSentenceEncoder()).name, EMOTION_SPACE}
    rows = encoder.encode(["happy", "dead"])
    assert rows.dtype == np.float32
    assert rows[0, 0] > rows[1, 0]


def test_estimates_stay_in_range_whatever_the_vectors():
    rows = AffectHead().rows(["x", "y"], np.array([np.full(384, 1e6), np.full(384, -1e6)]))
    assert np.abs(rows).max() <= 1.0


@pytest.mark.model
def test_plain_sentences_come_in_the_order_that_a_reader_would_give_them():
    texts = ["What a wonderful, happy day!", "They sat at the table.", "He was tortured and murdered."]
    valence, arousal, _ = AffectEncoder(SentenceEncoder(n_threads=1)).encode(texts).T
    assert valence[0] > valence[1] > valence[2]
    assert arousal[0] > arousal[1] < arousal[2]


@pytest.mark.model
@pytest.mark.timeout(600)
@pytest.mark.skipif(not DATA.is_dir(), reason="EmoBank is not there (shared/data/emobank beside the project)")
def test_the_cards_figures_are_what_the_shipped_weights_reach_on_the_test_split():
    pytest.importorskip("scipy", reason="the training programs need scipy")
    from affrag_core.encoders.training.affect import figures
    from affrag_core.encoders.training.sources import read_emobank

    split, kept = read_emobank(DATA, "test"), os.environ.get("AFFRAG_TRAINING_CACHE")
    cache = VectorCache(kept) if kept else None
    found = figures(AffectHead(), split, encode_cached(SentenceEncoder(n_threads=1), split.texts, cache))
    if cache is not None:
        cache.close()
    for label, row in shipped_card("emobank-vad")["test"]["labels"].items():
        assert found["labels"][label] == pytest.approx(row, abs=0.002)


def test_one_text_is_estimated_as_in_a_batch():
    vectors = np.zeros((2, 384), dtype=np.float32)
    vectors[1, 0] = 0.2
    rows = AffectHead().rows(["happy", "dead"], vectors)
    assert affect_estimate("dead", vectors[1]) == pytest.approx(rows[1].tolist())
    with pytest.raises(EncoderError):
        affect_estimate("dead", vectors[1, :2])


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        ((0.446, 0.396, 0.103), "pleasant +0.45, excited +0.40, in control +0.10"),
        ((-0.2, -0.1, -0.05), "unpleasant −0.20, calm −0.10, not in control −0.05"),
        ((0.05, 0.2, 0.02), "excited +0.20"),
        ((0.0, 0.0, 0.0), "neutral"),
    ],
)
def test_an_estimate_is_said_in_words_where_it_says_something(estimate, words):
    assert affect_words(Affect(*estimate)) == words


def test_what_is_said_of_its_trust_is_what_the_card_says():
    labels = shipped_card("emobank-vad")["test"]["labels"]
    for label, deviation in zip(("valence", "arousal", "dominance"), AFFECT_DEVIATIONS, strict=True):
        assert f"{labels[label]['r']:.2f}".rstrip("0") in AFFECT_TRUST
        assert f" {deviation:.3f} |" in weights_path("emobank-vad.md").read_text(encoding="utf-8")
