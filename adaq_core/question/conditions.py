"""What binds the answer: conditions on the evidence, and instructions about the form.

Sources, dates and periods, forms, places, numbers, quotes, negations; "explain", "round to", "as a list".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from adaq_core.model import ConditionKind, Constraint
from adaq_core.question.answer_kinds import ASKING, ASKS, AUXILIARIES, AUXILIARY, PREPOSITIONS, LanguagePattern, linear
from adaq_core.text.entities import COUNTRY_OF, Name, names
from adaq_core.text.tokens import spans
from adaq_core.text.values import MONTH_NAMES, MONTHS, Date, dates

InstructionKind = Literal["form", "role", "means", "definition", "proviso"]

Row = LanguagePattern[InstructionKind]
_UNIT = (
    r"(?:(?:us\s?)?(?:\$|dollars?|usd|eur|euros?|gbp|pounds?)\s?(?:thousands?|millions?|billions?|trillions?)?|"
    r"(?:thousands?|millions?|billions?|trillions?)(?:\s+(?:of\s+)?(?:us\s+)?(?:dollars?|usd))?|units?\s+of\s+\w{1,20}|percents?|percentages?|words)\b"
)
_PAPERS = (
    r"(?:information|details?|line items?|statements?|sheet|data|filings?|judge?ments?|figures|documents?|context)"
)
_USE = r"(?:rely|relying|based?|basing|using|use|utili[sz]ing|referencing|drawing|taking|according|answering|going|judging|looking)"

# Whole sentences, and pieces of them behind a colon or a semicolon.
SENTENCES: tuple[Row, ...] = (
    Row("proviso", r"^if\b.{1,200}\b(?:state|say|explain|mention|note|tell|answer|reply|respond|write)\b",
        "If gross margin is not a useful metric, then please state that and explain why.",
        "If interest rates rise, what happens to banks?", "financebench"),
    Row("role", r"^(?:please\s+)?(?:assume|pretend|imagine|suppose)\s+(?:that\s+)?(?:you|i|we)\b",
        "Assume that you are a public equities analyst.", "Assume no growth: what is the margin?", "financebench"),
    Row("role", r"^you\s+are\s+(?:a|an|the|my|now)\b", "You are an experienced analyst.", "Are you open?", "prompts"),
    Row("role", r"^(?:i|we)(?!(?:['’](?:m|re)|\s+(?:am|are))\s+looking\s+for\b)(?:['’](?:m|re|ve|d)|\s+(?:am|are|have|had|hold|need\s+to|want\s+to|work|run|own|prepare|would\s+like\s+to\s+(?:prepare|write)))\b",
        "We need to calculate a financial metric by using the balance sheet.", "What do we need to grow?",
        "financebench; the written exam"),
    Row("role", r"^(?:(?:please\s+)?help\s+(?:me|us)\b|(?:hi|hello|hey|dear|thanks|thank\s+you|best|regards|cheers)\b.{0,60}$)",
        "Thank you in advance!", "Help desks: how do they work?", "letters"),
    Row("form", r"^(?:please\s+)?(?:here(?:['’]s|\s+(?:is|are|comes))|(?:the|my|our)\s+questions?(?:\s+(?:is|are)|$))",
        "Here is the question:", "The question of Ireland", "prompts"),
    Row("form", r"^(?:please\s+)?answer\s+(?:the|this|these|my|our|all|each|both|only|in|as|with|by|using|briefly|concisely|shortly|yes|from|within)\b",
        "Answer in USD billions.", "Answer engines: how do they work?", "financebench"),
    Row("form", r"^(?:please\s+)?(?:give|provide|write|make|keep|phrase|format|prepare)\s+(?:me\s+|us\s+)?(?:(?:a|an|your|the|it)\s+)?(?:\w{1,12}\s+){0,2}?(?:response|answer|reply|replies|answers|short|brief|concise)\b",
        "Give a response to the question by relying on the cash flow statement.", "Give the causes of the fall.",
        "financebench"),
    Row("form", r"^(?:please\s+)?(?:respond|reply|round|cite|quote)\s+(?:to|the|your|all|in|with|by|up|down|answer|each|every|sources|it|everything|only)\b",
        "Round your answer to two decimal places.", "Round tables: who invented them?", "financebench"),
    Row("form", r"^(?:please\s+)?(?:address\s+the\s+question|base\s+(?:your|the)|(?:calculate|compute|report)\s+(?:what|the\s+answer|or\s+extract))\b",
        "Address the question by using the line items of the balance sheet.", "Calculate inventory turnover for FY2022",
        "financebench"),
    Row("form", r"^(?:please\s+)?(?:state|express|report|present|return|show|explain)\s+(?:the\s+|your\s+|all\s+)?(?:answer|result|response|figures?|amounts?|numbers|reasoning|work)\b",
        "Please state answer in USD millions.", "State aid: what is it?", "financebench"),
    Row("form", r"^(?:please\s+)?(?:make\s+sure|ensure|be\s+(?:concise|brief|specific|precise|sure|careful)|think\s+step|take\s+a\s+deep|do\s+not|don['’]t|no\s+more\s+than|at\s+most\s+\w+\s+(?:words|sentences))\b",
        "Be concise.", "Do nothing banks exist?", "prompts"),
    Row("means", r"^(?:please\s+)?(?:only\s+)?(?:use|rely\s+on|refer\s+to|consult|consider)\s+(?:only\s+|just\s+|primarily\s+)?(?:the\s+|information\b|data\b|what\b|sources\b|documents\b)",
        "Use only the balance sheet.", "Use of BERT", "issue 10"),
    Row("form", r"^(?:please\s+)?(?:explain|elaborate|justify)$", "Explain.", "Explain attention", "prompts"),
    Row("form", r"^(?:please\s+)?(?:cover|include|address|answer|touch\s+on)(?:\s+(?:all\s+of\s+)?(?:the\s+following|these|each))?(?:\s+(?:points?|questions?|topics?|items?))?$",
        "Please cover the following points", "Answer engines", "prompts"),
    Row("form", r"^(?:please\s+|and\s+)?(?:give|state|show|quote|include)\s+(?:me\s+)?(?:both|all|the|exact|each)\s+(?:(?:two|the|exact|dollar)\s+)?(?:numbers?|figures?|rates?|values?|amounts?|names?|dates?)(?:\s+(?:please|pls))?$",
        "Give both rates.", "Give the names of Apple's suppliers.", "quarterly reports"),
    Row("form", r"^(?:please\s+|and\s+)?(?:list|name|give|show|state)\s+(?:them|these|those|it|each|all(?:\s+of\s+them)?)(?:\s+all)?(?:\s+(?:with|by|in|along|from)\s.{1,120})?$",
        "list them", "List all lawsuits", "exam-briefs"),
    Row("form", r"^(?:please\s+|and\s+)?(?:list|name|give|state|add)\s+(?:the\s+|their\s+)?(?:names?|posts?|titles?|dates?|years?|amounts?|figures?|sources?|products?|prices?)(?:(?:,\s+|\s+and\s+|,\s+and\s+)(?:the\s+|their\s+)?(?:names?|posts?|titles?|dates?|years?|amounts?|figures?|sources?|products?|prices?)){0,3}(?:\s+(?:wherever|where|whenever|if)\b.{0,120})?$",
        "list names and posts", "List products of Apple", "exam-briefs"),
    Row("form", r"^(?:please\s+|and\s+)?(?:say\s+so\s+(?:if|where|when)|warn\s+(?:me|us)\s+(?:of|about)\s+(?:traps|gaps|doubts|anything)|name\s+(?:the|all)\s+[a-z]{2,20}\s+(?:precisely|exactly))\b",
        "say so if something is not covered", "Say what happened", "exam-briefs"),
    Row("form", r"^(?:i|we)\s+(?:need|want|prefer)\s+(?:only\s+)?(?:dates|figures|numbers|facts|names|sources)(?:(?:,\s|\s+and\s+|\s+or\s+)(?:dates|figures|numbers|facts|names|sources)){0,3}(?:,?\s(?:rather\s+than|not|instead\s+of|and\s+no|only|because|since)\b.{0,200})?$",
        "I need dates and figures rather than adjectives", "I need dates of the strikes", "exam-round"),
    Row("form", rf"^no\s+(?!one\b|longer\b|more\b)(?!.{{0,160}}\b(?:{AUXILIARY})\b)[a-z][^.?;:,]{{2,60}}(?:,\s+(?:(?:and\s+)?no\s+)?[^.?;:,]{{2,60}}){{0,4}}$",
        "No history of the company, no share price talk", "No driver's licence is held by whom", "briefs"),
    Row("form", r"^(?:one|two|three|four|five|six|\d{1,2}|an?)\s+(?:(?:short|single|plain|brief)\s+)?(?:paragraphs?|sentences?|pages?|bullets?|lines?|tables?|slides?)\b(?!.{0,80}\?)(?:[,;]?\s+(?:with|please|only|each|per|at\s+most|for)\b.{0,120})?$",
        "One paragraph, with the reasons our contribution guide gives", "One page of the treaty is lost", "briefs"),
    Row("form", r"^(?:something\s+(?:i|we)\s+can\b|(?!(?:what|who|which|how|when|where|why)\b)(?:[a-z-]{2,20}\s+){1,4}(?:is|are)\s+(?:fine|ok|okay)(?![\w-])).{0,120}$",
        "Something I can read in ten minutes", "Something is wrong", "briefs"),
    Row("form", r"^(?:please\s+)?(?:leave|skip|omit|ignore)\s+(?:the|out|it|any|empty|blank)\b.{0,160}$",
        "Leave the cell empty where the report does not say", "Leave policy: how many days", "briefs"),
    Row("form", rf"^in\s+{_UNIT}(?:,\s.{{2,60}})?$", "In US dollars, millions, except for EPS", "In dollars of 2010, what did it cost", "briefs"),
    Row("form", r"^(?:evidence|arguments|reasons)\s+for\s+and\s+against$", "Evidence for and against", "Evidence for and against it is said to be weak", "briefs"),
    Row("form", r"^if\b.{1,200}\b(?:show|give|quote|list|name)\s+(?:me\s+|us\s+)?(?:both|each|all)\b.{0,120}$",
        "If the guidelines differ on a point, show me both", "If rates rise, who is hurt", "briefs"),
    Row("form", r"^no\s+[a-z]{3,20}(?:\s[^;:]{1,200})?\s(?:is|are)\s+(?:needed|required|necessary|wanted)(?:\s+here)?$",
        "No advice on whether to buy, and no comparison with others is needed", "No driver's licence is held by whom", "exam-report-briefs"),
    Row("form", r"^where\s+(?:do|does)\s+(?:each(?:\s+of\s+(?:them|these))?|they|it|things|this|that)\s+stand(?:\s+(?:now|today|at\s+present))?$",
        "where does each stand", "Where does the case stand", "exam-briefs"),
    Row("definition", r"\bis\s+defined\s+as\b|^define\s+.{1,80}\s+as\b|^.{1,60}\bis\s+calculated\s+as\b",
        "ROA is defined as: net income / average total assets.", "How is poverty defined in Germany?", "financebench"),
)  # fmt: skip

# Phrases in front of a question or behind it, inside its sentence.
OPENINGS: tuple[Row, ...] = (
    Row("means", rf"^(?:by\s+|when\s+|while\s+)?(?:\w{{1,14}}\s+){{0,2}}{_USE}\b.{{1,200}}\b{_PAPERS}\b",
        "By drawing conclusions from the information stated only in the income statement",
        "According to Reuters", "financebench"),
)  # fmt: skip
INSIDE: tuple[Row, ...] = (
    Row("form", rf"\(\s*(?:(?:expressed\s+|stated\s+)?in\s+{_UNIT}|rounded?\b|and\s+round\b|(?:or\s+)?exact\s+number)[^()]{{0,80}}\)",
        "What is the amount (in USD millions) for 3M?", "What is the growth (in Europe)?", "financebench"),
    Row("form", rf",?\s+(?:expressed\s+|stated\s+)?in\s+(?:terms\s+of\s+)?{_UNIT}(?=\s*[?.]?\s*$)",
        "What is the EBITDA in USD millions?", "Who invested in units?", "financebench"),
    Row("form", r",?\s+(?:and\s+)?round(?:ed|ing)?\s+(?:(?:it|your\s+answer|the\s+result)\s+)?(?:to|up|down|off)\b[^?;]{0,60}(?=\s*[?.;]?\s*$)",
        "What is the margin, rounded to one decimal place?", "Who won the round of 16?", "financebench"),
    Row("form", r",\s+(?:one|two|three|an?|\d)\s+(?:short\s+)?(?:lines?|sentences?|paragraphs?|words?|bullets?)\s+(?:each|apiece|per\s+\w{2,20})(?=\s*[?.]?\s*$)",
        "pagerank vs personalised pagerank, one line each", "A book with one line each page", "briefs"),
    Row("form", r"\s[-–—]\s(?:in\s+)?(?:one|two|three|four|five|six|an?|\d{1,2})\s+(?:short\s+|brief\s+)?(?:lines?|sentences?|paragraphs?|words?|bullets?|pages?)\b.{0,200}$",
        "what Ortberg has altered since – four short paragraphs, no adjectives", "Boeing – two companies in one", "briefs"),
    Row("form", r"\(\s*(?:based\s+on|using|from)\b[^()]{1,120}\)",
        "What is the payout ratio (using total cash dividends paid)?", "Who led Apple (the company)?", "financebench"),
    Row("role", r",\s+(?:bearing|keeping|having)\s+in\s+mind\b.{1,400}$",
        "How did it fall, bearing in mind that we hold shares?", "What does he have in mind?", "the written exam"),
    Row("form", r"(?:^|,?\s+)(?:in\s+as\s+much\s+detail\s+as\s+[^,]{1,60}|in\s+(?:great\s+|full\s+)?detail|step\s+by\s+step|in\s+a\s+few\s+words|in\s+one\s+(?:sentence|paragraph)|in\s+(?:your|simple|plain)\s+(?:own\s+)?(?:words|terms|english)|briefly|with\s+(?:citations|sources|references))(?:,?\s+please)?(?=\s*[,?.;:]|\s*$)",
        "Explain attention in simple terms", "Which words are in detailed plans?", "prompts"),
    Row("form", r"(?:[,;:]|\s[-–])?\s+(?:(?:with\s+(?:the\s+)?|\$\s?|dollar\s+)(?:figures|numbers|names|dates)(?:\s+(?:please|pls|plz))?|(?:names|numbers|figures)\s+(?:please|pls|plz))(?=\s*[?.!]?\s*$)",
        "Who sold more, A or B? with the numbers pls", "A book with the names of saints", "typed questions"),
    Row("form", r",?\s+in\s+(?:(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|a\s+few|a\s+couple\s+of|or|to)\s+){0,4}(?:short\s+|brief\s+)?(?:bullets?(?:\s+points?)?|points|sentences?|lines|paragraphs?|words)(?=\s*[,?.;]|\s*$)",
        "Summarise Apple's exposure to China in three bullets", "How often does it stand in sentences about him?", "analysts' forms"),
    Row("form", r",?\s+(?:to|for)\s+(?:a|an|the|my)\s+(?:complete\s+|total\s+)?(?:beginners?|lay(?:man|person|people)|novices?|child(?:ren)?|newcomers?|non-experts?|dumm(?:y|ies)|five[- ]year[- ]old)(?=\s*[,?.;]|\s*$)",
        "Explain BM25 to a beginner", "Who wrote a book for the children of Oslo?", "analysts' forms"),
)  # fmt: skip

_STATEMENTS = (
    ("balance sheet", r"balance\s+sheets?|statements?\s+of\s+financial\s+position"),
    ("cash flow statement", r"cash\s+flows?\s+statements?|statements?\s+of\s+cash\s+flows?"),
    ("income statement", r"income\s+statements?|statements?\s+of\s+(?:income|operations|earnings)|p\s?&\s?l(?:\s+statements?)?|profit\s+and\s+loss\s+(?:statement|account)"),
)  # fmt: skip
STATEMENTS = tuple((name, linear(rf"(?i)(?:(?<=\W)|^)(?:{pattern})\b")) for name, pattern in _STATEMENTS)


def is_instruction(text: str) -> bool:
    """Whether a sentence (or a piece of one) speaks of the answer's form, of its asker, or defines a term."""
    plain = text.strip(" ,.;:!?\n\t")
    return any(row.regex.search(plain) for row in SENTENCES)


