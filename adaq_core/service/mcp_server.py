"""An MCP server: what an assistant can ask of ADAQ, over the same runner, store and corpora as everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, cast

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, Field, ValidationError

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.coverage import MAX_HOPS, CoverageState, coverage_node
from adaq_core.errors import AdaqError
from adaq_core.events import HopStarted, of_kind
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.runner import Runner, get_runner
from adaq_core.service.guards import Busy, Guard, ServiceAccess, ServiceLimits, in_thread
from adaq_core.service.research import document, enter
from adaq_core.service.schemas import VERSION, ResearchRequest, RunDocument
from adaq_core.store import RunRow

INSTRUCTIONS = (
    "ADAQ answers questions from corpora of documents, in hops, each after what the evidence does not cover yet. "
    "`research` asks one and cites; `search_corpus` only searches; `coverage` judges whether data that other tools "
    "brought answers a user, and what is missing."
)
_LOOK_AGAIN = 0.1
_MOST_PASSAGES = 50
_NEWEST = 50
_MOST_WRONG = 10
_LARGEST_CALL = 4 * 1024 * 1024


class Cited(BaseModel):
    """A passage that an answer quotes."""

    n: int
    title: str
    document_id: str
    quote: str


class Answered(BaseModel):
    """The result of a question. `answer` is Markdown with [n] marks; `not_covered` are parts that it leaves open."""

    run_id: str
    status: str
    stop_reason: str | None
    answer: str
    short_answer: str | None
    citations: list[Cited]
    not_covered: list[str]
    hops: int
    sufficiency: float | None


class FoundPassage(BaseModel):
    """A passage of a corpus, best first; `score` compares only within one search."""

    passage_id: str
    title: str
    text: str
    score: float


class FoundPassages(BaseModel):
    """What a search found."""

    passages: list[FoundPassage]


class _Server(MCPServer[Any]):
    """A server that says in a line what is wrong with an argument; the SDK's words name its validator's web site."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_in_words(error.__cause__)) from error.__cause__
            raise


def _in_words(error: ValidationError) -> str:
    wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    return "; ".join(wrong[:_MOST_WRONG])


def build_server(runner: Callable[[], Runner] = get_runner, limits: ServiceLimits | None = None) -> MCPServer[Any]:
    """Build the MCP server over a runner, by default that of this process."""
    server = _Server("adaq", title="ADAQ", instructions=INSTRUCTIONS, version=VERSION)
    _add_research(server, runner, limits or ServiceLimits())
    _add_looking(server, runner)
    _add_resources(server, runner)
    return server


def _add_research(server: MCPServer[Any], runner: Callable[[], Runner], limits: ServiceLimits) -> None:
    @server.tool(structured_output=True)
    async def research(
        question: str,
        ctx: Context[Any, Any],
        company: str | None = None,
        year: int | None = None,
        corpus: str = "sample",
        method: str = "adaptive",
        k: int = 5,
        step_cap: int | None = None,
        budget_seconds: float | None = None,
        budget_usd: float | None = None,
        model: str | None = None,
    ) -> Answered:
        """Answer a question from a corpus, with citations; tells each hop as progress, and stops when cancelled."""
        asked: dict[str, Any] = {"question": question}
        asked |= {"company": company, "year": year, "corpus": corpus, "method": method, "k": k}
        asked |= {"step_cap": step_cap, "budget_seconds": budget_seconds, "budget_usd": budget_usd, "model": model}
        here = await in_thread(runner)
        run_id = await in_thread(_asked, asked, here, limits.queue)
        try:
            row = await _followed(here, run_id, ctx)
        except anyio.get_cancelled_exc_class():
            here.cancel(run_id)
            raise
        return await in_thread(_answered, here, row)


def _asked(given: dict[str, Any], runner: Runner, most: int) -> str:
    """Submit the run; an input error becomes a message for the assistant."""
    try:
        return enter(ResearchRequest.model_validate(given), runner, most)
    except ValidationError as error:
        raise ToolError(_in_words(error)) from error
    except (AdaqError, Busy) as error:
        raise ToolError(str(error)) from error


