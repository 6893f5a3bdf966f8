"""Discord channels as DiscordChatExporter writes them in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_text import may_hold_half_letters, parse_json
from affrag_core.events.readers.messages import Messages
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part


class DiscordReader:
    """One channel, a row a message; an answer is linked to what it answers."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is an object with a guild, a channel and messages."""
        start = text.lstrip()[:20_000]
        return start.startswith("{") and '"guild"' in start and '"channel"' in start and '"messages"' in text

    def read(self, text: str, part: Part) -> RawFile:
        """One row a message; see `Reader.read`."""
        if part == "edge":
            raise ReadError("This is a chat. Read it as events; its messages come linked.")
        value = parse_json(text)[0]
        rows = value.get("messages") if isinstance(value, dict) else None
        if not isinstance(rows, list):
            raise ReadError("The list of messages is missing. Export the channel again as JSON.")
        messages = Messages(RawFile("Discord channel", half_letters=may_hold_half_letters(text)))
        place = {"server": _named(value.get("guild")), "channel": _named(value.get("channel"))}
        for number, row in enumerate(rows, start=1):
            _add(messages, row if isinstance(row, dict) else {}, place, number)
        return messages.finish()


def _add(messages: Messages, row: Mapping[str, Any], place: Mapping[str, Any], number: int) -> None:
    author, reference = row.get("author"), row.get("reference")
    author = author if isinstance(author, dict) else {}
    replied = reference.get("messageId") if isinstance(reference, dict) else None
    attachments = [str(a.get("fileName")) for a in row.get("attachments") or [] if isinstance(a, dict)]
    messages.add(
        str(row.get("id") or f"message-{number}"),
        str(row.get("content") or ""),
        timestamp=row.get("timestamp"),
        speaker=author.get("nickname") or author.get("name"),
        reply_to=None if replied is None else str(replied),
        metadata={**place, "type": row.get("type"), "attachments": attachments},
        raw=row,
    )


def _named(value: Any) -> str | None:
    name = value.get("name") if isinstance(value, dict) else None
    return str(name) if name else None
