"""Markdown notes with front matter, alone or many in an archive, and daily notes that are named after their day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#]+)[^\[\]]*\]\]")
_FEELINGS = ("emotion", "mood", "feeling", "valence", "arousal")
_FIELDS = ("id", "kind", "doc_type", "type", *_FEELINGS, "valid_from", "valid_until", "supersedes_id")
_TIMES = ("timestamp", "date", "created", "datetime", "created_at")
RELATION = "links to"


class MarkdownReader:
    """One note; read with the `python-frontmatter` package."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - only the name tells a note from a text
        """Whether it is named as Markdown is."""
        return extension in ("md", "markdown")

    def read(self, text: str, part: Part) -> RawFile:
        """One row; see `Reader.read`."""
        return read_notes({"note.md": text}, part)


def read_notes(members: Mapping[str, str], part: Part) -> RawFile:
    """One row a note, in order of their names; ``[[another note]]`` becomes a link where that note is there too."""
    if part == "edge":
        raise ReadError("These are notes. Read them as events; links between them come along.")
    file = RawFile("Markdown notes")
    ids = {PurePosixPath(name).stem.casefold(): PurePosixPath(name).stem for name in members}
    lost = 0
    for number, (name, text) in enumerate(sorted(members.items()), start=1):
        try:
            fields, body = _split(text)
        except ReadError as error:
            file.faults.append(Fault(number, name, "front matter", shown(text), str(error), "Mend the lines between ---.", {"note": text}))
            continue
        note_id = PurePosixPath(name).stem
        named = dict.fromkeys(link.strip().casefold() for link in _LINK.findall(body))
        targets = [ids[link] for link in named if link in ids and ids[link] != note_id]
        lost += sum(link not in ids for link in named)
        edges = [{"target": target, "relation": RELATION} for target in targets]
        if not body.strip():
            file.faults.append(Fault(number, note_id, "text", "", "the note is empty", "Write something into it, or leave it out.", fields))
            continue
        file.events.append(RawRow(number, _row(note_id, body, fields, name) | {"edges": edges}, {"note": name, **fields}))
    if lost:
        file.notes.append(f"{lost:,} links name notes that are not here; they were left as words.")
    return file


def _split(text: str) -> tuple[dict[str, Any], str]:
    import frontmatter
    from yaml import YAMLError

    try:
        fields, body = frontmatter.parse(text)
    except (YAMLError, ValueError) as error:
        raise ReadError(f"the front matter is not YAML: {shown(str(error).splitlines()[0])}") from None
    return {str(name): _plain(value) for name, value in fields.items()}, str(body)


def _row(note_id: str, body: str, fields: dict[str, Any], name: str) -> dict[str, Any]:
    day = _DAY.search(PurePosixPath(name).stem)
    given = next((fields[key] for key in _TIMES if fields.get(key)), None)
    row: dict[str, Any] = {key: fields[key] for key in _FIELDS if key in fields and key != "id"}
    metadata = {key: value for key, value in fields.items() if key not in (*_FIELDS, *_TIMES)}
    folder = str(PurePosixPath(name).parent)
    if folder != ".":
        metadata["folder"] = folder
    return {"id": note_id, "text": body.strip(), "timestamp": given or (day[0] if day else None), **row, "metadata": metadata}


def _plain(value: Any) -> Any:
    """YAML's dates as text; everything else as JSON has it."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