async def _followed(runner: Runner, run_id: str, ctx: Context[Any, Any]) -> RunRow:
    """Report each hop until the run is over, and return its row."""
    after = 0
    while True:
        row = await in_thread(_known, runner, run_id)
        records = await in_thread(runner.store.records, run_id, after)
        for hop in of_kind([record.event for record in records], HopStarted):
            await ctx.report_progress(hop.hop, row.settings.max_hops, told_of(hop))
        after = records[-1].seq if records else after
        if row.over:
            return row
        await anyio.sleep(_LOOK_AGAIN)


def told_of(hop: HopStarted) -> str:
    """Return a hop in words: its queries or, without any, its reason."""
    queries = "; ".join(query.text for query in hop.queries)
    return f"hop {hop.hop}: {queries or hop.why}"


def _known(runner: Runner, run_id: str) -> RunRow:
    row = runner.store.run(run_id)
    if row is None:
        raise ToolError(f"There is no run {run_id[:80]}.")
    return row


def _answered(runner: Runner, row: RunRow) -> Answered:
    reply = document(runner, row)
    answer = reply["answer"] or {}
    short = answer.get("short") or {}
    return Answered(
        run_id=row.run_id,
        status=row.status,
        stop_reason=row.stop_reason,
        answer=answer.get("text", row.reason),
        short_answer=short.get("text"),
        citations=[Cited.model_validate(one) for one in answer.get("citations", ())],
        not_covered=[one["aspect"] for one in answer.get("not_covered", ())],
        hops=row.hops,
        sufficiency=row.sufficiency,
    )


def _add_looking(server: MCPServer[Any], runner: Callable[[], Runner]) -> None:
    @server.tool(structured_output=True)
    def get_trace(run_id: str) -> RunDocument:
        """A stored run: its answer, aspects, hops with their queries and decisions, evidence and cost."""
        here = runner()
        return RunDocument.model_validate(document(here, _known(here, run_id)))

    @server.tool(structured_output=True)
    def search_corpus(
        query: str, corpus: str = "sample", top_k: Annotated[int, Field(ge=1, le=_MOST_PASSAGES)] = 5
    ) -> FoundPassages:
        """Search a corpus by words; the passages, best first."""
        try:
            index = cast(CorpusLibrary, runner().corpora).open(corpus)
            result = DocumentRetriever(index).retrieve(query, top_k=top_k)
        except AdaqError as error:
            raise ToolError(str(error)) from error
        passages = [(each.passage, each.score) for each in result]
        shown = [FoundPassage(passage_id=p.passage_id, title=p.title, text=p.text, score=s) for p, s in passages]
        return FoundPassages(passages=shown)

    @server.tool(structured_output=True)
    def coverage(
        user_query: str,
        tool_results: dict[str, Any],
        successful_tools: list[str] | None = None,
        failed_tools: list[str] | None = None,
        hops: int = 0,
        max_hops: int = MAX_HOPS,
    ) -> CoverageState:
        """Whether what tools brought answers the user, what is missing, and where to go: plan, respond or escalate."""
        succeeded = list(tool_results) if successful_tools is None else successful_tools
        state: dict[str, Any] = {"user_query": user_query, "tool_results": tool_results, "successful_tools": succeeded}
        state |= {"failed_tools": failed_tools or [], "hops": hops, "max_hops": max_hops}
        return cast(CoverageState, coverage_node(state))


def _add_resources(server: MCPServer[Any], runner: Callable[[], Runner]) -> None:
    @server.resource("adaq://runs", name="runs", mime_type="application/json")
    def runs() -> str:
        """The newest stored runs."""
        rows = runner().store.runs(limit=_NEWEST)
        return json.dumps([{"run_id": row.run_id, "question": row.question, "status": row.status} for row in rows])

    @server.resource("adaq://runs/{run_id}", name="run", mime_type="application/json")
    def run(run_id: str) -> str:
        """One stored run, as `ask --json` prints it."""
        here = runner()
        row = here.store.run(run_id)
        if row is None:
            raise ResourceNotFoundError(f"There is no run {run_id[:80]}.")
        return json.dumps(document(here, row))


def over_http(server: MCPServer[Any], access: ServiceAccess | None = None) -> Guard:
    """Return the server as an ASGI app under `/mcp`, behind the same guard as the REST service."""
    access = access or ServiceAccess()
    names = sorted(access.hosts)
    security = TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}:*" for name in names for scheme in ("http", "https")],
    )
    app = server.streamable_http_app(transport_security=security)
    return Guard(app, access=access, limits=ServiceLimits(body=_LARGEST_CALL))
