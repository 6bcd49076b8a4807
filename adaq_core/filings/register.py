"""The companies, filings and reports of a corpus: whose each is, of which period, and which passages are its pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.filings.formula import LineItems, line_items
from adaq_core.matching.lexicon import is_common_word
from adaq_core.model import Passage
from adaq_core.retrieval import Corpus, Filed, Places
from adaq_core.text.entities import Name, names, not_owning
from adaq_core.text.tokens import tokens
from adaq_core.text.values import Date, dates

_SUFFIXES = """
inc incorporated corp corporation company companies co plc ltd limited llc ag se nv sa group holdings holding the
international communications systems enterprises technologies platforms stores wholesale
"""
_SUFFIX_WORDS = frozenset(_SUFFIXES.split())
_COMMON_FIRST = "american general best united first new national international global southern western"
_NO_FIRST_WORD = frozenset(_COMMON_FIRST.split())
_MOST_WORDS = 5
_WORDS_KEPT = 4096
_TEXTS_KEPT = 1024
_LONG_ENOUGH = 5
_SHORTEST_OWN = 3  # letters of a name in small letters
_CAPITALS = re.compile(r"\b[A-Z][a-z]")
_BESIDE = re.compile(r"(?i)(?:['’]s)?(?:,| (?:or|and|vs\.?|versus|than|against)) ")
_ARTICLES = frozenset(("the", "a", "an", "our", "this", "that", "its"))  # "the target", "a block" are no companies
_WORD = re.compile(r"[\w&.'’-]+")
_ALWAYS = re.compile(
    r"(?i)^(?:what|which|who|how|when|where|why|is|are|was|were|do|does|did|has|have|in|for|the|of|at|on|if)$"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A company (its number) and where a question names it."""

    company: int
    span: tuple[int, int]


def _are_beside(one: tuple[int, int], other: tuple[int, int], question: str) -> bool:
    """Whether two companies, or a company and a name, stand side by side: "Microsoft or amazon"."""
    first, second = sorted((one, other))
    return _BESIDE.fullmatch(question[first[1] : second[0]]) is not None


class Companies:
    """Numbers for issuers: filings whose cards share a name, a ticker or a name in the file name have one issuer."""

    def __init__(self, cards: Iterable[Mapping[str, str]]) -> None:
        self.of: list[int] = []
        self.labels: list[str] = []
        self._names: dict[str, set[int]] = {}
        identities: dict[str, int] = {}
        for card in cards:
            self.of.append(self._number(card, identities))
        self._add_short_names()
        self._in_order = sorted(self._names)
        # A question in parts asks it of the same texts a thousand times, from all sides.
        self._mentions = lru_cache(maxsize=_TEXTS_KEPT)(self._mentions_in)

    def named_in(self, question: str) -> list[Mention]:
        """The companies that `question` names, by the longest run of words; ambiguous names are passed over."""
        return list(self._mentions(question))

    def _mentions_in(self, question: str) -> tuple[Mention, ...]:
        small = self._named_in(question, is_small=True)
        if _CAPITALS.search(question):
            named = self._named_in(question, is_small=False)
        else:
            named = small
        if not named:
            return tuple(small)
        begun = {each.span[0] for each in named}
        new = (each for each in small if each.span[0] not in begun)
        beside = (each for each in new if any(_are_beside(each.span, other.span, question) for other in named))
        return tuple(sorted([*named, *beside], key=lambda each: each.span))

    def _named_in(self, question: str, *, is_small: bool) -> list[Mention]:
        words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(question)]
        mentions: list[Mention] = []
        at = 0
        while at < len(words):
            is_after_article = at > 0 and words[at - 1][0] in _ARTICLES
            is_bare = is_small and not (is_after_article and is_common_word(words[at][0]))
            run = self._longest(words[at : at + _MOST_WORDS], small=is_bare)
            if run is not None:
                length, company = run
                mentions.append(Mention(company, (words[at][1], words[at + length - 1][2])))
                at += length
            else:
                at += 1
        return mentions

    def _longest(self, words: list[tuple[str, int, int]], *, small: bool) -> tuple[int, int] | None:
        """How many of `words` are a company's name; `small`: in a question that writes no word with a capital."""
        first = words[0][0]
        is_name = first[0].isupper() or first[0].isdigit() or (small and _is_no_small_word(first))
        if not is_name or not self._may_begin(first) or _ALWAYS.match(first):
            return None
        for length in range(len(words), 0, -1):
            text = "".join(word for word, _, _ in words[:length])
            bare = not_owning(text)
            keys = [key_of(text), key_of(bare)]
            if small and bare.endswith("s"):
                keys.append(key_of(bare[:-1]))
            holders = next((held for key in keys if (held := self._names.get(key))), None)
            if holders is not None and len(holders) == 1:
                return length, next(iter(holders))
        return None

    def _may_begin(self, word: str) -> bool:
        """Whether a known name begins as a word does, its ending aside: most words of a question begin none."""
        begin = key_of(not_owning(word)).removesuffix("s")
        at = bisect_left(self._in_order, begin)
        return at < len(self._in_order) and self._in_order[at].startswith(begin)

    def short_name(self, company: int) -> str:
        """The name of a company without "Inc." and the like, as its label is spelled."""
        label = self.labels[company]
        core = set(_core(label))
        kept = (word for word in re.split(r"[\s,]+", label) if word.lower().removesuffix(".com") in core)
        return " ".join(word.removesuffix(".COM").removesuffix(".com") for word in kept) or label

    def _number(self, card: Mapping[str, str], identities: dict[str, int]) -> int:
        names = [card[name] for name in ("issuer_in_name", "company", "ticker", "issuer") if card.get(name)]
        keys = [key for name in names for key in dict.fromkeys((key_of(name), key_of(" ".join(_core(name))))) if key]
        company = next((identities[key] for key in keys if key in identities), len(self.labels))
        if company == len(self.labels):
            self.labels.append(card.get("issuer") or card.get("company") or card.get("issuer_in_name", ""))
        for key in keys:
            identities.setdefault(key, company)
        for name in names:
            for key in _spellings(name):
                self._names.setdefault(key, set()).add(company)
        return company

    def _add_short_names(self) -> None:
        """Add the first word of a name where it is long and no other company's name."""
        firsts: dict[str, set[int]] = {}
        for company, label in enumerate(self.labels):
            core = _core(label)
            first = key_of(core[0]) if core else ""
            if len(first) >= _LONG_ENOUGH and first not in _NO_FIRST_WORD:
                firsts.setdefault(first, set()).add(company)
        for key, holders in firsts.items():
            self._names.setdefault(key, holders)


