"""Train the feelings model on GoEmotions, print its figures, and write its array file and card.

Run ``python -m affrag_core.encoders.training.emotions --data FOLDER`` with the folder that holds labels.txt and the three splits. Needs
scipy and a sentence model; the sentence vectors of 54,000 texts take some minutes the first time and are kept in ``--cache``.

Every setting below was chosen on the development split; ``--without-test`` leaves the test split alone while doing so. The fit
draws nothing at random; the interval around macro-F1 draws from a fixed seed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from affrag_core.encoders.emotion_head import EMOTION_LABELS_SPACE, EMOTION_WEIGHTS, EmotionHead
from affrag_core.encoders.quantised import LinearTextModel, Quantised, quantised
from affrag_core.encoders.tfidf import TermWeights, inverse_document_frequencies
from affrag_core.encoders.training.calibration import best_thresholds, sigmoid, slopes_and_shifts
from affrag_core.encoders.training.cards import write_shipped
from affrag_core.encoders.training.emotion_card import emotion_card
from affrag_core.encoders.training.fitting import logistic_weights
from affrag_core.encoders.training.measures import average_precisions, calibration_error, f1_scores, macro_f1_interval, micro_f1
from affrag_core.encoders.training.selection import Occurrence, best_columns, chi_squared, term_matrix
from affrag_core.encoders.training.sources import Labelled, read_goemotions, read_labels
from affrag_core.encoders.training.vectors import Standard, sentence_vectors, training_parser
from affrag_core.events.vectors import FloatArray

N_TERMS = 1_500
FEWEST_TEXTS = 8
VECTOR_PENALTY = 2_000.0
TERM_PENALTY = 0.5


def train(labels: tuple[str, ...], training: Labelled, vectors: FloatArray) -> LinearTextModel:
    """Choose terms, fit and round to int8; neither calibrated nor with thresholds yet."""
    occurrence = Occurrence(training.texts, fewest=FEWEST_TEXTS)
    columns = best_columns(chi_squared(occurrence, training.values).sum(axis=1), N_TERMS)
    terms, counts = tuple(occurrence.terms[column] for column in columns), occurrence.counts[columns]
    weighed = TermWeights(terms, inverse_document_frequencies(counts, occurrence.n_texts))
    standard = Standard.of(vectors)
    fitted = logistic_weights(
        standard.applied(vectors),
        term_matrix(weighed, training.texts),
        training.values,
        vector_penalty=VECTOR_PENALTY,
        term_penalty=TERM_PENALTY,
    )
    vector_weights, bias = standard.folded(fitted.vectors, fitted.bias)
    return LinearTextModel(
        labels=labels,
        terms=terms,
        document_counts=counts,
        n_documents=occurrence.n_texts,
        vector_weights=quantised(vector_weights),
        term_weights=quantised(fitted.terms),
        bias=bias.astype(np.float32),
        thresholds=np.full(len(labels), 0.5, dtype=np.float32),
    )


def calibrated(model: LinearTextModel, development: Labelled, vectors: FloatArray) -> LinearTextModel:
    """The same model with slopes and shifts taken into its scales and bias, and a threshold per label."""
    scores = model.scores(development.texts, vectors)
    slopes, shifts = slopes_and_shifts(scores, development.values)
    return replace(
        model,
        vector_weights=Quantised(model.vector_weights.weights, (model.vector_weights.scales * slopes).astype(np.float32)),
        term_weights=Quantised(model.term_weights.weights, (model.term_weights.scales * slopes).astype(np.float32)),
        bias=(model.bias * slopes + shifts).astype(np.float32),
        thresholds=best_thresholds(sigmoid(scores * slopes + shifts), development.values).astype(np.float32),
    )


def figures(head: EmotionHead, split: Labelled, vectors: FloatArray) -> dict[str, Any]:
    """What a head reaches on a split: F1 over labels and over all, calibration, and each label's own scores."""
    probabilities = head.rows(split.texts, vectors).astype(np.float64)
    chosen = (probabilities >= head.thresholds).astype(np.float64)
    f1, precision = f1_scores(split.values, chosen), average_precisions(split.values, probabilities)
    own = [calibration_error(split.values[:, [k]], probabilities[:, [k]]) for k in range(len(head.labels))]
    return {
        "n_texts": len(split.texts),
        "macro_f1": round(float(f1.mean()), 4),
        "macro_f1_interval": [round(bound, 3) for bound in macro_f1_interval(split.values, chosen)],
        "micro_f1": round(micro_f1(split.values, chosen), 4),
        "mean_average_precision": round(float(precision.mean()), 4),
        "calibration_error": round(calibration_error(split.values, probabilities), 4),
        "calibration_error_by_label": round(float(np.mean(own)), 4),
        "labels": {
            label: {
                "n": int(split.values[:, k].sum()),
                "f1": round(float(f1[k]), 3),
                "average_precision": round(float(precision[k]), 3),
                "calibration_error": round(own[k], 4),
            }
            for k, label in enumerate(head.labels)
        },
    }


