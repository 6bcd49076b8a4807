"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from adaq_core.errors import InputError
from adaq_core.model import Budget, Settings

_AT_MOST = 100


def _finite(value: float | None) -> float | None:
    """Return a number as it is; without a bound the option is left out."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter("Expected a number; leave the option out for no bound.")
    return value


QuestionArgument = Annotated[
    str, typer.Argument(help="What you want to know; - reads it from stdin.", metavar="QUESTION")
]
CorpusOption = Annotated[
    str, typer.Option("--corpus", "-c", help="Name of a corpus, or a folder with documents.", metavar="NAME|FOLDER")
]
KOption = Annotated[int, typer.Option("--k", min=1, max=_AT_MOST, help="How many passages the answer may cite.")]
MaxHopsOption = Annotated[int | None, typer.Option("--max-hops", min=1, max=_AT_MOST, help="At most so many hops.")]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--budget-seconds", min=0.0, callback=_finite, help="Stop searching after so many seconds and answer."
    ),
]
TokensOption = Annotated[
    int | None, typer.Option("--budget-tokens", min=1, help="At most so many tokens of a language model.")
]
UsdOption = Annotated[
    float | None,
    typer.Option("--budget-usd", min=0.0, callback=_finite, help="At most so many US dollars for a language model."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="Language model for the stages that can use one (Ollama at OLLAMA_HOST).", metavar="NAME"
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        "-s",
        help="Live sources to ask besides the corpus, with commas between them; `doctor` lists them.",
        metavar="NAME,…",
    ),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", help="Facet profile whose facets become aspects too.", metavar="NAME")
]
CrossEncoderOption = Annotated[
    str,
    typer.Option(
        "--cross-encoder",
        help="Cross-encoder that ranks ADAQ's candidates again: a folder, or a name in the local cache.",
        metavar="DIR|NAME",
    ),
]
LearnOption = Annotated[
    bool, typer.Option("--learn/--no-learn", help="Choose wordings by what they gained in earlier runs on the corpus.")
]
NoModelOption = Annotated[
    bool, typer.Option("--no-llm", help="Use no language model; so it is anyway until a model is named.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object; everything else goes to stderr.")]


def read_question(given: str) -> str:
    """The question as text; InputError when it is not valid Unicode."""
    question = sys.stdin.read() if given == "-" else given
    try:
        question.encode()
    except UnicodeEncodeError:
        raise InputError("The question is not valid UTF-8 text. Check the encoding of your terminal.") from None
    return question


def settings_from(
    *, k: int, max_hops: int | None, profile: str | None, sources: Sequence[str] | None = None
) -> Settings:
    """The settings; fewer hops than the usual minimum lower that too. InputError when there is no such live source."""
    usual = Settings()
    most = max_hops or usual.max_hops
    return Settings(
        k=k, max_hops=most, min_hops=min(usual.min_hops, most), facet_profile=profile, sources=sources_from(sources)
    )


def sources_from(given: Sequence[str] | None) -> tuple[str, ...]:
    """The live sources named, each once; InputError when one does not exist, or no name is given."""
    if not given:
        return ()
    from adaq_core.sources import checked, names

    chosen = [name.strip() for one in given for name in one.split(",") if name.strip()]
    if not chosen:
        raise InputError(f"Expected names of live sources after --source, such as {', '.join(names())}.")
    return checked(chosen)


def model_from(model: str | None, *, no_llm: bool) -> str | None:
    """The language model as a run records it, None for none; InputError when it is none or was switched off too."""
    if model is None:
        return None
    if no_llm:
        raise InputError(f"expected either --no-llm or --model {model}, got both; leave one of them out")
    from adaq_core.llm.settings import checked_model

    return checked_model(model)


def budget_from(
    *,
    seconds: float | None,
    tokens: int | None = None,
    usd: float | None = None,
    model: str | None = None,
) -> Budget:
    """The budget; what is not given is that of the settings where a model is asked, else without bound."""
    if model is None:
        return Budget(max_seconds=seconds, max_tokens=tokens, max_usd=usd)
    from adaq_core.llm.settings import read_settings

    usual = read_settings().budget
    return Budget(
        max_tokens=usual.max_tokens if tokens is None else tokens,
        max_seconds=usual.max_seconds if seconds is None else seconds,
        max_usd=usual.max_usd if usd is None else usd,
        max_calls=usual.max_calls,
    )
