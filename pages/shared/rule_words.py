"""Rules that propose links, as a person meets them: by what they do. No Streamlit here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affrag_core import DEFAULT_ALS_CONFIG, ByReference, Nearest, NextInTime, SharedName, number
from pages.shared.text import counted, plain, shortened

if TYPE_CHECKING:
    from affrag_core import Edge, Event, LinkRule, Workspace

WITHIN_WORDS = {"doc_type": "type", "kind": "kind", "emotion": "feeling", "day": "day"}
LONGEST_NAME = 160


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """One entry of the list of rules.

    Parameters
    ----------
    label, sentence : str
        What it does, short and in full.
    start : LinkRule
        The rule with the settings that it begins with.
    settled : frozenset of str
        Fields that the choice itself decides.
    """

    label: str
    sentence: str
    start: LinkRule
    settled: frozenset[str] = frozenset()


NEAREST = frozenset({"by", "als"})
CHOICES: dict[str, RuleChoice] = {
    "next": RuleChoice(
        "Next in time",
        "Link each event to the one that happened next: within a thread, a speaker, a day, or all together. "
        "A thread of time is the simplest graph to walk along.",
        NextInTime(),
    ),
    "refers": RuleChoice(
        "Replies, and ids in a column",
        "Link each event to those whose ids one of its columns holds, as a reply names what it answers.",
        ByReference(),
    ),
    "supersedes": RuleChoice(
        "Newer versions",
        "Link each event to the one that it supersedes, so that a path can go from what holds now to what held before.",
        ByReference(relation="supersedes"),
        frozenset({"column"}),
    ),
    "name": RuleChoice(
        "Same name",
        "Link each event to the next in time that shares a name with it: a person, a place, a thing.",
        SharedName(),
    ),
    "meaning": RuleChoice(
        "Nearest by meaning",
        "Link each event to those most like it in meaning.",
        Nearest(by="meaning", relation="like in meaning"),
        NEAREST,
    ),
    "feeling": RuleChoice(
        "Nearest by feeling",
        "Link each event to those most like it in feeling.",
        Nearest(by="feeling", relation="like in feeling"),
        NEAREST,
    ),
    "score": RuleChoice(
        "Nearest by link score",
        "Link each event to those that score best from it, by meaning, feeling and time together, among events close in time.",
        Nearest(by="link score", relation="best by link score", within_days=7.0),
        frozenset({"by"}),
    ),
}


def rule_sentence(rule: LinkRule) -> str:
    """What a rule with its settings does, and the relation it gives: no markdown."""
    words = {NextInTime: _next_words, ByReference: _reference_words, SharedName: _name_words, Nearest: _nearest_words}[type(rule)]
    return shortened(f"{words(rule)}, as “{rule.relation}”", LONGEST_NAME)


def _next_words(rule: NextInTime) -> str:
    within = f", within the same {WITHIN_WORDS.get(rule.within, rule.within)}" if rule.within else ""
    return f"Each event to the next in time{within}"


def _reference_words(rule: ByReference) -> str:
    if rule.backwards:
        return f"From each event that “{rule.column}” names to the one that names it"
    return f"Each event to those that its “{rule.column}” names"


def _name_words(rule: SharedName) -> str:
    places = [f"in “{column}”" for column in rule.columns]
    if rule.names:
        places.append(f"among {', '.join(rule.names)} in the text")
    return f"Events that share a name {' or '.join(places)}{'' if rule.both_ways else ', forwards only'}"


def _nearest_words(rule: Nearest) -> str:
    words = f"Each event to the {rule.k} nearest by {rule.by}"
    if rule.within_days is not None:
        words += f", at most {number(rule.within_days)} days apart"
    if rule.minimum is not None:
        words += f", at least {number(rule.minimum)} alike"
    return words if rule.als == DEFAULT_ALS_CONFIG else f"{words}, with weights of its own"


def name_for(rule: LinkRule, remembered: Mapping[str, Any]) -> str:
    """A name for a rule: its sentence, with a number where another rule reads the same."""
    sentence, described, n = rule_sentence(rule), rule.model_dump(mode="json"), 1
    name = sentence
    while remembered.get(name, described) != described:
        n += 1
        name = f"{sentence} ({n})"
    return name


def link_sentence(ws: Workspace, edge: Edge) -> str:
    """A link in words, as markdown: both texts with their days."""
    name = edge.attributes.get("name")
    relation = f"{edge.relation}: {name}" if isinstance(name, str) else edge.relation
    return f"{_event_words(ws.event(edge.source))} → *{plain(relation, most=40)}* → {_event_words(ws.event(edge.target))}"


def _event_words(event: Event) -> str:
    day = f" ({event.timestamp.day} {event.timestamp:%b %Y})" if event.timestamp else ""
    return f"“{plain(event.text, most=60)}”{day}"


def left_out_sentence(left_out: Mapping[str, int]) -> str:
    """``4 events without a time are left out``; empty where none are."""
    if not left_out:
        return ""
    several = "are" if sum(left_out.values()) > 1 else "is"
    parts = [f"{counted(n, 'event')} {why}" for why, n in left_out.items()]
    return f"{', '.join(parts)} {several} left out"


def missing_for(rule: LinkRule, events: Collection[Event]) -> str | None:
    """What is to be done before a rule can propose anything; None where it can be tried."""
    if len(events) < 2:
        return "Links lead from one event to another: at least two events are needed. Write some on the Events page, or bring in a file."
    by_time = isinstance(rule, (NextInTime, SharedName)) or (isinstance(rule, Nearest) and rule.within_days is not None)
    if by_time and sum(event.timestamp is not None for event in events) < 2:
        return "At least two events need a time for this. Give them one on the Events page."
    if isinstance(rule, SharedName) and not rule.columns and not any(name.strip() for name in rule.names):
        return "Choose a column that holds names, or write names to look for in the texts."
    if isinstance(rule, Nearest) and rule.by == "meaning" and all(event.semantic_vec is None for event in events):
        return "No event has a vector yet, and meanings are compared by vectors. Make them with the text model at the top of the page."
    if isinstance(rule, Nearest) and rule.by == "feeling" and all(event.emotional_vec is None for event in events):
        return (
            "No event has a feeling that can be compared yet. Give events one on the Events page (a word such as joy, or valence and "
            "arousal), or have them read from the texts in the menu of the text model."
        )
    return None
