"""Mail in mbox files."""

from __future__ import annotations

import mailbox
import tempfile
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from affrag_core.errors import ReadError
from affrag_core.events.readers.messages import Messages
from affrag_core.events.readers.rows import RawFile
from affrag_core.events.report import Part


class MailReader:
    """One row a mail; an answer is linked to what it answers. Read with the standard library's mailbox."""

    def recognises(self, content: bytes, name: str) -> bool:
        """Whether it begins as an mbox does."""
        is_named = name.lower().endswith(".mbox")
        return content.startswith(b"From ") and (is_named or b"\nmessage-id:" in content[:20_000].lower())

    def read(self, content: bytes, part: Part) -> RawFile:
        """One row a mail; see `Reader.read`."""
        if part == "edge":
            raise ReadError("This is mail. Read it as events; answers come linked.")
        messages = Messages(RawFile("mail (mbox)"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mail.mbox"
            path.write_bytes(content)
            box = mailbox.mbox(path, create=False)
            try:
                for number, mail in enumerate(box, start=1):
                    _add(messages, mail, number)
            finally:
                box.close()
        return messages.finish()


def _add(messages: Messages, mail: Message, number: int) -> None:
    subject, body = _header(mail, "Subject"), _body(mail)
    name, address = parseaddr(_header(mail, "From"))
    answered = _header(mail, "In-Reply-To").split()
    messages.begin_channel()  # mail lies in a box in no order that means anything
    messages.add(
        _header(mail, "Message-ID").strip("<> ") or f"mail-{number}",
        "\n".join(part for part in (subject, body.strip()) if part),
        timestamp=_date(mail),
        speaker=name or address or None,
        reply_to=answered[0].strip("<>") if answered else None,
        metadata={"subject": subject, "from": address, "to": _header(mail, "To"), "labels": _header(mail, "X-Gmail-Labels")},
        raw={"subject": subject, "from": _header(mail, "From"), "date": _header(mail, "Date")},
    )


def _header(mail: Message, name: str) -> str:
    value = mail.get(name)
    if value is None:
        return ""
    try:
        return str(make_header(decode_header(str(value)))).replace("\n", " ").strip()
    except (LookupError, UnicodeError, ValueError):
        return str(value).encode("utf-8", errors="replace").decode().strip()


def _date(mail: Message) -> str | None:
    try:
        return parsedate_to_datetime(_header(mail, "Date")).isoformat()
    except (TypeError, ValueError, IndexError):
        return _header(mail, "Date") or None


def _body(mail: Message) -> str:
    """The first plain text that is no attachment."""
    for piece in mail.walk():
        if piece.get_content_type() == "text/plain" and piece.get_filename() is None:
            payload = piece.get_payload(decode=True)
            if isinstance(payload, bytes):
                charset = piece.get_content_charset() or "utf-8"
                try:
                    return payload.decode(charset, errors="replace")
                except LookupError:
                    return payload.decode("utf-8", errors="replace")
    return ""
