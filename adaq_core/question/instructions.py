"""What a question says about the form of its answer, and about its asker: no part of what is searched."""

from __future__ import annotations

import re
from typing import Literal

from adaq_core.question.asking_words import LanguagePattern, linear

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
    Row("role", r"^(?:i|we)(?:['’](?:m|re|ve|d)|\s+(?:am|are|have|had|hold|need\s+to|want\s+to|work|run|own|prepare|would\s+like\s+to\s+(?:prepare|write)))\b",
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
    Row("form", r"^(?:please\s+)?explain\s+(?:your|why|how\s+you)(?:\s+(?:reasoning|answer|work|thinking|got\s+there))?$",
        "Explain your reasoning", "Explain why banks fail", "prompts"),
    Row("definition", r"\bis\s+defined\s+as\b|^define\s+.{1,80}\s+as\b|^.{1,60}\bis\s+calculated\s+as\b",
        "ROA is defined as: net income / average total assets.", "How is poverty defined in Germany?", "financebench"),
)  # fmt: skip

# Phrases in front of a question or behind it, inside its sentence.
OPENINGS: tuple[Row, ...] = (
    Row("means", rf"^(?:by\s+|when\s+|while\s+)?(?:\w{{1,14}}\s+){{0,2}}{_USE}\b.{{1,200}}\b{_PAPERS}\b",
        "By drawing conclusions from the information stated only in the income statement",
        "According to Reuters", "financebench"),
    Row("means", r"^(?:by\s+|when\s+)?(?:primarily\s+|only\s+)?(?:using|referencing|utili[sz]ing)\s+(?:only\s+|primarily\s+)?the\b.{1,200}\bstatement\b",
        "When primarily referencing the income statement", "Using the metro", "financebench"),
)  # fmt: skip
INSIDE: tuple[Row, ...] = (
    Row("form", rf"\(\s*(?:(?:expressed\s+|stated\s+)?in\s+{_UNIT}|rounded?\b|and\s+round\b|(?:or\s+)?exact\s+number)[^()]{{0,80}}\)",
        "What is the amount (in USD millions) for 3M?", "What is the growth (in Europe)?", "financebench"),
    Row("form", rf",?\s+(?:expressed\s+|stated\s+)?in\s+(?:terms\s+of\s+)?{_UNIT}(?=\s*[?.]?\s*$)",
        "What is the EBITDA in USD millions?", "Who invested in units?", "financebench"),
    Row("form", r",?\s+(?:and\s+)?round(?:ed|ing)?\s+(?:(?:it|your\s+answer|the\s+result)\s+)?(?:to|up|down|off)\b[^?;]{0,60}(?=\s*[?.;]?\s*$)",
        "What is the margin, rounded to one decimal place?", "Who won the round of 16?", "financebench"),
    Row("form", r"\(\s*(?:based\s+on|using|from)\b[^()]{1,120}\)",
        "What is the payout ratio (using total cash dividends paid)?", "Who led Apple (the company)?", "financebench"),
    Row("role", r",\s+(?:bearing|keeping|having)\s+in\s+mind\b.{1,400}$",
        "How did it fall, bearing in mind that we hold shares?", "What does he have in mind?", "the written exam"),
    Row("form", r",?\s+(?:in\s+as\s+much\s+detail\s+as\s+[^,]{1,60}|in\s+(?:great\s+|full\s+)?detail|step\s+by\s+step|in\s+a\s+few\s+words|in\s+one\s+(?:sentence|paragraph)|in\s+(?:your|simple|plain)\s+(?:own\s+)?(?:words|terms|english)|briefly|with\s+(?:citations|sources|references))(?=\s*[,?.;]|\s*$)",
        "Explain attention in simple terms", "Which words are in detailed plans?", "prompts"),
)  # fmt: skip

_STATEMENTS = (
    ("balance sheet", r"balance\s+sheets?|statements?\s+of\s+financial\s+position"),
    ("cash flow statement", r"cash\s+flows?\s+statements?|statements?\s+of\s+cash\s+flows?"),
    ("income statement", r"income\s+statements?|statements?\s+of\s+(?:income|operations|earnings)|p\s?&\s?l(?:\s+statements?)?|profit\s+and\s+loss\s+(?:statement|account)"),
)  # fmt: skip
STATEMENTS = tuple((name, linear(rf"(?:(?<=\W)|^)(?:{pattern})\b", re.IGNORECASE)) for name, pattern in _STATEMENTS)


def is_instruction(text: str) -> bool:
    """Whether a sentence (or a piece of one) speaks of the answer's form, of its asker, or defines a term."""
    plain = text.strip(" ,.;:!?\n\t")
    return any(row.search(plain) for row in SENTENCES)


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
