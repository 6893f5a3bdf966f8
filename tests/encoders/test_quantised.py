"""Weights as small integers, the scores they give, and the array file that holds them."""

import io
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.encoders.quantised import LinearTextModel, Quantised, quantised
from affrag_core.encoders.weight_files import model_bytes, model_from_bytes
from affrag_core.errors import EncoderError


def small_model(**changes):
    """Two labels over vectors of two numbers and the terms ``good`` and ``bad``."""
    parts = {
        "labels": ("glad", "sad"),
        "terms": ("good", "bad"),
        "document_counts": np.array([4, 4], dtype=np.int32),
        "n_documents": 9,
        "vector_weights": Quantised(np.array([[10, 0], [0, -20]], dtype=np.int8), np.array([0.1, 0.5], dtype=np.float32)),
        "term_weights": Quantised(np.array([[2, -1], [-2, 1]], dtype=np.int8), np.array([1.0, 2.0], dtype=np.float32)),
        "bias": np.array([0.25, -0.5], dtype=np.float32),
        "thresholds": np.array([0.5, 0.25], dtype=np.float32),
    }
    return LinearTextModel(**(parts | changes))


def test_a_score_is_the_vectors_part_plus_the_terms_part_plus_the_bias():
    scores = small_model().scores(["good", "nothing", "good bad"], np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    half = 0.5**0.5
    assert scores[0] == pytest.approx([10 * 0.1 + 2 * 1.0 + 0.25, 0 - 1 * 2.0 - 0.5], rel=1e-6)
    assert scores[1] == pytest.approx([0.25, -20 * 0.5 - 0.5], rel=1e-6)
    assert scores[2] == pytest.approx([half * (2 - 2) + 0.25, half * 2 * (1 - 1) - 0.5], rel=1e-6)


@pytest.mark.parametrize("vectors", [np.zeros((1, 2)), np.zeros((2, 3)), np.zeros(2)])
def test_vectors_that_do_not_fit_are_refused_with_both_shapes(vectors):
    with pytest.raises(EncoderError, match=r"must have shape \(2, 2\), one per text, got"):
        small_model().scores(["a", "b"], vectors)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused_naming_the_row(bad):
    with pytest.raises(EncoderError, match="NaN or infinity in row 1"):
        small_model().scores(["a", "b"], np.array([[0.0, 0.0], [bad, 0.0]]))


@given(arrays(np.float64, (5, 3), elements=st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)))
def test_rounding_moves_a_weight_by_half_a_scale_at_most(matrix):
    small = quantised(matrix)
    assert small.weights.dtype == np.int8
    assert (np.abs(small.restored() - matrix) <= small.scales * 0.501).all()


def test_a_column_of_zeros_stays_zero():
    assert not quantised(np.zeros((3, 2))).restored().any()


def test_a_model_comes_back_from_its_file_and_the_same_model_gives_the_same_bytes():
    content = model_bytes(small_model())
    assert content == model_bytes(small_model())
    again = model_from_bytes(content, name="small")
    vectors = np.array([[0.3, -0.2]])
    assert again.labels == ("glad", "sad")
    assert np.array_equal(again.scores(["good :)"], vectors), small_model().scores(["good :)"], vectors))
    assert model_bytes(again) == content


def test_a_file_with_an_object_in_it_is_refused_and_nothing_is_unpickled():
    class Boom:
        def __reduce__(self):
            return (pytest.fail, ("it was unpickled",))

    held = io.BytesIO()
    np.lib.format.write_array(held, np.array([Boom()], dtype=object), allow_pickle=True)
    assert b"unpickled" in held.getvalue()
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(model_bytes(small_model()))) as old, zipfile.ZipFile(content, "w") as new:
        for name in old.namelist():
            new.writestr(name, held.getvalue() if name == "labels.npy" else old.read(name))
    with pytest.raises(EncoderError, match=r"the weights small cannot be read \(ValueError\)"):
        model_from_bytes(content.getvalue(), name="small")


@pytest.mark.parametrize("content", [b"", b"rubbish", pickle.dumps([1]), model_bytes(small_model())[:200]])
def test_what_is_no_array_file_is_refused(content):
    with pytest.raises(EncoderError, match="the weights small cannot be read"):
        model_from_bytes(content, name="small")


@pytest.mark.parametrize(
    ("changes", "at_fault"),
    [
        ({"bias": np.zeros(3, dtype=np.float32)}, "bias"),
        ({"thresholds": np.zeros(1, dtype=np.float32)}, "thresholds"),
        ({"document_counts": np.zeros(3, dtype=np.int32)}, "document_counts"),
        ({"labels": ("glad",)}, "bias"),
        ({"bias": np.array([np.nan, 0.0], dtype=np.float32)}, "bias"),
        ({"vector_weights": Quantised(np.zeros(2, dtype=np.int8), np.zeros(2, dtype=np.float32))}, "vector_weights"),
        ({"term_weights": Quantised(np.zeros((2, 2)), np.zeros(2, dtype=np.float32))}, "term_weights"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changes, at_fault):
    with pytest.raises(EncoderError, match=f"{at_fault} does not fit"):
        model_from_bytes(model_bytes(small_model(**changes)), name="small")


def test_a_file_of_a_later_format_says_so(monkeypatch):
    from affrag_core.encoders import weight_files

    monkeypatch.setattr(weight_files, "FORMAT", 2)
    content = model_bytes(small_model())
    monkeypatch.undo()
    with pytest.raises(EncoderError, match="are of format 2, this version reads format 1"):
        model_from_bytes(content, name="small")
