"""Memories as MADial-Bench writes them: one numbered memory a line."""

from __future__ import annotations

import re
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_text import parse_json
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part

_LINE = re.compile(r'\{\s*"[^"]+":\s*\{[^{}]*"event":')


class MadialReader:
    """Lines such as ``{"1": {"time": ..., "scene": ..., "emotion": ..., "event": ...}}``."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether the first line is one numbered memory."""
        return _LINE.match(text.lstrip().split("\n", 1)[0]) is not None

    def read(self, text: str, part: Part) -> RawFile:
        """One row a memory; see `Reader.read`."""
        if part == "edge":
            raise ReadError("These are memories. Read them as events.")
        file = RawFile("MADial-Bench memories")
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                _add(file, number, line)
        return file


def _add(file: RawFile, number: int, line: str) -> None:
    try:
        value: Any = parse_json(line)[0]
    except ReadError as error:
        value, reason = None, str(error)
    else:
        reason = "the line is not one numbered memory"
    if not isinstance(value, dict) or not value or not all(isinstance(memory, dict) for memory in value.values()):
        advice = "Write the line as an object that holds the memory under its number."
        file.faults.append(Fault(number, None, "row", shown(line), reason, advice, {"row": line}))
        return
    for name, memory in value.items():
        more = {key: kept for key, kept in memory.items() if key not in ("time", "emotion", "event")}
        row = {"id": name, "text": memory.get("event"), "timestamp": memory.get("time"), "emotion": memory.get("emotion")}
        file.events.append(RawRow(number, row | {"doc_type": memory.get("scene"), "metadata": more}, memory))
