"""Sentences of a document that speak to a model instead of a reader: they are not shown to one.

This is a second line. The first is that no document can reach planning, that code decides about stopping, and that
an answer is checked sentence by sentence. A document about such sentences loses them too, which the run says.
"""

from __future__ import annotations

import re
import unicodedata

from adaq_core.text.sentences import sentences

_BEFORE = r"(?:previous|prior|preceding|earlier|above|foregoing|other|system|your|all)"
_ORDERS = r"(?:instructions?|prompts?|rules|directions|directives|guidelines|commands|orders|messages?|context)"
_ORDERED = r"(?:(?:^|\n|[.!?:;,–—-])\s*[\"'“(*]*|\b(?:please|now|must|then|immediately)\s+)"
_MODEL = r"(?:ai|assistant|language model|llm|chatbot|model)s?"
_PATTERNS = (
    rf"\b(?:ignore|disregard|forget|override|bypass|neglect|discard)\b.{{0,40}}\b{_BEFORE}\b.{{0,30}}\b{_ORDERS}\b",
    r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: \w+){0,3} (?:above|before|said|told)\b",
    r"\byou are (?:now|no longer)\b|\bfrom now on,? you\b|\bact as (?:if you|an? (?:unrestricted|different))\b",
    r"\b(?:reveal|print|repeat|output|show|leak)\b.{0,30}"
    r"\b(?:system|hidden|initial|secret) (?:prompt|message|instructions?)",
    r"\b(?:new|updated|real|actual|important) (?:system )?instructions?\b\s*(?:for|to|:|from)",
    rf"{_ORDERED}(?:respond|reply|answer|output|return|write|say|conclude|state)\b.{{0,20}}"
    r"\b(?:only|exactly|nothing but|nothing except|verbatim)\b",
    r"\binstead of answering\b",
    rf"{_ORDERED}(?:mark|score|rate|count|treat|consider|report)\b.{{0,30}}\b(?:every|all|each)\b.{{0,15}}\baspects?\b",
    rf"{_ORDERED}(?:stop|end|terminate|finish|halt|cancel) (?:the |all |any |this |your )*"
    r"(?:search(?:ing)?|run|research|retrieval|task)\b",
    rf"{_ORDERED}(?:do not|don't|never|no need to)\b.{{0,12}}\b(?:search|retrieve|cite|look)\b.{{0,20}}"
    r"\b(?:further|again|more|any|anything|other|else)\b",
    rf"\b{_MODEL}\b.{{0,25}}\b(?:must|should|shall|please)\b.{{0,40}}"
    r"\b(?:answer|reply|respond|say|write|cite|stop|state|recommend|output)\b",
    r"(?:^|\n)\s*(?:dear|attention|hey|hello|note to|message (?:to|for)|to) "
    rf"(?:the |any |all )?{_MODEL}\b[^.]{{0,20}}[:,]",
    r"\bignorier\w*\b.{0,40}\b(?:anweisung|vorherig|bisherig)|\bignore[zr]?\b.{0,40}\b(?:consignes|precedentes)\b",
    r"\bignora\b.{0,40}\b(?:instrucciones|istruzioni|anteriores|precedenti)\b",
    r"(?:^|\n)\s*#{0,3}\s*(?:system|assistant|user|human|developer)\s*(?:prompt|message)?\s*:",
    r"<\|\w+\|>|\[/?inst\]|<</?sys>>|</?\s*(?:passage|system|instructions?|assistant|question)\b[^>]*>|###\s*instruction",
    r"\bsub[-_ ]?query\s*:|[\"'](?:stop|scores?|aspects?|claims?)[\"']\s*:",
    r"!\[[^\]]*\]\(",
)
_SPEAKS_TO_A_MODEL = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE | re.DOTALL)
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
WITHHELD = "[…]"


def speaks_to_a_model(text: str) -> bool:
    """Whether `text` reads as an order to a model, also when it is spelt with signs that look alike or are unseen."""
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _SPEAKS_TO_A_MODEL.search(plain) is not None


def orders_in(text: str) -> list[tuple[int, int]]:
    """Where the sentences stand that speak to a model, each with the one behind it, which often goes on."""
    if not speaks_to_a_model(text):
        return []
    found, before = [], False
    for start, end in sentences(text):
        speaks = speaks_to_a_model(text[start:end])
        if speaks or before:
            found.append((start, end))
        before = speaks
    return found or [(0, len(text))]


def without_orders(text: str) -> tuple[str, int]:
    """`text` with […] for each sentence that is not to be shown to a model, and how many those are."""
    parts, cursor = [], 0
    orders = orders_in(text)
    for start, end in orders:
        parts += [text[cursor:start], WITHHELD]
        cursor = end
    return "".join((*parts, text[cursor:])), len(orders)
