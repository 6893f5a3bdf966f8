"""Slack's exports: a folder a channel, a JSON file a day, and who is who."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_text import parse_json
from affrag_core.events.readers.messages import Messages
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part

_DAY = re.compile(r"(?:.*/)?([^/]+)/\d{4}-\d{2}-\d{2}\.json")
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
_STAMP = re.compile(r'"ts":\s*"\d{9,10}\.\d{6}"')
_LINK = re.compile(r"<([^<>|]+)\|([^<>]*)>")


class SlackReader:
    """One channel and day, or a list of messages from one."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is a list of messages with Slack's time stamps."""
        start = text.lstrip()[:100_000]
        return start.startswith("[") and '"user"' in start and _STAMP.search(start) is not None

    def read(self, text: str, part: Part) -> RawFile:
        """One row a message; see `Reader.read`."""
        return read_slack({"channel/0000-00-00.json": text}, part)


def is_slack(names: Sequence[str]) -> bool:
    """Whether an archive with these members is a Slack export."""
    return any(_DAY.fullmatch(name) for name in names)


def read_slack(members: Mapping[str, str], part: Part) -> RawFile:
    """Messages of all channels, day by day; an answer in a thread is linked to what it answers."""
    if part == "edge":
        raise ReadError("This is a chat. Read it as events; its messages come linked.")
    people = {person["id"]: _name(person) for person in _listed(members, "users.json") if isinstance(person.get("id"), str)}
    messages = Messages(RawFile("Slack export"))
    channels: dict[str, list[str]] = {}
    for name in sorted(members):
        if match := _DAY.fullmatch(name):
            channels.setdefault(match[1], []).append(name)
    for channel, days in channels.items():
        messages.begin_channel()
        for day in days:
            for message in _rows(members[day]):
                _add(messages, channel, message, people)
    return messages.finish()


def _add(messages: Messages, channel: str, message: Mapping[str, Any], people: Mapping[str, str]) -> None:
    if message.get("type", "message") != "message" or "ts" not in message:
        return
    user = message.get("user") or message.get("bot_id")
    profile = message.get("user_profile")
    given = _name(profile) if isinstance(profile, dict) else message.get("username")
    speaker = people.get(str(user)) or given or (str(user) if user else None)
    thread = message.get("thread_ts")
    metadata = {
        "channel": channel,
        "subtype": message.get("subtype"),
        "reactions": [f"{r.get('name')} × {r.get('count')}" for r in message.get("reactions") or [] if isinstance(r, dict)],
    }
    messages.add(
        f"{channel}/{message['ts']}",
        _plain(str(message.get("text") or ""), people),
        timestamp=_time(message["ts"]),
        speaker=speaker,
        reply_to=f"{channel}/{thread}" if thread else None,
        metadata=metadata,
        raw=message,
    )


def _time(stamp: Any) -> str | None:
    try:
        return datetime.fromtimestamp(float(stamp), tz=UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return str(stamp)


def _plain(text: str, people: Mapping[str, str]) -> str:
    """Slack's markup as plain words."""
    text = _MENTION.sub(lambda match: f"@{people.get(match[1], match[1])}", text)
    text = _LINK.sub(lambda match: match[2] or match[1], text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _name(person: Mapping[str, Any]) -> str:
    profile = person.get("profile")
    profile = profile if isinstance(profile, dict) else {}
    names = (profile.get("display_name"), person.get("display_name"), profile.get("real_name"), person.get("real_name"), person.get("name"))
    return next((str(name) for name in names if name), "")


def _listed(members: Mapping[str, str], name: str) -> list[dict[str, Any]]:
    found = next((text for member, text in members.items() if member == name or member.endswith(f"/{name}")), None)
    return [] if found is None else _rows(found)


def _rows(text: str) -> list[dict[str, Any]]:
    value = parse_json(text)[0]
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