def is_means(opening: str) -> bool:
    """Whether a phrase in front of a question says with what to answer it: "Using only the balance sheet"."""
    return any(row.search(opening) for row in OPENINGS)


def inside(sentence: str) -> list[tuple[int, int]]:
    """Return the spans inside `sentence` that are instructions, in order, none within another."""
    spans = sorted(match.span() for row in INSIDE for match in row.regex.finditer(sentence))
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


_AHEAD = 64  # characters
_OPENERS_WORDS = """
top main key major best biggest uses use examples example differences difference advantages disadvantages pros
good everyone everybody someone somebody nobody anyone anybody sorry hang cons roughly overview summary comparison recent latest current risks reasons causes per not
"""
_OPENERS = frozenset(_OPENERS_WORDS.split())
_BEFORE_NAMES = ASKING | _OPENERS | set(PREPOSITIONS) | {"assume", "answer", "round", "address", "usd", "based"}
_CALENDAR = frozenset((*MONTHS, "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
_TITLES_WORDS = """
Mr Mrs Ms Dr Prof St Sr Jr Gen Col Capt Sen Gov Rep Rev Hon Lt Sgt
"""
_TITLES = frozenset(_TITLES_WORDS.split())
_DIGIT_NAME = linear(r"(?<![\w$€£.,-])\d{1,2}-?(?!Q\b|K\b|D\b)[A-Z][A-Za-z]{0,20}\b(?!\d)")
_OWNER = linear(r"['’]s\s+")
_NOUN_FOLLOWS = linear(r"\s+(?!(?:in|on|of|at|for|to|and|or|is|are|was|were|do|does|did|has|have|had|will|can)\b)[a-z]")
_REPORT = r"(?:articles?|reports?|pieces?|stor(?:y|ies)|posts?|publications?|blogs?)"
_LOOSE = (
    rf"(?:{_REPORT}|reporting|reviews?|analys[ie]s|coverage|features?|another|one|reported|published|covered|papers?)"
)
_SOURCE_BEFORE = linear(
    rf"(?i)(?:\b(?:{_LOOSE}\s+(?:from|by|in)|according\s+to|as\s+per)|(?:^|[,.;?!]\s)per)\s+(?:(?:the|an?|both)\s+){{0,2}}['\"“‘]?$"
)
_SOURCE_AFTER = linear(rf"(?i)['\"”’]?(?:['’]s)?\s+{_REPORT}\b(?!\s+to\b)")
_REPORTS_ABOUT = linear(r"(?i)\s+reports?\s+(?:about|on|that)\b")
_AND_ONE = linear(r"(?i)['\"”’]?\s+and\s+(?:the\s+)?['\"“‘]?")
_OWNS = linear(rf"(?i)['’]s\s+(?!{_REPORT}\b)")
_JOINER = linear(r"(?i)['\"”’]?(?P<comma>,)?\s+(?:(?P<and>and|or)\s+)?(?:(?:the|an?)\s+){0,2}['\"“‘]?")
_LIST_ENDS = linear(r"['\"”’]?\s*(?:[,.;?!]|$)")
_LONGEST_SOURCE = 6  # words

_WHEN = linear(
    r"(?i)\b(?P<when>since|before|after|until|till|by|during|in|from|between|as\s+of|of|on|for|through|throughout|around)\s+"
    r"(?:the\s+)?(?:(?:early|late|mid|(?:end|beginning|start|middle|course|first\s+half|second\s+half)\s+of|year|month"
    r"|(?:spring|summer|autumn|winter|fall|holiday\s+quarter)(?:\s+of)?"
    r"|(?:fiscal\s+|three\s+|six\s+|nine\s+|twelve\s+)?(?:year|quarter|period|months)\s+(?:(?:that|which)\s+)?(?:ended|ending|ends|to)(?:\s+(?:on|in))?)\s+){0,2}$"
)
# "The December 2022 quarter", "fiscal 2022 year": the noun behind a date belongs to it.
_OF_TIME = linear(r"(?i)\s+(?:fiscal\s+)?(?:quarter|period|half)\b(?!\s+(?:end|results|report|filing)\b)")
_FIRST_MONTH = linear(
    rf"(?i)\b(?P<between>(?:between|from)\s+)?(?:(?:in|for|during|of)\s+)?(?P<month>{MONTH_NAMES})(?:\s+(?P<day>\d{{1,2}}))?"
    r"(?:\s+(?:(?(between)and|to)|to|through|until|till)\s+|\s*[-–—]\s*)(?:the\s+)?(?:end\s+of\s+)?$"
)
_PART_OF_YEAR = linear(
    r"(?i)\b(?:(?:in|for|during|over|of)\s+)?(?:the\s+)?(?:(?P<which>first|last|final)\s+(?P<length>three|six|nine)\s+months|(?P<half>first|second)\s+half)\s+of\s+$"
)
_MONTHS_OF_PART = {
    "first three": (1, 3), "first six": (1, 6), "first nine": (1, 9), "first half": (1, 6), "second half": (7, 12),
    "last three": (10, 12), "last six": (7, 12), "last nine": (4, 12),
    "final three": (10, 12), "final six": (7, 12), "final nine": (4, 12),
}  # fmt: skip
# In which paper it is written is nothing that its sentence says: "per the December quarter filing".
IN_A_PAPER = linear(
    r",? \b(?:per|according to|going by|based on|as (?:reported|disclosed|stated) (?:in|for)"
    r"|(?:(?:mentioned|disclosed|reported|listed|named|given|described|filed) )?(?:in|from|with)) "
    r"(?:the|its|their|that|this|[A-Z][\w.&’-]{0,30}['’]s) (?:[\w’'-]{1,20},? ){0,6}?"
    r"(?:(?:report|filing|10-?[QK])s?\b|…)(?: for the (?:[\w’'-]{1,20},? ){0,5}?(?:quarter|year)\b)?"
)
COMPARED = "compared"  # the value of a condition that only says what a figure is compared with
_ASKS_OF_IT = linear(rf"(?i)(?:^|^[a-z]{{2,6}}\s+)(?:{ASKS}|{AUXILIARY})\b")
# What a figure is compared with binds nothing: "than a year earlier", "compared with Q1 2022".
_COMPARED_WITH = r"(?:(?:as\s+)?compared\s+(?:to|with)|versus|vs\.?|against|relative\s+to|over|from|than)\s+(?:(?:in|for|that\s+of)\s+)?(?:the\s+)?"
_THE_YEAR_BEFORE = linear(
    rf"(?i)(?<=\s)(?:{_COMPARED_WITH}(?:(?:a\s+)?year\s+(?:earlier|before|ago|prior)|last\s+year|(?:same|corresponding|comparable)\s+(?:fiscal\s+)?(?:quarter|period|months)"
    r"(?:\s+(?:a\s+year\s+(?:earlier|before|ago)|last\s+year|(?:of|in)\s+the\s+(?:prior|previous|preceding)\s+(?:fiscal\s+)?year))?"
    r"|(?:prior|previous|preceding)[-\s]year(?:['’]s)?(?:\s+(?:quarter|period))?|year[-\s]ago(?:\s+(?:quarter|period))?)"
    r"|year[- ](?:on|over)[- ]year)(?=\s*[,?.;]|\s*$)"
)
# Nor does the paper since which something has changed: "since the last annual report", "compared with the 2022 10-K".
_SINCE_A_PAPER = linear(
    r"(?i)(?<=\s)(?:since|(?:compared|relative)\s+(?:to|with)|versus|vs\.?|from\s+those\s+in|beyond\s+those\s+in)\s+"
    r"(?:the|its|their)\s+(?:(?:last|latest|previous|prior|preceding|most\s+recent|(?:fiscal\s+)?(?:19|20)\d\d)\s+)?"
    r"(?:annual\s+report|(?:form\s+)?10-?K)\b"
)
_COMPARED_DATE = linear(rf"(?i)(?<=\s){_COMPARED_WITH}(?:(?:quarter|year|period)\s+(?:ended|of)\s+)?$")
_EDGE_AHEAD = r"(?:the\s+)?(?:(?:end|start|beginning|middle)\s+of\s+)?"
_RANGE = linear(rf"(?i)\s*(?:-|–|—|to|and|through|until|till|vs\.?|versus)\s*{_EDGE_AHEAD}")
_TO = linear(rf"(?i)\s*(?:-|–|—|to|through|until|till)\s*{_EDGE_AHEAD}")
_IN_TITLE = linear(r"\(\s*$")
_OPEN_RANGES: dict[str, str] = {
    "since": "{}/..",
    "after": "{}/..",
    "before": "../{}",
    "until": "../{}",
    "till": "../{}",
}

_FORM = linear(r"\b(?:form\s+)?(?P<number>10|20|8|6|40)[-\s]?(?P<letter>[KQF])(?:s|/A)?\b")
_FORM_WORDS = linear(
    r"(?i)\b(?:(?:annual|quarterly|interim)\s+(?:report|filing)|earnings\s+(?:release|call|report|transcript)|proxy\s+statement|"
    r"press\s+release|prospectus|shareholder\s+letter)s?\b"
)

_REGIONS = """
Africa|Asia|Europe|European Union|EU|Eurozone|America|North America|South America|Latin America|Central America|
Middle East|Antarctica|Oceania|Scandinavia|Balkans|Caribbean|United States of America|United States|US|USA|U.S.A.|U.S.|
United Kingdom|UK|U.K.|Great Britain|England|Scotland|Wales|Northern Ireland|Ireland|France|Germany|Austria|Switzerland|
Italy|Spain|Portugal|Netherlands|Belgium|Luxembourg|Denmark|Norway|Sweden|Finland|Iceland|Poland|Czech Republic|Czechia|
Slovakia|Hungary|Romania|Bulgaria|Greece|Turkey|Cyprus|Malta|Croatia|Serbia|Slovenia|Ukraine|Russia|Belarus|Estonia|Latvia|
Lithuania|China|Hong Kong|Taiwan|Japan|South Korea|North Korea|Korea|India|Pakistan|Bangladesh|Sri Lanka|Nepal|Vietnam|
Thailand|Malaysia|Singapore|Indonesia|Philippines|Myanmar|Cambodia|Australia|New Zealand|Canada|Mexico|Brazil|Argentina|
Chile|Peru|Colombia|Venezuela|Ecuador|Bolivia|Uruguay|Cuba|Panama|Costa Rica|Egypt|Morocco|Algeria|Tunisia|Nigeria|Kenya|
Ethiopia|Ghana|South Africa|Israel|Iran|Iraq|Syria|Lebanon|Jordan|Saudi Arabia|United Arab Emirates|UAE|Qatar|Kuwait|
Afghanistan|Kazakhstan|California|Texas|New York|Florida|Delaware
"""
_KNOWN = "|".join(re.escape(name) for name in "".join(_REGIONS.split("\n")).split("|"))
_PLACE = linear(
    rf"\b(?:in|across|within|for|throughout)\s+(?:the\s+)?(?P<place>{_KNOWN})(?![\w’'-])(?!\s+(?:[A-Z]|dollars))"
)
_PLACED = linear(
    r"\b(?:based|located|headquartered|situated|operations|operating|plants?|factor(?:y|ies)|sales|markets?|customers)\s+"
    r"(?:in|across|throughout)\s+(?:the\s+)?$"
)

_NOT = linear(
    r"\b(?P<not>NOT|not(?!\s+only\b)|never)\s+(?P<verb>\w{1,24})|(?<=[a-z])n['’]t\s+(?:\w{1,20}\s+)?(?P<verb2>\w{1,24})"
)
_WITHOUT = linear(
    r"(?i)\b(?:except(?:\s+for)?|exclud(?:ing|es?)|other\s+than|apart\s+from|aside\s+from|outside(?:\s+of|(?=\s+(?:the\b|(?-i:[A-Z]))))|not\s+including)\s+"
    r"(?:the\s+)?(?P<what>[^\s,;?!.()]{1,30}(?:\.[^\s,;?!.()]{1,6})*(?:\s+(?!(?:in|which|what|who|how|is|are|was|were|does|do|did|since|from)\b)[^\s,;?!.()]{1,30}){0,4})"
)
_ASKS_FOR = frozenset(("which", "what", "who", "whose", "list", "name"))
_BESIDE_WORDS = "that who which whose where when while but given although if because as and or"
_TOLD_BESIDE = frozenset(_BESIDE_WORDS.split())
_IS_TOLD_AS_DONE = re.compile(r"\b(?:of|for|as|about|\w{2,20}ed|chose|found)\s*$")  # "accused of", "pleaded" not …
_LONGEST_DENIED = 10  # words between what is asked for and its "not"
_COMPARED = linear(
    r"(?i)\b(?P<how>(?:more|greater|higher|larger|less|fewer|lower|smaller)\s+than|at\s+least|at\s+most|up\s+to|exactly|over|above|under|below)\s+"
    r"(?P<number>[$€£]?\d[\d,]{0,20}(?:\.\d{1,8})?(?:\s?%|\s(?:percent|million|billion|trillion|thousand)\b)?)(?![\w-])"
)
_SIGNS = {"more": ">", "greater": ">", "higher": ">", "larger": ">", "over": ">", "above": ">", "less": "<", "fewer": "<",
          "lower": "<", "smaller": "<", "under": "<", "below": "<", "at least": ">=", "at most": "<=", "up to": "<="}  # fmt: skip
_QUOTED = linear(r"[\"“]([^\"“”]{2,120})[\"”]")


@lru_cache(maxsize=256)
def named_things(text: str) -> tuple[Name, ...]:
    """Return the names, acronyms and quoted names of a question, in order.

    Question words, orders, "Per" in front and days or months alone are no part of one; "Mr. Cook" is one name and
    "Toyota's Tesla investment" holds two.
    """
    results: list[Name] = []
    dated = {place for date in dates(text) for place in range(*date.span)}
    for name in sorted([*names(text), *_numbered(text)], key=lambda n: n.start):
        if name.kind not in ("name", "acronym", "quoted"):
            continue
        bare = name if name.kind == "quoted" else _bare(text, name)
        if results and _is_titled(text, results[-1], bare):
            bare = Name(text[results[-1].start : bare.end], results.pop().start, bare.end)
        if len(bare.text) > 1 and bare.text not in _CALENDAR:
            results += [part for part in _owner_apart(text, bare) if part.start not in dated]
    return tuple(results)


def _numbered(text: str) -> list[Name]:
    """Names that begin with a digit: 3M, 7-Eleven."""
    return [Name(match.group(), *match.span()) for match in _DIGIT_NAME.finditer(text)]


def _bare(text: str, name: Name) -> Name:
    words = spans(name.text)
    while words and words[0].word in _BEFORE_NAMES:
        words = words[1:]
    while words and words[-1].word in ("not", "vs"):
        words = words[:-1]
    if not words:
        return Name("", name.end, name.end)
    start = name.start + words[0].start
    if words[-1].end >= len(name.text.rstrip(".")):
        end = name.end
    else:
        end = name.start + words[-1].end
    return Name(text[start:end], start, end, name.kind)


def _is_titled(text: str, before: Name, name: Name) -> bool:
    return before.text in _TITLES and text[before.end : name.start] in (". ", " ")


def _owner_apart(text: str, name: Name) -> list[Name]:
    """The owner and what he owns where the name goes on in a noun; a title ("Schindler's List") stays whole."""
    owner = None if name.kind == "quoted" else _OWNER.search(name.text)
    if owner is None or not _NOUN_FOLLOWS.match(text, name.end):
        return [name]
    cut = name.start + owner.start()
    rest = name.start + owner.end()
    return [Name(text[name.start : cut], name.start, cut), Name(text[rest : name.end], rest, name.end)]


@lru_cache(maxsize=256)
def conditions(text: str) -> tuple[Constraint, ...]:
    """Return the conditions of `text` by place; a date or place keeps its preposition ("since 2020")."""
    called = named_things(text)
    results = [
        *_sources(text, called),
        *_matched(text, _THE_YEAR_BEFORE, "scope", lambda _: COMPARED),
        *_matched(text, _SINCE_A_PAPER, "scope", lambda _: COMPARED),
        *_periods(text),
        *_matched(text, _FORM, "form", lambda m: f"{m.group('number')}-{m.group('letter').upper()}"),
        *_matched(text, _FORM_WORDS, "form", lambda m: m.group().lower().removesuffix("s")),
        *_statements(text),
        *_negations(text),
        *_places(text, called),
        *_matched(text, _COMPARED, "number", _comparison),
        *_quotes(text),
    ]
    return tuple(_apart(results))


def _matched(
    text: str, pattern: re.Pattern[str], kind: ConditionKind, value: Callable[[re.Match[str]], str]
) -> list[Constraint]:
    return [Constraint(kind, match.group(), match.span(), value(match)) for match in pattern.finditer(text)]


def _apart(conditions: Sequence[Constraint]) -> list[Constraint]:
    """Drop the conditions that lie within one of an earlier kind; a quote may hold anything."""
    kept: list[Constraint] = []
    taken: set[int] = set()
    for condition in conditions:
        assert condition.span is not None
        places = range(*condition.span)
        if condition.kind in ("quoted", "statement") or not taken.intersection(places):
            kept.append(condition)
            taken.update(places)
    return sorted(kept, key=lambda c: (c.span or (0, 0), c.kind))


def _sources(text: str, called: Sequence[Name]) -> list[Constraint]:
    """The names that stand where a publication does, and those that a list joins to them."""
    named = [name for name in called if _may_be_source(name)]
    results: list[Constraint] = []
    at = 0
    while at < len(named):
        name = named[at]
        before = text[max(0, name.start - _AHEAD) : name.start]
        size = 1
        if _SOURCE_BEFORE.search(before) and not _OWNS.match(text, name.end):
            size = _listed(text, named[at:])
        elif not _SOURCE_AFTER.match(text, name.end) or _is_reporting(before, text[name.end : name.end + _AHEAD]):
            at += 1
            continue
        elif at and _AND_ONE.fullmatch(text, named[at - 1].end, name.start):
            one = named[at - 1]
            results.append(Constraint("source", one.text, (one.start, one.end), one.text))
        results += [Constraint("source", n.text, (n.start, n.end), n.text) for n in named[at : at + size]]
        at += size
    return results


def _is_reporting(before: str, after: str) -> bool:
    """Whether "report" is what a company does, or of something else: "Did AMD report …", "an article on Amazon reports".

    Who reports about something is a publication: "What did Reuters report about …".
    """
    words = before.lower().split()
    if not words or _REPORTS_ABOUT.match(after):
        return False
    return words[-1] in (*AUXILIARIES, "on", "about", "regarding")


def _may_be_source(name: Name) -> bool:
    if name.text in COUNTRY_OF:
        return False  # "covered by the American recall"
    return name.kind in ("name", "acronym") or (name.kind == "quoted" and len(name.text.split()) <= _LONGEST_SOURCE)


def _listed(text: str, named: Sequence[Name]) -> int:
    """How many of `named`, from the first on, make one list: "A and B", "A, B, and C", "A, B and C" at an end."""
    size = 1
    for number, (name, following) in enumerate(pairwise(named), start=2):
        joiner = _JOINER.fullmatch(text, name.end, following.start)
        if joiner is None:
            break
        if joiner.group("and"):
            closed = number == 2 or joiner.group("comma") or _LIST_ENDS.match(text, following.end)
            return number if closed else size
        if not joiner.group("comma"):
            break
    return size


def _periods(text: str) -> list[Constraint]:
    """Dates and periods; two that a dash or "between … and" joins are one range."""
    results: list[Constraint] = []
    read = [date for date in dates(text) if not _is_part_of_title(text, date)]
    at = 0
    while at < len(read):
        last = _range_end(text, read, at)
        results.append(_period(text, read[at], read[last], is_first=not results))
        at = last + 1
    return results


def _is_part_of_title(text: str, date: Date) -> bool:
    """Whether a date tells two works or people of one name apart: "The Zone (2017)", "Illusions (1982 Film)"."""
    if date.month or date.quarter:  # "How many did A sell? (Q3 2023)"
        return False
    return _IN_TITLE.search(text[max(0, date.span[0] - 4) : date.span[0]]) is not None


def _range_end(text: str, read: Sequence[Date], at: int) -> int:
    if at + 1 == len(read):
        return at
    first, second = read[at], read[at + 1]
    start, end = first.span
    before = text[max(0, start - 16) : start].lower().rstrip()
    is_between = before.endswith(("between", "between the"))
    joint = text[end : second.span[0]]
    joined = _TO.fullmatch(joint) or (is_between and _RANGE.fullmatch(joint))
    return at + 1 if joined else at


def _period(text: str, first: Date, last: Date, *, is_first: bool) -> Constraint:
    """A time, or what a figure of an earlier one is compared with: "fell in Q1 2023 compared with Q1 2022"."""
    start, end = first.span[0], last.span[1]
    at = max(0, start - _AHEAD)
    ahead = text[at:start]
    beside = None if is_first else _COMPARED_DATE.search(ahead)
    if beside and _ASKS_OF_IT.search(text[:start]):
        begin = at + beside.start()
        return Constraint("scope", text[begin:end], (begin, end), COMPARED)
    before = _WHEN.search(ahead)
    begin = at + before.start() if before else start
    behind = _OF_TIME.match(text, end)
    end = behind.end() if behind else end
    kind: ConditionKind = "period" if first.is_fiscal or last.is_fiscal else "date"
    value = first.key
    is_year = first is last and value == str(first.year) and not first.is_fiscal
    part = _PART_OF_YEAR.search(ahead) if is_year else None
    if part:
        which, length = part["which"] or part["half"], part["length"] or "half"
        opens, closes = _MONTHS_OF_PART[f"{which} {length}".lower()]
        begin = at + part.start()
        return Constraint(kind, text[begin:end], (begin, end), f"{value}-{opens:02d}/{value}-{closes:02d}")
    since = _FIRST_MONTH.search(ahead) if first.month else None
    if since and last is first and (since["day"] is None) == (first.day is None):
        month = MONTHS.index(since["month"].capitalize()) + 1
        begin = at + since.start()
        day = f"-{int(since['day']):02d}" if since["day"] else ""
        return Constraint(kind, text[begin:end], (begin, end), f"{first.year}-{month:02d}{day}/{first.key}")
    if last is not first:
        value = "/".join(sorted((first.key, last.key)))
    elif before:
        value = _OPEN_RANGES.get(before.group("when").lower(), "{}").format(first.key)
    return Constraint(kind, text[begin:end], (begin, end), value)


def without_compared(text: str) -> str:
    """A question without what only says with which time its figure is compared: "than a year earlier"."""
    told = (c.span for c in conditions(text) if c.value == COMPARED and c.span)
    for start, end in sorted(told, reverse=True):
        text = text[:start] + text[end:]
    return text


def _statements(text: str) -> list[Constraint]:
    return [
        Constraint("statement", match.group(), match.span(), name)
        for name, pattern in STATEMENTS
        for match in pattern.finditer(text)
    ]


_FURTHEST_BEFORE = 2_000  # characters; bounds the work on a hostile text


def _negations(text: str) -> list[Constraint]:
    excluded = _matched(text, _WITHOUT, "negation", lambda m: m["what"])
    denied = [
        Constraint("negation", m.group().strip(), m.span(), "")
        for m in _NOT.finditer(text)
        if m.group("not") == "NOT" or _asks_what_is_not(text[max(0, m.start() - _FURTHEST_BEFORE) : m.start()])
    ]
    return [*excluded, *denied]


_WITHIN_TITLE = re.compile(r"[a-z] (?:Ai|Are|Ca|Do|Does|Did|Has|Is|Was|Wo|Would)$")  # "Who made Don't Look Up"
_SUBJECT = 2  # "would" and who, before "not"


def _asks_what_is_not(before: str) -> bool:
    """Whether a "not" behind `before` denies what is asked for, not something said beside it.

    "Which firms do not pay" asks for what is not so; "the man who did not pay" only tells who is meant, as does a
    second "who" of one sentence; "accused of not paying" and "pleaded not guilty" tell of an act.
    """
    sentence = re.split(r"[.;:!?]", before)[-1].lower()
    *others, words = (clause.split() for clause in sentence.split(","))
    if not words or len(words) > _LONGEST_DENIED or _IS_TOLD_AS_DONE.search(sentence) or _WITHIN_TITLE.search(before):
        return False
    if any(clause and clause[0] in _ASKS_FOR for clause in others):
        return False
    # Who would not do something refused to, which is told like any other act.
    return words[0] in _ASKS_FOR and "would" not in words[-_SUBJECT:] and _TOLD_BESIDE.isdisjoint(words[1:])


def _places(text: str, called: Sequence[Name]) -> list[Constraint]:
    known = _matched(text, _PLACE, "place", lambda m: m["place"])
    cued = [
        Constraint("place", text[begin : name.end], (begin, name.end), name.text)
        for name in called
        if name.kind in ("name", "acronym") and (begin := _preposition(text, name)) is not None
    ]
    return [*known, *cued]


def _preposition(text: str, name: Name) -> int | None:
    """Where the preposition before a name begins that a word of staying or selling governs; else None."""
    ahead = max(0, name.start - _AHEAD)
    cue = _PLACED.search(text[ahead : name.start])
    if cue is None:
        return None
    return ahead + cue.start() + len(cue.group().split()[0]) + 1


def _comparison(match: re.Match[str]) -> str:
    how = match.group("how").lower()
    sign = _SIGNS.get(how.split()[0]) or _SIGNS.get(how, "=")
    return f"{sign}{match.group('number')}"


def _quotes(text: str) -> list[Constraint]:
    return [Constraint("quoted", m.group(1), m.span(1), m.group(1)) for m in _QUOTED.finditer(text)]
