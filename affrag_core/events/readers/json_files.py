"""JSON documents and JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.columns import EDGE_COLUMNS, EVENT_COLUMNS, plain_name
from affrag_core.events.readers.json_text import may_hold_half_letters, parse_json
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part

LOOK_AHEAD = 1_000_000
_LIKE_TEXT = {plain_name(word) for word in EVENT_COLUMNS["text"]}
_LIKE_SOURCE = {plain_name(word) for word in EDGE_COLUMNS["source"]}
_LIKE_TARGET = {plain_name(word) for word in EDGE_COLUMNS["target"]}


class JsonReader:
    """A list of objects, one object, or ``{"events": [...], "edges": [...]}``."""

    def recognises(self, text: str, extension: str) -> bool:
        """Whether it opens as JSON does, or is named so."""
        return text.lstrip()[:1] in ("[", "{") or extension == "json"

    def read(self, text: str, part: Part) -> RawFile:
        """One row an object; see `Reader.read`."""
        value, repeated = parse_json(text)
        file = RawFile("JSON", half_letters=may_hold_half_letters(text))
        if repeated:
            names = ", ".join(shown(name) for name in repeated)
            file.notes.append(f"Some objects hold the same name twice ({names}); the last value was taken.")
        if isinstance(value, dict):
            lists = {name: value[name] for name in ("events", "edges", "links") if isinstance(value.get(name), list)}
            if "events" in lists or (lists and not any(plain_name(name) in _LIKE_TEXT for name in value)):
                _add_lists(file, value, lists)
                return file
            value = [value]
        if not isinstance(value, list):
            raise ReadError(f"The JSON is {shown(value)}. It must be a list of objects, or an object with the lists events and edges.")
        for number, row in enumerate(value, start=1):
            add_row(file, number, row, part)
        return file


class JsonLinesReader:
    """One JSON object a line."""

    def recognises(self, text: str, extension: str) -> bool:
        """Whether its first line, or most of the first lines, are objects of their own; the name decides where they are not."""
        lines = [line for line in text[:LOOK_AHEAD].split("\n") if line.strip()][:20]
        is_named = extension in ("jsonl", "ndjson")
        if text.lstrip().startswith("{"):
            if _is_object(lines[0]):
                return is_named or len(lines) > 1
            if 2 * sum(_is_object(line) for line in lines) >= len(lines):
                return True
        return is_named and not _is_json(text)

    def read(self, text: str, part: Part) -> RawFile:
        """One row a line; a line that is not JSON is one fault. See `Reader.read`."""
        file = RawFile("JSON lines", half_letters=may_hold_half_letters(text))
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                row, repeated = parse_json(line)
            except ReadError as error:
                file.faults.append(_no_json(number, line, str(error), part))
                continue
            if repeated:
                file.notes.append(f"Line {number} holds the name {shown(repeated[0])} twice; the last value was taken.")
            add_row(file, number, row, part)
        if not (file.events or file.edges) and file.faults:
            raise ReadError(f"None of the {len(file.faults)} lines is a JSON object. Line {file.faults[0].row}: {file.faults[0].value}")
        return file


def add_row(file: RawFile, number: int, row: Any, part: Part) -> None:
    """Put a row where it belongs: an object with source and target and no text is an edge in any file."""
    if part == "edge" and isinstance(row, list) and len(row) in (2, 3):
        row = dict(zip(("source", "target", "relation"), row, strict=False))
    if not isinstance(row, dict):
        advice = "Write each row as an object in braces, with its fields by name."
        file.faults.append(Fault(number, None, "row", shown(row), "the row is not an object", advice, {"row": row}, part))
        return
    (file.edges if part == "edge" or _is_edge(row) else file.events).append(RawRow(number, row, row))


def _is_edge(row: Mapping[str, Any]) -> bool:
    names = {plain_name(name) for name in row}
    return bool(names & _LIKE_SOURCE and names & _LIKE_TARGET and not names & _LIKE_TEXT)


def _add_lists(file: RawFile, value: dict[str, Any], lists: dict[str, list[Any]]) -> None:
    for name, rows in lists.items():
        part: Part = "event" if name == "events" else "edge"
        for number, row in enumerate(rows, start=1):
            if part == "event" and isinstance(row, dict):
                file.events.append(RawRow(number, row, row))
            else:
                add_row(file, number, row, part)
    skipped = [shown(name) for name in value if name not in lists]
    if skipped:
        file.notes.append(f"Beside the lists of events and edges the file holds {', '.join(skipped)}, which was not read.")


def _is_json(text: str) -> bool:
    try:
        parse_json(text)
    except ReadError:
        return False
    return True


def _is_object(line: str) -> bool:
    try:
        return isinstance(parse_json(line)[0], dict)
    except ReadError:
        return False


def _no_json(number: int, line: str, reason: str, part: Part) -> Fault:
    reason = reason.split(". ", maxsplit=1)[0].replace("line 1, column", "column").replace("the file was", "the line was")
    return Fault(number, None, "row", shown(line), reason, "Mend the line, or write it again as one JSON object.", {"row": line}, part)
