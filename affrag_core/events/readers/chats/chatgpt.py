"""ChatGPT's exported conversations: trees of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_text import may_hold_half_letters, parse_json
from affrag_core.events.readers.messages import Messages
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part

_SILENT = ("system", "tool")


class ChatGPTReader:
    """One row a message of a person or the assistant; each is linked to the message that it follows in its tree."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it holds conversations with a mapping of messages."""
        start = text.lstrip()[:200_000]
        return start[:1] in ("[", "{") and '"mapping"' in start and '"author"' in text and '"parts"' in text

    def read(self, text: str, part: Part) -> RawFile:
        """One row a message; see `Reader.read`."""
        if part == "edge":
            raise ReadError("These are conversations. Read them as events; their messages come linked.")
        value = parse_json(text)[0]
        talks = value if isinstance(value, list) else [value]
        messages = Messages(RawFile("ChatGPT conversations", half_letters=may_hold_half_letters(text)))
        for number, talk in enumerate(talks, start=1):
            mapping = talk.get("mapping") if isinstance(talk, dict) else None
            if isinstance(mapping, dict):
                _add_talk(messages, talk, mapping, number)
        return messages.finish()


def _add_talk(messages: Messages, talk: Mapping[str, Any], mapping: Mapping[str, Any], number: int) -> None:
    place = {"conversation": talk.get("title") or f"conversation {number}"}
    for key, node in _in_order(mapping):
        message = node["message"]
        author = message.get("author")
        role = author.get("role") if isinstance(author, dict) else None
        said = _said(message)
        if role in _SILENT or not said.strip():
            continue
        messages.begin_channel()  # the tree says what follows what
        messages.add(
            str(message.get("id") or key),
            said,
            timestamp=message.get("create_time") or talk.get("create_time"),
            speaker=role,
            reply_to=_spoken_before(mapping, node),
            metadata=place,
            raw=message,
        )


def _in_order(mapping: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    nodes = [(key, node) for key, node in mapping.items() if isinstance(node, dict) and isinstance(node.get("message"), dict)]
    return iter(sorted(nodes, key=lambda item: item[1]["message"].get("create_time") or 0.0))


def _spoken_before(mapping: Mapping[str, Any], node: Mapping[str, Any]) -> str | None:
    """The nearest message above that was said by a person or the assistant."""
    seen: set[str] = set()
    key = node.get("parent")
    while isinstance(key, str) and key not in seen:
        seen.add(key)
        above = mapping.get(key)
        message = above.get("message") if isinstance(above, dict) else None
        if isinstance(message, dict):
            author = message.get("author")
            if (author.get("role") if isinstance(author, dict) else None) not in _SILENT and _said(message).strip():
                return str(message.get("id") or key)
        key = above.get("parent") if isinstance(above, dict) else None
    return None


def _said(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    return "\n".join(part for part in parts or [] if isinstance(part, str))
