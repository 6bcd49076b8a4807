"""Readers of files, one module per family: found by their `READERS`, not registered."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache
from importlib import import_module

from adaq_core.corpus.reading import DAY_IN_NAME, Limits, Reading, SourceFile, gunzip, refuse_large
from adaq_core.errors import AdaqError, FileReadError

Reader = Callable[[SourceFile], Reading]


@cache
def readers() -> dict[str, Reader]:
    """Each suffix (".pdf") with the function that reads such files."""
    results: dict[str, Reader] = {}
    for module in pkgutil.iter_modules(__path__):
        results.update(import_module(f"{__name__}.{module.name}").READERS)
    return dict(sorted(results.items()))


def suffix_of(name: str) -> str:
    """The ending that decides who reads it, in lower case; that of "a.jsonl.gz" is ".jsonl"."""
    lower = name.lower().removesuffix(".gz")
    dot = lower.rfind(".")
    if dot > lower.rfind("/") + 1:
        return lower[dot:]
    return ""


def read(key: str, data: bytes, limits: Limits | None = None) -> Reading:
    """The documents in the file `key`; FileReadError says what is wrong with it."""
    limits = limits or Limits()
    reader = readers().get(suffix_of(key))
    if reader is None:
        raise FileReadError(
            f"cannot read {suffix_of(key) or 'files without an ending'}; can read {' '.join(readers())}"
        )
    refuse_large(len(data), limits)
    if not data:
        raise FileReadError("is empty; expected some text")
    if key.lower().endswith(".gz"):
        content = gunzip(data, limits)
    else:
        content = data
    try:
        reading = reader(SourceFile(key, content, limits))
    except AdaqError:
        raise
    except Exception as error:  # whatever a parser throws at a damaged or hostile file becomes that file's reason
        raise FileReadError(f"is damaged or not what its name says ({type(error).__name__}: {error})") from error
    return _only_with_text(_dated_by_name(reading, key))


def _dated_by_name(reading: Reading, key: str) -> Reading:
    """The one document of a file that states no date, with the day in the file's name: "minutes-2019-05-15.md"."""
    *_, name = key.split("/")
    days = DAY_IN_NAME.findall(name)
    if len(reading.documents) != 1 or len(days) != 1:
        return reading
    (document,) = reading.documents
    if document.date:
        return reading
    try:
        day = date(*map(int, days[0]))
    except ValueError:
        return reading
    dated = replace(document, date=day.isoformat())
    return replace(reading, documents=(dated,))


def _only_with_text(reading: Reading) -> Reading:
    full = tuple(document for document in reading.documents if document.text.strip())
    blank = len(reading.documents) - len(full)
    if not full:
        raise FileReadError("holds no text" + (f" ({'; '.join(reading.problems[:3])})" if reading.problems else ""))
    problems = (*reading.problems, f"{blank} records without text were left out") if blank else reading.problems
    return Reading(full, reading.notices, problems, reading.judged)
