"""LoCoMo conversation files: long talks of two people, in dated sessions.

References
----------
A. Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024 (the file format).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from affrag_core.errors import EventError, ReadError
from affrag_core.events.readers.json_text import may_hold_half_letters, parse_json
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part
from affrag_core.events.times import as_utc, iso_text

ALL = "all"
RELATION = "next turn"
NOTE = "The file dates sessions, not turns: each turn was given its session's time (taken as UTC) plus one minute for every turn before it."
_SESSION = re.compile(r"session_(\d{1,9})")
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]+)\.?,?\s+(\d{4})", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a file: its name, who speaks, and how much."""

    name: str
    speakers: tuple[str, ...]
    n_sessions: int
    n_turns: int


class LocomoReader:
    """Turns as rows in their order, each linked to the next.

    Parameters
    ----------
    conversation : str, optional
        Which one to read where the file holds several, or ``"all"``: ids then start with the conversation's name.
    """

    def __init__(self, conversation: str | None = None) -> None:
        self.conversation = conversation

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is JSON with conversations in sessions."""
        return '"session_' in text and text.lstrip()[:1] in ("[", "{") and bool(_conversations(_quietly(text)))

    def read(self, text: str, part: Part) -> RawFile:
        """One row a turn; see `Reader.read`."""
        if part == "edge":
            raise ReadError("This is a conversation file. Read it as events; its turns come linked.")
        found = _conversations(_quietly(text))
        file = RawFile("LoCoMo conversation", notes=[NOTE], half_letters=may_hold_half_letters(text))
        for name in self._names(found):
            _add_turns(file, name, found[name], prefix=f"{name}/" if self.conversation == ALL else "")
        return file

    def _names(self, found: Mapping[str, Mapping[str, Any]]) -> list[str]:
        if self.conversation == ALL:
            return list(found)
        if self.conversation is None and len(found) == 1:
            return list(found)
        if self.conversation in found:
            return [str(self.conversation)]
        asked = "" if self.conversation is None else f"There is no conversation {self.conversation!r}. "
        raise ReadError(f"{asked}This file holds {len(found)} conversations. Choose one, or all: {', '.join(found)}.")


def conversations_of(text: str) -> list[Conversation]:
    """The conversations of a LoCoMo file; none if it is not one."""
    result = []
    for name, talk in _conversations(_quietly(text)).items():
        sessions = list(_sessions(talk))
        speakers = tuple(talk[key] for key in ("speaker_a", "speaker_b") if isinstance(talk.get(key), str))
        result.append(Conversation(name, speakers, len(sessions), sum(len(turns) for _, turns in sessions)))
    return result


def _quietly(text: str) -> Any:
    try:
        return parse_json(text)[0]
    except ReadError:
        return None


def _conversations(value: Any) -> dict[str, Mapping[str, Any]]:
    """Conversations by name, from a list of samples, one sample, or one bare conversation."""
    found: dict[str, Mapping[str, Any]] = {}
    for sample in value if isinstance(value, list) else [value]:
        talk = sample.get("conversation", sample) if isinstance(sample, dict) else None
        if isinstance(talk, dict) and any(True for _ in _sessions(talk)):
            given = sample.get("sample_id")
            is_name = isinstance(given, (str, int)) and str(given) not in ("", ALL)
            name = wanted = str(given) if is_name else f"conversation {len(found) + 1}"
            copy = 2
            while name in found:
                name, copy = f"{wanted} ({copy})", copy + 1
            found[name] = talk
    return found


def _sessions(talk: Mapping[str, Any]) -> Iterator[tuple[int, list[Any]]]:
    numbers = sorted((int(match[1]), key) for key in talk if (match := _SESSION.fullmatch(key)) and isinstance(talk[key], list))
    return ((number, talk[key]) for number, key in numbers)


def _add_turns(file: RawFile, name: str, talk: Mapping[str, Any], *, prefix: str) -> None:
    previous: dict[str, Any] | None = None
    for session, turns in _sessions(talk):
        given = talk.get(f"session_{session}_date_time")
        start = _session_time(given)
        if start is None:
            file.notes.append(f"Session {session} of {name} has no readable date ({shown(given)}); its turns are undated.")
        for position, turn in enumerate(turns):
            number = len(file.events) + len(file.faults) + 1
            if not isinstance(turn, dict) or not isinstance(turn.get("text"), str) or not turn["text"].strip():
                advice = "Give the turn a text, or leave it out; the turns around it are linked to each other."
                raw = turn if isinstance(turn, dict) else {"row": turn}
                file.faults.append(Fault(number, None, "text", shown(turn), "the turn has no text", advice, raw))
                continue
            when = _later(start, position)
            values = _turn_values(turn, f"D{session}:{position + 1}", prefix, when)
            values["metadata"] |= {"conversation": name, "session": session, "session_time": given}
            if previous is not None:
                previous["edges"] = [{"target": values["id"], "relation": RELATION}]
            file.events.append(RawRow(number, values, turn))
            previous = values


def _turn_values(turn: Mapping[str, Any], default_id: str, prefix: str, when: datetime | None) -> dict[str, Any]:
    given = turn.get("dia_id")
    dia_id = given if isinstance(given, (str, int)) and str(given).strip() else default_id
    speaker = turn.get("speaker")
    return {
        "id": f"{prefix}{dia_id}",
        "text": turn["text"],
        "timestamp": iso_text(when),
        "doc_type": speaker if isinstance(speaker, str) and speaker.strip() else None,
        "metadata": {key: value for key, value in turn.items() if key != "text"} | {"dia_id": dia_id},
    }


def _later(start: datetime | None, minutes: int) -> datetime | None:
    try:
        return None if start is None else start + timedelta(minutes=minutes)
    except OverflowError:
        return None


def _session_time(given: Any) -> datetime | None:
    match = _TIME.fullmatch(given.strip()) if isinstance(given, str) else None
    try:
        if match is None:
            return as_utc(given) if isinstance(given, str) else None
        hour, minute, half, day, month, year = match.groups()
        if int(hour) > 12:
            return None
        hour_of_day = int(hour) % 12 + (12 if half.lower() == "p" else 0)
        return datetime(int(year), _MONTHS.index(month[:3].lower()) + 1, int(day), hour_of_day, int(minute), tzinfo=UTC)
    except (EventError, ValueError):
        return None