@lru_cache(maxsize=_WORDS_KEPT)
def _is_no_small_word(word: str) -> bool:
    """Whether a word typed small may be a company's: a long one, or four letters that are no English word."""
    length = len(key_of(word))
    return length >= _LONG_ENOUGH or (length == _LONG_ENOUGH - 1 and not is_common_word(word))


@lru_cache(maxsize=_WORDS_KEPT)
def key_of(name: str) -> str:
    """A name as it compares: letters and digits only, in lower case ("Coca-Cola" and "COCACOLA" meet)."""
    return "".join(c for c in name.lower() if c.isalnum())


def _core(name: str) -> list[str]:
    """The words of a name without "The", "Inc." and the like; all of them where nothing else is left."""
    words = [word for word in re.split(r"[\s,()/]+", name) if word]
    core = [word for word in words if key_of(word.removesuffix(".com")) not in _SUFFIX_WORDS]
    core = [word.lower().removesuffix(".com") for word in core]
    return core or words


def _spellings(name: str) -> Iterable[str]:
    core = _core(name)
    yield key_of(name)
    yield key_of(" ".join(core))
    words = [word for word in core if key_of(word)]
    if len(words) >= 3:
        yield "".join(key_of(word)[0] for word in words)
    if len(words) == 2:
        a, b = (key_of(word) for word in words)
        if a == b or "&" in name:
            yield a[0] + b[0]
            yield f"{a[0]}n{b[0]}"
            yield f"{a[0]}and{b[0]}"
            yield f"{a}and{b}"


_FEWEST = 2
REPORTS_KEPT = 32  # whose texts are kept, and what their sentences say
Found = TypeVar("Found")
# A name is a company's own that so many of its passages say, and that few of all passages which say it are of others:
# 73 of the 77 that name LinkedIn are Microsoft's, 6 of the 7 that name Google are of two others.
_OFTEN, _OWN = 5, 0.9
_ALMOST_ALL = 0.95  # of a corpus


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
    own: tuple[int, int] | None = None  # fiscal year and quarter as the issuer counts them

    @property
    def order(self) -> tuple[int, int, int]:
        """How new it is, for comparing: by the end of its period, then by its fiscal label."""
        end = self.end or Date(self.year or 0)
        return end.number, self.year or 0, self.quarter or 0


