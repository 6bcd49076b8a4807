"""Prompts that fit: whole passages are left out, last first, before a server cuts the front off without a word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adaq_core.errors import ModelError

_PIECE = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")
_LETTERS_PER_TOKEN = 5
_FRAME_TOKENS = 24
_TAG = re.compile(r"<(?=\s*/?\s*passage)", re.IGNORECASE)


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
class Fitted:
    """A prompt as it is sent: its `text`, an estimate of its `tokens`, and the passages left out, from 0."""

    text: str
    tokens: int
    cut: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def as_prompt(prompt: str | Prompt) -> Prompt:
    """A plain text as a prompt without passages."""
    return Prompt(prompt) if isinstance(prompt, str) else prompt


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` has, rather too many than too few: no server tells before it is too late."""
    return sum(_weight(piece) for piece in _PIECE.findall(text))


def _weight(piece: str) -> int:
    if piece.isascii():
        return -(-len(piece) // _LETTERS_PER_TOKEN)
    return 1 if len(piece.encode(errors="replace")) < 3 else 2


def fit(prompt: str | Prompt, *, system: str = "", num_ctx: int, reserve: int) -> Fitted:
    """The prompt with as many passages as leave `reserve` tokens of `num_ctx` for the reply.

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
    return Fitted(
        whole.text(kept), tokens + num_ctx - reserve - room, tuple(range(kept, len(sizes))), _cut(sizes, kept, num_ctx)
    )


def _cut(sizes: list[int], kept: int, num_ctx: int) -> tuple[str, ...]:
    if kept == len(sizes):
        return ()
    lost = len(sizes) - kept
    which = f"the last {lost} of {len(sizes)} passages were" if lost > 1 else f"the last of {len(sizes)} passages was"
    return (
        f"The prompt was too long for a context of {num_ctx:,} tokens: {which} left out "
        f"(about {sum(sizes[kept:]):,} tokens). ADAQ_NUM_CTX makes room for more.",
    )


def passage_block(n: int, title: str, text: str, *, date: str = "") -> str:
    """A numbered passage between marks that its own text cannot forge: what a document says stays a quotation."""
    dated = f' date="{_attribute(date)}"' if date else ""
    return f'<passage n="{n}" title="{_attribute(title)}"{dated}>\n{_TAG.sub("‹", text)}\n</passage>'


def _attribute(text: str) -> str:
    return " ".join(re.sub(r"[<>\"]", "'", text).split())
