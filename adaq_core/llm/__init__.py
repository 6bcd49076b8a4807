"""Language models behind one small port: ask one thing, get one reply with what it cost and what was cut for it.

Prompts fit: whole passages are left out, last first, before a server cuts the front off without a word.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol

from adaq_core.errors import ModelError
from adaq_core.events import ModelCalled
from adaq_core.text.passages import sentences

Schema = Mapping[str, Any]

# What a reply may be made of, as a JSON schema says it.
JSON_TEXT: Schema = {"type": "string"}
JSON_NUMBER: Schema = {"type": "number"}
JSON_INTEGER: Schema = {"type": "integer"}
JSON_BOOLEAN: Schema = {"type": "boolean"}


def json_object(**fields: Schema) -> Schema:
    """Return the schema of an object with these fields, none of them left out."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def json_list(items: Schema) -> Schema:
    """Return the schema of a list of `items`."""
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text that has to be sent before and after passages, of which the last can be left out, best first."""

    head: str
    passages: tuple[str, ...] = ()
    tail: str = ""

    def text(self, kept: int | None = None) -> str:
        """The prompt with its first `kept` passages, all of them when None."""
        parts = (self.head, *self.passages[:kept], self.tail)
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, to what, and at what cost.

    `prompt` is what was sent, `system` before it. Tokens are the server's own count, None when it gave none. `usd` is
    what this call cost: nothing when the reply was `cached`. `cut` are the numbers (from 0) of the passages of the
    prompt that were left out because it was too long; `notes` say that, and whatever else should be known, in words.
    """

    text: str
    model: str
    prompt: str
    prompt_hash: str
    system: str = ""
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    num_ctx: int | None = None
    cached: bool = False
    usd: float = 0.0
    cut: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class Chat(Protocol):
    """A language model; `stage` says who asks: plan, refine, read, critique, synthesise, entail."""

    @property
    def model(self) -> str:
        """Its name, for the trace."""
        ...

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, as JSON of `schema` where one is given and the model can do that.

        Raises:
            ModelError: there is no reply that could be used at all.
        """
        ...


def most_usd(chat: Chat, prompt_tokens: int, *, stage: str) -> float | None:
    """Return what a call for `stage` costs at most in US dollars; None when nobody knows.

    A chat may say so itself, in a method of this name without the chat.
    """
    priced = getattr(chat, "most_usd", None)
    return priced(prompt_tokens, stage=stage) if callable(priced) else None


def prompt_hash(prompt: str, *, system: str = "", schema: Schema | None = None) -> str:
    """Return a hash of the request that is the same whichever model it goes to."""
    shape = json.dumps(schema, sort_keys=True) if schema is not None else ""
    return digest_of([system, prompt, shape])


def digest_of(parts: list[Any]) -> str:
    """Return 32 hexadecimal digits that depend only on the JSON value."""
    body = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return blake2b(body.encode(errors="replace"), digest_size=16).hexdigest()


def model_called(reply: Reply, *, stage: str) -> ModelCalled:
    """Build the event that `stage` asked a model; the trace shows the system text before the prompt."""
    return ModelCalled(
        stage=stage,
        model=reply.model,
        prompt_hash=reply.prompt_hash,
        prompt=f"{reply.system}\n\n{reply.prompt}" if reply.system else reply.prompt,
        reply=reply.text,
        prompt_tokens=reply.prompt_tokens,
        reply_tokens=reply.reply_tokens,
        num_ctx=reply.num_ctx,
        cached=reply.cached,
        usd=reply.usd,
        notes=reply.notes,
    )


_BEFORE = r"(?:previous|prior|preceding|earlier|above|foregoing|other|system|your|all)"
_ORDERS = r"(?:instructions?|prompts?|rules|directions|directives|guidelines|commands|orders|messages?|context)"
_ORDERED = r"(?:(?:^|\n|[.!?:;,–—-])\s{0,6}[\"'“(*]{0,6}|\b(?:please|now|must|then|immediately)\s{1,6})"
_MODEL = r"(?:ai|assistant|language model|llm|chatbot|model)s?"
# By where they begin, so that each place of a text is looked at once: a word, an order, a line, anywhere.
_AT_A_WORD = (
    rf"(?:ignore|disregard|forget|override|bypass|neglect|discard)\b.{{0,40}}\b{_BEFORE}\b.{{0,30}}\b{_ORDERS}\b",
    r"(?:ignore|disregard|forget) (?:everything|anything|all)(?: \w+){0,3} (?:above|before|said|told)\b",
    r"you are (?:now|no longer)\b|from now on,? you\b|act as (?:if you|an? (?:unrestricted|different))\b",
    r"(?:reveal|print|repeat|output|show|leak)\b.{0,30}"
    r"\b(?:system|hidden|initial|secret) (?:prompt|message|instructions?)",
    r"(?:new|updated|real|actual|important) (?:system )?instructions?\b\s{0,40}(?:for|to|:|from)",
    r"instead of answering\b",
    rf"{_MODEL}\b.{{0,25}}\b(?:must|should|shall|please)\b.{{0,40}}"
    r"\b(?:answer|reply|respond|say|write|cite|stop|state|recommend|output)\b",
    r"ignorier\w{0,10}\b.{0,40}\b(?:anweisung|vorherig|bisherig)|ignore[zr]?\b.{0,40}\b(?:consignes|precedentes)\b",
    r"ignora\b.{0,40}\b(?:instrucciones|istruzioni|anteriores|precedenti)\b",
    r"sub[-_ ]?query\s{0,40}:",
)
_ORDERING = (
    r"(?:respond|reply|answer|output|return|write|say|conclude|state)\b.{0,20}"
    r"\b(?:only|exactly|nothing but|nothing except|verbatim)\b",
    r"(?:mark|score|rate|count|treat|consider|report)\b.{0,30}\b(?:every|all|each)\b.{0,15}\baspects?\b",
    r"(?:stop|end|terminate|finish|halt|cancel) (?:the |all |any |this |your ){0,4}"
    r"(?:search(?:ing)?|run|research|retrieval|task)\b",
    r"(?:do not|don't|never|no need to)\b.{0,12}\b(?:search|retrieve|cite|look)\b.{0,20}"
    r"\b(?:further|again|more|any|anything|other|else)\b",
)
_AT_A_LINE = (
    r"(?:dear|attention|hey|hello|note to|message (?:to|for)|to) "
    rf"(?:the |any |all )?{_MODEL}\b[^.]{{0,20}}[:,]",
    r"#{0,3}\s{0,40}(?:system|assistant|user|human|developer)\s{0,40}(?:prompt|message)?\s{0,40}:",
)
_ANYWHERE = (
    r"<\|\w{1,40}\|>|\[/?inst\]|<</?sys>>|</?\s{0,40}(?:passage|system|instructions?|assistant|question)\b[^>]{0,1000}>|###\s{0,40}instruction",
    r"[\"'](?:stop|scores?|aspects?|claims?)[\"']\s{0,40}:",
    r"!\[[^\]]{0,200}\]\(",
)
_SPEAKS_TO_A_MODEL = re.compile(
    rf"(?s)\b(?=\w)(?:{'|'.join(_AT_A_WORD)})|{_ORDERED}(?:{'|'.join(_ORDERING)})"
    rf"|(?:^|\n)[ \t]{{0,40}}(?:{'|'.join(_AT_A_LINE)})|{'|'.join(_ANYWHERE)}"
)
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
WITHHELD = "[…]"
_RUN = (1, 2, 3)  # sentences that are looked at together


def speaks_to_a_model(text: str) -> bool:
    """Whether `text` reads as an order to a model, also if spelt with look-alike or invisible signs."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
        marks = filter(unicodedata.combining, set(plain))
        text = plain.translate(dict.fromkeys(map(ord, marks)))
    # Small letters are found in half the time that letters of any case take, for which a dotless i is one too.
    return _SPEAKS_TO_A_MODEL.search(text.lower().replace("ı", "i")) is not None


