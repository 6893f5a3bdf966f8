"""The card of the feelings model."""

from __future__ import annotations

from typing import Any

from affrag_core.encoders.training.cards import table

WEAK_BELOW = 0.35
RARE_BELOW = 50
"""Fewer texts of a label in the test split than this, and its score says little."""

COLUMNS = ("label", "texts in training", "in test", "F1 development", "F1 test", "average precision test", "threshold")
MEASURES = {
    "macro-F1": "macro_f1",
    "micro-F1": "micro_f1",
    "mean average precision": "mean_average_precision",
    "calibration error, all labels together": "calibration_error",
    "calibration error, mean over labels": "calibration_error_by_label",
}
LICENCE = """## Licence and credit

Trained on GoEmotions by Dorottya Demszky, Dana Movshovitz-Attias, Jeongwoo Ko, Alan Cowen, Gaurav Nemade and Sujith Ravi
(GoEmotions: A Dataset of Fine-Grained Emotions, ACL 2020), published by Google under the Creative Commons Attribution 4.0
International licence (CC BY 4.0, https://creativecommons.org/licenses/by/4.0/). What was changed: no text of it is contained here;
the file holds weights computed from it, with the list of words and pairs that they belong to. The weights come under this
package's licence, with that credit.
"""


def emotion_card(card: dict[str, Any]) -> str:
    """The card as Markdown; every number in it comes from `card`."""
    first = f"""# {card["name"]}: feelings from text

One linear model that gives the probability of each of the 28 labels of GoEmotions, each for itself, from the sentence vector of
all-MiniLM-L6-v2 (384 numbers) and TF-IDF weights of {card["n_terms"]:,} words, signs and pairs of them. It is shipped as
`goemotions-28.npz`: {card["n_bytes"]:,} bytes, weights as int8, no objects, sha256 `{card["sha256"]}`.
"""
    return "\n".join([first, _how_good(card), _where_weak(card), _how_made(card), LICENCE])


def _how_good(card: dict[str, Any]) -> str:
    dev, test, shared = card["dev"], card["test"], card["one_threshold"]
    low, high = test["macro_f1_interval"]
    rows = [
        (
            label,
            card["train"]["n"][label],
            row["n"],
            f"{dev['labels'][label]['f1']:.3f}",
            f"{row['f1']:.3f}",
            f"{row['average_precision']:.3f}",
            f"{card['thresholds'][label]:.3f}",
        )
        for label, row in test["labels"].items()
    ]
    return f"""## How good it is

{table(("", "development", "test"), ((name, f"{dev[key]:.4f}", f"{test[key]:.4f}") for name, key in MEASURES.items()))}
Over test sets drawn anew from this one, macro-F1 lies between {low:.3f} and {high:.3f} in 95 of 100: rare labels sway it. The paper's
BERT reaches 0.46 on the same test split. With one threshold for all labels ({shared["threshold"]:.2f}, the best on the development
split) instead of one for each, this model's macro-F1 on the test split is {shared["test"]:.4f}.

Thresholds and calibration were fitted on the development split, so its column flatters the model. Nothing was chosen by the test
split.

A calibration error is the mean gap between a stated probability and the share of texts that have the label, over 15 bins. Taken
over all labels together it looks small because most probabilities are near 0.

{table(COLUMNS, rows)}"""


def _where_weak(card: dict[str, Any]) -> str:
    labels = card["test"]["labels"]
    weak = [label for label, row in labels.items() if row["f1"] < WEAK_BELOW]
    rare = [f"{label} ({row['n']})" for label, row in labels.items() if row["n"] < RARE_BELOW]
    return f"""## Where it is weak

- Labels with a test F1 below {WEAK_BELOW}: {", ".join(weak)}. Treat them as hints.
- Labels with so few test texts that their figures are uncertain: {", ".join(rare)}.
- It learnt from short English comments on Reddit, labelled by three to five people who often disagreed. Long texts, other
  languages, quoted speech, irony and the feelings of people who are only spoken of are beyond it. On a diary or a chat it will be
  worse than these figures say.
- The comments have the biases of that site, and words for groups of people may sway the result.
- It reads how a text sounds; it does not know what a person feels. Do not use it to judge people.
"""


def _how_made(card: dict[str, Any]) -> str:
    training, dev, test = card["train"], card["dev"], card["test"]
    return f"""## How it was made

`python -m affrag_core.encoders.training.emotions --data FOLDER`, on the official splits ({training["n_texts"]:,} texts for training,
{dev["n_texts"]:,} for development, {test["n_texts"]:,} for test). Terms are those with the largest sum of chi-squared over the
labels. The weights are 28 logistic regressions with an L2 penalty, fitted by L-BFGS and rounded to int8. Then, on the development
split, a slope and a shift per label (Platt's calibration) went into the weights, and each label got the threshold with the best F1.
Penalties, the number of terms and how they are chosen were settled on the development split and on parts held out of the training
split. The fit draws nothing at random.
"""
