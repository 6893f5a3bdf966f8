"""What chats and mail have in common: a row a message, linked to the next and to what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault

NEXT = "next message"
REPLY = "replies to"
NO_TEXT = "the message has no text"
_ADVICE = "Nothing to mend where it was a picture, a call or a notice; the messages around it are linked to each other."


@dataclass(slots=True)
class Messages:
    """Collects the messages of one channel after another.

    Parameters
    ----------
    file : RawFile
        Gets a row a message, and a fault for each without a text.
    """

    file: RawFile
    _previous: dict[str, Any] | None = None
    _rows: dict[str, dict[str, Any]] = field(default_factory=dict)

    def begin_channel(self) -> None:
        """The next message follows none."""
        self._previous = None

    def add(
        self,
        message_id: str,
        text: str,
        *,
        timestamp: Any = None,
        speaker: str | None = None,
        reply_to: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        """One message; `reply_to` names another of the same file, before or after it."""
        number = len(self.file.events) + len(self.file.faults) + 1
        kept = {name: value for name, value in (metadata or {}).items() if value not in (None, "", [], {})}
        shown_raw = raw if raw is not None else {"text": text, "speaker": speaker}
        if not text.strip():
            self.file.faults.append(Fault(number, message_id, "text", shown(text), NO_TEXT, _ADVICE, shown_raw))
            return
        edges: list[dict[str, str]] = [{"target": reply_to, "relation": REPLY}] if reply_to and reply_to != message_id else []
        values = {
            "id": message_id,
            "text": text,
            "timestamp": timestamp,
            "doc_type": speaker,
            "metadata": kept | ({"speaker": speaker} if speaker else {}),
            "edges": edges,
        }
        if self._previous is not None and self._previous["id"] != message_id:
            self._previous["edges"].append({"target": message_id, "relation": NEXT})
        self.file.events.append(RawRow(number, values, shown_raw))
        self._previous = values
        self._rows.setdefault(message_id, values)

    def finish(self) -> RawFile:
        """The file, without replies to messages that are not in it; a note counts those."""
        lost = 0
        for values in self._rows.values():
            known = [edge for edge in values["edges"] if edge["target"] in self._rows]
            lost += len(values["edges"]) - len(known)
            values["edges"] = known
        if lost:
            self.file.notes.append(f"{lost:,} answers are to messages that are not in this file; they are not linked.")
        return self.file
