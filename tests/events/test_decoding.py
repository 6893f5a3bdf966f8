"""Bytes become letters, none is lost silently, and files that are no text are named."""

from __future__ import annotations

import gzip
import io
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affrag_core.errors import ReadError
from affrag_core.events.readers import list_conversations, read_edges, read_events
from affrag_core.events.readers.decoding import decode

FRENCH = "id,text\n1,Café à l'été déjà\n"


def first_text(content, **options):
    reading = read_events("a.csv", content, **options)
    return reading.events[0].text, reading


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_with_and_without_a_mark(encoding):
    text, reading = first_text(FRENCH.encode(encoding))
    assert (text, reading.encoding, reading.notes) == ("Café à l'été déjà", encoding, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_assumed_and_said(encoding):
    text, reading = first_text(FRENCH.encode(encoding))
    assert (text, reading.encoding) == ("Café à l'été déjà", encoding)
    assert encoding in reading.notes[0]


@pytest.mark.parametrize("line", ["Café à l'été déjà", "Grüße aus München", "¿Qué año?", "Costs 5 € – “fine”", "naïve Zoë"])
def test_western_text_in_cp1252_loses_no_letter_and_the_assumption_is_said(line):
    text, reading = first_text(f"id,text\n1,{line}\n".encode("cp1252"))
    assert (text, reading.encoding) == (line, "cp1252")
    assert "cp1252 was assumed" in reading.notes[0]


@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        ("Привет как дела сегодня хорошо спасибо", "cp1251"),
        ("Żółć gęślą jaźń piękny dzień", "cp1250"),
        ("今日はとても良い天気ですね", "shift_jis"),
    ],
)
def test_other_encodings_are_detected_and_said(line, encoding):
    pytest.importorskip("charset_normalizer")
    text, reading = first_text(f"id,text\n1,{line}\n".encode(encoding))
    assert text == line
    assert "was assumed" in reading.notes[0]


def test_an_encoding_can_be_stated():
    assert first_text("id,text\n1,ў\n".encode("cp1251"), encoding="cp1251")[0] == "ў"
    for wrong in ("klingon", "hex", "rot13", "ascii"):
        with pytest.raises(ReadError):
            first_text("id,text\n1,ў\n".encode("cp1251"), encoding=wrong)


def test_damaged_utf_8_is_refused_with_its_line():
    with pytest.raises(ReadError, match="damaged at line 3: 1 letters"):
        decode("é\né\né\n".encode()[:-3] + b"\xff\n")


def test_bytes_of_no_encoding_are_refused(monkeypatch):
    monkeypatch.setattr("affrag_core.events.readers.decoding._detected", lambda content: None)
    with pytest.raises(ReadError, match="no other encoding fits"):
        decode(b"text\n\x81\x8d\n")


def archive(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(name, "x")
    return out.getvalue()


def numpy_file():
    out = io.BytesIO()
    np.save(out, np.zeros(2))
    return out.getvalue()


BINARY = [
    (archive("word/document.xml"), "a Word document"),
    (archive("a.csv"), "a ZIP archive"),
    (archive("a.npy"), "a NumPy archive"),
    (pickle.dumps({"id": 1}), "a Python pickle"),
    (gzip.compress(b"id,text"), "a gzip archive"),
    (numpy_file(), "a NumPy array file"),
    (b"SQLite format 3\x00\x10", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file"),
    (b"%PDF-1.7", "a PDF document"),
]


@pytest.mark.parametrize(("content", "kind"), BINARY, ids=[kind for _, kind in BINARY])
def test_a_file_that_is_no_text_is_named_with_what_to_do(content, kind):
    for name in ("a.csv", "a.xlsx", "a.json"):
        with pytest.raises(ReadError, match=f"This is {kind}, not a text file. [A-Z]"):
            read_events(name, content)


@pytest.mark.parametrize("content", [bytes(range(256)), b"\x00" * 100, b"\x00\x01\x02\x03" * 9])
def test_other_binary_files_are_refused(content):
    with pytest.raises(ReadError):
        read_events("a.csv", content)


def test_a_web_page_is_refused():
    with pytest.raises(ReadError, match="a web page or XML"):
        read_events("a.csv", b"<!DOCTYPE html><html>")


def test_a_stray_nul_is_a_letter_of_the_text():
    assert first_text(b"id,text\n1,a\x00b\n")[0] == "a\x00b"


TEXT_LIKE = st.lists(
    st.sampled_from([*(bytes([sign]) for sign in b'",;\n\r{}[]:7\xff\x00'), b"id", b"text", b'"session_1"', b"\\ud83d"])
).map(b"".join)


@given(st.binary(max_size=200) | TEXT_LIKE, st.sampled_from(["a.csv", "a.json", "a.jsonl", "a", "a.tsv"]))
@example(b"\x80\x04text", "a.csv")
@example(b"PK\x03\x04", "a.csv")
@example(b'{"session_1": []}', "a.json")
@example(b"text\n\x1a", "a.csv")
def test_arbitrary_bytes_raise_nothing_but_read_error(content, name):
    for read in (read_events, lambda name, content: read_edges(name, content, {"7"}), list_conversations):
        try:
            reading = read(name, content)
        except ReadError as error:
            assert str(error)
        else:
            assert isinstance(reading, list) or reading.is_complete


@given(st.text(max_size=100), st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-8-sig"]))
def test_arbitrary_text_raises_nothing_but_read_error(text, encoding):
    try:
        assert read_events("a.csv", f"text\n{text}".encode(encoding)).is_complete
    except ReadError as error:
        assert str(error)
