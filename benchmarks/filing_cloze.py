"""Questions made from plain sentences of filings: python -m benchmarks.filing_cloze [SET ...] [--show] [--list].

As `benchmarks.cloze`, but of a firm and a period, as an analyst asks: of "We repurchased $2.0 billion of our common
stock." is asked "How much common stock did Acme repurchase in the third quarter of fiscal 2022?". The part that was
taken out is the gold, or what another sentence of the same filing says of the same thing. Turned ones ask another firm,
another period that the corpus has, or another deed, as far as no passage there says their words. Words only, no model.
"""

from __future__ import annotations

import logging
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adaq_core.evaluation.answered import stated_by
from adaq_core.evaluation.working import recorded
from adaq_core.measures import answer_tokens, contains_answer
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import MONTH_NAMES
from adaq_core.trace import view
from benchmarks.cloze import BASE, corpus_of, is_right, options, write

READ = ("sec10q-files",)
ONLY_COUNTED = ("financebench", "sec10q-docugami")
OF_A_FORM = 12
SHORTEST, LONGEST = 6, 60
MOST_GOLDS = 2  # what is told in more ways is told of more things than one: "Operating expenses" of each segment

_YEAR = r"(?:fiscal )?(?:years? )?20\d\d"
_DAY = rf"(?:{MONTH_NAMES}) \d{{1,2}}, 20\d\d"
_DATE = rf"(?:(?:{MONTH_NAMES})(?: \d{{1,2}},)? |(?:fiscal (?:year )?)?)20\d\d"
_LENGTH = r"(?:three|six|nine|twelve) months|half|thirteen weeks"
_PERIOD = (
    rf"(?:Q[1-4] {_YEAR}|YTD 20\d\d|(?:first|second|third|fourth) quarters?(?: and (?:the )?first (?:{_LENGTH}))? of "
    rf"{_YEAR}|first (?:{_LENGTH}) of {_YEAR}|(?:quarter|year|{_LENGTH}) ended {_DAY}|{_DAY}|{_YEAR})"
)
_WHEN = re.compile(
    rf",? ?\b(?P<at>[Ii]n|[Dd]uring|[Ff]or|[Aa]s of|[Aa]t) (?:the )?(?P<period>{_PERIOD})\b(?! (?:to|through|and))"
)
_COMPARED = re.compile(
    rf",? (?:as )?compared (?:to|with) (?:the )?[^,;]*?(?=,|;|\.?$| (?:and )?(?:is |are |was |were )?"
    r"(?:due|primarily|mainly|largely|driven|reflect|as a result|attributable|because))"
    rf"|,? from {_PERIOD}|,? (?:year[ -]over[ -]year|sequentially)"
)
_MONEY = r"\$\d[\d,.]*(?: (?:million|billion))?"
_SHARE = r"\d[\d.]*(?:%| percent| (?:percentage |basis )?points)"
_ABOUT = r"(?:approximately |about |over |more than |nearly |up to )?"
_WE = r"(?:[Ww]e|(?:[Tt]he )?Company)"
_SUBJECT = (
    r"(?!(?:This|These|Those|That|It|They|There|Such|If|When|As|In|On|For|We|And|But|Any|All|Some|Other|Each|Both|"
    r"Changes?|Note|Item|Table|See|One|Two|No|What|Who|While|Although|Because|Since|Your|To|With|By|At|From)\b)"
)
_THING = rf"{_SUBJECT}(?:[A-Z][\w’&-]*|[Tt]he Company’s)(?: [\w’&()-]+){{0,8}}?"
_REST = r"(?:[^.;:]|\.(?=\d))"
_LARGELY = r"(?:primarily|mainly|largely|principally|mostly)"
_CAUSE = (
    rf"(?:{_LARGELY} )?(?:due (?:{_LARGELY} )?to|driven (?:{_LARGELY} )?by|(?:because|as a result) of|"
    rf"(?:{_LARGELY} )?attributable to|reflecting|resulting from)"
)
_OFFSET = (
    r"(?:,| and)?(?: which)?(?: was| were| is| are)?(?: partially| partly| largely| more than)? offset"
    r"(?: in part)?(?: {_LARGELY})? by"
)
_END = rf"(?={_OFFSET}|, (?:and (?:was|were|is|are)|with|while|as well) |,? (?:which|while|whereas) |\.?$)"
_MOVED = "increased|decreased|declined|grew|rose|fell|improved"
_SIZE = rf"(?:,?(?: by| or| and)? {_ABOUT}(?:{_MONEY}|{_SHARE})){{0,2}}"
_NAME = r"[A-Z][\w’&.-]*(?: (?:of |the |and |& )?[A-Z][\w’&.-]*){0,5}"


