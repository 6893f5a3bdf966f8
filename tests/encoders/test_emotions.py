"""The table of feelings: bounds, quarters, capitals, words that are not in it."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.encoders.emotions import EMOTION_SOURCE, EMOTION_SPACE, EMOTION_WORDS, emotion_point, emotion_vector
from affrag_core.errors import EventError
from affrag_core.events.event import Emotion

MADIAL = ["Happy", "Anxious", "Anxiety", "Disappointed", "Sad", "Anticipation", "Neutral", "Angry", "Fear", "Frustrated"]
GOEMOTIONS = (  # the 28 labels of Demszky et al. (2020)
    "admiration amusement anger annoyance approval caring confusion curiosity desire disappointment disapproval disgust embarrassment "
    "excitement fear gratitude grief joy love nervousness optimism pride realization relief remorse sadness surprise neutral"
)
QUARTERS = [("happy", 1, 1), ("calm", 1, -1), ("sad", -1, -1), ("angry", -1, 1), ("afraid", -1, 1), ("bored", -1, -1)]


def cosine(a, b):
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_every_point_lies_on_the_plane_and_every_word_is_in_small_letters():
    for word, point in EMOTION_WORDS.items():
        assert word == word.casefold().strip()
        assert -1 <= point.valence <= 1
        assert -1 <= point.arousal <= 1


def test_no_word_has_two_points():
    path = files("affrag_core.encoders") / "emotion_words.csv"
    words = [word for line in path.read_text("utf-8").splitlines()[1:] for word in line.split(",")[2].split()]
    assert len(words) == len(set(words)) == len(EMOTION_WORDS)


@pytest.mark.parametrize(("word", "valence", "arousal"), QUARTERS)
def test_feelings_lie_in_the_quarter_that_the_circumplex_gives_them(word, valence, arousal):
    assert np.sign(emotion_vector(word)).tolist() == [valence, arousal]


def test_like_feelings_have_a_higher_cosine_than_unlike_ones():
    lonely, sad, angry, joyful = (emotion_vector(word) for word in ("lonely", "sad", "angry", "joyful"))
    assert cosine(lonely, sad) > cosine(lonely, angry) > cosine(lonely, joyful)


@pytest.mark.parametrize("word", MADIAL + GOEMOTIONS.split())
def test_knows_the_labels_of_common_data_sets_whatever_their_capitals(word):
    vector = emotion_vector(f" {word.upper()} ")
    assert vector.shape == (2,)
    assert vector.dtype == np.float64
    np.testing.assert_array_equal(vector, emotion_vector(word))


def test_neutral_is_the_zero_vector():
    assert not emotion_vector("neutral").any()


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_point_is_its_own_vector(valence, arousal):
    assert emotion_vector(Emotion(valence, arousal)).tolist() == [valence, arousal]


def test_a_word_close_to_known_ones_is_refused_with_those():
    with pytest.raises(EventError, match=r"got 'hapy'; did you mean happy.*\(event e1\)") as caught:
        emotion_point("hapy", event_id="e1")
    assert caught.value.field == "emotion"
    assert caught.value.event_id == "e1"


def test_a_word_like_no_other_is_refused_with_advice():
    with pytest.raises(EventError, match="got 'qqqq'; use a plain word"):
        emotion_vector("qqqq")


@given(st.text().filter(lambda text: text.strip().casefold() not in EMOTION_WORDS))
def test_any_other_text_gives_a_short_clear_error(text):
    with pytest.raises(EventError) as caught:
        emotion_vector(text)
    assert caught.value.field == "emotion"
    assert len(str(caught.value)) < 300


def test_the_space_and_the_source_have_names():
    assert EMOTION_SPACE == "valence-arousal"
    assert "Russell (1980)" in EMOTION_SOURCE
