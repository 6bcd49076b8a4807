"""An agent that plans, runs tools, asks ADAQ's coverage node whether that is enough, and asks a person when it is not.

    pip install ".[graph]"
    python -m examples.coverage_graph status.sqlite "What's my application status?"
    python -m examples.coverage_graph check.sqlite "Tell me about my background check and interview history"
    python -m examples.coverage_graph check.sqlite --supply "The check was passed on 2 October 2026."

The second question ends in an interrupt, because the tool for the background check is down; the third command is
another process that goes on from there. With `--archive` there is an alternative tool, and nobody has to be asked.
"""

from __future__ import annotations

import argparse
import operator
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from adaq_core import CoverageContext, CoverageState, coverage_node

Tool = Callable[[], Any]
THREAD = "demo"
CONFIG: Any = {"configurable": {"thread_id": THREAD}}


class State(CoverageState):
    """What the node reads and writes, with how results of several hops add up, and this graph's own fields."""

    tool_results: Annotated[dict[str, Any], operator.or_]
    successful_tools: Annotated[list[str], operator.add]
    failed_tools: Annotated[list[str], operator.add]
    planned_tools: list[str]
    answer: str


class Supplied(BaseModel):
    """What a person is asked for when the tools cannot bring it."""

    data: str


def applications() -> Any:
    """The applications, as a service would return them."""
    return [{"id": 17, "position": "Data engineer", "status": "under review"}]


def applications_detailed() -> Any:
    """One application with its stage."""
    return {"id": 17, "stage": "second interview", "submitted": "2026-10-02"}


def background_status() -> Any:
    """A service that is down."""
    raise ConnectionError("the background service does not answer")


def interviews() -> Any:
    """The interviews so far."""
    return [{"date": "2026-10-09", "with": "Ada", "result": "passed"}]


def background_archive() -> Any:
    """What the service that is down would have said, from its archive."""
    return {"background check": "passed", "date": "2026-10-02"}


TOOLS: dict[str, tuple[str, Tool]] = {
    "get_user_applications": ("applications of the user with their status", applications),
    "get_user_applications_detailed": ("one application in detail", applications_detailed),
    "get_user_background_status": ("how the background check of the user stands", background_status),
    "get_user_interviews": ("interview history of the user", interviews),
}
ARCHIVE: dict[str, tuple[str, Tool]] = {
    "search_background_archive": ("older background checks", background_archive),
}


def purposes(tools: Mapping[str, tuple[str, Tool]]) -> dict[str, str]:
    """The tools by name and purpose, as the coverage node takes them."""
    return {name: purpose for name, (purpose, _) in tools.items()}


def plan(state: State) -> dict[str, Any]:
    """First the tools whose names share a word with the question, later those that the gaps call for."""
    if not state.get("hops"):
        said = state["user_query"].lower()
        first = [name for name in TOOLS if any(word.rstrip("s") in said for word in name.split("_")[2:3])]
        return {"planned_tools": first}
    suggested = [gap["suggested_tools"][:1] for gap in state["missing_data"]]
    return {"planned_tools": list(dict.fromkeys(name for names in suggested for name in names))}


def build(tools: Mapping[str, tuple[str, Tool]], checkpointer: BaseCheckpointSaver[Any]) -> Any:
    """The graph: plan → act → coverage → plan, respond or escalate."""

    def act(state: State) -> dict[str, Any]:
        results: dict[str, Any] = {}
        failed = []
        for name in state["planned_tools"]:
            try:
                results[name] = tools[name][1]()
            except ConnectionError:
                failed.append(name)
        return {"tool_results": results, "successful_tools": list(results), "failed_tools": failed}

    def coverage(state: State, runtime: Runtime[CoverageContext]) -> Command[Literal["plan", "respond", "escalate"]]:
        update = coverage_node(state, runtime)
        return Command(update=update, goto=update["next_node"])

    graph = StateGraph(State, context_schema=CoverageContext)
    graph.add_node("plan", plan)
    graph.add_node("act", act)
    graph.add_node("coverage", coverage)
    graph.add_node("respond", respond)
    graph.add_node("escalate", escalate)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "act")
    graph.add_edge("act", "coverage")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=checkpointer)


def escalate(state: State) -> Command[Literal["respond"]]:
    """Stop until a person has supplied what is missing."""
    missing = [gap["gap_type"] for gap in state["missing_data"]]
    asked = {"reason": state["escalation_reason"], "missing": missing}
    supplied = interrupt(asked, response_schema=Supplied)
    return Command(update={"tool_results": {"a person": supplied.data}}, goto="respond")


def respond(state: State) -> dict[str, Any]:
    """What was gathered, tool by tool."""
    return {"answer": "\n".join(f"{name}: {result}" for name, result in state["tool_results"].items())}


def main() -> None:
    """Ask a question, or go on with one that waits for a person."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("question", nargs="?")
    parser.add_argument("--supply")
    parser.add_argument("--archive", action="store_true")
    given = parser.parse_intermixed_args()  # the question may stand behind an option
    tools = TOOLS | (ARCHIVE if given.archive else {})
    context = CoverageContext(tools=purposes(tools))
    if (given.question is None) == (given.supply is None):
        parser.error("expected a question, or --supply with what a person says to the one that waits")
    if not given.database.absolute().parent.is_dir():
        parser.error(f"there is no folder {given.database.absolute().parent} to keep {given.database.name} in")
    with SqliteSaver.from_conn_string(str(given.database)) as checkpointer:
        graph = build(tools, checkpointer)
        if given.supply is None:
            checkpointer.delete_thread(THREAD)  # a question begins anew; what an earlier one gathered is not its own
            start: Any = {"user_query": given.question}
        elif graph.get_state(CONFIG).interrupts:
            start = Command(resume={"data": given.supply})
        else:
            parser.error(f"no question in {given.database} waits for a person")
        end = graph.invoke(start, CONFIG, context=context)
    for waiting in end.get("__interrupt__", ()):
        print(f"waiting for a person: {waiting.value}")
    print(f"hops: {end['hops']}, coverage: {end['coverage_analysis']['coverage_score']}, next: {end['next_node']}")
    print(end.get("answer", ""))


if __name__ == "__main__":
    main()
