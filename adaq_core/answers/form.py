"""An answer in words, as Markdown: what it says and of itself (missing, not sure, contradicted), and its marks [1]."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations

from adaq_core.answers.evidence_sentences import EvidenceSentence, speaks_of_its_document
from adaq_core.matching.lexicon import Value
from adaq_core.model import (
    Answer,
    AnswerTable,
    Citation,
    Conflict,
    Constraint,
    NotCovered,
    Passage,
    QueryAspect,
    ShortAnswer,
    Statement,
    TableRow,
)
from adaq_core.question.answer_kinds import without_asking
from adaq_core.question.parse import parse
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import terms_of, tokens, upper_first, words

UNSURE = "what was found may not answer it"
# What runs that were stored before say in its place.
_UNSURE_BEFORE = "what is said on it is not sure to answer it"
UNCHECKED = "could not be checked"
NOT_CERTAIN = "Not certain"
_NOTHING = "No evidence was found for this question, so there is no answer"


def text_of(answer: Answer, aspects: Sequence[QueryAspect], *, certain: bool, listed: bool) -> str:
    """The answer as Markdown: the short answer, then the sentences by aspect, then what is missing."""
    parts = [_short_line(answer.short)] if answer.short else []
    if not certain:
        parts.append(f"**{NOT_CERTAIN}**")
    if answer.table is not None:
        parts += _table_lines(answer.table, answer.statements)
    parts += _paragraphs(answer, aspects, listed=listed)
    unsure = [m.aspect for m in answer.not_covered if m.reason == UNSURE] if certain else []
    lines = [f"{'; '.join(unsure)}: {UNSURE}."] if unsure else []
    lines += [f"{m.aspect}: {m.reason}." for m in answer.not_covered if m.reason.endswith(UNCHECKED)]
    parts += [f"**Not sure**\n\n{' '.join(lines)}"] if lines else []
    missing = [m for m in answer.not_covered if not is_unsure(m)]
    return "\n\n".join((*parts, *appendix(answer.conflicts, missing)))


def _short_line(short: ShortAnswer) -> str:
    line = marked(f"**{short.text}**", short.citations)
    return f"{line}\n\nWorked out from {short.derivation}." if short.derivation else line


def _paragraphs(answer: Answer, aspects: Sequence[QueryAspect], *, listed: bool) -> list[str]:
    """The statements that stand in no table, under the heading of their aspect where there are several."""
    if answer.table:
        tabled = {n for row in answer.table.rows for cell in row.cells for n in cell}
    else:
        tabled = set()
    rest = [s for n, s in enumerate(answer.statements) if n not in tabled]
    names = list(dict.fromkeys(s.aspect for s in rest))
    by_name = {a.aspect: a for a in aspects}
    headings = [heading_of(by_name[name]) if name in by_name else name for name in names]
    with_headings = len(names) > 1 and all(headings)
    parts = []
    for name, heading in zip(names, headings, strict=True):
        lines = [marked(_highlighted(s.text, answer.likely), s.citations) for s in rest if s.aspect == name]
        if listed:
            body = "\n".join(f"- {line}" for line in lines)
        else:
            body = " ".join(lines)
        parts.append(f"**{heading}**\n\n{body}" if with_headings else body)
    return parts


def _highlighted(text: str, likely: Sequence[str]) -> str:
    for candidate in likely:
        text = standing_alone(candidate).sub(lambda found: f"**{found[0]}**", text, count=1)
    return text


def standing_alone(candidate: str) -> re.Pattern[str]:
    """Return where `candidate` stands in a text as a word or number of its own: "7" does not stand in "17" or "7.5"."""
    return re.compile(rf"(?<![\w*])(?<!\d[.,]){re.escape(candidate)}(?![\w*]|[.,]\d)")


def _table_lines(table: AnswerTable, statements: Sequence[Statement]) -> list[str]:
    head = f"| | {' | '.join(_cell(c) for c in table.columns)} |"
    rule = "|---" * (len(table.columns) + 1) + "|"
    rows = []
    for row in table.rows:
        cells = [" ".join(_cell(rendered(statements[n])) for n in cell) for cell in row.cells]
        rows.append(f"| **{_cell(row.label)}** | {' | '.join(cell or '–' for cell in cells)} |")
    return ["\n".join((head, rule, *rows))]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def appendix(conflicts: Sequence[Conflict], missing: Sequence[NotCovered]) -> list[str]:
    """The parts of an answer that speak of itself: where sources disagree, and what it does not cover."""
    parts = []
    if conflicts:
        parts.append("**Sources disagree**\n\n" + "\n".join(_conflict_line(c) for c in conflicts))
    if missing:
        parts.append("**Not covered**\n\n" + "\n".join(_missing_line(m) for m in missing))
    return parts


OUTSIDE = "outside of the"  # the passages kept: it was found


def nothing_found(missing: Sequence[NotCovered], *, why: str = _NOTHING) -> str:
    """What is said in place of an answer when no passage speaks to any aspect, or none may be quoted."""
    lines = "\n".join(_missing_line(m) for m in missing)
    return f"{why}.\n\n**Not covered**\n\n{lines}"


NEAREST = "The nearest passages found, which do not answer the question"


def without_answer(why: str, nearest: Sequence[Statement], missing: Sequence[NotCovered]) -> str:
    """What is said in place of an answer: why, in a sentence without its full stop; the nearest; what is missing."""
    lines = "\n".join(f"- {marked(s.text, s.citations)}" for s in nearest)
    parts = (f"**Not enough evidence for an answer**\n\n{why}.", f"**{NEAREST}**\n\n{lines}", *appendix((), missing))
    return "\n\n".join(parts)


def _conflict_line(conflict: Conflict) -> str:
    sides = " / ".join(f"“{value}”" for value in conflict.values)
    return f"- {marked(f'{conflict.about}: {sides}', conflict.citations)}"


def _missing_line(missing: NotCovered) -> str:
    if missing.queries:
        tried = f"; tried: {'; '.join(f'“{q}”' for q in missing.queries)}"
    else:
        tried = "" if missing.reason.startswith(OUTSIDE) else "; not searched"
    return f"- {missing.aspect}: {missing.reason}{tried}"


_ASKS = re.compile(
    r"(?i)^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|will)\b"
)
_LONGEST_HEADING = 12
# What a section says of its thing, by kind of answer or type of aspect, where the aspect's name is a question.
_WHAT = {
    "reason": ": reasons", "causal": ": reasons", "way": ": how it works", "process": ": how it works",
    "date": ": dates",
    "person": ": people", "amount": ": amounts", "number": ": numbers", "place": ": places", "list": ": list",
}  # fmt: skip
_WORKS = re.compile(r"(?i)^how (?:do|does|did)\b.*\b(?:works?|functions?|operates?)\b")
# "Which of the eight companies had a strike": the heading is "Companies that had a strike".
_MEMBERS = re.compile(
    r"(?:[Ww]hich|[Ww]hat) (?:of (?:the|these|those) )?(?:\w{1,12} )?"
    r"(?P<things>(?!(?:has|is|was|does|its|this)\b)[a-z]{3,20}s) "
    r"(?P<rest>(?!(?:do|did|does) |(?:is|are|was|were|has|have|can|will) (?:the )?[A-Z])[a-z][^?]{3,70})"
)
# … and of "Which database was developed there" it is "Database that was developed there".
_ONE = re.compile(
    r"(?:[Ww]hich|[Ww]hat) (?P<things>[a-z]{3,20}) "
    r"(?P<rest>(?:is|was|has been|had been) (?:[a-z]{2,12} )?[a-z]{2,20}(?:ed|en|ade|ilt|wn|ought|eft|old) [^?]{2,70})"
)


_NOBODY = frozenset(("i", "we", "you", "one", "people", "anyone", "everyone"))  # "why do we need X" is not about us


def heading_of(aspect: QueryAspect) -> str:
    """The name of the aspect as a heading: what it is about, and the question itself where nothing shorter says it."""
    name = aspect.aspect.strip().rstrip("?")
    if members := _MEMBERS.fullmatch(name) or _ONE.fullmatch(name):
        return f"{members['things'].capitalize()} that {members['rest']}"
    if _ASKS.match(name) or len(name.split()) > _LONGEST_HEADING:
        if aspect.subject and not (_ASKS.match(aspect.subject) or aspect.subject.lower() in _NOBODY):
            thing = aspect.subject
        else:
            thing = ""
        what = _WHAT.get(aspect.answer_kind, _WHAT.get(aspect.aspect_type, ""))
        if what == _WHAT["way"] and not _WORKS.match(name):  # "How did Apple respond?" asks nothing of how it works
            return f"{name}?" if len(name.split()) <= _LONGEST_HEADING else thing
        if thing:
            return f"{upper_first(thing)}{what}"
        return f"{name}?" if len(name.split()) <= _LONGEST_HEADING else what.removeprefix(": ").capitalize()
    return upper_first(name)


_MOST_COLUMNS = 4


def table_of(
    aspects: Sequence[QueryAspect], statements: Sequence[Statement], planned: Sequence[QueryAspect]
) -> AnswerTable | None:
    """Aspects that ask the same of several things as a table; None where they do not, or only one thing has cells.

    What was `planned` of several things and told of one of them is a row, too.
    """
    cells: dict[tuple[str, str], str] = {}
    for aspect in aspects:
        thing, label = _thing_and_label(aspect)
        if thing and label:
            cells[label, thing] = aspect.aspect
    things = list(dict.fromkeys(thing for _, thing in cells))
    asked = {_thing_and_label(aspect) for aspect in planned}
    counts = Counter(label for thing, label in asked if thing and label)
    labels = [label for label in dict.fromkeys(label for label, _ in cells) if counts[label] > 1]
    if not 2 <= len(things) <= _MOST_COLUMNS or not labels:
        return None
    rows = tuple(
        TableRow(label, tuple(_places(cells.get((label, thing)), statements) for thing in things)) for label in labels
    )
    full = [row for row in rows if sum(bool(cell) for cell in row.cells) > 1]
    return AnswerTable(tuple(things), rows) if full else None


def _thing_and_label(aspect: QueryAspect) -> tuple[str, str]:
    """What an aspect is about and what it asks of that: “Supply risks of Apple” is supply risks, of Apple."""
    thing = aspect.subject.strip()
    if not thing or aspect.aspect_type == "comparison":
        return "", ""
    name = aspect.aspect
    match = re.fullmatch(
        rf"(?P<label>.+?)\s+(?:of|for|at|in|on|role of)\s+(?:the\s+)?{re.escape(thing)}", name, re.IGNORECASE
    )
    if match:
        return thing, match["label"]
    match = re.fullmatch(rf"{re.escape(thing)}:\s+(?P<label>.+)", name, re.IGNORECASE)
    if match:
        return thing, upper_first(match["label"])
    return "", ""


def _places(aspect: str | None, statements: Sequence[Statement]) -> tuple[int, ...]:
    return tuple(n for n, s in enumerate(statements) if aspect is not None and s.aspect == aspect)


_ALIKE = 0.5
_NUMBER = re.compile(r"[$€£]?\d[\d,]*(?:\.\d+)?\s?%?")
_MOST_MISSING = 4
OTHER_LANGUAGE = (
    "Answers are judged in English only. This question was searched as it stands, and the nearest passages are quoted."
)
_ADVICE = re.compile(
    # A manual says whether I should turn a switch, and nobody whether I should buy.
    r"(?i)(?:should|shall|must) (?:I|we|one|you) (?:now |still |also )?(?:buy|sell|hold|invest|short|bet)\b"
    # … but "Is A an investment of B?" asks what is so.
    r"|(?:is|are) .{1,60}? (?:an? (?:good |bad |strong |safe )?(?:buy|sell|hold)\b(?! (?:of|by))"
    r"|an? (?:good|bad|safe|sound|smart|wise|great|strong|attractive) investment\b"
    r"|worth (?:buying|selling|holding|investing)\b)"
)
_MARKS = '.,;:?!()"“”'
_TYPE_WORDS = re.compile(r"^[A-Z][\w/ ]{2,40}? (?:of|between) ")
_ASKING_TERMS = terms_of("much many")


def why_unclear(question: str) -> str:
    """Why a question has no answer in documents, whatever they say; empty where it may have one."""
    parsed = parse(question)
    if not parsed.is_english:
        return OTHER_LANGUAGE
    if _ADVICE.match(question.strip()):
        return "This asks for advice. The documents say what happened, not what to do."
    return parsed.unclear


_MUST_NOT = re.compile(r"(?i)\b(?:must|may|shall|should) not\b")  # which a rule says
_WHAT_IS_NOT = "This asks what is not the case. Documents say what is, so there is nothing to quote."


def why_not_denied(question: str, covered: Sequence[QueryAspect]) -> str:
    """Why "What does A not recognise?" has no answer where nothing covered denies it; empty for any other question."""
    is_asked = any(map(_is_denial, parse(question).conditions))
    is_said = any(_is_denial(condition) for aspect in covered for condition in aspect.constraints)
    is_apart = is_asked and not is_said and _MUST_NOT.search(question) is None
    return _WHAT_IS_NOT if is_apart else ""


def _is_denial(condition: Constraint) -> bool:
    """Whether only a sentence that denies something keeps a condition; "outside the US" only leaves something out."""
    return condition.kind == "negation" and not condition.value


def is_unsure(missing: NotCovered) -> bool:
    """Whether the answer speaks to the aspect all the same: it is not sure to answer, or a condition is open."""
    return missing.reason in (UNSURE, _UNSURE_BEFORE) or missing.reason.endswith(UNCHECKED)


def _overlap(one: str, other: str) -> float:
    a, b = terms_of(one), terms_of(other)
    if a and b:
        return len(a & b) / len(a | b)
    return 0.0


def conflicts_in(
    statements: Sequence[Statement], citations: Sequence[Citation], passages: Iterable[Passage]
) -> tuple[Conflict, ...]:
    """Find statements that differ only in their numbers: alike without them, with none in common, of one subject.

    A report tells of three months and of nine, another of another period: reports of periods do not contradict, nor do
    rows of one table, nor pages that state each the thing that it is about.
    """
    passages = list(passages)
    of_things = {passage.document_id for passage in passages if dict(passage.metadata).get("kind")}
    reports = {passage.document_id for passage in passages if dict(passage.metadata).get("period")}
    titles = sorted({f"{passage.title}: " for passage in passages}, key=len, reverse=True)
    told = [
        (statement, statement.text.removeprefix(next(filter(statement.text.startswith, titles), "")))
        for statement in statements
        if not speaks_of_its_document(statement.text)
    ]
    documents = {citation.n: citation.document_id for citation in citations}
    results: list[Conflict] = []
    for (one, first), (other, second) in combinations(told, 2):
        cited = (*one.citations, *other.citations)
        of = {documents.get(n, "") for n in cited}
        if one.citations == other.citations or of <= reports or of <= of_things or _are_rows(of):
            continue
        if not _differ_in_numbers(first, second):
            continue
        if _is_of_one_subject(one.text, other.text):
            about = _shared(one.text, other.text)
            results.append(Conflict(one.aspect, about, (one.text, other.text), cited))
    return tuple(results)


def _are_rows(documents: Iterable[str]) -> bool:
    """Whether documents are rows of one table, which are of as many things."""
    from adaq_core.records.tables import file_of_row

    files = {file_of_row(document) for document in documents}
    return len(files) == 1 and "" not in files


def _differ_in_numbers(one: str, other: str) -> bool:
    """Whether two texts are alike but for their numbers, of which they share none."""
    first, second = numbers_of(one), numbers_of(other)
    if not first or not second or first & second:
        return False
    return _overlap(_NUMBER.sub(" ", one), _NUMBER.sub(" ", other)) >= _ALIKE


_TITLE_AHEAD = re.compile(r"\A[^:]{1,120}: ")


def _is_of_one_subject(one: str, other: str) -> bool:
    """Whether one text says in front of its first number, behind a title, nothing but what the other says there."""
    first, second = _ahead_of_number(one), _ahead_of_number(other)
    return first <= second or second <= first


def _ahead_of_number(text: str) -> frozenset[str]:
    untitled = _TITLE_AHEAD.sub("", text, count=1)
    return terms_of(_NUMBER.split(untitled, maxsplit=1)[0])


def numbers_of(text: str) -> frozenset[str]:
    """The numbers in a text, without commas and spaces; with the sign of a currency or of percent."""
    return frozenset(re.sub(r"[\s,]", "", n) for n in _NUMBER.findall(text))


def _shared(one: str, other: str) -> str:
    """The longest run of words that both say."""
    mine, others = one.split(), other.split()
    run = SequenceMatcher(None, mine, others, autojunk=False).find_longest_match()
    return " ".join(mine[run.a : run.a + run.size]).strip(".,;:()")


def not_covered(
    aspects: Sequence[QueryAspect], evidence: Sequence[Passage], queries: Mapping[str, Sequence[str]]
) -> tuple[NotCovered, ...]:
    """What is said of aspects without an answer: why the nearest passage does not do, what was tried."""
    return tuple(NotCovered(a.aspect, tuple(queries.get(a.aspect, ())), _why_not(a, evidence)) for a in aspects)


def _why_not(aspect: QueryAspect, evidence: Sequence[Passage]) -> str:
    """What the nearest passage of the set lacks of an aspect, in the aspect's words."""
    name = without_asking(aspect.subject or _TYPE_WORDS.sub("", aspect.aspect))
    wanted = {word.strip(_MARKS): terms for word in name.split() if (terms := terms_of(word) - _ASKING_TERMS)}
    asked = terms_of(name)
    shared = [
        (len(asked & _all_terms(passage)) + len(asked & terms_of(passage.title)), -place)
        for place, passage in enumerate(evidence)
    ]
    most, place = max(shared, default=(0, 0))
    if not most:
        return "nothing that was read is about it"
    nearest = evidence[-place]
    missing = [word for word, terms in wanted.items() if not terms & _all_terms(nearest)]
    if missing:
        lacks = f"does not say “{' '.join(missing[:_MOST_MISSING])}”"
    else:
        lacks = "has these words, but no sentence that answers"
    return f"the nearest, “{nearest.title or nearest.document_id}”, {lacks}"


