"""Which column of a file is which field: common names, whatever their case, spaces and underscores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from affrag_core.errors import ReadError
from affrag_core.events.report import FAULT_COLUMNS
from affrag_core.events.spreadsheet import WRITTEN_AS

EVENT_COLUMNS: dict[str, tuple[str, ...]] = {
    "id": ("id", "event_id", "uid", "uuid", "key"),
    "text": ("text", "content", "message", "event", "body", "description", "sentence", "utterance", "memory"),
    "timestamp": ("timestamp", "time", "date", "datetime", "date_time", "created_at", "created", "occurred_at", "when"),
    "valid_from": ("valid_from", "valid_since", "starts_at", "start_date"),
    "valid_until": ("valid_until", "valid_to", "expires_at", "expires", "expiry", "ends_at", "end_date"),
    "kind": ("kind", "document_kind", "event_kind"),
    "doc_type": ("doc_type", "document_type", "type", "category"),
    "supersedes_id": ("supersedes_id", "supersedes", "replaces"),
    "emotion": ("emotion", "feeling", "mood"),
    "valence": ("valence",),
    "arousal": ("arousal",),
    "semantic_vec": ("semantic_vec", "semantic_vector", "semantic_embedding", "embedding", "embeddings", "vector"),
    "emotional_vec": ("emotional_vec", "emotional_vector", "emotion_vec", "emotion_vector", "emotional_embedding"),
    "metadata": ("metadata", "meta"),
    "edges": ("edges", "links", "next", "links_to"),
    "relation": ("relation", "edge_relation", "link_relation"),
    WRITTEN_AS: (WRITTEN_AS,),
}
EDGE_COLUMNS: dict[str, tuple[str, ...]] = {
    "source": ("source", "source_id", "from", "from_id", "src", "start"),
    "target": ("target", "target_id", "to", "to_id", "dst", "end"),
    "relation": ("relation", "relationship", "edge_type", "type", "label", "kind"),
    "attributes": ("attributes", "metadata", "properties"),
    WRITTEN_AS: (WRITTEN_AS,),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The file's columns for each field, the likeliest first, and those that are no field."""

    fields: Mapping[str, tuple[str, ...]]
    others: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether any column holds this field."""
        return name in self.fields


def plain_name(name: str) -> str:
    """A column's name without case, spaces, underscores and signs."""
    return re.sub(r"[\W_]+", "", name.casefold())


def n_recognised(names: Iterable[str]) -> int:
    """How many names are known as fields of events or edges."""
    known = {plain_name(word) for table in (EVENT_COLUMNS, EDGE_COLUMNS) for words in table.values() for word in words}
    return sum(plain_name(name) in known for name in names)


def assign_columns(names: Iterable[str], table: Mapping[str, tuple[str, ...]], chosen: Mapping[str, str] | None = None) -> Columns:
    """Each field's columns.

    Parameters
    ----------
    names : iterable of str
        The file's columns.
    table : mapping of str to tuple of str
        `EVENT_COLUMNS` or `EDGE_COLUMNS`.
    chosen : mapping of str to str, optional
        Columns that a person has named, by field; they win. An empty name leaves the field without a column.

    Raises
    ------
    ReadError
        If a chosen column is not there, or the field is unknown.
    """
    free = [name for name in dict.fromkeys(names) if name not in FAULT_COLUMNS]
    fields: dict[str, tuple[str, ...]] = {}
    unwanted = {name for name, column in (chosen or {}).items() if not column and name in table}
    for name, column in (chosen or {}).items():
        if name in unwanted:
            continue
        if name not in table or column not in free:
            raise ReadError(f"There is no column {column!r} for {name}. The columns are: {', '.join(free)}.")
        fields[name] = (column,)
        free.remove(column)
    plain = {name: plain_name(name) for name in free}
    for name, words in table.items():
        plain_words = dict.fromkeys(plain_name(word) for word in words)
        found = [column for word in plain_words for column in free if plain[column] == word]
        if name not in fields and name not in unwanted and found:
            fields[name] = tuple(found)
    taken = {column for columns in fields.values() for column in columns}
    notes = [
        f'Several columns look like {name}: "{columns[0]}" is used, or "{columns[1]}" where that is empty; the rest is metadata.'
        for name, columns in fields.items()
        if len(columns) > 1
    ]
    return Columns(fields, tuple(name for name in free if name not in taken), tuple(notes))
