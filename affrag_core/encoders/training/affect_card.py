"""The card of the model of valence, arousal and dominance."""

from __future__ import annotations

from typing import Any

from affrag_core.encoders.training.cards import table

COLUMNS = ("", "r development", "r test", "mean absolute error test", "deviation of ratings", "deviation of estimates")


def affect_card(card: dict[str, Any]) -> str:
    """The card as Markdown; every number in it comes from `card`."""
    dev, test = card["dev"], card["test"]
    rows = [
        (
            label,
            f"{dev['labels'][label]['r']:.3f}",
            f"{row['r']:.3f}",
            f"{row['mean_absolute_error']:.3f}",
            f"{row['deviation_of_ratings']:.3f}",
            f"{row['deviation_of_estimates']:.3f}",
        )
        for label, row in test["labels"].items()
    ]
    return f"""# {card["name"]}: valence, arousal and dominance from text

One linear model that estimates how pleasant (valence), how stirred (arousal) and how much in control (dominance) a text sounds, from
the sentence vector of all-MiniLM-L6-v2 (384 numbers) and TF-IDF weights of {card["n_terms"]:,} words, signs and pairs of them. It is
shipped as `emobank-vad.npz`: {card["n_bytes"]:,} bytes, weights as int8, no objects, sha256 `{card["sha256"]}`.

Ratings from 1 to 5 were moved to [-1, 1] by (rating - 3) / 2; estimates are cut to that range.

## How good it is

{table(COLUMNS, rows)}
Settings were chosen on the development split ({dev["n_texts"]:,} sentences), nothing by the test split ({test["n_texts"]:,}). The
deviations are those of the test split.

## Where it is weak

- These are estimates and should be shown as such. An r of 0.5 means that a quarter of the differences between ratings is explained.
- Dominance is little better than a hint.
- Estimates stay near 0: single sentences were rated near the middle, and a careful model stays nearer still. Compare texts with each
  other, and do not read an estimate as a point on the scale.
- It learnt from {card["train"]["n_texts"]:,} English sentences out of news, headlines, fiction, letters, blogs, essays and travel
  guides, each read without its context. Other languages and other kinds of text are beyond it.
- It reads how a text sounds; it does not know what a person feels. Do not use it to judge people.

## How it was made

`python -m affrag_core.encoders.training.affect --data FOLDER`, on the official split. Terms are those with the largest sum of squared
correlations; the weights are ridge regressions in closed form, rounded to int8. Nothing is drawn at random.

## Licence and credit

The weights are derived from EmoBank by Sven Buechel and Udo Hahn (EmoBank: Studying the Impact of Annotation Perspective and
Representation Format on Dimensional Emotion Analysis, EACL 2017; Readers vs. writers vs. texts, LAW 2017), JULIE Lab, Jena University,
licensed under CC BY-SA 4.0. **This file of weights is therefore under CC BY-SA 4.0 as well, not under the licence of the package that
carries it**: see `emobank-vad.LICENSE.txt`. What was changed: no sentence of it is contained here; the file holds weights computed from
the ratings, with the list of words and pairs that they belong to.
"""
