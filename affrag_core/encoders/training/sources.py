"""Read the labelled sets: GoEmotions and EmoBank, in their official splits."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import NamedTuple

import numpy as np

from affrag_core.errors import ReadError
from affrag_core.events.vectors import FloatArray

SPLITS = ("train", "dev", "test")
AFFECT_COLUMNS = ("V", "A", "D")


class Labelled(NamedTuple):
    """Texts and what people said of them, one row per text."""

    texts: list[str]
    values: FloatArray


def read_labels(folder: Path) -> tuple[str, ...]:
    """GoEmotions' label names, in the order of their numbers."""
    return tuple(_text(folder / "labels.txt").split())


def read_goemotions(folder: Path, split: str) -> Labelled:
    """One split of GoEmotions; values are 1 where a label was given, shape (n_texts, n_labels).

    Raises
    ------
    ReadError
        If a file is missing or a line is not text, label numbers and id, apart by tabs.
    """
    n_labels = len(read_labels(folder))
    path = folder / f"{split}.tsv"
    texts, rows = [], []
    # Not splitlines, which takes rarer signs inside a text for ends of lines.
    for number, line in enumerate(_text(path).rstrip("\n").split("\n"), start=1):
        fields = line.split("\t")
        marks = np.zeros(n_labels)
        try:
            text, numbers, _ = fields
            marks[[int(label) for label in numbers.split(",")]] = 1.0
        except (ValueError, IndexError) as error:
            raise ReadError(f"{path.name}, line {number}: must be a text, label numbers and an id, apart by tabs") from error
        texts.append(text)
        rows.append(marks)
    return Labelled(texts, np.array(rows))


def read_emobank(folder: Path, split: str) -> Labelled:
    """One split of EmoBank; values are valence, arousal and dominance, moved from the scale 1 to 5 to [-1, 1].

    Raises
    ------
    ReadError
        If the file is missing or a rating is not a number from 1 to 5.
    """
    path = folder / "emobank.csv"
    texts, rows = [], []
    for row in csv.DictReader(io.StringIO(_text(path), newline="")):
        if row["split"] != split:
            continue
        try:
            ratings = [(float(row[column]) - 3.0) / 2.0 for column in AFFECT_COLUMNS]
        except (KeyError, ValueError, TypeError) as error:
            raise ReadError(f"{path.name}, {row.get('id')}: ratings must be numbers") from error
        if max(map(abs, ratings)) > 1.0:
            raise ReadError(f"{path.name}, {row.get('id')}: ratings must lie from 1 to 5")
        texts.append(row["text"])
        rows.append(ratings)
    return Labelled(texts, np.array(rows))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"{path} cannot be read: {error}") from error
