"""What went wrong between us and an Ollama server, in words: what was expected, what came, what to do."""

from __future__ import annotations

import httpx
import ollama

from adaq_core.errors import ModelError, ModelMissing, ModelRefused, ModelServerDown

# ValueError: a line that is no JSON, or not of the documented form; AttributeError, TypeError: JSON that is no object.
FAULTS = (
    ollama.ResponseError,
    ollama.RequestError,
    ConnectionError,
    httpx.HTTPError,
    httpx.StreamError,
    httpx.InvalidURL,
    ValueError,
)
GARBAGE = (*FAULTS, AttributeError, TypeError)
_SHOWN = 300


def in_words(error: Exception, *, host: str, model: str = "", raw: str = "") -> ModelError:
    """The ModelError for `error`; `raw` is what the model had said by then."""
    if isinstance(error, ollama.ResponseError):
        return _refused(error, host=host, model=model, raw=raw)
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        return ModelServerDown(
            f"Expected a reply of {model or 'the server'} at {host}, but nothing came for too long. A large model may "
            "still be loading: try again, choose a smaller one, or raise ADAQ_SILENCE_SECONDS.",
            raw=raw,
        )
    if isinstance(error, ConnectionError | httpx.ConnectError | httpx.ConnectTimeout):
        return ModelServerDown(
            f"Expected an Ollama server at {host}, but none answers. Start it with `ollama serve` (or the Ollama app), "
            "or set OLLAMA_HOST to where it is.",
            raw=raw,
        )
    if isinstance(error, httpx.HTTPError | httpx.StreamError):
        return ModelServerDown(
            f"The Ollama server at {host} went away while it answered ({type(error).__name__}: {short(error)}). Look "
            "at its log: often the model needs more memory than there is.",
            raw=raw,
        )
    if isinstance(error, httpx.InvalidURL):
        return ModelServerDown(f"OLLAMA_HOST is {host!r}, which is no address. Expected one like 127.0.0.1:11434.")
    return ModelError(
        f"Expected Ollama's JSON from {host}, but something else came ({type(error).__name__}: {short(error)}). Is "
        "another program at that address? OLLAMA_HOST says where Ollama is.",
        raw=raw,
    )


def missing(model: str, *, host: str, installed: tuple[str, ...]) -> ModelMissing:
    """That `model` is not on the server, and what is."""
    there = f"it has {', '.join(installed)}" if installed else "it has no model yet"
    other = ", or name one of those with ADAQ_MODEL" if installed else ""
    return ModelMissing(
        f"Expected the model {model!r} on the Ollama server at {host}, but {there}. Get it with "
        f"`ollama pull {model}`{other}."
    )


def _refused(error: ollama.ResponseError, *, host: str, model: str, raw: str) -> ModelError:
    said = short(error.error)
    if error.status_code == 404:
        return missing(model, host=host, installed=())
    if error.status_code in (401, 403):
        return ModelRefused(
            f"The server at {host} wants a key or refuses ours ({error.status_code}). Set OLLAMA_API_KEY."
        )
    if "memory" in said.lower():
        return ModelError(
            f"{model} does not fit into the memory of {host}: {said}. Choose a smaller model, or lower ADAQ_NUM_CTX.",
            raw=raw,
        )
    if error.status_code == 503:
        return ModelServerDown(
            f"The Ollama server at {host} is busy: {said}. Try again when it has less to do.", raw=raw
        )
    status = f" ({error.status_code})" if error.status_code > 0 else ""
    return ModelError(f"{model or 'The server'} at {host} reported an error{status}: {said}", raw=raw)


def short(error: object) -> str:
    """The first words of an error of others, on one line."""
    text = " ".join(str(error).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
