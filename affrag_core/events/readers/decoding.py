"""From bytes to letters, without losing one silently."""

from __future__ import annotations

import codecs
import re

from affrag_core.errors import ReadError
from affrag_core.events.readers.binary import refuse_binary

SAMPLE_BYTES = 65_536
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠŽ€–—‘’“”„…«»°£©®·¿¡ªº´§×\xa0")
"""What text of western Europe holds beyond ASCII; other encodings read as cp1252 hold mostly other signs."""


def decode(content: bytes, encoding: str | None = None) -> tuple[str, str, list[str]]:
    """Text, the encoding's name, and notes on what was assumed.

    UTF-8, 16 and 32 are recognised for certain; anything else is a guess that a note states.

    Parameters
    ----------
    content : bytes
    encoding : str, optional
        Stated by a person; nothing is guessed then.

    Raises
    ------
    ReadError
        For binary files, damaged UTF-8, and letters of no known encoding.
    """
    if encoding is not None:
        return _strictly(content, encoding), encoding, []
    for mark, name in _BOMS:
        if content.startswith(mark):
            return _strictly(content, name), name, []
    refuse_binary(content)
    if b"\x00" in content[:SAMPLE_BYTES]:
        return _without_bom(content)
    try:
        return content.decode("utf-8"), "utf-8", []
    except UnicodeDecodeError as error:
        _refuse_damaged(content, error.start)
    return _guessed(content)


def _strictly(content: bytes, encoding: str) -> str:
    try:
        text = codecs.decode(content, encoding)
    except LookupError:
        raise ReadError(f"There is no encoding named {encoding!r}. Name one such as utf-8 or cp1252.") from None
    except (UnicodeError, ValueError, TypeError) as error:
        raise ReadError(f"The file is not {encoding}: {error}. Save it as UTF-8.") from None
    if not isinstance(text, str):
        raise ReadError(f"{encoding!r} is not an encoding of text. Name one such as utf-8 or cp1252.")
    return text


def _without_bom(content: bytes) -> tuple[str, str, list[str]]:
    start = content[:SAMPLE_BYTES]
    zeros_even, zeros_odd = start[::2].count(0), start[1::2].count(0)
    if min(zeros_even, zeros_odd) == 0 and max(zeros_even, zeros_odd) > len(start) / 5:
        name = "utf-16-le" if zeros_odd else "utf-16-be"
        return _strictly(content, name), name, [f"The file does not say how its letters are written; {name} was assumed."]
    if max(zeros_even, zeros_odd) < 3:  # a stray NUL in a text is data
        try:
            return content.decode("utf-8"), "utf-8", []
        except UnicodeDecodeError:
            pass
    raise ReadError("This is a binary file, not text. Upload CSV, TSV, JSON or JSON lines.")


def _refuse_damaged(content: bytes, position: int) -> None:
    replaced = content.decode("utf-8", errors="replace")
    n_bad = replaced.count("\ufffd")
    n_good = sum(letter > "\x7f" for letter in replaced) - n_bad
    if n_good > n_bad:
        line = content.count(b"\n", 0, position) + 1
        raise ReadError(f"The file is UTF-8 but damaged at line {line}: {n_bad} letters cannot be read. Save it as UTF-8 again.")


def _guessed(content: bytes) -> tuple[str, str, list[str]]:
    name = "cp1252" if _looks_western(content) else _detected(content)
    if name is not None:
        try:
            text = content.decode(name)
        except UnicodeError:
            name = None
    if name is None:
        raise ReadError("The letters of the file are not UTF-8, and no other encoding fits. Save it as UTF-8.")
    return text, name, [f"The file is not UTF-8; {name} was assumed. If letters look wrong, save it as UTF-8 and upload it again."]


def _sample(content: bytes) -> bytes:
    """Lines with letters beyond ASCII, as only they tell anything."""
    lines, size = [], 0
    for line in content.split(b"\n"):
        if not line.isascii():
            lines.append(line[:SAMPLE_BYTES])
            size += len(line)
        if size > SAMPLE_BYTES:
            break
    return b"\n".join(lines)[:SAMPLE_BYTES]


def _looks_western(content: bytes) -> bool:
    try:
        text = _sample(content).decode("cp1252")
    except UnicodeDecodeError:
        return False
    beyond = [letter for letter in text if letter > "\x7f"]
    # Letters with accents stand among plain ones; in Cyrillic or Greek read as cp1252 every letter seems to have one.
    n_in_runs = sum(len(run) for run in re.findall("[^\\W\x00-\x7f]{3,}", text))
    return sum(letter in _WESTERN for letter in beyond) >= 0.9 * len(beyond) and n_in_runs <= 0.3 * len(beyond)


def _detected(content: bytes) -> str | None:
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    best = from_bytes(_sample(content)).best()
    return None if best is None else best.encoding
