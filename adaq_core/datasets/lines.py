"""Reading JSON lines and tables, plain or gzipped, with errors that name the file and the line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from adaq_core.errors import DatasetError


def either(path: Path) -> Path | None:
    """The file itself or its gzipped form, whichever is there; None when neither is."""
    return next((each for each in (path, path.with_name(f"{path.name}.gz")) if each.is_file()), None)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Line numbers from 1 and the lines that are not blank."""
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DatasetError(f"expected UTF-8 text in {path}, got: {error}; fetch the file again") from error


def read_objects(path: Path, *, required: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and JSON objects; DatasetError unless each has the `required` fields."""
    for number, line in read_lines(path):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise DatasetError(f"{path} line {number}: expected a JSON object, got {line[:60]!r} ({error})") from error
        if not isinstance(value, dict):
            raise DatasetError(f"{path} line {number}: expected a JSON object, got {line[:60]!r}")
        if missing := [name for name in required if value.get(name) is None]:
            raise DatasetError(
                f"{path} line {number}: expected the fields {', '.join(required)}, without "
                f"{', '.join(missing)} it is of no use; "
                f"the line has {', '.join(value) or 'none'}"
            )
        yield number, value


def text_of(value: Mapping[str, Any], name: str) -> str:
    """The field as text without white space around it; empty when it is absent or null."""
    given = value.get(name)
    return "" if given is None else str(given).strip()


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
