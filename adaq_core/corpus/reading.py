"""What all readers of files share: what they take and give, limits, decoding and cleaning."""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from dataclasses import dataclass
from pathlib import PurePosixPath

from adaq_core.errors import FileReadError
from adaq_core.model import Document

MIB = 1 << 20

_BOMS = (
    (BOM_UTF8, "utf-8-sig"),
    (BOM_UTF32_LE, "utf-32"),
    (BOM_UTF32_BE, "utf-32"),
    (BOM_UTF16_LE, "utf-16"),
    (BOM_UTF16_BE, "utf-16"),
)
_UNSEEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x0c\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*")
_PACKED_TOO_WELL = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """What a single file may cost: bytes as stored, bytes once unpacked, pages and seconds of a PDF."""

    file_bytes: int = 256 * MIB
    unpacked_bytes: int = 1024 * MIB
    pages: int = 5_000
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read: `key` is its name in the corpus (with "/" between folders), `data` its bytes, unpacked."""

    key: str
    data: bytes
    limits: Limits = Limits()

    @property
    def stem(self) -> str:
        """A title for want of a better one: the file's name without its endings, in words."""
        name = PurePosixPath(self.key).name
        name = name[:-3] if name.lower().endswith(".gz") else name
        stem = name.rpartition(".")[0] or name
        return clean(" ".join(re.split(r"[_\s-]+", stem))) or name


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file gave: its documents, remarks on how it was read, and the parts that could not be read.

    A `judged` collection (BEIR) stays as it is: its passages do not overlap, and its duplicates are kept.
    """

    documents: tuple[Document, ...]
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    judged: bool = False


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of `data`, cleaned, with a notice when its encoding was a guess; FileReadError for binary data."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decode_marked(data, encoding)
    if b"\x00" in data:
        raise FileReadError("expected text, got binary data (or UTF-16 without its mark); save it as UTF-8 text")
    try:
        return clean(data.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        place = error.start
    text = data.decode("cp1252", errors="replace")
    if sum(map(text.count, map(chr, range(9)))) > len(text) / 100:
        raise FileReadError("expected text, got binary data; save it as UTF-8 text")
    return clean(text), (f"not UTF-8 (byte {place}): read as Windows-1252, so some letters may be wrong",)


def _decode_marked(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    try:
        return clean(data.decode(encoding)), ()
    except UnicodeDecodeError as error:
        raise FileReadError(
            f"its first bytes say {encoding}, but byte {error.start} is not; save it as UTF-8"
        ) from error


def clean(text: str) -> str:
    """`text` with plain line ends and without characters that cannot be seen or stored."""
    return _SURROGATES.sub("\ufffd", _UNSEEN.sub("", _LINE_ENDS.sub("\n", text)))


def day(date: str) -> str:
    """The day of an ISO time stamp; any other date as it is written."""
    date = " ".join(date.split())
    match = _ISO_TIME.fullmatch(date)
    return match.group(1) if match else date


def gunzip(data: bytes, limits: Limits) -> bytes:
    """The content of a gzip file; FileReadError when it is damaged, cut short or grows past the limit."""
    parts: list[bytes] = []
    total, rest = 0, data
    while rest.strip(b"\x00"):
        unpacker = zlib.decompressobj(wbits=31)
        while not unpacker.eof:
            parts.append(_inflate(unpacker, rest))
            total += len(parts[-1])
            refuse_bomb(unpacked=total, packed=len(data), limits=limits)
            if not parts[-1] and not unpacker.unconsumed_tail and not unpacker.eof:
                raise FileReadError("the gzip file is cut short; get a complete copy")
            rest = unpacker.unconsumed_tail
        rest = unpacker.unused_data
    return b"".join(parts)


def _inflate(unpacker: zlib._Decompress, data: bytes) -> bytes:
    try:
        return unpacker.decompress(data, 4 * MIB)
    except zlib.error as error:
        raise FileReadError(f"expected a gzip file, got damaged data ({error}); get a fresh copy") from error


def refuse_bomb(*, unpacked: int, packed: int, limits: Limits) -> None:
    """FileReadError when content grows past the limit, or out of all proportion to the file."""
    if unpacked > limits.unpacked_bytes:
        raise FileReadError(f"unpacks to more than {limits.unpacked_bytes // MIB} MiB, which is the limit; split it")
    if unpacked > 64 * MIB and unpacked > _PACKED_TOO_WELL * packed:
        raise FileReadError(f"unpacks to more than {_PACKED_TOO_WELL} times its size, like a zip bomb; not read")


def few(problems: list[str], *, said: int = 20) -> tuple[str, ...]:
    """The first of many problems, and how many more there are."""
    more = (f"and {len(problems) - said} more like these",) if len(problems) > said else ()
    return (*problems[:said], *more)


def unique_ids(ids: list[str], problems: list[str] | None = None) -> list[str]:
    """The ids, each cleaned and on one line; the second "a" becomes "a~2", and is listed as a problem."""
    seen: dict[str, int] = {}
    unique = []
    for raw in ids:
        key = " ".join(clean(raw).split())[:200]
        seen[key] = seen.get(key, 0) + 1
        while seen[key] > 1 and f"{key}~{seen[key]}" in seen:
            seen[key] += 1
        if seen[key] > 1 and problems is not None:
            problems.append(f"the id {key!r} comes again; this one became {key}~{seen[key]}")
        chosen = key if seen[key] == 1 else f"{key}~{seen[key]}"
        seen.setdefault(chosen, 1)
        unique.append(chosen)
    return unique
