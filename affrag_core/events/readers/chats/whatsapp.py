"""WhatsApp's exported chats: lines that begin with a time and a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from affrag_core.errors import ReadError
from affrag_core.events.readers.messages import Messages
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part

_LINE = re.compile(
    r"\[?(?P<a>\d{1,4})[./-](?P<b>\d{1,2})[./-](?P<c>\d{2,4}),?\s+"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:\s*(?P<half>[AaPp])\.?\s?[Mm]\.?)?\]?\s*(?:-\s+)?(?P<rest>.*)",
    re.DOTALL,
)
_NAMED = re.compile(r"(?P<name>[^:\n]{1,80}):\s(?P<text>.*)", re.DOTALL)
_MARKS = str.maketrans({"\u200e": None, "\u200f": None, "\u202a": None, "\u202c": None, "\u202f": " ", "\u00a0": " "})
_WORDS_FOR_OMITTED = "omitted|weggelassen|ausgeschlossen|omitido|omis|omesso"
_LEFT_OUT = re.compile(rf"<[^<>]*({_WORDS_FOR_OMITTED})[^<>]*>|[\w ]+ ({_WORDS_FOR_OMITTED})", re.IGNORECASE)


@dataclass(slots=True)
class _Entry:
    match: re.Match[str]
    rest: str


class WhatsAppReader:
    """One event a message; lines without a time go on with the message before."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether most of the first lines with a digit begin with a date, a time and a name or notice."""
        lines = [line.translate(_MARKS) for line in text[:20_000].split("\n") if line.strip()][:20]
        return bool(lines) and _LINE.match(lines[0]) is not None and any(_is_message(line) for line in lines)

    def read(self, text: str, part: Part) -> RawFile:
        """One row a message; see `Reader.read`."""
        if part == "edge":
            raise ReadError("This is a chat. Read it as events; its messages come linked.")
        file = RawFile("WhatsApp chat")
        entries = list(_entries(text))
        order = _date_order(entries, file)
        messages = Messages(file)
        for number, entry in enumerate(entries, start=1):
            named = _NAMED.fullmatch(entry.rest)
            speaker, said = (named["name"].strip(), named["text"]) if named else (None, entry.rest)
            raw = {"line": entry.match.string[:200]}
            said = "" if _LEFT_OUT.fullmatch(said.strip()) else said.strip()
            time = _time(entry.match, order)
            messages.add(f"m{number}", said, timestamp=time, speaker=speaker, metadata=None if named else {"notice": True}, raw=raw)
        file.notes.append("The chat does not say its time zone; its times were taken as they stand.")
        return messages.finish()


def _is_message(line: str) -> bool:
    match = _LINE.match(line)
    return match is not None and _NAMED.match(match["rest"]) is not None


def _entries(text: str) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for line in text.translate(_MARKS).splitlines():
        match = _LINE.match(line)
        if match is not None:
            if entry is not None:
                yield entry
            entry = _Entry(match, match["rest"])
        elif entry is not None:
            entry.rest += f"\n{line}"
    if entry is not None:
        yield entry


def _date_order(entries: list[_Entry], file: RawFile) -> str:
    """``ymd``, ``dmy`` or ``mdy``: what the numbers of all lines allow; a note where they allow two."""
    firsts = [int(entry.match["a"]) for entry in entries]
    seconds = [int(entry.match["b"]) for entry in entries]
    if any(first > 31 for first in firsts):
        return "ymd"
    if any(first > 12 for first in firsts):
        return "dmy"
    if any(second > 12 for second in seconds):
        return "mdy"
    has_halves = any(entry.match["half"] for entry in entries)
    order, example = ("mdy", "month first") if has_halves else ("dmy", "day first")
    file.notes.append(f"The dates could be read in two ways; {example} was assumed.")
    return order


def _time(match: re.Match[str], order: str) -> str | None:
    """ISO text without an offset; the parts as they stand where they are no date."""
    parts = dict(zip(order, (match["a"], match["b"], match["c"]), strict=True))
    year = int(parts["y"]) + (2000 if len(parts["y"]) == 2 else 0)
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    try:
        time = datetime(year, int(parts["m"]), int(parts["d"]), hour, int(match["minute"]), int(match["second"] or 0))  # noqa: DTZ001
    except ValueError:
        return match[0][:30]
    return time.isoformat()
