"""What a run came to, in the same words wherever it is told: found, missing, why it stopped, how sure, what next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adaq_core.answerability import ENOUGH_JUDGED, Recalibration
from adaq_core.model import QueryAspect, ShortAnswer, StopReason, as_tuple
from adaq_core.question.parse import is_english
from adaq_core.store.rows import RunOutcome as Outcome
from adaq_core.text.tokens import short, visible
from adaq_core.trace import Covering, RunView

NOT_JUDGED = "not judged"
# Of a hop that covered nothing: passages may well be new to its evidence.
NO_NEW_ASPECT = "no new aspect"
AspectState = Literal["covered", "tried", "open", "not_run"]
# What a run came to that shows an answer.
ANSWERING: tuple[Outcome, ...] = ("answered", "partly", "uncertain")

STOP_TITLES: dict[StopReason, str] = {
    "core_covered": "Stopped: every core aspect is covered",
    "all_covered": "Stopped: every aspect is covered",
    "no_gain": "Stopped: more hops would not help",
    "max_hops": "Stopped: the limit on hops is reached",
    "budget_tokens": "Stopped: the limit on tokens is reached",
    "budget_time": "Stopped: the time limit is reached",
    "budget_cost": "Stopped: the cost limit is reached",
    "user_stop": "Stopped by you",
    "no_evidence": "Stopped: not enough evidence for an answer",
    "error": "Stopped by an error",
}


# The chance that an answer is there, which carries over from corpus to corpus, in words: the least that each is for.
_LIKELY_WORDS = (
    (0.9, "These passages very likely hold"),
    (0.7, "These passages likely hold"),
    (0.0, "These passages may hold"),
)
_NOTHING_CERTAIN = "What was found may answer this, but no passage that was read is certain to."
# The chance that nothing is missing, on a corpus where people judged enough runs.
_SURE_WORDS = (
    (0.85, "Sure that nothing is missing"),
    (0.65, "Fairly sure that nothing is missing"),
    (0.4, "Not sure that nothing is missing"),
    (0.0, "More may be needed"),
)
_UNLIKELY_IN_CORPUS = 0.5
_MAY_LACK: dict[Outcome, str] = {
    "answered": "The corpus may not hold all that is asked.",
    "partly": "The corpus may not hold the rest.",
}
_MAY_LACK_ALL = "The corpus may not hold an answer at all."
_ASPECTS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Proof:
    """The passage that covered an aspect, or came nearest: its title, and how it came into the run."""

    aspect: str
    hop: int
    passage_id: str
    title: str
    came: str
    quote: str
    score: float
    covers: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A run in five sentences; `details` are the run's own words and numbers, for those who ask.

    `unchecked` are conditions of the question of which no passage says whether they hold.
    """

    outcome: Outcome
    title: str
    why: str
    missing: str
    unchecked: str
    sure: str
    next: str
    next_query: str
    details: tuple[str, ...]


def proof_of(run: RunView, aspect: str, *, upto: int | None = None) -> Proof | None:
    """Return the passage that covered `aspect`, or came nearest; None if none is about it."""
    covering = run.proof(aspect, upto=upto)
    if covering is None or covering.finding is None:
        return None
    finding = covering.finding
    passage = run.passages.get(finding.passage_id)
    return Proof(
        aspect=aspect,
        hop=covering.hop,
        passage_id=finding.passage_id,
        title=visible(passage.title or passage.document_id) if passage else finding.passage_id,
        came=_came(run, covering),
        quote=finding.quote,
        score=covering.score.score,
        covers=aspect in run.covered_by,
    )


