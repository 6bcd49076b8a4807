"""The words of the pages: names of methods and stop reasons, numbers with their units."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from adaq_core.export.verdict import count as count
from adaq_core.export.verdict import method_label as method_label
from adaq_core.export.verdict import percent as percent
from adaq_core.export.verdict import stop_title as stop_title
from adaq_core.methods import describe

_WRITTEN = {"EM": "EM", "F1": "F1", "auroc": "AUROC", "ece": "ECE", "usd": "USD", "ms": "ms", "null": "unanswerable"}


def measure_label(name: str) -> str:
    """Return what the field calls the measure: "Nugget recall", "AllGold@5"."""
    if "@" in name:
        return name.replace("passage_", "Passage ").replace("file_", "File ").replace("_", "-")
    words = " ".join(_WRITTEN.get(word, word) for word in name.split("_"))
    return _IN_UNITS.get(name, words[:1].upper() + words[1:])


_IN_UNITS = {"ms": "Time, ms", "ms_p50": "Median time, ms", "ms_p95": "95 % under, ms", "usd": "Cost, USD"}


def size(number: float | None) -> str:
    """Return a number of bytes as people read it: "262 bytes", "12 kB", "1.4 MB", "2.0 GB"; "" if unknown."""
    if number is None:
        return ""
    for unit, factor in (("GB", 1e9), ("MB", 1e6)):
        if number >= factor:
            return f"{number / factor:.{1 if number < 10 * factor else 0}f} {unit}"
    return f"{number / 1e3:.0f} kB" if number >= 1e3 else f"{number:.0f} bytes"


def methods_help(names: Sequence[str]) -> str:
    """Return what each method does, a line each, as Markdown."""
    lines = [(method_label(name), describe(name).partition(": ")[2]) for name in names]
    return "\n".join(f"- **{label}**: {what}" for label, what in lines)


def not_here(what: str) -> str:
    """Return a sentence saying that what a link names is not on this computer, and why that may be."""
    return f"There is no {what} on this computer. It may have been deleted, or the link comes from another computer."


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence: `A, B and C`."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def signed(value: float, *, digits: int = 0) -> str:
    """Return a difference with its sign: a true minus, and ±0 for none."""
    rounded = round(value, digits)
    if rounded == 0:
        return "±0"
    return f"{'+' if rounded > 0 else '−'}{abs(rounded):,.{digits}f}"


def ago(at: datetime, *, now: datetime | None = None) -> str:
    """Return how long ago `at` was, in the largest unit."""
    passed = ((now or datetime.now(UTC)) - at).total_seconds()
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if passed >= size:
            return f"{count(int(passed // size), unit)} ago"
    return "just now"


def seconds(value: float | None) -> str:
    """Return a duration as people read it: "12 ms", "0.31 s", "1 min 5 s"; "–" when unknown."""
    if value is None:
        return "–"
    if value < 0.0995:
        return f"{value * 1000:.0f} ms"
    if value < 59.95:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    whole = round(value)
    return f"{whole // 60} min {whole % 60} s"