def one_threshold(head: EmotionHead, splits: Mapping[str, Labelled], vectors: Mapping[str, FloatArray]) -> dict[str, float]:
    """Macro-F1 by split where all labels share the threshold that is best on the development split: fit for comparisons."""
    probabilities = {name: head.rows(splits[name].texts, vectors[name]) for name in splits if name != "train"}
    tried = np.arange(0.05, 0.6, 0.01)
    reached = [f1_scores(splits["dev"].values, (probabilities["dev"] >= value).astype(np.float64)).mean() for value in tried]
    best = float(tried[int(np.argmax(reached))])
    macro = {name: f1_scores(splits[name].values, (rows >= best).astype(np.float64)).mean() for name, rows in probabilities.items()}
    return {"threshold": round(best, 2)} | {name: round(float(value), 4) for name, value in macro.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line; see the module's first lines."""
    asked = training_parser(__doc__).parse_args(arguments)
    names = read_labels(asked.data)
    splits = {name: read_goemotions(asked.data, name) for name in ("train", "dev", *(() if asked.without_test else ("test",)))}
    rows = {name: sentence_vectors(split.texts, asked) for name, split in splits.items()}
    model = calibrated(train(names, splits["train"], rows["train"]), splits["dev"], rows["dev"])
    head = EmotionHead(model)
    card: dict[str, Any] = {"name": EMOTION_LABELS_SPACE, "n_terms": len(model.terms)}
    card |= {name: figures(head, splits[name], rows[name]) for name in splits if name != "train"}
    card["one_threshold"] = one_threshold(head, splits, rows)
    card["thresholds"] = {label: round(float(model.thresholds[k]), 3) for k, label in enumerate(names)}
    totals = splits["train"].values.sum(axis=0).astype(int).tolist()
    card["train"] = {"n_texts": len(splits["train"].texts), "n": dict(zip(names, totals, strict=True))}
    if asked.without_test:
        sys.stdout.write(_summary(card))
        return
    size = write_shipped(asked.out, EMOTION_WEIGHTS, model, card, emotion_card)
    sys.stdout.write(f"{_summary(card)}{size:,} bytes\n")


def _summary(card: dict[str, Any]) -> str:
    lines = [f"one threshold for all labels: {card['one_threshold']}\n"]
    for name in ("dev", "test"):
        if name in card:
            row = card[name]
            lines.append(f"{name}: macro-F1 {row['macro_f1']:.4f} {row['macro_f1_interval']}, micro-F1 {row['micro_f1']:.4f}, ")
            lines.append(f"mean average precision {row['mean_average_precision']:.4f}, calibration error {row['calibration_error']:.4f} ")
            lines.append(f"(by label {row['calibration_error_by_label']:.4f})\n")
            lines += [f"  {label:<15} n {own['n']:>5}  F1 {own['f1']:.3f}\n" for label, own in row["labels"].items()]
    return "".join(lines)


if __name__ == "__main__":
    main()
