"""Whether a right first line is taken back when the question is turned: python -m benchmarks.turned [SET ...].

Each question of the written exams whose first line is right is asked again of another firm, of three years before, of
the other end or side, or for another deed. A first line that stays the same is wrong but where both are so ("Who makes
the chips of …?"). Read and unread halves apart; of the unread only numbers are printed, of the read what stayed.
Words only, no model.
"""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping

from adaq_core.matching.lexicon import extremes
from benchmarks.covering import opened
from benchmarks.exams import marks_of, stated
from benchmarks.likelihood import EXAMS

FIRMS = ("Apple", "Microsoft", "Amazon", "NVIDIA", "Tesla", "Boeing", "Pfizer", "JPMorgan Chase")
YEARS_BEFORE = 3
_YEAR = re.compile(r"\b20[12]\d\b")
_SIDES = {"before": "after", "after": "before", "rise": "fall", "fall": "rise", "more": "less", "less": "more"}
_WHO = re.compile(
    r"(?i)(?P<who>who|which (?:company|firm|regulator|judge|person)) (?P<deed>[a-z]+ed|bought|sold|built|won)\b"
)
_DEEDS = ("insured", "painted", "visited", "renamed", "audited", "leased", "copied", "invited")


def another_firm(question: str) -> str:
    """The question of another firm; empty where it names none of them."""
    named = next((firm for firm in FIRMS if re.search(rf"\b{firm}\b", question)), "")
    others = [firm for firm in FIRMS if firm not in question]
    return question.replace(named, others[len(question) % len(others)]) if named and others else ""


def years_before(question: str) -> str:
    """The question of an earlier year; empty where it says none."""
    year = _YEAR.search(question)
    return question.replace(year[0], str(int(year[0]) - YEARS_BEFORE)) if year else ""


def other_end(question: str) -> str:
    """The question of the other end of a line, or the other side of a thing; empty where it says neither."""
    turned = _SIDES | {word: min(other) for word, (_, other) in extremes().items()}
    word = next((word for word in re.findall(r"[a-z]+", question) if word in turned), "")
    return re.sub(rf"\b{word}\b", turned[word], question, count=1) if word else ""


def another_deed(question: str) -> str:
    """The question of who did something else; empty where it does not ask who did it."""
    asked = _WHO.match(question)
    deed = _DEEDS[len(question) % len(_DEEDS)]
    return f"{asked['who']} {deed}{question[asked.end() :]}" if asked else ""


TURNS: Mapping[str, Callable[[str], str]] = {
    "another firm": another_firm,
    "three years before": years_before,
    "the other end or side": other_end,
    "another deed": another_deed,
}


def main() -> None:
    """Print the table: for each turn how many were asked, how many first lines stayed the same."""
    logging.disable(logging.CRITICAL)
    asked, stayed = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for name in sys.argv[1:] or EXAMS:
        for split in ("dev", "final"):
            questions, retriever = opened(name, split)
            for question in questions:
                if question.is_unanswerable or not (question.facts and question.facts.short):
                    continue
                answer = stated(question.text, retriever)
                if not marks_of(answer, question, question.facts).stated:
                    continue
                turned = {kind: turn(question.text) for kind, turn in TURNS.items()}
                for kind, other in turned.items():
                    if not other or other == question.text:
                        continue
                    asked[kind, split] += 1
                    if stated(other, retriever).short == answer.short:
                        stayed[kind, split] += 1
                        if split == "dev":
                            print(f"{kind}: {other} {answer.short}", flush=True)
    print("| turned to | read: first lines that stay, of | unread |\n|---|--:|--:|")
    for kind in TURNS:
        cells = (f"{stayed[kind, split]} of {asked[kind, split]}" for split in ("dev", "final"))
        print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
