"""Rows as figures: every part where it belongs, nothing that a person wrote as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pages.shared.charts import TERM_COLOURS, contribution_figure, label, signed, term_colours, text_on


def rows_of(event_id: str, outcome: str, **parts: float) -> list[dict]:
    score = sum(parts.values())
    return [{"event_id": event_id, "outcome": outcome, "term": term, "contribution": part, "score": score} for term, part in parts.items()]


def test_each_candidate_is_one_bar_of_all_its_parts():
    rows = rows_of("a", "chosen", semantic=0.1, temporal=0.9) + rows_of("b", "outside top_k", semantic=-0.2, temporal=0.4)
    figure = contribution_figure(rows, {"a": "first", "b": "second"})
    parts = [(bar.name, tuple(bar.x), tuple(bar.y)) for bar in figure.data]
    assert parts == [("semantic", (0.1, -0.2), (0, 1)), ("temporal", (0.9, 0.4), (0, 1))]
    assert [words.split("<br>")[0] for words in figure.layout.yaxis.ticktext] == ["✓ first", "second"]
    assert "outside the top k" in figure.layout.yaxis.ticktext[1]
    assert figure.layout.template.layout.barmode == "relative"
    assert [note.text for note in figure.layout.annotations] == ["<b>1</b>", "<b>0.2</b>"]


def test_an_event_that_is_neighbour_and_activated_has_two_bars():
    rows = rows_of("a", "chosen", semantic=0.1, temporal=0.9) + rows_of("a", "chosen", semantic=0.1, temporal=0.9)
    assert tuple(contribution_figure(rows, {}).data[0].y) == (0, 1)


def test_no_rows_make_an_empty_figure():
    assert len(contribution_figure([], {}).data) == 0


def test_an_unknown_term_has_a_colour_that_no_other_term_has():
    colours = term_colours(["semantic", "participants", "place", "mood"])
    assert colours["semantic"] == TERM_COLOURS["semantic"]
    assert len(set(colours.values())) == 4


@given(terms=some.lists(some.text(max_size=8), unique=True, max_size=30))
def test_every_term_has_a_colour(terms: list[str]):
    assert list(term_colours(terms)) == terms


def test_what_a_person_wrote_is_never_markup():
    hostile = "<img src=x onerror=alert(1)> <b>&amp;"
    figure = contribution_figure(rows_of(hostile, "chosen", semantic=1.0), {hostile: hostile})
    assert "<" not in figure.layout.yaxis.ticktext[0]
    assert "<img" not in figure.data[0].hovertext[0]
    assert "<" not in label(hostile, 500)


@pytest.mark.parametrize(("colour", "ink"), [("#0072B2", "#ffffff"), ("#E69F00", "#111111"), ("#000000", "#ffffff")])
def test_text_on_a_bar_can_be_read(colour: str, ink: str):
    assert text_on(colour) == ink


def test_numbers_carry_their_sign():
    assert (signed(0.5), signed(-0.5)) == ("+0.5", "−0.5")
