"""What a question means without naming it: the end of a chain, and the one thing that several sources tell of.

"When was the record label of Planningtorock established?" names Planningtorock; one other passage of the set is about
something that its passage names, the label, and says when that was established. "Which company, as reported by A and by
B, …?" means what the passages of both name most.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adaq_core.answers.chain_forms import WHAT_IS_ASKED, Asking, Form, attribute_asked, form_asked, value_at
from adaq_core.answers.choose import NOT_PERSON, typed_spans
from adaq_core.answers.sides import Computed, bridge, key_of
from adaq_core.matching.lexicon import Value
from adaq_core.model import AnswerKind, Passage
from adaq_core.question.parse import parse
from adaq_core.text.entities import countries_in, is_nationality, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, fold, terms_of, words

_YEAR_ASKED = re.compile(r"(?i)\byear\b")
_TOWN_ASKED = re.compile(r"(?i)\b(?:city|town)\b")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


def at_chains_end(question: str, passages: Sequence[Passage], *, role: str = "") -> Computed | None:
    """The attribute asked for, of the one thing that the things named in the question lead to.

    With a `role` (how passages introduce who has it) that thing is the one which has the role.
    """
    attribute = attribute_asked(question)
    if attribute is None:
        return None
    named = [passage for passage in passages if _is_named(question, passage)]
    if not _leads_on(question, named):
        return None
    ends = [p for p in passages if p not in named and any(_names(first, p) for first in named)]
    if not all(_in_the_years(question, end, named) for end in ends):
        return None
    value = next((v for p in ends if (v := attribute.read(p)) is not None), None)
    if value is None or len({p.title for p in ends}) != 1:
        return None
    start = next(first for first in named if _names(first, value.passage))
    if role and not _has_role(start, role, value.passage, passages):
        return None
    at = fold(start.text).find(_bare(value.passage))
    via = value_at(start, at, at + len(_bare(value.passage)))
    step = f"{start.title} → {value.passage.title}: {value.text}"
    return Computed(_as_asked(question, attribute.kind, value.text), attribute.kind, (value,), step, (via,))


def _leads_on(question: str, named: Sequence[Passage]) -> bool:
    """Whether a question says more than one name and what is asked of it: "when can Jonas Weber start" asks of him."""
    told = terms_of(WHAT_IS_ASKED.sub(" ", question))
    return not any(told <= terms_of(passage.title) for passage in named)


def _has_role(start: Passage, role: str, end: Passage, passages: Sequence[Passage]) -> bool:
    """Whether `start` introduces the end of the chain as who has the role; an editor is no director."""
    step = bridge(start, role, passages)
    return step is not None and step[1].title == end.title


def _in_the_years(question: str, end: Passage, named: Sequence[Passage]) -> bool:
    """Whether the end of a chain is of the years that the question says and that belong to nothing it names."""
    known = " ".join(f"{passage.title} {passage.text}" for passage in (*named, end))
    return all(year in known for year in _YEAR.findall(question))


def _as_asked(question: str, kind: AnswerKind, text: str) -> str:
    """The year of a date, or the town without its state, where that is what the question asks for."""
    if kind == "date" and _YEAR_ASKED.search(question):
        match = re.search(r"\d{4}", text)
        return match[0] if match else text
    if kind == "place" and _TOWN_ASKED.search(question):
        return text.split(",")[0]
    return text


def _bare(passage: Passage) -> str:
    """The title without what stands in parentheses or behind a comma, folded."""
    return fold(re.sub(r"\s{0,3}\([^()]{0,120}\)", "", passage.title).split(",")[0]).strip()


def _is_named(question: str, passage: Passage) -> bool:
    """Whether a question says the title of a passage, in whatever order its words stand."""
    title = key_of(passage.title).split()
    return bool(title) and (set(title) <= set(words(question)) or _stands_in(_bare(passage), fold(question)))


def _names(first: Passage, other: Passage) -> bool:
    name = _bare(other)
    return first.title != other.title and len(name) > 2 and _stands_in(name, fold(first.text))


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text, in whole words; both are folded."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


_SHORTEST = 4  # characters of a name in which passages meet


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a chain: what `start` is about the question tells, and `bridge` leads from there to `end`.

    The end is about the bridge (`is_titled`), or is named too and says it (`is_named`), or only says it.
    """

    start: Passage
    end: Passage
    bridge: str
    is_titled: bool = False
    is_named: bool = False


