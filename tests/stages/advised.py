"""A small world for the stages with a model: two passages, two aspects, and an asker over scripted replies."""

from __future__ import annotations

import json
from typing import Any

from adaq_core.events import FellBack, ModelCalled
from adaq_core.model import Budget, Finding, Passage, QueryAspect
from adaq_core.stages.services import BudgetMeter, ModelGateway
from tests.scripted import Scripted

QUESTION = "Compare tea and coffee"
TEA = Passage("p1", "d1", "Tea", "Tea is a drink made of leaves. It has less caffeine than coffee.", date="2024-05-01")
COFFEE = Passage("p2", "d2", "Coffee", "Coffee is a drink made of roasted beans. A cup holds 95 mg of caffeine.")
ABOUT_TEA = QueryAspect("Definition of tea", "definition", 1.0, ("tea",), subject="tea")
ABOUT_COFFEE = QueryAspect("Definition of coffee", "definition", 1.0, ("coffee",), subject="coffee")


def gateway(*replies: Any, budget: Budget | None = None, off: tuple[str, ...] = (), **rest: Any) -> ModelGateway:
    """Asks a chat that says `replies` in turn; what is no text or error is said as JSON."""
    lines = [r if isinstance(r, str | Exception) or callable(r) else json.dumps(r) for r in replies]
    return ModelGateway(Scripted(lines, **rest), BudgetMeter(budget or Budget()), off=off)


def prompts(asking: ModelGateway) -> list[str]:
    assert isinstance(asking.chat, Scripted)
    return [f"{asked.system}\n{asked.prompt}" for asked in asking.chat.asked]


def calls(asking: ModelGateway) -> list[ModelCalled]:
    return [event for event in asking.events if isinstance(event, ModelCalled)]


def fallbacks(asking: ModelGateway) -> list[tuple[str, str]]:
    return [(event.problem, event.used) for event in asking.events if isinstance(event, FellBack)]


def finding(aspect: QueryAspect, passage: Passage, score: float, end: int = 30) -> Finding:
    return Finding(aspect.aspect, passage.passage_id, passage.text[:end], 0, end, score)