class Filings:
    """All filings of a corpus, by number, and the companies that file them: the same for all runs."""

    def __init__(self, index: Corpus) -> None:
        self.all, self.companies, self.documents = _filings(index)
        owners = [(place, filing.number) for filing in self.all for place in filing.places]
        self._owners = np.array(sorted(owners), dtype=np.int64).reshape(-1, 2)
        self.digits = np.zeros(0, dtype=np.bool_)
        self.texts: dict[int, str] = {}

    @property
    def passages(self) -> int:
        """How many passages they have."""
        return len(self._owners)

    def of(self, places: Places) -> NDArray[np.int64]:
        """The number of the filing of each place; -1 for passages of other documents."""
        asked = np.asarray(places, dtype=np.int64)
        if not len(self._owners):
            return np.full(len(asked), -1, dtype=np.int64)
        near = np.minimum(np.searchsorted(self._owners[:, 0], asked), len(self._owners) - 1)
        numbers: NDArray[np.int64] = np.where(self._owners[near, 0] == asked, self._owners[near, 1], -1)
        return numbers


class Register:
    """The filings of a corpus as one run reads them, the companies that file them, and how their lines are called."""

    def __init__(self, index: Corpus, held: Filings) -> None:
        self.index, self.held = index, held
        self.filings, self.companies = held.all, held.companies
        self.profile: LineItems = line_items()

    def bare(self, text: str) -> str:
        """A text without the companies and periods that it names."""
        spans = [mention.span for mention in self.companies.named_in(text)]
        return without(text, [*spans, *(date.span for date in dates(text))])

    def of_company(self, company: int) -> list[Filing]:
        """The filings of a company, newest first."""
        own = [filing for filing in self.filings if filing.company == company]
        own.sort(key=lambda filing: filing.number)
        return sorted(own, key=lambda filing: filing.order, reverse=True)  # which leaves equals in their order

    def owners_of_names(self, question: str) -> list[Mention]:
        """Whose a name of the question is that almost only one company's filings say: AWS, Azure, Windows OEM."""
        owned = _may_be_owned(question)
        return self._owners(owned) or self._owners([_first_word(name) for name in owned if " " in name.text])

    def _owners(self, owned: Sequence[Name]) -> list[Mention]:
        owners = map(self._owner_of, self._holders(owned))
        pairs = zip(owned, owners, strict=True)
        return [Mention(owner, (name.start, name.start)) for name, owner in pairs if owner is not None]

    def owners_beside(self, question: str, named: Sequence[Mention]) -> list[Mention]:
        """Whose a name is that stands beside a company which a question names: "AWS or Microsoft's cloud"."""
        owned = [name for name in _may_be_owned(question) if not self.companies.named_in(name.text)]
        spans = [(name, (name.start, name.start + len(name.text))) for name in owned]
        near = [name for name, span in spans if any(_are_beside(span, other.span, question) for other in named)]
        known = {mention.company for mention in named}
        return [mention for mention in self._owners(near) if mention.company not in known]

    def look_up(self, texts: Sequence[str]) -> None:
        """Hear in which texts companies will be looked for: the names of all are asked for at once."""
        unknown = [text for text in texts if not self.companies.named_in(text)]
        self._holders([name for text in unknown for name in _may_be_owned(text)])

    def _holders(self, owned: Sequence[Name]) -> list[NDArray[np.int64]]:
        return self.index.all_holding([list(tokens(name.text)) for name in owned])

    def _owner_of(self, places: Places) -> int | None:
        numbers = self.filing_of(places).tolist()
        passages = Counter(self.filings[number].company for number in numbers if number >= 0)
        least = max(_OFTEN, _OWN * len(places))
        return next((company for company, times in passages.most_common(1) if times >= least), None)

    def filing_of(self, places: Places) -> NDArray[np.int64]:
        """The number of the filing of each place; -1 for passages of other documents."""
        return self.held.of(places)

    @property
    def is_all_filings(self) -> bool:
        """Whether almost every passage of the corpus is of a filing."""
        return self.held.passages >= _ALMOST_ALL * self.index.size

    @property
    def digits(self) -> NDArray[np.bool_]:
        """Which terms of the corpus's vocabulary are numbers."""
        terms, known = self.index.vocabulary, self.held.digits
        if len(terms) != len(known):
            known = self.held.digits = np.array([term[:1].isdigit() for term in terms], dtype=np.bool_)
        return known

    def will_read(self, filings: Iterable[Filing]) -> None:
        """Hear whose passages may be read soon."""
        self.index.will_read([place for filing in filings for place in filing.places])

    def passages(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        return self.index.read(places)

    def text_of(self, filing: Filing) -> str:
        """The text of a filing; those read last are kept."""
        kept = self.held.texts
        text = kept.pop(filing.number, None) or joined(self.passages(filing.places))[0]
        kept[filing.number] = text
        if len(kept) > REPORTS_KEPT:
            kept.pop(next(iter(kept)), None)
        return text

    def is_paged(self, filing: Filing) -> bool:
        """Whether its passages are of several documents: one for each page."""
        return len(self.held.documents[filing.number]) > 1


def once(find: Callable[[Filing, Register], Found]) -> Callable[[Filing, Register], Found]:
    """Let what is found in a filing be found once, for all runs on its corpus."""
    kept: WeakKeyDictionary[Filings, dict[int, Found]] = WeakKeyDictionary()

    @wraps(find)
    def found(filing: Filing, register: Register) -> Found:
        own = kept.setdefault(register.held, {})
        if filing.number not in own:
            own[filing.number] = find(filing, register)
        return own[filing.number]

    return found


@once
def page_numbers(filing: Filing, register: Register) -> NDArray[np.int64]:
    """For each passage of a filing a number for its page.

    That is its document where a filing has one for each page, its "page" in a file, else the passage itself.
    """
    beyond = register.index.size
    known: dict[str, int] = {}
    pages: list[int] = []
    if register.is_paged(filing):
        pages = [each.document for each in register.held.documents[filing.number] for _ in each.places]
    else:
        for place, passage in zip(filing.places, register.passages(filing.places), strict=True):
            number = dict(passage.metadata).get("page", "")
            pages.append(known.setdefault(number, place + beyond) if number else place + beyond)
    return np.array(pages, dtype=np.int64)


def joined(passages: Sequence[Passage]) -> tuple[str, list[int]]:
    """The text of passages that follow each other, what they share said once, and where each begins in it.

    Those of two documents, as each page of a filing may be one, share nothing.
    """
    text, starts, end, document = "", [], 0, ""
    for passage in passages:
        shared = max(0, end - passage.start) if passage.document_id == document else 0
        starts.append(len(text) - shared)
        text += passage.text[shared:] if shared else ("\n" if text else "") + passage.text
        end, document = passage.end, passage.document_id
    return text, [max(0, start) for start in starts]


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with a blank for each of these ranges."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def holder_of(text: str, passages: Iterable[Passage]) -> Passage | None:
    """The first passage that holds a text."""
    return next((passage for passage in passages if text in passage.text), None)


def register_of(corpus: Corpus) -> Register | None:
    """The register of a corpus, made once but for who reads; None where it holds fewer than two filings."""
    index = corpus.stored
    filings = _FILINGS_OF.get(index.shared)
    if filings is None:
        filings = _FILINGS_OF[index.shared] = Filings(index)
    return Register(index, filings) if len(filings.all) >= _FEWEST else None


def _may_be_owned(text: str) -> list[Name]:
    """The names of a text; where it writes no word with a capital, its words that are no ordinary ones: "mac sales"."""
    owned = [name for name in names(text) if name.kind in ("name", "acronym")]
    if not owned and not _CAPITALS.search(text):
        small = (match for match in _WORD.finditer(text) if len(match.group()) >= _SHORTEST_OWN)
        owned = [Name(match.group(), *match.span()) for match in small if match.group().isalpha()]
        owned = [name for name in owned if not is_common_word(name.text)]
    return [name for name in owned if not _ALWAYS.match(name.text)]


def _first_word(name: Name) -> Name:
    """The first word of a name, which more passages say: the iPhone of an iPhone 14 Pro."""
    first = name.text.split()[0]
    return Name(first, name.start, name.start + len(first), name.kind)


_FILINGS_OF: WeakKeyDictionary[object, Filings] = WeakKeyDictionary()


def _filings(index: Corpus) -> tuple[list[Filing], Companies, list[list[Filed]]]:
    """The works whose card names a form, in corpus order; the companies; the documents of each work."""
    works: dict[int, list[Filed]] = {}
    for each in index.filed:
        works.setdefault(each.work, []).append(each)
    cards = [documents[0].card for documents in works.values()]
    companies = Companies(cards)
    places = ([place for each in documents for place in each.places] for documents in works.values())
    filings = [
        _filing(number, company, card, own)
        for number, (company, card, own) in enumerate(zip(companies.of, cards, places, strict=True))
    ]
    return filings, companies, list(works.values())


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
        own=next(((d.year, d.quarter) for d in dates(card.get("fiscal_period", "")) if d.quarter), None),
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None