def _all_terms(passage: Passage) -> frozenset[str]:
    return terms_of(f"{passage.title}\n{passage.text}")


@dataclass(slots=True)
class Numbering:
    """The numbers so far; a passage keeps its number, and each of its quotes is a citation with that number."""

    passages: Mapping[str, Passage]
    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The highest number so far."""
        return len(self._numbers)

    def number(self, passage_id: str, start: int, end: int) -> int:
        """The number of the passage, and its quote [start, end) among the citations."""
        passage = self.passages[passage_id]
        n = self._numbers.setdefault(passage_id, len(self._numbers) + 1)
        if not any((c.n, c.start, c.end) == (n, start, end) for c in self.citations):
            quote = passage.text[start:end]
            self.citations.append(Citation(n, passage_id, passage.document_id, passage.title, quote, start, end))
        return n

    def of(self, quotes: Iterable[Value | EvidenceSentence]) -> tuple[int, ...]:
        """The numbers of the passages that hold `quotes`, each once, with the quotes among the citations."""
        numbers = [self.number(each.passage.passage_id, each.start, each.end) for each in quotes]
        return tuple(dict.fromkeys(numbers))


def marked(text: str, citations: Sequence[int]) -> str:
    """The text with the marks of what it cites: `text [1][2]`."""
    return f"{text} {marks(citations)}" if citations else text


_WIDEST = 20
_MARK = re.compile(
    r"(?i)\[\^?(?:(?:sources?|passages?|docs?|documents?|refs?|references?|citations?)\s?)?#?"
    r"(?P<list>\d{1,4}(?:\s?(?:[,;&–-]|and)\s?#?\d{1,4})*)\](?:\([^()\s]*\))?"
    r"|【(?P<wide>\d{1,4})[^【】]{0,40}】"
)
_PLAIN = re.compile(r"\[(\d{1,4})\]")
_PREFIX = re.compile(r"(?:[-*•+>]\s|\d{1,3}[.)]\s|\s)*")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|__[^_]+__:?$")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text as statements: `text` has the marks of each right behind it; `restored` marks were in another form."""

    text: str
    statements: tuple[Statement, ...]
    restored: int = 0