def verdict(
    run: RunView, *, interrupted: bool = False, reason: str = "", judged: Recalibration | None = None
) -> Verdict:
    """Return what `run` came to; `interrupted` says it ended without an end event, `reason` why.

    How often runs like it have all the evidence is said only where people judged enough of them (`judged`).
    """
    outcome = _outcome(run, interrupted=interrupted)
    decisions = (hop.decision for hop in reversed(run.hops) if hop.decision)
    last = next(decisions, None)
    return Verdict(
        outcome=outcome,
        title=_title(run, outcome),
        why=_why(run, outcome, reason=reason),
        missing=_missing(run, outcome),
        unchecked=_unchecked(run) if outcome in ANSWERING else "",
        sure=_sure(run, outcome, judged),
        next=_next(run, outcome),
        next_query=(last.next_query or "") if last and outcome in ANSWERING else "",
        details=_details(run, judged),
    )


def lead(verdict: Verdict) -> str:
    """Return the verdict in one paragraph, for a reader who has nothing but the page."""
    missing = f"Missing: {verdict.missing}" if verdict.missing else ""
    unchecked = f"Could not be checked: {verdict.unchecked}" if verdict.unchecked else ""
    lacks = (missing, unchecked)
    rest = (*lacks, verdict.why) if verdict.outcome in ANSWERING else (verdict.why, *lacks)
    parts = (f"{verdict.title}.", *rest, verdict.sure)
    return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One aspect as it stands: covered at a hop, tried in vain, without a query of its own, or cut off while tried."""

    aspect: QueryAspect
    state: AspectState
    hop: int | None
    score: float | None
    newest: bool = False


def coverage_rows(run: RunView) -> tuple[CoverageRow, ...]:
    """Return the aspects in planning order; `newest` marks those covered by the last assessed hop."""
    last = run.last_assessed
    fresh = set(last.newly_covered) if last else set()
    return tuple(_row(run, aspect, newest=aspect.aspect in fresh) for aspect in run.aspects)


def _row(run: RunView, aspect: QueryAspect, *, newest: bool) -> CoverageRow:
    hop = run.covered_at.get(aspect.aspect)
    state: AspectState = "covered" if hop else _open_state(run, aspect.aspect)
    return CoverageRow(aspect, state, hop, run.coverage_score(aspect.aspect), newest=newest)


def _open_state(run: RunView, aspect: str) -> AspectState:
    tries = [hop for hop in run.hops if aspect in hop.targets]
    if not tries:
        return "open"
    unjudged = all(hop.percentage is None and not hop.brought_nothing for hop in tries)
    cut_off = run.status != "running" and unjudged
    return "not_run" if cut_off else "tried"


def fate(run: RunView, row: CoverageRow) -> str:
    """Return what became of an uncovered aspect, in the one word for it that every page and export uses.

    What nobody judged was not missed. Of what no passage came for nothing was judged either: it was searched all the
    same, by the question as a whole.
    """
    if row.state == "covered":
        return ""
    if row.score is not None and not is_english(run.question):
        return NOT_JUDGED
    if row.state == "not_run":
        return "not run"
    if row.state == "open" and row.score is None and not any(hop.done for hop in run.hops):
        return _cut_off(run)
    return LOST if row.aspect.aspect in run.first_covered else "not found"


def _cut_off(run: RunView) -> str:
    """Return what became of the aspects of a run that ended in its first hop."""
    return "cut off" if run.cost.passages_read else "not searched"


# What a hop covered by a passage that has left the evidence since.
LOST = "lost again"


def fates(run: RunView) -> dict[str, str]:
    """Return what became of each planned aspect; empty for those that are covered."""
    return {row.aspect.aspect: fate(run, row) for row in coverage_rows(run)}


def is_missed(run: RunView, name: str) -> bool:
    """Whether an aspect is open while others are covered; if none is covered, the answer says it once for all."""
    planned = name in {aspect.aspect for aspect in run.aspects}
    return planned and bool(run.covered_at) and name not in run.covered_at and is_english(run.question)


def chain_ends(run: RunView) -> tuple[str, ...]:
    """Return the last aspects of chains: each depends on another, and none depends on it."""
    needed = {aspect.depends_on for aspect in run.aspects}
    return as_tuple([a.aspect for a in run.aspects if a.depends_on and a.aspect not in needed])


def unreached(run: RunView) -> str:
    """Return, in place of a short answer, that a chain was not followed to its end; "" if it was."""
    answer = run.answer
    if answer is None or answer.abstained or answer.short or not run.covered_at:
        return ""
    missed = [name for name in chain_ends(run) if is_missed(run, name)]
    return f"Not found: {'; '.join(missed)}. What follows only leads up to it." if missed else ""


def sent_for(run: RunView, aspect: str) -> tuple[str, ...]:
    """Return the queries that were sent for one aspect."""
    return as_tuple([query.text for query in run.queries_for(aspect)])


def untried(run: RunView) -> str:
    """Return how an aspect was looked for without a query of its own."""
    whole = any(not query.aspect for hop in run.hops for query in hop.queries)
    return "searched with the question's own words" if whole else "no query sent"


def only_looked_at(run: RunView, aspect: str) -> tuple[str, ...]:
    """Return the queries for an aspect that were not sent because they would have brought nothing new."""
    missing = run.answer.not_covered if run.answer else ()
    sent = sent_for(run, aspect)
    return as_tuple([text for m in missing if m.aspect == aspect for text in m.queries if text not in sent])


def covered_count(run: RunView) -> int:
    """Return how many of the planned aspects are covered."""
    return len({a.aspect for a in run.aspects} & run.covered_at.keys())


def is_whole(run: RunView) -> bool:
    """Whether the only aspect is the whole question, which need not be repeated."""
    return len(run.aspects) == 1 and run.planned is not None and run.planned.by != "user"


def open_aspects(run: RunView) -> tuple[CoverageRow, ...]:
    """Return the uncovered aspects, core ones first."""
    rows = [row for row in coverage_rows(run) if row.state != "covered"]
    return tuple(sorted(rows, key=lambda row: not row.aspect.is_core))


def _outcome(run: RunView, *, interrupted: bool) -> Outcome:
    if run.status in ("failed", "interrupted"):
        return run.status
    if run.status == "running":
        return "interrupted" if interrupted else "running"
    if run.answer is None or run.answer.abstained:
        return "nothing"
    if not open_aspects(run):
        return "answered"
    return "partly" if run.covered_at else "uncertain"


def _title(run: RunView, outcome: Outcome) -> str:
    rows = coverage_rows(run)
    covered = sum(row.state == "covered" for row in rows)
    match outcome:
        case "failed":
            unfinished = (hop.hop for hop in reversed(run.hops) if not hop.done)
            hop = next(unfinished, None)
            return f"The run failed in hop {hop}" if hop else "The run failed"
        case "interrupted":
            done = sum(hop.done for hop in run.hops)
            return f"Interrupted after {count(done, 'complete hop')}" if done else _cut_off_early(run)
        case "nothing":
            return _nothing_title(run)
        case "answered":
            return _all_covered(len(rows))
        case "uncertain" if len(rows) == 1:
            return "No certain answer"
        case "uncertain":
            return f"No certain answer: 0 of {count(len(rows), 'aspect')} covered"
        case "partly":
            return f"{covered} of {count(len(rows), 'aspect')} covered"
    if not rows:
        return "Finding the aspects" if run.started else "Getting ready"
    return f"{covered} of {count(len(rows), 'aspect')} covered so far"


def _nothing_title(run: RunView) -> str:
    if not is_english(run.question):
        return "Searched, not judged"
    if is_unclear(run):
        return unclear_title(_why_no_answer(run))
    if run.answer and run.answer.statements:
        return "Not enough evidence for an answer"
    if run.first_covered:
        return "Found and lost again"
    return "Nothing found so far" if run.stop_reason == "user_stop" else "Nothing found"


def _cut_off_early(run: RunView) -> str:
    if run.started is None:
        return "Not begun"
    return "Interrupted during its first hop" if run.hops else "Interrupted before its first hop"


def _why(run: RunView, outcome: Outcome, *, reason: str) -> str:
    match outcome:
        case "failed":
            words = _first_line(run.reason or reason or run.error) or "No reason was recorded."
            return words if words.endswith("is kept.") else f"{words}{_kept(run)}"
        case "interrupted":
            return f"{_first_line(reason) or 'ADAQ was closed before the run ended.'}{_kept(run)}"
        case "nothing" if is_unclear(run) and run.answer and not run.answer.statements:
            return "It names nothing that can be searched for."
        case "nothing" if run.stop_reason == "user_stop":
            return f"{_why_stopped(run)} No passage that was read by then answers the question."
        case "nothing" if run.answer and not run.answer.statements and run.first_covered:
            whole = count(len(run.aspects), "aspect")
            return f"What covered {len(run.first_covered)} of {whole} made room for other passages."
        case "nothing" if run.answer and not run.answer.statements:
            return _nothing_speaks(run.cost.passages_read)
        case "nothing" if is_unclear(run):
            return _why_no_answer(run)
        case "nothing":
            return f"Stopped after {count(len(run.hops), 'hop')}. {_why_no_answer(run)}"
        case "running":
            return ""
    return _why_stopped(run)


def _nothing_speaks(read: int) -> str:
    """Return that nothing was found in what was read; another method may find it in the same corpus."""
    if not read:
        return "The search brought no passage for this question."
    none = "The passage that was read does not speak" if read == 1 else f"None of the {read} passages read speaks"
    return f"{none} to this question."


def _kept(run: RunView) -> str:
    return " What came before is kept." if run.hops else ""


def _why_stopped(run: RunView) -> str:
    after = f"after {count(len(run.hops), 'hop')}"
    if run.stop_reason == "user_stop":
        return f"Stopped by you {after}."
    if run.stop_reason == "all_covered":
        return f"Stopped {after}: nothing was left to search for."
    if run.stop_reason == "max_hops" and _has_own_limit(run):
        return f"Stopped {after}: {own_limit(len(run.hops), run.reason)}."
    if run.stop_reason == "no_gain" and run.reason and "would not help" not in run.reason:
        return f"Stopped {after}: {_lower_first(first_clause(plain_reason(run.reason)))}."
    more = _no_gain(run.reason) if run.stop_reason == "no_gain" else ""
    return f"{stop_title(run.stop_reason).replace('Stopped:', f'Stopped {after}:')}{more}."


_CLAUSE_END = re.compile(r"[:;]|, and |\.(?= |$)")


def first_clause(reason: str) -> str:
    """Return what a reason says before its details."""
    return _CLAUSE_END.split(reason)[0]


def _lower_first(clause: str) -> str:
    return f"{clause[:1].lower()}{clause[1:]}" if clause[1:2].islower() else clause


# The log of a run keeps the words of the source documents. The weighted coverage seems to contradict the share covered
# that stands beside it.
_PLAINER = (
    (re.compile(r" \(weighted coverage: \d+\.\d%\)"), ""),
    (re.compile(r"^Core aspects still uncovered"), "Not every core aspect is covered yet"),
    (
        re.compile(r"(?: \(below the minimum of|;) (\d+) hops(?:\)| at least)$"),
        r", and at least \1 hops are made while something is left to try",
    ),
    (re.compile(r"^The passages speak to the question only in part"), "The passages answer only in part"),
    (re.compile(r"^(\d+) documents score [\d.]+ or more$"), r"\1 documents score well enough"),
    (re.compile(r"(the nearest passages are quoted)\. The nearest passages are quoted$"), r"\1"),
)


def plain_reason(reason: str) -> str:
    """Return the reason of a decision in plainer words than the log has."""
    for pattern, words in _PLAINER:
        reason = pattern.sub(words, reason)
    return reason


def own_limit(hops: int, reason: str) -> str:
    """Return why a method stopped that never makes more hops than these, whatever the settings allow."""
    if reason.startswith("The planned queries"):
        return "its planned queries are used up"
    return "this method searches only once" if hops == 1 else "this method makes no more hops"


def _has_own_limit(run: RunView) -> bool:
    """Whether the method made fewer hops than the settings allow, as some never make more."""
    return run.started is not None and len(run.hops) < run.started.settings.max_hops


def _all_covered(aspects: int) -> str:
    few = {1: "Answered", 2: "Both aspects are covered"}
    return few.get(aspects, f"All {aspects} aspects are covered")


def _no_gain(reason: str) -> str:
    """Return why more hops would not help, if the reason of the stop says so."""
    _, cause, why = reason.partition("More hops would not help: ")
    return f", as {short(why.partition(';')[0], 160)}" if cause else ""


def is_unclear(run: RunView) -> bool:
    """Whether the question says too little to be answered; False if it is in another language, as nobody can tell."""
    return run.answer is not None and run.answer.status == "unclear" and is_english(run.question)


def wants_a_name(why: str) -> bool:
    """Whether the question leaves out what it is about; advice, for instance, is asked for clearly."""
    return not why or ": name " in why


def unclear_title(why: str) -> str:
    """Return the headline of what is wrong with a question."""
    return "The question is not clear" if wants_a_name(why) else "Documents cannot answer this"


def _why_no_answer(run: RunView) -> str:
    """Return the sentence that stands in the place of an answer."""
    paragraphs = run.answer.text.split("\n\n") if run.answer else []
    words = next((each for each in paragraphs if each.strip() and not each.startswith(("**", "-"))), "")
    return short(words, 300) or f"{stop_title(run.stop_reason)}."


def _missing(run: RunView, outcome: Outcome) -> str:
    if outcome == "running" or (outcome in ("nothing", "uncertain") and _is_said_already(run)):
        return ""
    missed = open_aspects(run)
    if not missed:
        return ""
    ways: dict[str, list[str]] = {}
    for row in missed[:_ASPECTS_NAMED]:
        name = "the answer" if is_whole(run) else short(row.aspect.aspect, 70)
        ways.setdefault(_how_missed(run, row), []).append(name)
    alike = (_alike_missed(names, how) for how, names in ways.items())
    named = "; ".join(alike)
    more = len(missed) - _ASPECTS_NAMED
    return f"{named}; and {more} more." if more > 0 else f"{named}."


def _is_said_already(run: RunView) -> bool:
    """Whether the title already says what an unanswered run misses."""
    return is_whole(run) or is_unclear(run) or not is_english(run.question)


def _alike_missed(names: Sequence[str], how: str) -> str:
    if len(names) > 1 and how.startswith("tried"):
        each = " each"
    else:
        each = ""
    return f"{'; '.join(names)} ({how}{each})"


def _unchecked(run: RunView) -> str:
    texts = dict.fromkeys(text for each in run.unchecked.values() for text in each)
    quoted = ", ".join(f"“{text}”" for text in texts)
    return f"{quoted}." if quoted else ""


def _how_missed(run: RunView, row: CoverageRow) -> str:
    if row.state == "not_run":
        return "not run"
    if not any(hop.done for hop in run.hops):
        return _cut_off(run)
    tried = len(sent_for(run, row.aspect.aspect))
    return f"tried with {count(tried, 'query', 'queries')}" if tried else untried(run)


def _sure(run: RunView, outcome: Outcome, judged: Recalibration | None) -> str:
    last = run.last_assessed
    if last is None or outcome not in (*ANSWERING, "nothing"):
        return ""
    if outcome == "nothing" and (is_unclear(run) or run.stop_reason in ("no_evidence", "user_stop")):
        return ""  # said by the reason already
    if not is_english(run.question):
        return ""  # nobody judged it
    if rows := rows_counted(run):
        return f"{rows} were looked through, not only those quoted. What the table lacks is not counted."
    if run.stop_reason == "user_stop" and outcome in ("partly", "uncertain"):
        return "More hops might have found the rest."
    if last.answerable is not None and last.answerable < _UNLIKELY_IN_CORPUS:
        return _MAY_LACK[outcome] if outcome in _MAY_LACK and covered_count(run) else _MAY_LACK_ALL
    if outcome == "nothing":
        return ""
    if not covered_count(run):
        return _NOTHING_CERTAIN if last.answerable is not None else ""
    if judged is not None and last.sufficiency is not None:
        return _how_often(judged.of(last.sufficiency), judged)
    if last.answerable is None:
        return ""
    words = next(words for least, words in _LIKELY_WORDS if last.answerable >= least)
    return f"{words} {'the answer' if outcome == 'answered' else 'a part of the answer'}."


# "all 60 rows of “tickets”", "“Hours” in 2 of the 60 rows of “tickets” where …"
_ROWS = re.compile(
    r"^(?:“[^”]{1,200}” (?:and|in) ){0,20}(?:all|[\d,]{1,12} of the) ([\d,]{1,12}) rows of (“[^”]{1,200}”)"
)


def rows_counted(run: RunView) -> str:
    """Return "All 60 rows of “tickets”" if the short answer was worked out from them; else ""."""
    short = run.answer.short if run.answer else None
    found = _ROWS.match(short.derivation) if short else None
    return f"All {int(found[1].replace(',', '')):,} rows of {found[2]}" if found else ""


def _how_often(chance: float, judged: Recalibration) -> str:
    word = next(word for least, word in _SURE_WORDS if chance >= least)
    tenths = round(10 * chance)
    many = {0: "at most 1", 10: "9 or 10"}.get(tenths, f"about {tenths}")  # ratings make nothing certain
    return (
        f"{word}: of 10 runs like this, {many} had all the evidence they needed, "
        f"going by {count(judged.judged, 'rating')} of runs over this corpus."
    )


def _next(run: RunView, outcome: Outcome) -> str:
    match outcome:
        case "nothing" if not is_english(run.question):
            return "Ask it in English to have it judged."
        case "nothing" if is_unclear(run) and not wants_a_name(_why_no_answer(run)):
            return "Ask for what the documents say."
        case "nothing" if is_unclear(run):
            told = run.answer is not None and bool(run.answer.statements)  # by the reason, which says what to name
            return "" if told else "Name the company, the thing or the topic in the question and ask again."
        case "nothing" | "partly" | "uncertain" if run.stop_reason == "user_stop" and open_aspects(run):
            return "Continue it; completed hops are not repeated."
        case "nothing" if run.sources_failed:
            return "Check the connection and the live sources in the settings, then ask again."
        case "nothing":
            return _REWORD
        case "failed" | "interrupted":
            if any(hop.done for hop in run.hops):
                return "Resume it; completed hops are not repeated."
            return _CORPUS_FIRST if run.error == "CorpusError" else "Run it again."
        case "partly" | "uncertain" if run.stop_reason in _SPENT and not (
            run.stop_reason == "max_hops" and _has_own_limit(run)
        ):
            return f"A larger budget would let it go on. {_room(run)}".strip()
        case "answered" | "partly" | "uncertain" if share_passages(run):
            return _room(run)
        case "uncertain":
            return _REWORD
    return ""


def _room(run: RunView) -> str:
    """Return how each aspect would get room for a passage; "" if it has."""
    if run.started is None or not share_passages(run):
        return ""
    sizes = f"{count(len(run.aspects), 'aspect')} share {count(run.started.settings.k, 'passage')}"
    return f"{sizes}; a larger evidence size (k) has room for one each."


def share_passages(run: RunView) -> bool:
    """Whether an aspect is open while there are more aspects than passages that may be kept."""
    return run.started is not None and len(run.aspects) > run.started.settings.k and bool(open_aspects(run))


_CORPUS_FIRST = "See to the corpus on the Corpus page, then run it again."
_REWORD = "Reword the question, or add documents on the Corpus page."


_SPENT: frozenset[StopReason] = frozenset({"max_hops", "budget_tokens", "budget_time", "budget_cost"})


def _details(run: RunView, judged: Recalibration | None) -> tuple[str, ...]:
    last = run.last_assessed
    own = plain_reason(run.reason)
    lines = [f"In the run's own words: {own}." if own and run.status == "finished" else ""]
    if run.stop_reason:
        lines.append(f"Stop reason: {run.stop_reason}.")
    if last and last.weighted is not None:
        lines.append(f"Mean score of the aspects, weighted by importance: {last.weighted:.2f}.")
    if rows_counted(run):
        return tuple(line for line in lines if line)  # what search is likely to have missed is no question
    lines.append(own_estimate(last.sufficiency, last.answerable) if last else "")
    if last and last.sufficiency is not None and judged is None:
        lines.append(f"{ENOUGH_JUDGED} rated runs over this corpus will tell how often that estimate is right here.")
    return tuple(line for line in lines if line)


def uses_no_passage(run: RunView) -> bool:
    """Whether the run says of its passages only that they do not answer: it kept none of them as evidence."""
    return run.answer is not None and run.answer.abstained and is_english(run.question)


def own_estimate(sufficiency: float | None, answerable: float | None) -> str:
    """Return what a run estimates itself, and that nothing has calibrated it; "" without an estimate."""
    parts = [f"{percent(sufficiency)} that all the evidence is here"] if sufficiency is not None else []
    parts += [f"{percent(answerable)} that the corpus holds an answer"] if answerable is not None else []
    return f"Own estimate, not calibrated: {', '.join(parts)}." if parts else ""


def _came(run: RunView, covering: Covering) -> str:
    arrival = run.arrival(covering.finding.passage_id) if covering.finding else None
    if arrival is None:
        return ""
    if arrival.link is not None:
        how = f"linked by the name “{visible(arrival.link.entity)}”"
    else:
        how = f"brought by “{short(arrival.query, 90)}”"
    if arrival.hop == covering.hop:
        return f"{how} in this hop"
    return f"{how} in hop {arrival.hop}, read as an answer to this aspect in hop {covering.hop}"


def _first_line(text: str) -> str:
    line = short(text.strip().split("\n", 1)[0], 300)
    ended = not line or line.endswith((".", "!", "?", ":", "…"))
    return line[:1].upper() + line[1:] + ("" if ended else ".")


def stop_title(reason: StopReason | None) -> str:
    """Return why the run ended, as a headline."""
    return STOP_TITLES[reason] if reason else "Not stopped yet"


_PLAIN_WORD = re.compile(r"\b[a-z]{1,30}(?=[ ,]|$)")


def first_line(short: ShortAnswer) -> str:
    """Return the short answer with a capital first letter, unless it is a name such as "mRNA" or "iPhone"."""
    text = short.text
    return text[:1].upper() + text[1:] if _PLAIN_WORD.match(text) else text


METHOD_LABELS = {
    "adaptive": "ADAQ",
    "iterative": "Iterative",
    "bm25": "BM25",
    "dense": "Dense",
    "static": "Single shot",
    "multi_query": "Multi-query",
    "crag": "CRAG",
    "self_rag": "Self-RAG",
    "seal_rag": "SEAL-RAG",
}


def method_label(name: str) -> str:
    """Return the display name of the method."""
    return METHOD_LABELS.get(name, name.replace("_", " ").capitalize())


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: `1 hop`, `1,204 passages`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(value: float | None) -> str:
    """Return a share as a whole percentage; a dash if it is unknown."""
    return "–" if value is None else f"{value:.0%}"
