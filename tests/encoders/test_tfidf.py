"""Tokens, terms and their weights, on known answers and properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.encoders.tfidf import MOST_CHARACTERS, SHOUTED, TermWeights, inverse_document_frequencies, terms, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't KNOW!!! 😂", ["i", "don't", "know", "!!", "😂"]),
        ("It’s fine…", ["it's", "fine", "..."]),
        ("sooooo good :) <3", ["soo", "good", ":)", "<3"]),
        ("[NAME] said: no.", ["[name]", "said", ":", "no", "."]),
        ("what?! really?????", ["what", "?!", "really", "??"]),
        ("👍🏽 👍", ["👍", "👍"]),
        ("❤️", ["❤"]),
        ("snake_case", ["snake", "case"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_text_becomes_these_tokens(text, expected):
    assert tokens(text) == expected


def test_terms_are_tokens_then_pairs_with_the_ends_then_the_mark_of_a_shout():
    assert list(terms("WHAT? no")) == ["what", "?", "no", "<s> what", "what ?", "? no", "no </s>", SHOUTED]
    assert list(terms("What [NAME]"))[-1] == "[name] </s>"
    assert list(terms("")) == ["<s> </s>"]


@given(st.text())
def test_no_text_can_write_a_term_that_stands_for_something_else(text):
    found = tokens(text)
    assert {"<s>", "</s>", SHOUTED}.isdisjoint(found)
    assert not any(character.isspace() for token in found for character in token)


def test_a_very_long_text_is_read_to_a_bound():
    assert len(tokens("a " * MOST_CHARACTERS)) == MOST_CHARACTERS / 2


def test_a_rare_term_weighs_more():
    assert inverse_document_frequencies([0, 1, 9], 9) == pytest.approx([1 + math.log(10), 1 + math.log(5), 1.0])


def test_weights_are_damped_counts_times_rarity_scaled_to_length_one():
    weighed = TermWeights(["good", "bad"], np.array([1.0, 2.0]))
    good, bad = 1.0 + math.log(3), 2.0
    length = math.sqrt(good**2 + bad**2)
    assert weighed.rows(["good good bad good"])[0] == pytest.approx([good / length, bad / length])


@given(st.lists(st.text(alphabet="ab !", max_size=12), max_size=6))
def test_rows_have_length_one_or_zero_and_do_not_depend_on_their_neighbours(texts):
    weighed = TermWeights(["a", "b", "a b", "!"], np.array([1.0, 1.5, 2.0, 1.2]))
    rows = weighed.rows(texts)
    assert rows.shape == (len(texts), 4)
    for text, row in zip(texts, rows, strict=True):
        assert np.linalg.norm(row) == pytest.approx(1.0 if row.any() else 0.0)
        assert np.array_equal(weighed.rows([text])[0], row)