@dataclass(frozen=True, slots=True)
class FilingForm:
    """A shape of sentence and its two questions; `{F}` is the firm, `{when}` the period, the rest groups.

    `dated`: the period is a part of the question; `whole`: the period is not cut out of the sentence first.
    """

    name: str
    pattern: str
    first: str
    second: str
    dated: bool = True
    whole: bool = False
    gold: str = ""


FORMS = (
    FilingForm(
        "why moved",
        rf"(?P<s>{_THING}) (?P<p>{_MOVED}){_SIZE},?(?: and was)? {_CAUSE} (?P<g>{_REST}{{8,220}}?){_END}",
        "Why did {s} {base}{when}?",
        "What was behind the {noun} in {s_}{when_}?",
    ),
    FilingForm(
        "why the move",
        rf"The (?P<p>increase|decrease|decline|growth|improvement) in (?P<s>(?:[\w’&-]+ ){{1,7}}?)"
        rf"(?:is|are|was|were) {_CAUSE} (?P<g>{_REST}{{8,220}}?){_END}",
        "Why did {s} {base}{when}?",
        "What drove the {noun} in {s_}{when_}?",
    ),
    FilingForm(
        "what offset",
        rf"(?:The (?P<n>increase|decrease|decline|growth) in )?(?P<s>{_THING}|(?:[\w’&-]+ ){{1,7}}?)"
        rf" ?(?P<p>{_MOVED}|is|are|was|were){_SIZE}[^.;]*?{_OFFSET} (?P<g>{_REST}{{8,160}}?)"
        r"(?=, (?:and|with|while) |,? which |\.?$)",
        "What partially offset the {noun} in {s}{when}?",
        "What held back the {noun} in {s_}{when_}?",
    ),
    FilingForm(
        "by how much",
        rf"(?P<s>{_THING}) (?P<p>{_MOVED})(?: by)? {_ABOUT}(?P<g>(?:{_MONEY}|{_SHARE})(?:,? or (?:{_MONEY}|{_SHARE}))?)"
        r"(?=,| (?:due|driven|primarily|because|as|reflecting|mainly|largely|on)\b|\.?$)",
        "By how much did {s} {base}{when}?",
        "How much did {s_} {go}{when_}?",
    ),
    FilingForm(
        "amount of a thing",
        rf"{_WE} (?:also )?(?P<p>repurchased|paid|recorded|recognized|issued|borrowed|invested|received|returned|sold|"
        rf"incurred|spent|granted|repaid) (?:a total of )?{_ABOUT}(?P<g>{_MONEY}) of "
        r"(?P<o>(?!which|the year)[\w’ &-]{4,70}?)"
        r"(?=[,;(]| (?:as|under|pursuant|through|during|with|which|that|and|from|for|to|in|related)\b|\.?$)",
        "How much {o} did {F} {base}{when}?",
        "What amount of {o_} did {F} {base_}{when_}?",
    ),
    FilingForm(
        "amount for a deed",
        rf"{_WE} (?:also )?(?P<p>paid|invested|received|spent|contributed|repaid|borrowed|recorded|returned) "
        rf"{_ABOUT}(?P<g>{_MONEY}) (?P<o>(?:to|for|on|from|under|in|related to) [\w’ &-]{{4,60}}?)"
        r"(?=[,;(]| (?:as|pursuant|through|during|which|that|and|in)\b|\.?$)",
        "How much did {F} {base} {o}{when}?",
        "What sum did {F} {base_} {o_}{when_}?",
    ),
    FilingForm(
        "thing of an amount",
        rf"{_WE} (?:also |have )?"
        r"(?P<p>paid|recorded|recognized|incurred|declared|received|repurchased|acquired|"
        r"generated|held|had) "
        r"(?P<o>(?!up|shares|\d)[\w’&-]+(?: [\w’&-]+){1,9}?) (?:of|for|totaling) "
        rf"{_ABOUT}(?P<g>{_MONEY})(?=[,;(]| |\.?$)",
        "What was the amount of the {o} that {F} {p}{when}?",
        "How much {o_} did {F} {base_}{when_}?",
    ),
    FilingForm(
        "shares",
        rf"{_WE} (?:also )?(?P<p>repurchased|issued|acquired|sold|purchased|granted|withheld) (?:a total of )?{_ABOUT}"
        r"(?P<g>\d[\d.,]*(?: million| billion)?) (?P<o>shares(?: of (?:our |its )?(?:Class \w )?(?:common )?stock)?)",
        "How many {o} did {F} {base}{when}?",
        "What number of {o_} did {F} {base_}{when_}?",
    ),
    FilingForm(
        "value",
        rf"(?P<s>{_THING}) (?:was|were|totaled|amounted to) {_ABOUT}(?P<g>{_MONEY})(?=,? (?:and is|which)|\.?$)",
        "How much {was} {s}{when}?",
        "What did {s_} come to{when_}?",
    ),
    FilingForm(
        "percentage",
        rf"(?P<s>{_THING}) (?P<p>accounted for|represented|comprised|was|were) {_ABOUT}(?P<g>\d[\d.]*%) of "
        r"(?P<o>[\w’ -]{4,60}?)(?=[,;(]|\.?$| (?:and|for|in|as)\b)",
        "What percentage of {o} did {s} {base}{when}?",
        "What share of {o_} came from {s_}{when_}?",
    ),
    FilingForm(
        "expires",
        rf"(?P<s>{_THING}) (?:will )?(?P<p>expires?|matures?|terminates?|ends?) (?:in|on|at) (?P<g>{_DATE})\b",
        "When {does} {s} {base}?",
        "Until when {does} {s_} run?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "matures",
        rf"(?:In {_DATE}, )?{_WE} (?:have|entered into) (?:an? )[^.;(“]{{2,120}}(?:\.\d[^.;(“]{{1,120}})?"
        rf"\((?:the )?“(?P<s>[^”]+)”\),? which (?P<p>expires|matures|terminates) in (?P<g>{_DATE})",
        "When does {s} {base}?",
        "Until when does {s_} run?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "when done",
        rf"(?P<s>{_THING}) (?P<be>was|were) (?P<v>completed|closed|issued|filed|terminated|signed|announced|adopted|"
        rf"declared|approved|acquired|repaid|amended|launched) (?:in|on) (?P<g>{_DATE})\b(?!,? (?:to|and))",
        "When {be} {s} {v}?",
        "On what date {be} {s_} {v}?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "when we did",
        rf"(?:On|In) (?P<g>(?:{MONTH_NAMES})(?: \d{{1,2}},)? 20\d\d), {_WE} "
        r"(?P<p>completed|entered into|closed|announced|"
        r"acquired|issued|signed|adopted|amended|sold|approved|launched|repaid|filed|terminated|paid|received) "
        r"(?P<o>[\w’&$. -]{6,90}?)(?=,(?! \w+,? and)|[;(]|\.?$| (?:which|that|pursuant|whereby|under which)\b)",
        "When did {F} {base} {its}?",
        "On what date did {F} {base_} {its}?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "with whom",
        rf"{_WE} (?:have |has )?(?P<p>entered into|signed|reached|announced|completed) "
        rf"(?P<o>(?!agreements)[\w’& -]{{6,70}}?) with "
        rf"(?P<g>{_NAME})(?=[,;.(]| (?:to|for|in|under|that|which|pursuant|and [a-z])\b)",
        "With whom did {F} {base} {its}?",
        "Who is the counterparty of {F} in {o_}?",
        dated=False,
    ),
    FilingForm(
        "expects of",
        rf"{_WE} (?P<p>expects?|anticipates?) (?:that )?(?P<s>(?:our|the|its) [\w’&-]+(?: (?!is|are)[\w’&-]+){{0,6}}?) "
        rf"(?P<g>(?:to (?!the |these |those |our |its |[A-Z])|will ){_REST}{{10,180}}?)\.?$",
        "What does {F} expect of {its}?",
        "What is the outlook of {F} for {its}?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "plans",
        rf"{_WE} (?:currently )?(?P<p>intends?|plans?|expects?) to (?P<g>(?:[a-z]+)"
        r"(?P<o>(?: (?:our|the|its|an?|new|additional)"
        rf"(?: (?!to|by|in|with|for|and|on|over)[\w’&-]+){{1,5}})){_REST}{{0,140}}?)\.?$",
        "What does {F} plan to do with {its}?",
        "What are the plans of {F} for {its}?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "there were none",
        r"(?:There (?:was|were|have been|has been|are) no|Had no) "
        r"(?P<o>(?!assurances?|guarantees?|other)\w+(?: [\w’-]+){2,14}?)"
        r"(?=[,;(]|\.?$| (?:that|which)\b)",
        "Were there any {its} at {F}{when}?",
        "Has {F} had any {its}{when_}?",
        gold="No",
    ),
    FilingForm(
        "did not",
        rf"{_WE} (?:did not|has not|have not) (?P<v>have|had|hold|held|recognize|recognized|record|recorded|make|made|"
        r"repurchase|repurchased|issue|issued|sell|sold|borrow|borrowed|identify|identified|declare|declared|pay|paid|"
        r"experience|experienced|engage|engaged|enter|entered) "
        r"(?P<o>[\w’ -]{5,80}?)(?=[,;(]|\.?$| (?:that|which|and|because)\b)",
        "Did {F} {base} {its}{when}?",
        "Has {F} {done_} {its}{when_}?",
        gold="No",
    ),
    FilingForm(
        "do not",
        rf"{_WE} (?:do|does) not (?:currently )?(?P<v>have|hold|own|expect|use|anticipate|engage in|maintain|"
        r"identify or allocate|hedge) "
        r"(?P<o>[\w’“” -]{6,70}?)(?=[,;(]|\.?$| (?:that|which|and|because|within)\b)",
        "Does {F} {base} {its}?",
        "Is it right that {F} does {base} {its}?",
        dated=False,
        gold="No",
    ),
    FilingForm(
        "we have",
        rf"{_WE} (?:also |currently )?(?P<p>have|has|own|owns|lease|leases|offer|offers|sell|sells|operate|operates|"
        r"use|uses|"
        r"provide|provides|rely on|relies on|hold|holds) "
        r"(?P<o>(?:an?|the|our|its|many|several|limited|various|significant) [\w’ -]{6,70}?)"
        r"(?=[,;(]|\.?$| (?:that|which|because|as)\b)",
        "Does {F} {base} {its}?",
        "Is it true that {F} {has} {its}?",
        dated=False,
        gold="Yes",
    ),
    FilingForm(
        "includes",
        rf"(?P<s>{_THING}) (?:{_LARGELY} )?(?:includes?|consists? (?:{_LARGELY} )?of|comprises?|are comprised of) "
        rf"(?:{_LARGELY} )?(?P<g>{_REST}{{10,220}}?,? and {_REST}{{3,120}})",
        "What {does} {s} include?",
        "What makes up {s_}?",
        dated=False,
    ),
    FilingForm(
        "what is",
        rf"(?P<s>{_SUBJECT}[A-Z][\w’&-]*(?: (?!is|are|or|and)[\w’&()-]+){{0,4}}) (?:is|are|means|represents?) "
        rf"(?P<g>(?:an?|the|defined as) {_REST}{{16,200}}?)\.?$",
        "What {be_} {bare} at {F}?",
        "What does {F} mean by {bare}?",
        dated=False,
    ),
    FilingForm(
        "sued",
        rf"(?:(?:In|On|Beginning in) {_DATE}, )?(?P<s>{_NAME})(?: \([^()]*\))? filed (?:an? ){_REST}{{4,160}}?,?"
        r" alleging"
        rf"(?:,? among other things,)? (?:that )?(?P<g>{_REST}{{12,220}}?)\.?$",
        "What does {bare} accuse {F} of?",
        "What does the suit of {bare} against {F} allege?",
        dated=False,
        whole=True,
    ),
    FilingForm(
        "alleges",
        rf"(?P<s>(?:The|An?)(?: [\w’&-]+){{0,8}}? (?:complaints?|lawsuits?|actions?|suits?)) "
        rf"(?:also )?(?:alleges?|alleged|claims?|asserts?|contends?),?(?: among other things,)? that "
        rf"(?P<g>{_REST}{{12,220}}?)\.?$",
        "What {does} {bare} against {F} allege?",
        "What is {F} accused of in {bare}?",
        dated=False,
    ),
)
_PATTERNS = {form.name: re.compile(rf"^{form.pattern}") for form in FORMS}
_LONG = frozenset(
    {"why moved", "why the move", "what offset", "expects of", "plans", "includes", "what is", "alleges", "sued"}
)
_NOUN = {
    "increased": "increase", "grew": "growth", "rose": "rise", "improved": "improvement",
    "decreased": "decrease", "declined": "decline", "fell": "fall",
}  # fmt: skip
_UP = frozenset({"increased", "grew", "rose", "improved", "increase", "growth", "improvement"})
_BASES = {
    "increase": "increase", "decrease": "decrease", "decline": "decline", "growth": "grow", "improvement": "improve",
    "entered into": "enter into", "accounted for": "account for", "represented": "represent", "comprised": "make up",
    "was": "make up", "were": "make up", "incurred": "incur", "granted": "grant", "repaid": "repay", "adopted": "adopt",
    "recognized": "recognize", "generated": "generate", "had": "have", "has": "have", "terminated": "terminate",
    "withheld": "withhold", "contributed": "contribute", "improved": "improve", "declared": "declare",
    "amended": "amend", "reached": "reach", "repurchased": "repurchase", "increased": "increase", "declined": "decline",
    "decreased": "decrease", "borrowed": "borrow", "identified": "identify", "experienced": "experience",
    "engaged": "engage", "entered": "enter", "issued": "issue", "returned": "return", "relies on": "rely on",
}  # fmt: skip
_DONE = {"have": "had", "hold": "held", "make": "made", "sell": "sold", "pay": "paid", "identify": "identified"}
_SAME = (
    (r"\bnet sales\b", "revenue"), (r"\brevenues?\b", "sales"), (r"\brepurchased\b", "bought back"),
    (r"\brepurchase\b", "buy back"), (r"\bexpenses?\b", "costs"), (r"\bcosts\b", "expenses"),
    (r"\boperating income\b", "operating profit"), (r"(?<!shares of its )\bcommon stock\b", "own shares"),
    (r"\bacquire\b", "buy"),
    (r"\bcapital expenditures\b", "capex"), (r"\bnet income\b", "net profit"), (r"\brecognize\b", "book"),
    (r"\brecord\b", "book"), (r"\bcash flows?\b", "cash flow"), (r"\bborrow\b", "draw"), (r"\bissue\b", "give out"),
    (r"\benter into\b", "sign"), (r"\bcomplete\b", "close"), (r"\bannounce\b", "make public"),
    (r"\beffective tax rate\b", "tax rate"), (r"\bforeign currenc(?:y|ies)\b", "currency"),
)  # fmt: skip
_LEANS = re.compile(
    rf"(?i)\b(?:{MONTH_NAMES}|respectively|this|these|such|that|above|below|foregoing|other|each|former|latter"
    r"|another|year-over-year|total of|same|it|they|their|those"
    r"|certain|prior year|discussed|described|following|herein|not|us|we|you|your|also|primarily"
    r"|generally|typically)\b|[“”:\[\]•|]"
)
_DANGLES = re.compile(r"\b(?:and|or|of|the|an?|in|on|to|by|for|with|from|at|as|our|its|nor|\d)$|^(?:also|up)\b")
_LEGAL = re.compile(
    r"(?i),? (?:inc|corp|corporation|company|co|ltd|plc|incorporated|holdings?)\b\.?|\.com\b|,? & co\b\.?|^the "
)
_ACCOUNTS = answer_tokens(
    "our revenue revenues operating gross effective cost costs sales net income research general interest cash total"
    " fair other selling marketing capital accounts inventory inventories"
)
_FIGURE = re.compile(r"\d[\d.,]*%|\$[\d.,]+ \w+")
_ORDINAL = {"1": "first", "2": "second", "3": "third", "4": "fourth"}
_OTHER_DEED = {
    "increase": "decrease", "grow": "decline", "rise": "fall", "decrease": "increase", "decline": "increase",
    "fall": "rise", "repurchase": "issue", "issue": "cancel", "acquire": "sell", "sell": "acquire", "pay": "borrow",
    "receive": "pay", "invest": "borrow", "return": "borrow", "record": "insure", "recognize": "insure",
    "spend": "raise",
    "withhold": "cancel", "purchase": "issue", "borrow": "donate", "repay": "borrow", "grant": "cancel",
    "complete": "abandon", "enter into": "terminate", "file": "withdraw", "sign": "terminate", "announce": "deny",
    "have": "sue", "offer": "ban", "sell its": "burn", "use": "sue", "rely on": "donate", "lease": "insure",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filed:
    """Whose filing a passage is of, for which period, and how that is said in a question."""

    firm: str
    filing: str
    year: str
    quarter: str

    @property
    def period(self) -> str:
        """The period by which filings are told apart."""
        return f"{self.year} {self.quarter}"

    def said(self, *, shortly: bool) -> str:
        """As a question names the period."""
        if shortly:
            return f" in Q{self.quarter} FY{self.year}" if self.quarter else f" in FY{self.year}"
        return f" in {f'the {_ORDINAL[self.quarter]} quarter of ' if self.quarter else ''}fiscal {self.year}"


@dataclass(frozen=True, slots=True)
class FilingCloze:
    """A question made from a sentence of a filing: two wordings with places for firm and period, and the gold."""

    form: str
    templates: tuple[str, str]
    whens: tuple[str, str]
    golds: tuple[str, ...]
    filed: Filed
    thing: str
    deed: str
    sentence: str
    passage: str
    turned: tuple[tuple[str, str], ...] = ()

    def asked(self, wording: int = 0, *, firm: str = "", when: str | None = None) -> str:
        """The question, of another firm or period if given."""
        said = self.whens[wording] if when is None else when
        text = self.templates[wording].replace("{F}", firm or self.filed.firm).replace("{when}", said)
        text = re.sub(r"\s+", " ", text).replace(" ?", "?").replace("’", "'").replace("s's ", "s' ")
        return text[0].upper() + text[1:]


def filed(passage: Passage) -> Filed | None:
    """Whose filing a passage is of; None where it does not say."""
    known = dict(passage.metadata)
    firm = _LEGAL.sub("", known.get("issuer", "")).strip(" ,.&")
    year, _, quarter = known.get("fiscal_period", known.get("fiscal_year", "")).partition(" Q")
    if not firm or not year or (known.get("form") != "10-K" and not quarter):
        return None
    firm = firm.title() if firm.isupper() and len(firm.split()[0]) > len("NIKE") and firm != "NVIDIA" else firm
    return Filed(firm, known.get("doc", passage.document_id), year, quarter)


def made_from(passage: Passage) -> Iterator[FilingCloze]:
    """All questions that the sentences of a passage allow."""
    of = filed(passage)
    if of is None:
        return
    for raw in sentence_texts(passage.text):
        sentence = re.sub(r"\s+", " ", raw).strip()
        if not SHORTEST <= len(sentence.split()) <= LONGEST or "respectively" in sentence:
            continue
        periods = list(_WHEN.finditer(sentence))
        when = periods[0] if periods else None
        of_several = len({each["period"] for each in periods}) > 1
        bare = _WHEN.sub("", _COMPARED.sub("", sentence)).lstrip(" ,")
        bare = bare[:1].upper() + bare[1:]
        for form in FORMS:
            match = _PATTERNS[form.name].match(sentence if form.whole else bare)
            if of_several and form.dated and form.name not in _LONG:
                continue  # an amount of each
            if match and (made := _question(form, match, when, sentence=sentence, passage=passage, of=of)):
                yield made


def _question(
    form: FilingForm, match: re.Match[str], when: re.Match[str] | None, *, sentence: str, passage: Passage, of: Filed
) -> FilingCloze | None:
    given = {name: (text or "").strip() for name, text in match.groupdict().items()}
    thing = given.get("s") or given.get("o", "")
    gold = form.gold or given["g"].strip(" ,.")
    dangling = any(_DANGLES.search(given.get(each, "")) for each in "so") or (gold and _DANGLES.search(gold))
    if dangling or _LEANS.search(thing) or (thing and gold and contains_answer(thing, [gold])):
        return None
    if form.name == "what offset" and given["p"] not in _NOUN and not given.get("n"):
        return None
    words = _words(given, passage)
    if words is None or thing == of.firm or re.match(r",\d", match.string[match.end() :]):
        return None
    whens = _whens(when, of) if form.dated else ("", "")
    if whens is None:
        return None
    firsts = form.first.format_map(words), form.second.format_map(words)
    deed = words["base"] or given.get("v", "")
    return FilingCloze(form.name, firsts, whens, (gold,), of, thing, deed, sentence, passage.passage_id)


def _whens(when: re.Match[str] | None, of: Filed) -> tuple[str, str] | None:
    """How the period is asked for, twice: the filing's own, or as the sentence says it; None where neither is plain."""
    own = of.said(shortly=False), of.said(shortly=True)
    if when is None:
        return own
    period = when["period"]
    if when["at"].lower() in {"as of", "at"} and re.search(rf"{MONTH_NAMES}", period):
        return f" as of {period}", f" at {period}"
    year = re.search(r"20\d\d", period)
    quarter = re.match(r"Q(\d)|(first|second|third|fourth) quarter", period)
    if quarter and quarter[1] in {of.quarter, None} and quarter[2] in {_ORDINAL.get(of.quarter), None}:
        return own if year and year[0] == of.year else None
    if re.fullmatch(_YEAR, period) and not of.quarter and year and year[0] == of.year:
        return own
    return (f" in the {period}", f" in the {period}") if re.match("first|three|six|nine|twelve", period) else None


def _words(given: Mapping[str, str], passage: Passage) -> dict[str, str] | None:
    """What the templates are filled with."""
    moved = given.get("n") or given.get("p", "")
    base = _BASES.get(moved) or BASE.get(moved) or moved.removesuffix("s")
    verb = given.get("v", "")
    base = base or next((each for each, done in _DONE.items() if done == verb), BASE.get(verb, _BASES.get(verb, verb)))
    subject, thing = (_of_firm(given.get(each, "")) for each in "so")
    subject = _small(subject, passage)
    subject = subject if not subject or "{F}" in subject else "{F}’s " + re.sub(r"^the ", "", subject)
    bare = _small(re.sub(r"^(?:An?|Our|The Company’s|The) ", "the ", given.get("s", "")), passage)
    return {
        **given,
        "F": "{F}",
        "when": "{when}",
        "when_": "{when}",
        "s": subject,
        "o": _plain(thing),
        "s_": _reworded(subject),
        "o_": _reworded(_plain(thing)),
        "its": re.sub(
            r"(?i)\b(?:our|(?:the )?company’s)\b", "its", _small(given.get("s") or given.get("o", ""), passage)
        ),
        "be_": "are" if re.search(r"[^s]s$", bare) else "is",
        "bare": bare,
        "base": base,
        "base_": _reworded(base),
        "done_": _DONE.get(base, f"{base.removesuffix('e')}ed"),
        "has": {"have": "has", "rely on": "relies on"}.get(base, base if base.endswith("s") else f"{base}s"),
        "noun": _NOUN.get(moved, moved),
        "go": "go up" if moved in _UP else "go down",
        "was": "were" if re.search(r"[^s]s$", subject) else "was",
        "does": "do" if re.search(r"[^s]s$", subject) else "does",
    }


def _of_firm(thing: str) -> str:
    """A thing with the firm in place of "our", "the Company's"."""
    thing = re.sub(r"(?i)\b(?:our|(?:the )?company’s|its)\b", "{F}’s", thing, count=1)
    return re.sub(r"(?i)\b(?:our|(?:the )?company’s|its)\b", "its", thing)


def _plain(thing: str) -> str:
    """An object of what the firm did, without an article; what is the firm's is "its"."""
    return re.sub(r"^(?:an?|the|its) ", "", thing.replace("{F}’s", "its"))


def _small(thing: str, passage: Passage) -> str:
    """A thing as it stands within a sentence: a word that the passage has in small letters, or a noun of accounts."""
    head = thing.partition(" ")[0]
    small = head.lower()
    if thing[len(head) + 1 :][:1].isupper() and small != "the":
        return thing
    is_small = head[1:].islower() and (
        small in (*_ACCOUNTS, "the", "a", "an") or re.search(rf"[a-z,] {small}\b", passage.text) is not None
    )
    return thing[0].lower() + thing[1:] if is_small else thing


def _reworded(thing: str) -> str:
    """In an analyst's words."""
    for pattern, other in _SAME:
        if re.search(pattern, thing):
            return re.sub(pattern, other, thing)
    return thing


class Stands:
    """Which words stand together in a passage of a filing, so that what is turned is not told by chance."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self.of_firm = defaultdict[str, dict[str, Filed]](dict)
        self._passages = defaultdict[str, list[frozenset[str]]](list)
        for passage in passages:
            if of := filed(passage):
                self.of_firm[of.firm].setdefault(of.filing, of)
                self._passages[of.filing].append(terms_of(passage.text))

    def together(self, words: str, filings: Iterable[str]) -> bool:
        """Whether a passage of the filings says all words."""
        wanted = terms_of(re.sub(r"(?i)\b(?:our|its|(?:the )?company’s)\b", "", words))
        return any(wanted <= each for filing in filings for each in self._passages[filing])


def _turned(made: FilingCloze, stands: Stands, chance: random.Random) -> FilingCloze:
    """The question with what was turned: nothing that the corpus tells, as far as its words show."""
    turned = []
    own = stands.of_firm[made.filed.firm]
    if made.golds != ("No",):
        firms = sorted(set(stands.of_firm) - {made.filed.firm})
        for firm in chance.sample(firms, len(firms)):
            filings = stands.of_firm[firm]
            has_period = any(each.period == made.filed.period for each in filings.values())
            if (has_period or not made.whens[0]) and not stands.together(made.thing, filings):
                turned.append(("another firm", made.asked(firm=firm)))
                break
        for other in chance.sample(sorted(own.values(), key=lambda each: each.filing), len(own)):
            if made.whens[0] and other.period != made.filed.period and not stands.together(made.thing, [other.filing]):
                turned.append(("another period", made.asked(when=other.said(shortly=False))))
                break
    if (deed := _OTHER_DEED.get(made.deed)) and not stands.together(f"{made.thing} {deed}", own):
        done = re.sub(rf"\b{re.escape(made.deed)}\b", deed, made.asked(), count=1)
        turned += [("another deed", done)] * (done != made.asked())
    return replace(made, turned=tuple(turned))


def sample(passages: Sequence[Passage], *, seed: int, of_a_form: int) -> list[FilingCloze]:
    """So many questions of each form, drawn from all that the passages allow; what asks the same has all its golds."""
    by_form = defaultdict[str, dict[str, FilingCloze]](dict)
    for passage in passages:
        for made in made_from(passage):
            same = by_form[made.form].get(made.asked())
            golds = dict.fromkeys((*(same.golds if same else ()), *made.golds))
            by_form[made.form][made.asked()] = replace(same or made, golds=tuple(golds))
    stands, drawn = Stands(passages), list[FilingCloze]()
    ways = defaultdict[tuple[str, str, str], set[str]](set)
    for made in (made for of_form in by_form.values() for made in of_form.values()):
        ways[made.form, made.filed.filing, made.thing].add(made.deed)
    for form in FORMS:
        chance = random.Random(f"{seed} {form.name}")
        all_of_form = [
            made
            for made in sorted(by_form[form.name].values(), key=lambda made: (made.passage, made.asked()))
            if len(made.golds) <= MOST_GOLDS and (form.gold or len(ways[form.name, made.filed.filing, made.thing]) == 1)
        ]
        chosen = chance.sample(all_of_form, min(of_a_form, len(all_of_form)))
        drawn += [_turned(made, stands, chance) for made in chosen]
    return drawn


@dataclass(frozen=True, slots=True)
class Row:
    """What came of asking one wording."""

    set_name: str
    form: str
    wording: str
    question: str
    gold: str
    in_five: bool
    quoted: bool
    first: bool
    short: str
    right: bool
    claims: bool
    status: str
    text: str
    sentence: str


def ask(made: FilingCloze, wording: str, question: str, *, set_name: str, retriever: DocumentRetriever) -> Row:
    """Ask one wording of the whole corpus and compare with what was taken out."""
    run = view(recorded(execute(RunSpec("adaptive", question), retriever=retriever)))
    answer = stated_by(run)
    golds = made.golds if made.golds[0] not in {"Yes", "No"} else (made.sentence,)
    first = next(iter(sentence_texts(answer.lead)), "")
    return Row(
        set_name,
        made.form,
        wording,
        question,
        " | ".join(made.golds),
        any(made.sentence in re.sub(r"\s+", " ", each.passage.text) for each in run.evidence),
        any(tells(each, gold) for each in sentence_texts(answer.text) for gold in golds),
        any(tells(first, gold[: len(first)]) for gold in golds),
        answer.short,
        any(_states(answer.short, gold, long=made.form in _LONG) for gold in made.golds),
        bool(answer.text) and not answer.doubts,
        (run.answer.status or "") if run.answer else "",
        answer.text[:400],
        made.sentence,
    )


def tells(text: str, gold: str) -> bool:
    """Whether a text holds a short gold, or four in five words of a long one."""
    wanted = set(answer_tokens(gold))
    return contains_answer(text, [gold]) > 0 or (
        len(wanted) > 4 and len(wanted & set(answer_tokens(text))) >= 0.8 * len(wanted)
    )


def _states(short: str, gold: str, *, long: bool) -> bool:
    if not long:
        figures = set(_FIGURE.findall(gold))
        return is_right(short, gold) or tells(short, gold) or bool(figures & set(_FIGURE.findall(short)))
    said, wanted = set(answer_tokens(short)), set(answer_tokens(gold))
    return bool(said) and len(said & wanted) >= 0.6 * min(len(said), len(wanted))


def counts(rows: Sequence[Row]) -> str:
    """The cells of a line of the table."""
    tests: tuple[Callable[[Row], bool], ...] = (
        lambda row: row.in_five,
        lambda row: row.quoted,
        lambda row: bool(row.short) and row.right,
        lambda row: bool(row.short) and not row.right,
        lambda row: row.claims and not row.quoted and not row.right,
        lambda row: row.in_five and not row.claims,
        lambda row: not row.in_five,
    )
    return " | ".join(str(each) for each in (len(rows), *(sum(map(test, rows)) for test in tests)))


HEAD = (
    "asked | sentence in five | gold in the answer | stated right | stated otherwise | claimed without the gold | "
    "not certain though in five | not in five"
)
TURNS = ("another firm", "another period", "another deed")


def main() -> None:
    """Print for each set, each form and each turn how many were answered, and with --show what was stated wrong."""
    logging.disable(logging.CRITICAL)
    parser = options(__doc__, [*READ, *ONLY_COUNTED], OF_A_FORM)
    parser.add_argument("--show", action="store_true", help="print what is stated otherwise, of the set that is read")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in given.sets:
        retriever, passages = corpus_of(name)
        drawn = sample(passages, seed=given.seed, of_a_form=given.each)
        if given.list:
            _list(drawn if name in READ else [])
            continue
        of_set = []
        for made in drawn:
            asked = (("first", made.asked(0)), ("second", made.asked(1)), *made.turned)
            of_set += [ask(made, kind, text, set_name=name, retriever=retriever) for kind, text in asked]
        _print(name, of_set, show=given.show and name in READ)
        rows += of_set
    write(given.out, rows)


def _list(drawn: Sequence[FilingCloze]) -> None:
    for made in drawn:
        print(f"[{made.form}] {made.asked(0)} | {made.asked(1)} | {' / '.join(made.golds)} || {made.sentence}")
        for kind, other in made.turned:
            print(f"      {kind}: {other}")


def _print(name: str, rows: Sequence[Row], *, show: bool) -> None:
    straight = [row for row in rows if row.wording not in TURNS]
    print(f"\n| {name} | {HEAD} |\n|---|{'--:|' * 8}")
    for form in FORMS:
        if of_form := [row for row in straight if row.form == form.name]:
            print(f"| {form.name} | {counts(of_form)} |")
    for wording in ("first", "second"):
        print(f"| {wording} wording | {counts([row for row in straight if row.wording == wording])} |", flush=True)
    turned = Counter((row.wording, "stated" if row.short else "claimed" if row.claims else "not") for row in rows)
    for kind in TURNS:
        of = sum(turned[kind, what] for what in ("stated", "claimed", "not"))
        print(f"turned to {kind}: of {of} stated {turned[kind, 'stated']}, claimed {turned[kind, 'claimed']} more")
    for row in rows:
        if show and row.short and (row.wording in TURNS or not row.right):
            print(f"{row.wording}: {row.question} | stated {row.short} | gold {row.gold} | {row.sentence[:200]}")


if __name__ == "__main__":
    main()
