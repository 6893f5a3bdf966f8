"""Train the model of valence, arousal and dominance on EmoBank, print its figures, and write its array file and card.

Run ``python -m affrag_core.encoders.training.affect --data FOLDER`` with the folder that holds emobank.csv. Needs scipy and a
sentence model.

Every setting below was chosen on the development split; ``--without-test`` leaves the test split alone while doing so. Nothing is drawn
at random.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from affrag_core.encoders.affect_head import AFFECT_SPACE, AFFECT_WEIGHTS, AffectHead
from affrag_core.encoders.quantised import LinearTextModel, quantised
from affrag_core.encoders.tfidf import TermWeights, inverse_document_frequencies
from affrag_core.encoders.training.affect_card import affect_card
from affrag_core.encoders.training.cards import write_shipped
from affrag_core.encoders.training.fitting import ridge_weights
from affrag_core.encoders.training.measures import correlations
from affrag_core.encoders.training.selection import Occurrence, best_columns, squared_correlations, term_matrix
from affrag_core.encoders.training.sources import SPLITS, Labelled, read_emobank
from affrag_core.encoders.training.vectors import Standard, sentence_vectors, training_parser
from affrag_core.events.vectors import FloatArray

LABELS = ("valence", "arousal", "dominance")
N_TERMS = 3_000
FEWEST_TEXTS = 4
VECTOR_PENALTY = 2_000.0
TERM_PENALTY = 7.0


def train(training: Labelled, vectors: FloatArray) -> LinearTextModel:
    """Choose terms, fit on the training split, and round to int8."""
    occurrence = Occurrence(training.texts, fewest=FEWEST_TEXTS)
    columns = best_columns(squared_correlations(occurrence, training.values).sum(axis=1), N_TERMS)
    terms, counts = tuple(occurrence.terms[column] for column in columns), occurrence.counts[columns]
    weighed = TermWeights(terms, inverse_document_frequencies(counts, occurrence.n_texts))
    standard = Standard.of(vectors)
    fitted = ridge_weights(
        standard.applied(vectors),
        term_matrix(weighed, training.texts),
        training.values,
        vector_penalty=VECTOR_PENALTY,
        term_penalty=TERM_PENALTY,
    )
    vector_weights, bias = standard.folded(fitted.vectors, fitted.bias)
    return LinearTextModel(
        labels=LABELS,
        terms=terms,
        document_counts=counts,
        n_documents=occurrence.n_texts,
        vector_weights=quantised(vector_weights),
        term_weights=quantised(fitted.terms),
        bias=bias.astype(np.float32),
        thresholds=np.zeros(len(LABELS), dtype=np.float32),
    )


def figures(head: AffectHead, split: Labelled, vectors: FloatArray) -> dict[str, Any]:
    """What a head reaches on a split: Pearson's r, the mean absolute error, and how far ratings and estimates spread."""
    estimates = head.rows(split.texts, vectors).astype(np.float64)
    columns = {
        "r": correlations(split.values, estimates),
        "mean_absolute_error": np.abs(split.values - estimates).mean(axis=0),
        "deviation_of_ratings": split.values.std(axis=0),
        "deviation_of_estimates": estimates.std(axis=0),
    }
    labels = {label: {name: round(float(column[k]), 4) for name, column in columns.items()} for k, label in enumerate(head.labels)}
    return {"n_texts": len(split.texts), "labels": labels}


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line; see the module's first lines."""
    asked = training_parser(__doc__).parse_args(arguments)
    splits = {name: read_emobank(asked.data, name) for name in SPLITS if name != "test" or not asked.without_test}
    rows = {name: sentence_vectors(split.texts, asked) for name, split in splits.items()}
    head = AffectHead(train(splits["train"], rows["train"]))
    card: dict[str, Any] = {"name": AFFECT_SPACE, "n_terms": len(head.model.terms), "train": {"n_texts": len(splits["train"].texts)}}
    card |= {name: figures(head, splits[name], rows[name]) for name in splits if name != "train"}
    for name in splits:
        for label, row in card[name].get("labels", {}).items():
            sys.stdout.write(f"{name}: {label:<9} r {row['r']:.4f}, mean absolute error {row['mean_absolute_error']:.4f}\n")
    if not asked.without_test:
        size = write_shipped(asked.out, AFFECT_WEIGHTS, head.model, card, affect_card)
        sys.stdout.write(f"{size:,} bytes\n")


if __name__ == "__main__":
    main()
