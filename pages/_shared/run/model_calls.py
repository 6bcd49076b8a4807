"""What a run asked of a language model, as plain values: its calls with their fate, who was not asked, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from adaq_core.events import (
    AspectsPlanned,
    Decided,
    Event,
    FellBack,
    FindingsRead,
    LinksFollowed,
    ModelCalled,
    Noticed,
    PassagesRetrieved,
    Record,
    RunStarted,
)
from adaq_core.llm.chats import BOTH
from adaq_core.model import CitationsCheck
from pages._shared.common.text import full_stop
from pages._shared.common.words import count, listed
from pages._shared.settings.choice import short_name

Fate = Literal["used", "in part", "by rules"]
_NOT_ASKED = "not asked: "
STAGE_NOUNS = {
    "plan": "aspects",
    "refine": "queries",
    "read": "reading",
    "critique": "coverage",
    "synthesise": "answer",
    "entail": "check of the answer",
}
_DOING = {
    "plan": "finding the aspects",
    "refine": "wording the next query",
    "read": "reading the passages",
    "critique": "scoring the coverage",
    "synthesise": "writing the answer",
}
_IN_PART = "the rest of the reply"
# What the run says was used, and how a reader is told so.
_INSTEAD = {
    "the aspects of the rules": "The aspects were found by rules.",
    "the importance that the profile gives": "How much each aspect counts is taken from the facet profile.",
    "the query templates": "The query was worded by rules.",
    "what the rules read": "The passages were read by rules.",
    "the scores of the findings": "The coverage was scored by rules.",
    "an answer of quoted sentences": "The answer is made of sentences quoted from the passages.",
    "the citation guard alone": "The citations were checked by rules only.",
    _IN_PART: "The rest of the reply was used.",
}
# An error in the words of its library, which Model I/O keeps: "(TransportError: peer closed connection …)".
_OF_A_LIBRARY = re.compile(r" \([A-Z][A-Za-z]*(?:Error|Exception|Timeout): [^\n]{0,400}?\)(?=[.;]|$)")
_PLAINER = (
    (re.compile(r"the reply holds no JSON"), "the reply was not in the form that was asked for"),
    (re.compile(r"\bthe JSON\b"), "the reply proper"),
    (re.compile(r"^the model (failed \d+ times in a row)$"), r"the model \1 and was not asked again in this run"),
    (re.compile(r"^the (time|cost) budget has no room for it$"), r"the \1 limit left no room for it"),
    (
        re.compile(r"^the budget of (tokens) and (calls) has no room for it$"),
        r"the limit on \1 or \2 left no room for it",
    ),
)
# The name of a model is written as its server writes it.
_OF_A_NAME = re.compile(r"^\S+ (?:at \S+ reported|was stopped|ended its|reported an|failed in|does not fit)")
_GONE = re.compile(r"^the model could not be used in (?P<stage>\w+)$")
_OF_MODELS = (ModelCalled, FellBack, Noticed)


@dataclass(frozen=True, slots=True)
class CallView:
    """One call: its number from 1, the hop it was for, about how long it took, and what of its reply was not usable.

    `seconds` is None where several calls came in one go, so that nobody knows which took how long.
    """

    number: int
    call: ModelCalled
    hop: int | None = None
    seconds: float | None = None
    fell: tuple[FellBack, ...] = ()

    @property
    def fate(self) -> Fate:
        """Whether the reply was used, used in part, or replaced by the rules."""
        if not self.fell:
            return "used"
        if all(fell.used == _IN_PART for fell in self.fell):
            return "in part"
        return "by rules"

    @property
    def share_of_context(self) -> float | None:
        """Return the part of the context that the prompt took; None if either size is unknown."""
        if self.call.prompt_tokens is None or not self.call.num_ctx:
            return None
        return self.call.prompt_tokens / self.call.num_ctx


@dataclass(frozen=True, slots=True)
class ModelUse:
    """All calls of a run, and the stages that wanted to ask and could not."""

    calls: tuple[CallView, ...] = ()
    not_asked: tuple[FellBack, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.calls or self.not_asked)

    @property
    def silent(self) -> bool:
        """Whether no call brought a word, so that the run is one without a model."""
        return bool(self) and not any(each.call.reply for each in self.calls)

    @property
    def unused(self) -> bool:
        """Whether no reply was used, so that rules did everything."""
        return bool(self) and all(each.fate == "by rules" for each in self.calls)


def noun(stage: str) -> str:
    """Return the display name of a stage, for a list."""
    return STAGE_NOUNS.get(stage, stage)


def what_happened(fell: FellBack) -> str:
    """Return why a reply could not be used, or nobody was asked, as sentences without the words of a library."""
    words = _OF_A_LIBRARY.sub("", fell.problem.removeprefix(_NOT_ASKED))
    if gone := _GONE.match(words):
        words = f"the model failed at the {noun(gone['stage'])} and was not asked again in this run"
    for pattern, plainer in _PLAINER:
        words = pattern.sub(plainer, words)
    first = words[:1] if _OF_A_NAME.match(words) else words[:1].upper()
    return full_stop(f"{first}{words[1:]}")


def shown_instead(fell: FellBack) -> str:
    """Return what took the place of the reply, as a sentence."""
    return _INSTEAD.get(fell.used, f"Used instead: {fell.used}.")


def gave_up(fell: FellBack) -> bool:
    """Whether nobody was asked because the model had failed before."""
    reason = fell.problem.removeprefix(_NOT_ASKED)
    return reason != fell.problem and reason.startswith("the model ")


def model_use(records: Sequence[Record]) -> ModelUse:
    """Collect what the records of a run tell of its model."""
    calls: list[CallView] = []
    not_asked: list[FellBack] = []
    for before, burst, after in _bursts(records):
        made = [record for record in burst if isinstance(record.event, ModelCalled)]
        seconds = made[0].elapsed - before if len(made) == 1 else None
        first = len(calls)
        for record in burst:
            match record.event:
                case ModelCalled():
                    hop = getattr(after, "hop", None)
                    calls.append(CallView(len(calls) + 1, record.event, hop, seconds))
                case FellBack():
                    mine = _call_of(record.event, calls, first)
                    if mine is None:
                        not_asked.append(record.event)
                    else:
                        calls[mine] = replace(calls[mine], fell=(*calls[mine].fell, record.event))
    return ModelUse(tuple(calls), tuple(not_asked))


def _bursts(records: Sequence[Record]) -> Iterator[tuple[float, list[Record], Event | None]]:
    """Yield the model's records between two other events: the first's time, the records, the second event."""
    before, burst = 0.0, list[Record]()
    for record in records:
        if isinstance(record.event, _OF_MODELS):
            burst.append(record)
            continue
        if burst:
            yield before, burst, record.event
            burst = []
        before = record.elapsed
    if burst:
        yield before, burst, None


def _call_of(fell: FellBack, calls: Sequence[CallView], first: int) -> int | None:
    """Return the index of the call whose reply could not be used; None if nobody was asked."""
    if fell.problem.startswith(_NOT_ASKED):
        return None
    return next((at for at in range(len(calls) - 1, first - 1, -1) if calls[at].call.stage == fell.stage), None)


def fell_line(use: ModelUse) -> str:
    """Return `rules replaced 3 of 9 model replies; 1 was only used in part`; "" if none was replaced.

    It stands in one line: of which stages more calls were not made is told behind it.
    """
    fates = Counter(each.fate for each in use.calls)
    parts = []
    if fates["by rules"]:
        parts.append(f"rules replaced {fates['by rules']} of {count(len(use.calls), 'model reply', 'model replies')}")
    if fates["in part"]:
        of = "" if parts else f" of {count(len(use.calls), 'model reply', 'model replies')}"
        parts.append(f"{fates['in part']}{of} {'was' if fates['in part'] == 1 else 'were'} only used in part")
    if use.not_asked and parts:
        parts.append(count(len(use.not_asked), "more call was not made", "more calls were not made"))
    elif use.not_asked:
        stages = listed([*dict.fromkeys(noun(fell.stage) for fell in use.not_asked)])
        parts.append(f"the model was not asked for the {stages}")
    return "; ".join(parts)


def fell_reasons(use: ModelUse) -> str:
    """Return why replies were not used or calls not made, each reason once with its stages; "" for none.

    After the first failure a model is not asked again: where a call failed, that is the reason, and no other is told.
    """
    fell = [each for call in use.calls for each in call.fell] or use.not_asked
    stages: dict[str, list[str]] = {}
    for each in fell:
        stages.setdefault(what_happened(each), []).append(noun(each.stage))
    told = (f"{listed([*dict.fromkeys(those)])}: {why}" for why, those in stages.items())
    return " ".join(f"{each[:1].upper()}{each[1:]}" for each in told)


def use_line(use: ModelUse, model: str | None, *, off: Iterable[str] = ()) -> str:
    """Return `Calls to llama3.2: aspects 1, reading 3 · by rules: coverage`: what each stage asked."""
    asked = Counter(each.call.stage for each in use.calls)
    kept_to_rules = set(off)
    rules = [what for stage, what in STAGE_NOUNS.items() if f"model_{stage}" in kept_to_rules]
    uses = [f"{noun(stage)} {asked[stage]}" for stage in (*STAGE_NOUNS, *asked) if asked[stage]]
    parts = [f"Calls to {name_of(model)}: {', '.join(dict.fromkeys(uses)) or 'none'}"]
    parts += [f"by rules: {', '.join(rules)}"] if rules else []
    kept = sum(each.call.cached for each in use.calls)
    parts += [f"{kept} of {count(len(use.calls), 'reply', 'replies')} reused from earlier"] if kept else []
    return " · ".join(parts)


def name_of(model: str | None) -> str:
    """Return the display name of a run's model."""
    return BOTH.join(short_name(name) for name in (model or "the model").split(BOTH))