def read_end(question: str, passages: Sequence[Passage]) -> Computed | None:
    """The short answer that the end of a chain states in one of the known forms; None where ends state several."""
    asked = " ".join(question.split()).rstrip(" ?.")
    found = form_asked(asked)
    if found is None or asks_of_one(asked, passages) or parse(question).kind in ("choice", "yes_no", "comparison"):
        return None
    form, match = found
    read = [_read(asked, link, form, match) for link in links(asked, passages) if _leads(asked, link, form)]
    results = [computed for computed in read if computed is not None]
    return results[0] if len({fold(computed.text) for computed in results}) == 1 else None


_OF_ONE = re.compile(
    r"(?i)(?:when|where|who|(?:in )?(?:what|which)(?: \w+)?) (?:was|were|is|are|did|does|has|had) "
    r"(?:the (?P<kind>\w+ of )?|an? )?"
)
_DEED = 2  # words


def asks_of_one(asked: str, passages: Sequence[Passage]) -> bool:
    """Whether a question asks a deed of the thing of a title: "when was A published", from which nothing leads on."""
    asks = _OF_ONE.match(asked)
    if asks is None:
        return False
    rest = fold(asked[asks.end() :].rstrip(" ?."))
    starts = (fold(asks["kind"] or "") + rest, rest)  # "the city of A" is A, "the Battle of A" is not
    bare = [_bare(passage) for passage in passages]
    behind = (start.removeprefix(name) for start in starts for name in bare if start.startswith(name))
    return any(deed == "" or (deed.startswith(" ") and len(deed.split()) <= _DEED) for deed in behind)


def _leads(asked: str, link: Link, form: Form) -> bool:
    """Whether what a form asks is told of the end of such a link, in the years that the question says."""
    match form.told_of:
        case "bridge":
            fits = link.is_titled
        case "object":
            fits = link.is_named and _is_object(asked, link)
        case "setting":
            fits = link.is_named and words(asked)[-1] in words(link.end.title)
        case "end":
            fits = True
    return fits and _in_the_years(asked, link.end, [link.start])


def _is_object(asked: str, link: Link) -> bool:
    """Whether the question says the end of a link in front of its start: the song, and then whose it is."""
    places = [fold(asked).find(_bare(passage)) for passage in (link.end, link.start)]
    return -1 < places[0] < places[1]


def _read(asked: str, link: Link, form: Form, match: re.Match[str]) -> Computed | None:
    """What the end of a link states in a form, where it is neither asked nor the way there."""
    passed = fold(f"{asked} {link.bridge} {link.start.text if link.is_named else ''}")
    for start, stop in form.read(Asking(match, link.end.text, link.bridge)):
        text = _as_asked(asked, form.kind, link.end.text[start:stop])
        if fold(text) not in passed:
            value = Value(link.end, link.end.text[start:stop], start, stop, "")
            step = f"{link.start.title} → {link.end.title}: {value.text}"
            return Computed(text, form.kind, (value,), step, (_via(link),))
    return None


def _via(link: Link) -> Value:
    """Where the start of a link says the bridge; its first words where it is about the bridge itself."""
    at = max(fold(link.start.text).find(fold(link.bridge)), 0)
    stop = at + len(link.bridge)
    return Value(link.start, link.start.text[at:stop], at, stop, "")


def links(asked: str, passages: Sequence[Passage]) -> Iterator[Link]:
    """The steps from what a question names to other passages of the set.

    Where no title is named, what is named in a title or in the sentence that opens a passage begins the chain.
    """
    named = [passage for passage in passages if _is_named(asked, passage)]
    speaking = [passage for passage in passages if _speaks_of_named(asked, passage)]
    for end in passages:
        starts = [each for each in named or speaking if each.title != end.title]
        about = next((each for each in starts if _names(each, end)), None) if end not in named else None
        if about is not None:
            yield Link(about, end, _bare(end), is_titled=True)
        for start in starts:
            shared = _shared(asked, start, end)
            yield from (Link(start, end, bridge, is_named=end in named) for bridge in shared)
        for start in passages:
            if end in named and start not in named and _names(end, start) and _tells_of_named(asked, start, end):
                yield Link(start, end, _bare(start), is_named=True)


