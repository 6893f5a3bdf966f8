"""Readers for files of events and edges: one module a format, one door."""

from affrag_core.events.readers.affect import AFFECT_SCALES, AffectScale
from affrag_core.events.readers.files import SIZE_LIMIT, list_conversations, read_edges, read_events
from affrag_core.events.readers.locomo import Conversation
from affrag_core.events.readers.rows import Reader

__all__ = ["AFFECT_SCALES", "SIZE_LIMIT", "AffectScale", "Conversation", "Reader", "list_conversations", "read_edges", "read_events"]
