"""Archives of several files: exports of chats, folders of notes."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from affrag_core.errors import ReadError
from affrag_core.events.readers.archives import checked_archive, texts_in
from affrag_core.events.readers.chats.chatgpt import ChatGPTReader
from affrag_core.events.readers.chats.slack import is_slack, read_slack
from affrag_core.events.readers.chats.whatsapp import WhatsAppReader
from affrag_core.events.readers.folders import FOLDER_ENDINGS
from affrag_core.events.readers.notes.markdown import read_notes
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part

_READ = FOLDER_ENDINGS


class PackedReader:
    """What an archive holds decides: a Slack export, ChatGPT conversations, Markdown notes, or a WhatsApp chat."""

    def recognises(self, content: bytes, name: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is a ZIP archive that can be one of these."""
        if not content.startswith(b"PK\x03\x04"):
            return False
        try:
            with checked_archive(content, lambda _: False) as archive:
                names = [n for n in archive.namelist() if _is_read(n)]
        except (ReadError, zipfile.BadZipFile):
            return True  # a damaged archive: `read` says so
        return is_slack(names) or any(_is_one_of(n, ("conversations.json",)) or not n.lower().endswith(".json") for n in names)

    def read(self, content: bytes, part: Part) -> RawFile:
        """The rows; see `Reader.read`."""
        members = texts_in(content, _is_read)
        if is_slack(list(members)):
            return read_slack(members, part)
        talks = [text for name, text in members.items() if _is_one_of(name, ("conversations.json",))]
        if talks:
            return ChatGPTReader().read(talks[0], part)
        notes = {name: text for name, text in members.items() if name.lower().endswith((".md", ".markdown"))}
        if notes:
            return read_notes(notes, part)
        return _chat(members, part)


def _chat(members: Mapping[str, str], part: Part) -> RawFile:
    reader = WhatsAppReader()
    chats = [text for name, text in members.items() if name.lower().endswith(".txt") and reader.recognises(text, "txt")]
    if len(chats) != 1:
        held = "no chat, notes or export that is known" if not chats else f"{len(chats)} chats"
        raise ReadError(f"The archive holds {held}. Unpack it and upload one file.")
    return reader.read(chats[0], part)


def _is_read(name: str) -> bool:
    return name.lower().endswith(_READ) and not name.startswith("__MACOSX/")


def _is_one_of(name: str, names: tuple[str, ...]) -> bool:
    return PurePosixPath(name).name in names
