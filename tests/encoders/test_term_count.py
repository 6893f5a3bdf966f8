"""The term-count encoder: known answers, and a slow reading of the second reference."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.encoders.term_count import TermCountEncoder, term_slots
from affrag_core.errors import CancelledError

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden" / "embedding.json.gz"
CORPORA = st.lists(st.lists(st.sampled_from(["a", "B", "b", "été", "東京", "x1", "ß"]), max_size=6).map(" ".join), max_size=6)


def test_counts_stand_at_the_rank_of_their_term_and_have_length_one():
    encoder = TermCountEncoder(["b a", "c"])
    row = encoder.encode(["A a b unknown"])[0]
    assert row[:3] == pytest.approx([2 / math.sqrt(5), 1 / math.sqrt(5), 0])
    assert row.shape == (256,)
    assert row.dtype == np.float64


def test_the_257th_term_shares_the_slot_of_the_first():
    slots = term_slots([" ".join(f"t{i:03}" for i in range(257))])
    assert slots["t256"] == slots["t000"] == 0


def test_a_text_without_known_terms_is_zeros():
    assert not TermCountEncoder(["a"]).encode(["", "zzz"]).any()


def test_no_texts_give_no_rows():
    assert TermCountEncoder([]).encode([]).shape == (0, 256)


@given(CORPORA, CORPORA)
def test_agrees_with_a_slow_reading_and_with_one_text_at_a_time(corpus, texts):
    encoder = TermCountEncoder(corpus)
    rows = encoder.encode(texts)
    words = sorted({word for text in corpus for word in text.lower().split()})
    for text, row in zip(texts, rows, strict=True):
        counts = [text.lower().split().count(word) for word in words]
        norm = math.sqrt(sum(count * count for count in counts)) or 1
        assert row[: len(words)] == pytest.approx([count / norm for count in counts], abs=1e-15)
        np.testing.assert_array_equal(row, encoder.encode([text])[0])


def test_reports_progress_and_stops_when_asked():
    seen = []
    encoder = TermCountEncoder(["a"])
    encoder.encode(["a"] * 600, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(256, 600), (512, 600), (600, 600)]
    with pytest.raises(CancelledError, match="stopped after 0 of 600 texts"):
        encoder.encode(["a"] * 600, cancelled=lambda: True)


@pytest.mark.skipif(not GOLDEN.is_file(), reason="the golden cases of the references are not beside this tree")
def test_ranks_the_golden_corpora_as_the_reference_does():
    for case in json.loads(gzip.decompress(GOLDEN.read_bytes())):
        encoder = TermCountEncoder(case["corpus"])
        query = encoder.encode([case["query"]])[0]
        scores = [float(np.dot(query, row)) for row in encoder.encode(case["corpus"])]
        got = sorted(range(len(scores)), key=lambda i: -scores[i])
        assert [str(i) for i in got] == [event_id for event_id, _ in case["expected"]]
        assert sorted(scores, reverse=True) == pytest.approx([score for _, score in case["expected"]], abs=1e-9)