def _speaks_of_named(asked: str, passage: Passage) -> bool:
    """Whether the title of a passage, or the sentence that opens it, says a name of the question."""
    start, end = next(iter(sentences(passage.text)), (0, 0))
    opening = fold(f"{passage.title} {passage.text[start:end]}")
    return any(_stands_in(fold(name), opening) for name in _names_of(asked))


def _tells_of_named(asked: str, start: Passage, end: Passage) -> bool:
    """Whether the text of a passage says a name of the question that is not the end's."""
    text, title = fold(start.text), fold(end.title)
    return any(_stands_in(fold(name), text) for name in _names_of(asked) if not _stands_in(fold(name), title))


def _shared(asked: str, start: Passage, end: Passage) -> list[str]:
    """The names that both passages say and the question does not."""
    told = (name for name in _names_of(start.text) if not is_nationality(name))
    own = dict.fromkeys(name for name in told if not _stands_in(fold(name), fold(asked)))
    return [name for name in own if _stands_in(fold(name), fold(end.text))]


def _names_of(text: str) -> list[str]:
    """The names of a text that are long enough to tell one thing from another."""
    kinds = ("name", "acronym", "quoted")
    return [name.text for name in names(text) if name.kind in kinds and len(name.text) >= _SHORTEST]


_FULL_NAME = re.compile(r"[A-Z][a-z]{1,20}(?: [A-Z]\.?)?(?: [A-Z][\w'’-]{1,30}){1,2}")
_MOST_WORDS = 4
_AHEAD = 2


@dataclass(slots=True)
class _Mention:
    """A name in the set: the documents that name it, how often, and its place in the first of them."""

    documents: set[str]
    first: Value
    count: int = 0


def named_by_all(question: str, passages: Sequence[Passage]) -> Computed | None:
    """Return whom a question means that several sources report on: the name that their documents say most by far.

    Twice as often as the next; a person also if in more documents. Not where the question names no source.
    """
    parsed = parse(question)
    if parsed.kind not in ("person", "organisation") or not any(c.kind == "source" for c in parsed.conditions):
        return None
    mentions = _mentions(passages, frozenset(words(question)), is_person=parsed.kind == "person")
    by_name = [mentions[name] for name in sorted(mentions)]
    ranked = sorted(by_name, key=lambda each: (-len(each.documents), -each.count))
    if not ranked or len(ranked[0].documents) < 2:
        return None
    best, following = ranked[0], ranked[1] if len(ranked) > 1 else None
    if following is not None and not _is_ahead(best, following, is_person=parsed.kind == "person"):
        return None
    step = f"named {best.count} times in {len(best.documents)} documents"
    return Computed(best.first.text, parsed.kind, (best.first,), step)


def _is_ahead(best: _Mention, following: _Mention, *, is_person: bool) -> bool:
    more = len(best.documents) > len(following.documents)
    return best.count >= _AHEAD * following.count or (is_person and more)


def _mentions(passages: Sequence[Passage], known: frozenset[str], *, is_person: bool) -> dict[str, _Mention]:
    """The names that the question does not say; a person by the last word, shown with the full name most used."""
    results: dict[str, _Mention] = {}
    full: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in passages:
        for value in _names_in(passage, known):
            key = value.text.split()[-1] if is_person else value.text
            if is_person and _FULL_NAME.fullmatch(value.text):
                full[key][value.text] += 1
            elif is_person and " " in value.text:
                continue
            mention = results.setdefault(key, _Mention(set(), value))
            mention.documents.add(passage.document_id)
            mention.count += 1
            if is_person and value.text == _most_used(full[key]):
                mention.first = value
    return {key: mention for key, mention in results.items() if not is_person or full[key]}


def _most_used(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], len(form)), default="")


def _names_in(passage: Passage, known: frozenset[str]) -> Iterable[Value]:
    """The names of a passage of one to four words, without places and without words of the question."""
    for span in typed_spans("fact", passage.text):
        name = re.sub(r"['’]s$", "", span.text.rstrip(" .,;:"))
        parts = set(words(name))
        if len(name) < 3 or not name[0].isupper() or len(name.split()) > _MOST_WORDS or parts & known:
            continue
        if not parts <= STOP_WORDS and not parts & NOT_PERSON and not countries_in(name):
            yield value_at(passage, span.start, span.start + len(name))
