"""A language model that says what a script has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adaq_core.errors import ModelError
from adaq_core.llm import Prompt, Reply, Schema, estimate_tokens, fit

Line = str | Exception | Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in."""

    stage: str
    prompt: str
    system: str = ""
    schema: Schema | None = None


class Scripted:
    """Replies in order, or by stage; a line may be a text, a function of the prompt, or an error to raise.

    Of a stage that is given one line, not a list, that line is said every time. When the lines are used up ModelError
    is raised, as of a server that went away. `asked` holds every request.
    """

    def __init__(
        self,
        lines: Sequence[Line] | Mapping[str, Line | Sequence[Line]] = (),
        *,
        model: str = "scripted",
        num_ctx: int = 8192,
    ) -> None:
        self._model = model
        self._num_ctx = num_ctx
        self._by_stage = dict(lines) if isinstance(lines, Mapping) else None
        self._in_order = [] if isinstance(lines, Mapping) else list(lines)
        self._used: dict[str, int] = {}
        self.asked: list[Asked] = []

    @property
    def model(self) -> str:
        """Its name."""
        return self._model

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The next line for `stage`."""
        fitted = fit(prompt, system=system, num_ctx=self._num_ctx, reserve=min(1024, self._num_ctx // 4))
        self.asked.append(Asked(stage, fitted.text, system, schema))
        line = self._line(stage)
        if isinstance(line, Exception):
            raise line
        text = line if isinstance(line, str) else line(fitted.text)
        reply = fitted.answered(text, model=self._model, system=system, schema=schema)
        return replace(reply, prompt_tokens=fitted.tokens, reply_tokens=estimate_tokens(text), num_ctx=self._num_ctx)

    def most_usd(self, prompt_tokens: int, *, stage: str) -> float | None:
        """Return nothing: a script is free."""
        return 0.0

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text of the next line."""
        return self.ask(prompt, system=system_prompt, stage="text").text

    def _line(self, stage: str) -> Line:
        used = self._used.get(stage, 0)
        self._used[stage] = used + 1
        if self._by_stage is None:
            if self._in_order:
                return self._in_order.pop(0)
        elif stage in self._by_stage:
            lines = self._by_stage[stage]
            if isinstance(lines, str | Exception) or callable(lines):
                return lines
            if used < len(lines):
                return lines[used]
        raise ModelError(f"Expected a scripted line for stage {stage!r}, but the script has no more. Add one to it.")
