"""What an answer says of itself: why a question has none, what is missing or not sure, where sources disagree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from adaq_core.answers.evidence_sentences import speaks_of_its_document
from adaq_core.model import Conflict, NotCovered, Passage, QueryAspect, Statement
from adaq_core.question.answer_kinds import without_asking
from adaq_core.question.parse import parse
from adaq_core.text.tokens import terms_of

UNSURE = "what is said on it is not sure to answer it"
UNCHECKED = "could not be checked"
_ALIKE = 0.5
_NUMBER = re.compile(r"[$€£]?\d[\d,]*(?:\.\d+)?\s?%?")
_MOST_MISSING = 4
OTHER_LANGUAGE = (
    "Answers are judged in English only. This question was searched as it stands, and the nearest passages are quoted."
)
_ADVICE = re.compile(
    r"(?:should|shall|must) (?:I|we|one|you)\b"
    # … but "Is A an investment of B?" asks what is so.
    r"|(?:is|are) .{1,60}? (?:an? (?:good |bad |strong |safe )?(?:buy|sell|hold)\b(?! (?:of|by))"
    r"|an? (?:good|bad|safe|sound|smart|wise|great|strong|attractive) investment\b"
    r"|worth (?:buying|selling|holding|investing)\b)",
    re.IGNORECASE,
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
    if any(c.kind == "negation" and not c.value for c in parsed.conditions):
        return "This asks for what is not so. The documents say what is, so what they leave out cannot be quoted."
    return parsed.unclear


def is_unsure(missing: NotCovered) -> bool:
    """Whether the answer speaks to the aspect all the same: it is not sure to answer, or a condition is open."""
    return missing.reason == UNSURE or missing.reason.endswith(UNCHECKED)


def _overlap(one: str, other: str) -> float:
    a, b = terms_of(one), terms_of(other)
    if a and b:
        return len(a & b) / len(a | b)
    return 0.0


def conflicts_in(statements: Sequence[Statement]) -> tuple[Conflict, ...]:
    """Statements that say the same of other numbers: alike without their numbers, and no number in common."""
    results = []
    for i, one in enumerate(statements):
        for other in statements[i + 1 :]:
            first, second = numbers_of(one.text), numbers_of(other.text)
            if one.citations == other.citations or not first or not second or first & second:
                continue
            if speaks_of_its_document(one.text) or speaks_of_its_document(other.text):
                continue
            if _overlap(_NUMBER.sub(" ", one.text), _NUMBER.sub(" ", other.text)) >= _ALIKE:
                cited = (*one.citations, *other.citations)
                results.append(Conflict(one.aspect, _shared(one.text, other.text), (one.text, other.text), cited))
    return tuple(results)


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
        return "nothing that was read speaks of it"
    nearest = evidence[-place]
    missing = [word for word, terms in wanted.items() if not terms & _all_terms(nearest)]
    lacks = f"does not say “{' '.join(missing[:_MOST_MISSING])}”" if missing else "does not say that of it in one place"
    return f"the nearest, “{nearest.title or nearest.document_id}”, {lacks}"


def _all_terms(passage: Passage) -> frozenset[str]:
    return terms_of(f"{passage.title}\n{passage.text}")