# A run reads a passage again for each aspect, and the next run reads it again; looking takes two milliseconds.
@lru_cache(maxsize=2048)
def orders_in(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of sentences that address a model, each with the next one, which often continues it.

    An order may be read only in two or three sentences together; then it is these.
    """
    if not speaks_to_a_model(text):
        return ()
    ends = sentences(text)
    for length in _RUN:
        runs = [ends[n : n + length] for n in range(len(ends) - length + 1)]
        texts = [text[run[0][0] : run[-1][1]] for run in runs]
        speaking = [n for n, each in enumerate(texts) if speaks_to_a_model(each)]
        ordered = {n + k for n in speaking for k in range(length + 1)}
        if ordered:
            return tuple(span for n, span in enumerate(ends) if n in ordered)
    return ((0, len(text)),)


def without_orders(text: str) -> tuple[str, int]:
    """Return `text` with […] for each sentence that addresses a model, and how many those are."""
    parts, cursor = [], 0
    orders = orders_in(text)
    for start, end in orders:
        parts += [text[cursor:start], WITHHELD]
        cursor = end
    return "".join((*parts, text[cursor:])), len(orders)


_PIECE = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")
_LETTERS_PER_TOKEN = 5
_FRAME_TOKENS = 24
# No model reads or writes as much at once (the longest contexts are 10 million): a larger count is a server's mistake.
MOST_TOKENS = 10_000_000
_TAG = re.compile(r"(?i)<(?=\s*/?\s*passage)")


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt as it is sent: its `text`, an estimate of its `tokens`, and the passages left out, from 0."""

    text: str
    tokens: int
    cut: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def answered(self, text: str, *, model: str, system: str, schema: Schema | None) -> Reply:
        """The reply of a model to it, of which neither tokens nor cost are known."""
        return Reply(
            text=text,
            model=model,
            prompt=self.text,
            prompt_hash=prompt_hash(self.text, system=system, schema=schema),
            system=system,
            cut=self.cut,
            notes=self.notes,
        )


def counted_tokens(value: object) -> int | None:
    """Return a server's count of tokens; None when it is no count that can be true."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None


def most_letters(max_tokens: int) -> int:
    """Return how many letters a reply may have before its server has plainly lost count: four times what fits."""
    return 4 * 8 * max_tokens


def as_prompt(prompt: str | Prompt) -> Prompt:
    """Return a plain text as a prompt without passages."""
    return Prompt(prompt) if isinstance(prompt, str) else prompt


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of `text`, rather too many than too few: servers count only afterwards."""
    return sum(_weight(piece) for piece in _PIECE.findall(text))


def _weight(piece: str) -> int:
    if piece.isascii():
        return -(-len(piece) // _LETTERS_PER_TOKEN)
    return 1 if len(piece.encode(errors="replace")) < 3 else 2


def fit(prompt: str | Prompt, *, system: str = "", num_ctx: int, reserve: int) -> Fitted:
    """Return the prompt with as many passages as leave `reserve` tokens of `num_ctx` for the reply.

    Raises:
        ModelError: it does not fit even with one passage, or (when it has none) at all.
    """
    whole = as_prompt(prompt)
    room = num_ctx - reserve - _FRAME_TOKENS - estimate_tokens(system)
    fixed = estimate_tokens(whole.head) + estimate_tokens(whole.tail)
    sizes = [estimate_tokens(passage) for passage in whole.passages]
    kept, tokens = 0, fixed
    while kept < len(sizes) and tokens + sizes[kept] <= room:
        tokens += sizes[kept]
        kept += 1
    if fixed > room or (sizes and not kept):
        needed = fixed + sum(sizes[:1]) + num_ctx - room
        raise ModelError(
            f"The prompt needs about {needed:,} tokens with the reply, even with only its first passage, and the "
            f"context has {num_ctx:,}. Raise ADAQ_NUM_CTX, or choose a model with a longer context."
        )
    dropped = tuple(range(kept, len(sizes)))
    return Fitted(whole.text(kept), tokens + num_ctx - reserve - room, dropped, _cut(sizes, kept, num_ctx))


def _cut(sizes: list[int], kept: int, num_ctx: int) -> tuple[str, ...]:
    if kept == len(sizes):
        return ()
    lost = len(sizes) - kept
    if lost > 1:
        which = f"the last {lost} of {len(sizes)} passages were"
    else:
        which = f"the last of {len(sizes)} passages was"
    return (
        f"The prompt was too long for a context of {num_ctx:,} tokens: {which} left out "
        f"(about {sum(sizes[kept:]):,} tokens). ADAQ_NUM_CTX makes room for more.",
    )


def passage_block(n: int, title: str, text: str, *, date: str = "") -> str:
    """Put a numbered passage between marks that its own text cannot forge, so that it stays a quotation."""
    dated = f' date="{_attribute(date)}"' if date else ""
    return f'<passage n="{n}" title="{_attribute(title)}"{dated}>\n{_TAG.sub("‹", text)}\n</passage>'


def _attribute(text: str) -> str:
    return " ".join(re.sub(r"[<>\"]", "'", text).split())