def marks(numbers: Sequence[int]) -> str:
    """Numbers as marks: [1][3]."""
    return "".join(f"[{n}]" for n in numbers)


def rendered(statement: Statement) -> str:
    """A statement with its marks behind it, as it stands in an answer."""
    return marked(statement.text, statement.citations)


def without_marks(text: str) -> str:
    """`text` with nothing left in it that reads as a mark."""
    while (bare := _MARK.sub("", text)) != text:
        text = re.sub(r" ([.,;:!?])", r"\1", " ".join(bare.split()))
    return text


def with_numbers(text: str, number: Callable[[int], int | None]) -> str:
    """`text` with each mark [n] as [number(n)], and without those for which that is None."""

    def changed(match: re.Match[str]) -> str:
        new = number(int(match[1]))
        return "" if new is None else f"[{new}]"

    return _PLAIN.sub(changed, text)


def drafted(text: str, *, aspects: Collection[str] = ()) -> Drafted:
    """Read Markdown with marks in any usual form as statements, without its headings and lead-ins.

    A statement belongs to the aspect that the heading above it names, if it does name one of `aspects`.
    """
    by_words = {" ".join(words(name)): name for name in aspects}
    lines: list[str] = []
    statements: list[Statement] = []
    restored, aspect, code = 0, "", False
    for line in text.splitlines():
        code = code != line.lstrip().startswith("```")
        if code or _is_literal(line):
            bare = without_marks(line) if _MARK.search(line) else line
            lines.append(bare)
            if _HEADING.match(line.strip()):
                aspect = by_words.get(" ".join(words(bare)), "")
            continue
        prefix = _PREFIX.match(line)
        start = prefix.end() if prefix else 0
        result, odd = _statements(line[start:], aspect)
        statements += result
        restored += odd
        lines.append(line[:start] + " ".join(rendered(statement) for statement in result))
    return Drafted("\n".join(lines).strip(), tuple(statements), restored)


