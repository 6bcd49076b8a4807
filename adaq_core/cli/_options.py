"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from adaq_core.errors import InputError
from adaq_core.model import Budget, Settings

_AT_MOST = 100

QuestionArgument = Annotated[
    str, typer.Argument(help="What you want to know; - reads it from stdin.", metavar="QUESTION")
]
CorpusOption = Annotated[
    str, typer.Option("--corpus", "-c", help="Name of a corpus, or a folder with documents.", metavar="NAME|FOLDER")
]
KOption = Annotated[int, typer.Option("--k", min=1, max=_AT_MOST, help="How many passages the answer may cite.")]
MaxHopsOption = Annotated[int | None, typer.Option("--max-hops", min=1, max=_AT_MOST, help="At most so many hops.")]
SecondsOption = Annotated[
    float | None, typer.Option("--budget-seconds", min=0.0, help="Stop searching after so many seconds and answer.")
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", help="Facet profile whose facets become aspects too.", metavar="NAME")
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


def settings_from(*, k: int, max_hops: int | None, profile: str | None) -> Settings:
    """The settings; fewer hops than the usual minimum lower that too."""
    usual = Settings()
    most = max_hops or usual.max_hops
    return Settings(k=k, max_hops=most, min_hops=min(usual.min_hops, most), facet_profile=profile)


def budget_from(*, seconds: float | None) -> Budget:
    """The budget; None bounds nothing."""
    return Budget(max_seconds=seconds)
