"""What went wrong between us and an OpenAI-compatible server, in words, and never with the key in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from adaq_core.errors import ModelError, ModelMissing, ModelRefused, ModelServerDown
from adaq_core.llm.ollama_errors import short

BUSY = frozenset((429, 500, 502, 503, 504))
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key)[-_][\w*.-]{4,}")


@dataclass(frozen=True, slots=True)
class Words:
    """Says what went wrong; knows the key only to keep it out."""

    base: str
    model: str
    key: str = field(repr=False)

    def clean(self, text: object) -> str:
        """Words of the server, short and without the key, whole or in part as servers like to repeat it."""
        said = str(text)
        return short(_KEY_LIKE.sub("…", said.replace(self.key, "…") if self.key else said))

    def refused(self, status: int, said: str) -> ModelError:
        """What an answer other than 200 means."""
        text = self.clean(said)
        if status in (401, 403):
            return ModelRefused(
                f"{self.base} refused the key ({status}). Expected a valid one in ADAQ_OPENAI_API_KEY (.env), and one "
                f"that may use {self.model}."
            )
        if status == 404:
            return ModelMissing(f"{self.base} has no model {self.model!r} (404: {text}). Set ADAQ_MODEL to one it has.")
        if status == 429:
            return ModelServerDown(f"{self.base} wants no more requests for now (429: {text}). Try again later.")
        if status in BUSY:
            return ModelServerDown(f"{self.base} is in trouble ({status}: {text}). Try again later.")
        return ModelError(f"{self.base} did not take the request ({status}: {text}).")

    @contextmanager
    def around(self, said: list[str]) -> Iterator[None]:
        """Turns every fault of the server into a ModelError; `said` is what the model has said, piece by piece."""
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ModelServerDown(
                f"Expected a model server at {self.base}, but none answers ({self.clean(error)}). Start it, or set "
                "ADAQ_OPENAI_BASE_URL to where it is."
            ) from None
        except httpx.TimeoutException:
            raise ModelServerDown(
                f"Expected a reply of {self.model} at {self.base}, but nothing came for too long. Try again, or raise "
                "ADAQ_SILENCE_SECONDS.",
                raw="".join(said),
            ) from None
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise ModelServerDown(
                f"The server at {self.base} went away while it answered ({type(error).__name__}: {self.clean(error)}). "
                "Try again.",
                raw="".join(said),
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(
                f"Expected a chat completion from {self.base}, but something else came ({type(error).__name__}: "
                f"{self.clean(error)}). Is ADAQ_OPENAI_BASE_URL right? It often ends in /v1.",
                raw="".join(said),
            ) from None
