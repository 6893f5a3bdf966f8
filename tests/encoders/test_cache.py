"""The cache of vectors: what goes in comes out, whatever else happens to the file."""

import multiprocessing
import os
import sqlite3
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.encoders.cache import FILE_NAME, VectorCache, _keep_log_beside, encode_cached
from affrag_core.encoders.term_count import TermCountEncoder
from affrag_core.errors import CancelledError, EncoderError


class LengthEncoder:
    """The length of a text, and how often it was asked."""

    name = cache_key = "length"

    def __init__(self, dim=3, dtype=np.float32):
        self.dim, self.dtype, self.asked = dim, dtype, []

    def encode(self, texts, *, progress=None, cancelled=None):
        self.asked += texts
        return np.array([[len(text)] * self.dim for text in texts], dtype=self.dtype).reshape(len(texts), self.dim)


@pytest.fixture
def cache(tmp_path):
    opened = VectorCache(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gives_back_the_very_numbers_after_reopening(tmp_path, dtype):
    rows = np.random.default_rng(0).normal(size=(3, 5)).astype(dtype)
    first = VectorCache(tmp_path / "new" / "folder")
    first.put("m", ["a", "b", "ü\ud800"], rows)
    first.close()
    again = VectorCache(tmp_path / "new" / "folder")
    got = again.get("m", ["ü\ud800", "a", "zzz"])
    again.close()
    assert got[2] is None
    np.testing.assert_array_equal(got[0], rows[2])
    np.testing.assert_array_equal(got[1], rows[0])
    assert got[0].dtype == dtype


def test_keeps_encoders_apart(cache):
    cache.put("one", ["a"], np.ones((1, 2)))
    assert cache.get("two", ["a"]) == [None]
    assert len(cache) == 1
    cache.clear()
    assert len(cache) == 0


@given(st.lists(st.text(max_size=5), max_size=20), st.lists(st.text(max_size=5), max_size=20))
def test_cached_equals_encoded_and_each_text_is_encoded_once(tmp_path_factory, first, second):
    cache = VectorCache(tmp_path_factory.mktemp("cache"))
    encoder = LengthEncoder()
    for texts in (first, second, first):
        np.testing.assert_array_equal(encode_cached(encoder, texts, cache), LengthEncoder().encode(texts))
    cache.close()
    assert len(encoder.asked) == len(set(first) | set(second))


def test_more_texts_than_one_question_to_the_file_holds(cache):
    texts = [f"t{i}" for i in range(1203)]
    cache.put("m", texts, np.arange(1203.0)[:, None])
    assert [float(row[0]) for row in cache.get("m", texts)] == list(range(1203))


def test_progress_counts_what_was_found_and_a_cancel_keeps_what_was_done(cache):
    encoder, seen = LengthEncoder(), []
    texts = [f"text {i:03}" for i in range(100)]
    with pytest.raises(CancelledError, match="stopped after 64 of 100 texts"):
        encode_cached(encoder, texts, cache, lambda *step: seen.append(step), lambda: len(encoder.asked) >= 64)
    assert seen == [(0, 100), (32, 100), (64, 100)]
    seen.clear()
    encode_cached(encoder, texts, cache, lambda *step: seen.append(step))
    assert seen == [(64, 100), (96, 100), (100, 100)]
    assert len(encoder.asked) == 100


def test_vectors_of_another_length_under_the_same_name_are_made_again(cache):
    encode_cached(LengthEncoder(dim=2), ["a", "b"], cache)
    assert encode_cached(LengthEncoder(dim=3), ["a", "c"], cache).shape == (2, 3)
    assert encode_cached(LengthEncoder(dim=3), ["a", "b"], cache).shape == (2, 3)


def test_an_encoder_that_depends_on_its_corpus_is_not_cached(cache):
    encode_cached(TermCountEncoder(["a"]), ["a"], cache)
    assert len(cache) == 0


def test_no_texts_give_no_rows(cache):
    assert encode_cached(LengthEncoder(), [], cache).shape == (0, 3)


def test_threads_may_share_one_cache(cache):
    failed = []

    def work(number):
        try:
            for i in range(30):
                cache.put("m", [f"{number}-{i}"], np.full((1, 4), number, dtype=np.float32))
                assert cache.get("m", [f"{number}-{i}"])[0].tolist() == [number] * 4
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(cache) == 180


def _write_and_die(folder, number):
    shared = VectorCache(folder)
    for i in range(20):
        shared.put("m", [f"{number}-{i}"], np.full((1, 4), number, dtype=np.float32))
    os._exit(9)  # no closing, as after a kill


def test_processes_may_share_the_file_and_a_kill_loses_nothing_that_was_put(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write_and_die, args=(tmp_path, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [9, 9, 9]
    survivor = VectorCache(tmp_path)
    assert len(survivor) == 60
    survivor.close()


def test_a_switch_that_another_process_makes_at_the_same_moment_is_waited_for(tmp_path):
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(0.2, other.close)
    timer.start()
    connection = sqlite3.connect(tmp_path / FILE_NAME, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        connection.execute("PRAGMA journal_mode = WAL")
    _keep_log_beside(connection)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    timer.join()


def test_a_damaged_file_is_set_aside_and_a_new_one_begun(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"this is no database" * 100)
    fresh = VectorCache(tmp_path)
    assert len(fresh) == 0
    fresh.close()
    assert (tmp_path / "vectors.damaged").read_bytes().startswith(b"this is no database")


def test_a_row_with_a_foreign_number_format_counts_as_missing(tmp_path, cache):
    cache.put("m", ["a"], np.ones((1, 2)))
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("UPDATE vectors SET dtype = 'object'")
    other.close()
    assert cache.get("m", ["a"]) == [None]


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(EncoderError, match=r"the vector cache .* cannot be opened"):
        VectorCache(tmp_path / "file" / "below")


def test_a_closed_cache_is_a_clear_error(tmp_path):
    closed = VectorCache(tmp_path)
    closed.close()
    with pytest.raises(EncoderError, match="cannot be used"):
        closed.get("m", ["a"])
