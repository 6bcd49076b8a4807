"""E-mail (.eml): a message is a document; its subject is the title, its sender the source."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.readers.html import headings_and_text
from adaq_core.corpus.reading import Reading, SourceFile, clean, decode
from adaq_core.model import Document

SUFFIXES = (".eml",)


def read(file: SourceFile) -> Reading:
    """The text of a message, of its HTML part where it has no other; attachments are named, not read."""
    message = BytesParser(policy=policy.default).parsebytes(file.data)
    assert isinstance(message, EmailMessage)
    attached = [one_line(part.get_filename() or part.get_content_type()) for part in message.iter_attachments()]
    sender = one_line(str(message["from"] or ""))
    to = one_line(str(message["to"] or ""))
    document = Document(
        file.key,
        one_line(str(message["subject"] or "")) or file.stem,
        clean(_body(message)).strip(),
        source=sender,
        date=_day(str(message["date"] or "")),
        metadata=tuple((name, value) for name, value in (("author", sender), ("to", to)) if value),
    )
    notices = (f"attachments were not read: {', '.join(attached[:8])}",) if attached else ()
    return Reading((document,), notices)


def _body(message: EmailMessage) -> str:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return ""
    data = part.get_payload(decode=True)
    text = (
        str(part.get_content()) if part.get_content_charset() else decode(data if isinstance(data, bytes) else b"")[0]
    )
    return headings_and_text(text)[1] if part.get_content_subtype() == "html" else text


def _day(said: str) -> str:
    try:
        return parsedate_to_datetime(said).date().isoformat()
    except (TypeError, ValueError):
        return one_line(said)
