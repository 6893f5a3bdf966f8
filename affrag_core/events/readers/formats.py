"""All readers, in the order in which they are asked: the narrow before the wide."""

from __future__ import annotations

from affrag_core.events.readers.chats.chatgpt import ChatGPTReader
from affrag_core.events.readers.chats.discord import DiscordReader
from affrag_core.events.readers.chats.slack import SlackReader
from affrag_core.events.readers.chats.whatsapp import WhatsAppReader
from affrag_core.events.readers.delimited import DelimitedReader
from affrag_core.events.readers.graphs.graphml import GraphMLReader
from affrag_core.events.readers.graphs.node_link import NodeLinkReader
from affrag_core.events.readers.json_files import JsonLinesReader, JsonReader
from affrag_core.events.readers.madial import MadialReader
from affrag_core.events.readers.notes.calendar import CalendarReader
from affrag_core.events.readers.notes.mail import MailReader
from affrag_core.events.readers.notes.markdown import MarkdownReader
from affrag_core.events.readers.packed import PackedReader
from affrag_core.events.readers.rows import BytesReader, Reader
from affrag_core.events.readers.tables.excel import ExcelReader
from affrag_core.events.readers.tables.parquet import ParquetReader

BYTES_READERS: tuple[BytesReader, ...] = (ParquetReader(), ExcelReader(), PackedReader(), MailReader(), GraphMLReader())
"""Formats that are no plain text."""
EDGE_READERS: tuple[Reader, ...] = (NodeLinkReader(), JsonLinesReader(), JsonReader(), DelimitedReader())
EVENT_READERS: tuple[Reader, ...] = (
    MadialReader(),
    ChatGPTReader(),
    DiscordReader(),
    SlackReader(),
    NodeLinkReader(),
    CalendarReader(),
    MarkdownReader(),
    WhatsAppReader(),
    JsonLinesReader(),
    JsonReader(),
    DelimitedReader(),
)
