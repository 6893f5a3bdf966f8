"""The programs that make the weights: their arithmetic on small known answers, and a whole run on a made-up set."""

import json
import math

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the training programs need scipy")

from affrag_core.encoders.training import affect, calibration, cards, emotions, fitting, measures, selection, sources
from affrag_core.encoders.training.vectors import Standard
from affrag_core.encoders.weight_files import model_from_bytes
from affrag_core.errors import ReadError

GOOD = ["so good today", "good work", "this is good", "very good !", "good good"]
BAD = ["so bad today", "bad work", "this is bad", "very bad !", "bad bad"]


def test_f1_counts_hits_twice():
    truth, chosen = np.array([[1, 0], [1, 0], [0, 0]]), np.array([[1, 0], [0, 0], [1, 0]])
    assert measures.f1_scores(truth, chosen) == pytest.approx([2 * 1 / (2 * 1 + 1 + 1), 0.0])
    assert measures.micro_f1(truth, chosen) == pytest.approx(0.5)


def test_average_precision_is_the_mean_precision_at_each_hit():
    truth, probabilities = np.array([[1.0], [0.0], [1.0]]), np.array([[0.9], [0.8], [0.7]])
    assert measures.average_precisions(truth, probabilities) == pytest.approx([(1 / 1 + 2 / 3) / 2])


def test_the_calibration_error_weighs_each_bin_by_its_texts():
    truth, stated = np.array([[1.0], [0.0], [0.0], [0.0]]), np.array([[0.3], [0.3], [0.3], [0.9]])
    assert measures.calibration_error(truth, stated) == pytest.approx((3 * abs(1 / 3 - 0.3) + 1 * 0.9) / 4)


def test_the_interval_holds_the_figure_and_is_the_same_every_time():
    rng = np.random.default_rng(1)
    truth, chosen = (rng.random((200, 3)) < 0.3).astype(float), (rng.random((200, 3)) < 0.3).astype(float)
    low, high = measures.macro_f1_interval(truth, chosen)
    assert low < measures.f1_scores(truth, chosen).mean() < high
    assert measures.macro_f1_interval(truth, chosen) == (low, high)


def test_chi_squared_measures_how_far_a_term_is_from_chance():
    occurrence = selection.Occurrence([*GOOD, *BAD], fewest=5)
    assert occurrence.terms == ("bad", "good")
    truth = np.array([[1.0]] * 5 + [[0.0]] * 5)
    assert selection.chi_squared(occurrence, truth) == pytest.approx(np.array([[(0 - 2.5) ** 2 / 2.5], [(5 - 2.5) ** 2 / 2.5]]))
    assert selection.squared_correlations(occurrence, truth) == pytest.approx(np.array([[1.0], [1.0]]))


def test_the_best_columns_come_in_rising_order():
    assert selection.best_columns(np.array([1.0, 5.0, 5.0, 2.0]), 3).tolist() == [1, 2, 3]


def test_sparse_term_rows_equal_the_dense_ones():
    weighed = fitting_terms()
    texts = [*GOOD, "", *BAD]
    assert np.allclose(selection.term_matrix(weighed, texts).toarray(), weighed.rows(texts))


def fitting_terms():
    from affrag_core.encoders.tfidf import TermWeights

    return TermWeights(["good", "bad", "!"], np.array([1.0, 1.2, 2.0]))


def test_the_logistic_fit_has_no_slope_left_at_its_end():
    rng = np.random.default_rng(0)
    vectors, terms = rng.normal(size=(200, 4)), selection.term_matrix(fitting_terms(), (GOOD + BAD) * 20)
    truth = (rng.random((200, 2)) < 1 / (1 + np.exp(-vectors[:, :2]))).astype(float)
    found = fitting.logistic_weights(vectors, terms, truth, vector_penalty=2.0, term_penalty=3.0)
    gaps = 1 / (1 + np.exp(-(vectors @ found.vectors + terms @ found.terms + found.bias))) - truth
    assert np.abs(vectors.T @ gaps + 2.0 * found.vectors).max() < 0.05
    assert np.abs(terms.T @ gaps + 3.0 * found.terms).max() < 0.05
    assert found.vectors[0, 0] > 0.3 > abs(found.vectors[3, 0])


def test_the_ridge_fit_without_penalty_finds_the_line_that_made_the_data():
    rng = np.random.default_rng(0)
    vectors, terms = rng.normal(size=(10, 2)), selection.term_matrix(fitting_terms(), [*GOOD, *BAD])
    truth = vectors @ np.array([[1.0], [-2.0]]) + terms @ np.array([[0.5], [-0.5], [0.0]]) + 3.0
    found = fitting.ridge_weights(vectors, terms, truth, vector_penalty=1e-9, term_penalty=1e-9)
    assert vectors @ found.vectors + terms @ found.terms + found.bias == pytest.approx(truth, abs=1e-5)


def test_folding_the_scale_into_the_weights_changes_no_score():
    rng = np.random.default_rng(0)
    vectors, weights, bias = rng.normal(3.0, 2.0, size=(20, 4)), rng.normal(size=(4, 2)), rng.normal(size=2)
    standard = Standard.of(vectors)
    plain, moved = standard.folded(weights, bias)
    assert standard.applied(vectors).std(axis=0) == pytest.approx(np.ones(4))
    assert vectors @ plain + moved == pytest.approx(standard.applied(vectors) @ weights + bias)


