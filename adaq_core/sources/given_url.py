"""Pages whose addresses the user gave, with the question or in GIVEN_URLS: their main text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.sources.documents import found

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings


@dataclass(frozen=True, slots=True)
class GivenUrl:
    """The given pages, whatever the query."""

    name: ClassVar[str] = "given_url"
    about: ClassVar[str] = "Pages that you name: web pages, plain text or PDF, no key"
    needs_key: ClassVar[str | None] = "GIVEN_URLS"

    urls: tuple[str, ...] = ()

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> GivenUrl:
        """The pages given with the question, then those that GIVEN_URLS lists."""
        return cls(tuple(dict.fromkeys((*settings.urls, *settings.words("GIVEN_URLS")))))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The text of every given page (`limit` does not count here: each was asked for by name)."""
        from adaq_core.sources.documents import read_page

        if not self.urls:
            raise SourceError("no page is named: give its address with the question, or in GIVEN_URLS")
        pages, problems = [], []
        for url in self.urls:
            try:
                page = read_page(url, http)
            except SourceError as error:
                problems.append(str(error))
                continue
            pages.append(
                found(
                    self.name, url=url, title=page.title, text=page.text, whole=True, source=page.source, date=page.date
                )
            )
        if not pages:
            raise SourceError("; ".join(problems))
        http.notes.extend(problems)
        return pages


SOURCE = GivenUrl