def _is_literal(line: str) -> bool:
    bare = without_marks(line).strip()
    return not tokens(bare) or bool(_HEADING.match(bare)) or bare.endswith((":", "```")) or bare.startswith("```")


def _statements(line: str, aspect: str) -> tuple[list[Statement], int]:
    """The sentences of a line with the marks in and behind them; marks before the first belong to it."""
    plain, placed, restored = _taken_out(" ".join(line.split()))
    places = _where_marked(plain)
    cited: list[list[int]] = [[] for _ in places]
    for at, number in placed:
        before = [i for i, (start, _) in enumerate(places) if start < at]
        if places:
            cited[before[-1] if before else 0].append(number)
    texts = [without_marks(plain[start:end]) for start, end in places]
    return [Statement(t, aspect, tuple(dict.fromkeys(n))) for t, n in zip(texts, cited, strict=True)], restored


def _where_marked(plain: str) -> list[tuple[int, int]]:
    """Where its statements are: a sentence without a word of its own ("So it is.") belongs to the one before it."""
    results: list[tuple[int, int]] = []
    for start, end in sentences(plain):
        if results and not (tokens(plain[start:end]) and tokens(plain[slice(*results[-1])])):
            results[-1] = (results[-1][0], end)
        else:
            results.append((start, end))
    return results


def _taken_out(line: str) -> tuple[str, list[tuple[int, int]], int]:
    """The line without its marks, each number with the place where it was, and how many marks were in another form."""
    plain, placed, last, restored = "", [], 0, 0
    for match in _MARK.finditer(line):
        plain += line[last : match.start()]
        last = match.end()
        placed += [(len(plain), number) for number in _numbers(match)]
        restored += _PLAIN.fullmatch(match[0]) is None
        if line[last : last + 1] in (" ", "", ".", ",", ";", ":", "!", "?"):
            plain = plain.rstrip()
    return plain + line[last:], placed, restored


def _numbers(match: re.Match[str]) -> list[int]:
    if match["wide"]:
        return [int(match["wide"])]
    results: list[int] = []
    for part in re.split(r"\s?(?:[,;&]|and)\s?", match["list"], flags=re.IGNORECASE):
        ends = [int(end) for end in re.findall(r"\d+", part)]
        whole = len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _WIDEST
        results += range(ends[0], ends[1] + 1) if whole else ends
    return results
