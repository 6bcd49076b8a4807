"""The filings and reports of a corpus: whose each is, of which period, and which passages are its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.filings.companies import Companies
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.dates import Date, dates

_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Filing:
    """A filing or report: its number, its company's number, what its card says, its passages in the corpus (places)."""

    number: int
    company: int
    form: str
    label: str
    year: int | None
    quarter: int | None
    end: Date | None
    places: tuple[int, ...]

    @property
    def order(self) -> tuple[int, int, int]:
        """How new it is, for comparing: by the end of its period, then by its fiscal label."""
        end = self.end
        day = (end.year * 10_000 + (end.month or 0) * 100 + (end.day or 0)) if end else (self.year or 0) * 10_000
        return day, self.year or 0, self.quarter or 0


class Register:
    """All filings of a corpus, and the companies that file them."""

    def __init__(self, index: PassageIndex) -> None:
        self.index = index
        self.filings, self.companies = _filings(index)

    def of_company(self, company: int) -> list[Filing]:
        """The filings of a company, newest first."""
        own = [filing for filing in self.filings if filing.company == company]
        return sorted(own, key=lambda filing: (tuple(-part for part in filing.order), filing.number))

    @cached_property
    def filing_of(self) -> NDArray[np.int32]:
        """Per passage the number of its filing; -1 for passages of other documents."""
        numbers = np.full(len(self.index.passages), -1, dtype=np.int32)
        for filing in self.filings:
            numbers[list(filing.places)] = filing.number
        return numbers

    @cached_property
    def digits(self) -> NDArray[np.bool_]:
        """Which terms of the corpus's vocabulary are numbers."""
        return np.array([term[:1].isdigit() for term in self.index.lexical.vocabulary], dtype=np.bool_)

    @cached_property
    def page_of(self) -> NDArray[np.int64]:
        """Per passage a number for its page.

        That is its document where a filing has one for each page, its "page" in a file, else the passage itself.
        """
        document_of = self.index.graph.document_of
        pages = np.arange(len(self.index.passages), dtype=np.int64) + len(self.index.passages)
        for filing in self.filings:
            several = len({int(document_of[place]) for place in filing.places}) > 1
            known: dict[str, int] = {}
            for place in filing.places:
                said = "" if several else dict(self.index.passages[place].metadata).get("page", "")
                if several:
                    pages[place] = document_of[place]
                elif said:
                    pages[place] = known.setdefault(said, int(pages[place]))
        return pages


def register_of(index: PassageIndex) -> Register | None:
    """The register of a corpus, made once; None where it holds fewer than two filings."""
    known = _REGISTERS.get(index)
    if known is None:
        known = _REGISTERS[index] = Register(index)
    return known if len(known.filings) >= _FEWEST else None


_REGISTERS: WeakKeyDictionary[PassageIndex, Register] = WeakKeyDictionary()


def _filings(index: PassageIndex) -> tuple[list[Filing], Companies]:
    """The works whose card names a form, in corpus order."""
    works: dict[int, list[int]] = {}
    cards: dict[int, Mapping[str, str]] = {}
    for document, card in index.facets.cards.items():
        work = int(index.facets.work[document])
        cards.setdefault(work, card)
        works.setdefault(work, []).extend(index.graph.passages_of(document))
    companies = Companies(cards.values())
    filings = [
        _filing(number, company, cards[work], works[work])
        for number, (work, company) in enumerate(zip(cards, companies.of, strict=True))
    ]
    return filings, companies


def _filing(number: int, company: int, card: Mapping[str, str], places: list[int]) -> Filing:
    ends = dates(card.get("period_end", ""))
    return Filing(
        number=number,
        company=company,
        form=card["form"],
        label=card.get("period", ""),
        year=_number(card.get("fiscal_year")),
        quarter=_number(card.get("fiscal_quarter")),
        end=ends[0] if ends else None,
        places=tuple(places),
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None
