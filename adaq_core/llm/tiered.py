"""Two models in one chat: a small one that plans and reads, a larger one that writes the answer."""

from __future__ import annotations

from collections.abc import Collection

from adaq_core.llm import Chat, Prompt, Reply, Schema

WRITING_STAGES = frozenset({"synthesise"})


class Tiered:
    """`writer` answers the writing stages, `planner` all others; each reply names the model that gave it."""

    def __init__(self, planner: Chat, writer: Chat, *, writing: Collection[str] = WRITING_STAGES) -> None:
        self._planner = planner
        self._writer = writer
        self._writing = frozenset(writing)

    @property
    def model(self) -> str:
        """Both names, one when they are the same."""
        names = dict.fromkeys((self._planner.model, self._writer.model))
        return " + ".join(names)

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply of the model that `stage` belongs to."""
        chat = self._writer if stage in self._writing else self._planner
        return chat.ask(prompt, system=system, schema=schema, stage=stage)

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text that the writer says."""
        return self._writer.ask(prompt, system=system_prompt, stage="text").text
