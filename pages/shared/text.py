"""Text that people wrote, made safe to stand in labels and sentences that Streamlit reads as markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=\"'/])")
_JOINER = "\u2060"
# Emoji names, icons, bare links and arrows are found after escapes are resolved, so an unseen joiner keeps them apart.
_NAMES = re.compile(r":(?=[A-Za-z0-9_+\-/])|@|(?i:www(?=\.))|-(?=[->])|<(?=-)")


def plain(value: object, *, most: int | None = None) -> str:
    """Write a value so that markdown shows it letter by letter, on one line.

    Parameters
    ----------
    value : object
        Anything; its text is used.
    most : int, optional
        Cut to this many characters, with an ellipsis.

    Returns
    -------
    str
        For labels, captions, errors and buttons.
    """
    text = " ".join(str(value).split())
    if most is not None:
        text = shortened(text, most)
    return _MARKS.sub(r"\\\1", _NAMES.sub(lambda found: found.group(0) + _JOINER, text))


def shortened(text: str, most: int) -> str:
    """The text on one line, cut to `most` characters with an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def size(n_bytes: int) -> str:
    """The size of a file: ``190 bytes``, ``763 KB``, ``1.5 MB``."""
    if n_bytes < 1024:
        return counted(n_bytes, "byte")
    return f"{n_bytes / 1024:,.0f} KB" if n_bytes < 2**20 else f"{n_bytes / 2**20:,.1f} MB"


def counted(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 event``, ``2,310 events``."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