def doing(records: Sequence[Record], model: str | None, *, off: Iterable[str] = ()) -> str:
    """Return what the model is probably doing now, such as `llama3.2 is reading the passages`; "" for nothing.

    It is read off the last event: the next stage asks, unless it is kept to rules or the model was given up.
    """
    events = [record.event for record in records]
    last = next((event for event in reversed(events) if not isinstance(event, _OF_MODELS)), None)
    stage = _next_stage(last)
    given_up = any(isinstance(e, FellBack) and e.problem.startswith(_NOT_ASKED) for e in events)
    if model is None or stage is None or f"model_{stage}" in set(off) or given_up:
        return ""
    small, _, large = model.partition(BOTH)
    return f"{short_name(large if large and stage == 'synthesise' else small)} is {_DOING[stage]}"


def _next_stage(last: Event | None) -> str | None:
    match last:
        case RunStarted():
            return "plan"
        case AspectsPlanned():
            return "refine"
        case PassagesRetrieved() | LinksFollowed():
            return "read"
        case FindingsRead():
            return "critique"
        case Decided():
            return "synthesise" if last.decision.stop else "refine"
        case _:
            return None


def check_line(check: CitationsCheck) -> str:
    """Return what was done about the answer's citations, in words."""
    none = f"; {count(check.unsupported, 'sentence')} without support" if check.unsupported else ""
    if not check.checked and check.repaired:
        return f"The model cited nothing: {count(check.repaired, 'citation')} added where a passage says it{none}."
    if not check.checked:
        return "The answer cited nothing that could be checked."
    done = [f"{check.repaired} corrected"] if check.repaired else []
    done += [f"{check.dropped} removed"] if check.dropped else []
    what = f": {', '.join(done)}" if done else ", none had to be corrected"
    looked = f" The model checked {count(check.judged, 'sentence')} again" if check.judged else ""
    doubt = f"{looked} and doubts {check.doubted}." if check.doubted else f"{looked} and doubts none." if looked else ""
    return f"{count(check.checked, 'citation')} checked against the passages{what}{none}.{doubt}"
