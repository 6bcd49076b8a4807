"""Bodies of bounded size: packed bytes are unpacked a little at a time, so that a small answer cannot fill the memory.

Only gzip is asked for (Accept-Encoding), because zlib can be told how much to give back at once; an answer that comes
packed in any other way (br, zstd, deflate, several at once) is refused unread.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from adaq_core.errors import SourceError

MIB = 1 << 20
ACCEPTED = "gzip"

_AT_ONCE = 64 * 1024


class TooLarge(SourceError):
    """An answer holds more than it may."""


def read_bounded(chunks: Iterable[bytes], *, encoding: str, limit: int) -> bytes:
    """The body in `chunks`, unpacked; TooLarge past `limit` bytes, SourceError for damage or another packing."""
    return b"".join(bounded(chunks, encoding=encoding, limit=limit))


def bounded(chunks: Iterable[bytes], *, encoding: str, limit: int) -> Iterator[bytes]:
    """Yield the body in `chunks` piece by piece, unpacked; the same errors as `read_bounded`, when they are met."""
    packing = encoding.strip().lower()
    if packing in ("", "identity"):
        return _within_each(chunks, limit)
    if packing in ("gzip", "x-gzip"):
        return _within_each(_gunzipped(_within_each(chunks, limit)), limit)
    raise SourceError(f"expected an answer packed with gzip or not at all, got {packing[:40]!r}; it was not read")


def _within_each(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limit:
            raise TooLarge(f"expected an answer of up to {_size(limit)}, got more; it was not read to its end")
        yield chunk


def _gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of one or several gzip members, in pieces of bounded size."""
    unpacker = zlib.decompressobj(wbits=31)
    began = False
    for chunk in chunks:
        rest = chunk
        while rest:
            if unpacker.eof:
                unpacker, began = zlib.decompressobj(wbits=31), False
            began = True
            yield _unpacked(unpacker, rest)
            rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    if began and not unpacker.eof:
        raise SourceError("expected a whole gzip answer, got one that is cut short; try again")


def _unpacked(unpacker: zlib._Decompress, data: bytes) -> bytes:
    try:
        return unpacker.decompress(data, _AT_ONCE)
    except zlib.error as error:
        raise SourceError(f"expected a gzip answer, got damaged data ({error}); try again") from error


def _size(limit: int) -> str:
    return f"{limit // MIB} MiB" if limit >= MIB else f"{limit} bytes"
