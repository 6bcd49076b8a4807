"""Dates and periods as people write them: 2023-10-06, October 6, 2023, Q3 2022, third quarter of 2022, 2021."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_NUMBER = {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
_MONTH = r"(?P<{0}>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)\.?"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_YEAR = r"(?:1[5-9]|20)\d\d"
_DATE = re.compile(
    "|".join(
        (
            rf"\b(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)",
            rf"\b{_MONTH.format('m2')}\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>{_YEAR})\b",
            rf"\b(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format('m3')},?\s+(?P<y3>{_YEAR})\b",
            rf"\b{_MONTH.format('m4')},?\s+(?:of\s+)?(?P<y4>{_YEAR})\b",
            rf"\bQ(?P<q5>[1-4])(?:\s+of)?[\s,-]+(?:FY\s*)?(?P<y5>{_YEAR})\b",
            rf"\b(?P<y6>{_YEAR})[\s,-]+Q(?P<q6>[1-4])\b",
            rf"\b(?P<q7>first|second|third|fourth|1st|2nd|3rd|4th)[\s-]+quarter(?:\s+of)?(?:\s+fiscal)?(?:\s+year)?,?\s+(?P<y7>{_YEAR})\b",
            rf"\b(?P<y8>{_YEAR})\b",
        )
    )
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date or period: year, and month and day or quarter where they are said. `span` is where it was read."""

    year: int
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    span: tuple[int, int] = (0, 0)

    @property
    def is_day(self) -> bool:
        """Whether it names one day."""
        return self.day is not None

    @property
    def key(self) -> str:
        """The same text for the same date: 2023-10-06, 2023-10, 2022-Q3, 2021."""
        if self.quarter is not None:
            return f"{self.year}-Q{self.quarter}"
        parts = [f"{self.year}"] + [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


def dates(text: str) -> list[Date]:
    """The dates and periods of `text` in order, the most specific reading of each place."""
    return [date for match in _DATE.finditer(text) if (date := _read(match)) is not None]


def _read(match: re.Match[str]) -> Date | None:
    given = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    month = given.get("m")
    number = None if month is None else int(month) if month.isdigit() else _NUMBER[month[:3].lower()]
    quarter = given.get("q")
    day = int(given["d"]) if "d" in given else None
    if (number is not None and not 1 <= number <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Date(
        year=int(given["y"]),
        month=number,
        day=day,
        quarter=None if quarter is None else _QUARTERS.get(quarter) or int(quarter),
        span=match.span(),
    )


def spelled(date: str) -> str:
    """An ISO date as search words: 2023-10-06T… → "2023-10-06 October 6, 2023"; other text as it is."""
    found = dates(date)
    if not found or found[0].month is None:
        return date
    first = found[0]
    month = MONTHS[first.month - 1] if first.month else ""
    long = f"{month} {first.day}, {first.year}" if first.day else f"{month} {first.year}"
    return f"{first.key} {long}"