def test_calibration_undoes_scores_that_are_twice_too_sure():
    rng = np.random.default_rng(0)
    honest = rng.normal(size=(20_000, 1))
    truth = (rng.random((20_000, 1)) < calibration.sigmoid(honest)).astype(float)
    slopes, shifts = calibration.slopes_and_shifts(honest * 2 + 1, truth)
    assert slopes == pytest.approx([0.5], abs=0.03)
    assert shifts == pytest.approx([-0.5], abs=0.05)


def test_calibration_leaves_a_label_without_examples_nearly_alone():
    slopes, _ = calibration.slopes_and_shifts(np.full((3, 1), -4.0), np.zeros((3, 1)))
    assert slopes == pytest.approx([1.0], abs=0.1)


def test_the_threshold_lies_between_what_is_given_and_what_is_not():
    probabilities = np.array([[0.9], [0.8], [0.7], [0.1], [0.05], [0.02]])
    (threshold,) = calibration.best_thresholds(probabilities, np.array([[1.0], [1.0], [1.0], [0.0], [0.0], [0.0]]))
    assert 0.1 < threshold < 0.7


def test_a_file_that_would_be_too_large_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(cards, "MOST_BYTES", 10)
    with pytest.raises(ValueError, match="must have at most 10 bytes"):
        cards.write_shipped(tmp_path, "x", any_model(), {}, str)
    assert not list(tmp_path.iterdir())


def any_model():
    from affrag_core.encoders.quantised import LinearTextModel, quantised

    one = np.zeros(1, dtype=np.float32)
    return LinearTextModel(("a",), ("b",), np.ones(1, dtype=np.int32), 2, quantised(np.ones((2, 1))), quantised(np.ones((1, 1))), one, one)


@pytest.mark.parametrize("line", ["no tabs", "text\tx\tid", "text\t7\tid", "text\t\tid"])
def test_a_line_that_cannot_be_read_is_named(tmp_path, line):
    (tmp_path / "labels.txt").write_text("joy\nneutral")
    (tmp_path / "dev.tsv").write_text(f"fine\t0\tid1\n{line}\n")
    with pytest.raises(ReadError, match=r"dev\.tsv, line 2"):
        sources.read_goemotions(tmp_path, "dev")


def test_a_rating_off_the_scale_is_named(tmp_path):
    (tmp_path / "emobank.csv").write_text("id,split,V,A,D,text\nx1,dev,3,3,5,fine\nx2,dev,3,3,6,off\n")
    with pytest.raises(ReadError, match=r"emobank\.csv, x2"):
        sources.read_emobank(tmp_path, "dev")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ReadError, match=r"labels\.txt cannot be read"):
        sources.read_labels(tmp_path)


def no_sentence_model(texts, asked):
    return np.random.default_rng(0).normal(size=(len(texts), 6)) * 0.01


def test_a_whole_run_on_a_made_up_set_writes_weights_that_have_learnt_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(emotions, "sentence_vectors", no_sentence_model)
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    (data / "labels.txt").write_text("joy\nsadness")
    lines = [f"{text}\t0\tid" for text in GOOD * 8] + [f"{text}\t1\tid" for text in BAD * 8]
    for split in ("train", "dev", "test"):
        (data / f"{split}.tsv").write_text("\n".join(lines) + "\n")
    emotions.main(["--data", str(data), "--out", str(out)])
    card = json.loads((out / "goemotions-28.json").read_text(encoding="utf-8"))
    assert card["test"]["macro_f1"] == 1.0
    assert "test: macro-F1 1.0000" in capsys.readouterr().out
    model = model_from_bytes((out / "goemotions-28.npz").read_bytes(), name="made up")
    joy, sadness = model.scores(["good"], np.zeros((1, 6)))[0]
    assert joy > 0 > sadness
    first = (out / "goemotions-28.npz").read_bytes()
    emotions.main(["--data", str(data), "--out", str(out)])
    assert (out / "goemotions-28.npz").read_bytes() == first


def test_a_run_without_the_test_split_neither_reads_it_nor_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(affect, "sentence_vectors", no_sentence_model)
    ratings = [f"{2 + 2 * (i % 2)},{3 + i % 3 / 4},{3 + i % 5 / 5},{(BAD, GOOD)[i % 2][i % 5]}" for i in range(60)]
    rows = [f"{split}{i},{split},{rating}" for split in ("train", "dev") for i, rating in enumerate(ratings)]
    (tmp_path / "emobank.csv").write_text("id,split,V,A,D,text\n" + "\n".join(rows) + "\n")
    affect.main(["--data", str(tmp_path), "--out", str(tmp_path / "out"), "--without-test"])
    shown = capsys.readouterr().out
    assert "dev: valence" in shown
    assert "test:" not in shown
    assert not (tmp_path / "out").exists()


def test_odds_of_nothing_are_even():
    assert calibration.sigmoid(np.array([0.0, math.log(3)])) == pytest.approx([0.5, 0.75])
