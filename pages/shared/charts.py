"""Rows of a trace as Plotly figures. Colours and shapes are those of every other view; nothing is computed here.

Figures carry one template with no colours of text or grid, which Streamlit's own theme fills in, light or dark.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from affrag_core import OUTCOME_WORDS, number
from pages.shared.text import shortened

TERM_COLOURS = {
    "semantic": "#0072B2",
    "emotional": "#CC79A7",
    "temporal": "#E69F00",
    "query": "#009E73",
    "mood": "#56B4E9",
    "bias": "#999999",
}
LATER_COLOURS = ("#56B4E9", "#D55E00", "#009E73", "#F0E442")
KIND_MARKS = {"STATIC": "●", "VERSIONED": "◆", "EVENT": "★"}
BASELINE_COLOUR = "#999999"
MARKS = {"chosen": "✓ ", "seed": "✓ "}
VIA_WORDS = {"activation": "by likeness, no link", "both": "by link and likeness"}
CLOSED = frozenset({"already on path", "expired", "superseded", "after as_of", "too old"})
"""Outcomes of candidates that no score could have helped; they are drawn faint."""
FADED = 0.35
ROW_PIXELS, FRAME_PIXELS = 34, 34

TEMPLATE = go.layout.Template(
    layout={
        "colorway": [*TERM_COLOURS.values()],
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 8, "t": 6, "b": 22},
        "font": {"size": 12},
        "bargap": 0.25,
        "barmode": "relative",
        "showlegend": False,
        "hoverlabel": {"align": "left"},
        "uniformtext": {"minsize": 10, "mode": "hide"},
        "xaxis": {"zeroline": True, "zerolinewidth": 1.5, "fixedrange": True, "automargin": True},
        "yaxis": {"showgrid": False, "fixedrange": True, "automargin": True, "ticks": ""},
    }
)
CONFIG = {"displayModeBar": False, "displaylogo": False}


def term_colours(terms: Iterable[str]) -> dict[str, str]:
    """A colour for each term; a term that is not in the table gets the next later colour that no other term of the chart has."""
    terms = list(terms)
    used = {TERM_COLOURS[term] for term in terms if term in TERM_COLOURS}
    spare = [colour for colour in LATER_COLOURS if colour not in used] or [BASELINE_COLOUR]
    unknown = [term for term in terms if term not in TERM_COLOURS]
    later = {term: spare[place % len(spare)] for place, term in enumerate(unknown)}
    return {term: TERM_COLOURS.get(term) or later[term] for term in terms}


def legend(terms: Iterable[str]) -> str:
    """What each colour of a chart stands for, as HTML that wraps where there is no room; Plotly's own would cover the bars there."""
    squares = [
        f'<span style="white-space:nowrap"><span style="color:{colour}" aria-hidden="true">■</span> {label(term)}</span>'
        for term, colour in term_colours(dict.fromkeys(map(str, terms))).items()
    ]
    return f'<div style="font-size:0.8rem;line-height:1.3;display:flex;flex-wrap:wrap;gap:0 1rem">{"".join(squares)}</div>'


def text_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour (relative luminance of WCAG 2)."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return "#ffffff" if 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.18 else "#111111"


def label(value: object, most: int = 24) -> str:
    """A person's text as a label: cut, and with nothing in it that Plotly could read as markup."""
    return html.escape(shortened(str(value), most), quote=False)


def contribution_figure(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> go.Figure:
    """Signed, stacked parts of each candidate's score, one bar a candidate, negative parts left of zero.

    Parameters
    ----------
    rows : sequence of {"event_id", "outcome", "term", "contribution", "score"}
        One row per part; rows of one candidate stand together, candidates in the order drawn. An id may stand twice, with two outcomes.
    names : mapping of str to str
        What to call each event on its axis; its id where it has no name.
    """
    bars, places = _bars(rows)
    terms = list(dict.fromkeys(str(row["term"]) for row in rows))
    colours = term_colours(terms)
    parts = []
    for term in terms:
        of_term = [(place, row) for place, row in zip(places, rows, strict=True) if row["term"] == term]
        parts.append(_part(term, of_term, names, colours[term]))
    # Made in one go: each later change would be checked anew, and a slider waits for it.
    return go.Figure(data=parts, layout=_frame(bars, names))


def _frame(bars: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, Any]:
    """Names at the left, total scores at the right, a line at zero."""
    scores = [
        {"x": 1, "xref": "paper", "y": place, "text": f"<b>{number(bar['score'])}</b>", "showarrow": False, "xanchor": "left", "xshift": 6}
        for place, bar in enumerate(bars)
    ]
    return {
        "template": TEMPLATE,
        "height": FRAME_PIXELS + ROW_PIXELS * max(1, len(bars)),
        "margin": {"r": 60},
        "annotations": scores,
        "shapes": [{"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1, "line": {"width": 1, "color": BASELINE_COLOUR}}],
        "yaxis": {
            "tickvals": list(range(len(bars))),
            "ticktext": [_tick(bar, names) for bar in bars],
            "range": [len(bars) - 0.45, -0.55],
        },
    }


def _tick(bar: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A candidate's name, and below it in small letters how it came here if by no link, and what became of it if it was not chosen."""
    name = MARKS.get(bar["outcome"], "") + label(names.get(bar["event_id"], bar["event_id"]), 34)
    outcome = "" if bar["outcome"] in MARKS else OUTCOME_WORDS.get(bar["outcome"], bar["outcome"])
    words = [word for word in (VIA_WORDS.get(bar.get("via", "")), outcome) if word]
    return f"{name}<br><span style='font-size:10px'>{label(', '.join(words), 60)}</span>" if words else name


def _bars(rows: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[int]]:
    """The first row of each candidate, and for each row the place of its candidate.

    A candidate's next row begins where the event, or its outcome, changes, or where a term comes again.
    """
    bars: list[Mapping[str, Any]] = []
    places: list[int] = []
    seen: set[str] = set()
    for row in rows:
        last = bars[-1] if bars else {}
        if any(row[key] != last.get(key) for key in ("event_id", "outcome", "score")) or row["term"] in seen:
            bars.append(row)
            seen = set()
        seen.add(row["term"])
        places.append(len(bars) - 1)
    return bars, places


def _part(term: str, of_term: Sequence[tuple[int, Mapping[str, Any]]], names: Mapping[str, str], colour: str) -> dict[str, Any]:
    hover = [
        f"<b>{label(names.get(row['event_id'], row['event_id']), 60)}</b><br>{label(row['event_id'], 60)}<br>"
        f"{label(term)}: {row['contribution']!r}<br>score: {row['score']!r}<br>{label(row['outcome'])}"
        for _, row in of_term
    ]
    return {
        "type": "bar",
        "name": label(term),
        "orientation": "h",
        "y": [place for place, _ in of_term],
        "x": [row["contribution"] for _, row in of_term],
        # On a faded bar no one colour of text can be read in both themes; the number is in the hover.
        "text": ["" if row["outcome"] in CLOSED else signed(row["contribution"]) for _, row in of_term],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "hovertext": hover,
        "hoverinfo": "text",
        "marker": {"color": colour, "line": {"width": 0}, "opacity": [FADED if row["outcome"] in CLOSED else 1.0 for _, row in of_term]},
        "textfont": {"color": text_on(colour), "size": 11},
    }


def signed(value: float) -> str:
    """A number with its sign, three digits: ``+0.92``, ``−0.41``."""
    return number(value) if value < 0 else f"+{number(value)}"
