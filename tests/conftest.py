"""The bundled corpus, indexed once for all processes of a test session, and a home folder for them alone."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import Event
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.store import Store
from adaq_core.store.open import write_store
from tests.asking import RunOf, execute

# How long an example takes says what else the machine does. The examples are the same in every run: a new one is found
# by whoever looks for it (`--hypothesis-seed`), not by whoever changes something else.
settings.register_profile("adaq", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("adaq")

# Processes of a session start the same program a hundred times and would compile it as often; so would the next one.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# They drive one server over one home, and go to one process: a second one would start and index it all again.
_OF_ONE_SERVER = ("browser/test_evaluation", "browser/test_ask", "browser/test_corpus", "browser/test_compare")
# They look at the same runs of the bundled questions (`run_of`), each of which takes a tenth of a second.
_OF_ONE_SET_OF_RUNS = (
    "answers/test_no_contradiction",
    "exam/test_exam_floors",
    "exam/test_review_list",
    "pages/test_verdict",
    "stages/test_critique",
)
# They load the model of the vectors, and torch with it, which takes seconds in each process.
_OF_ONE_MODEL = ("runs/test_runner", "cli/test_cli", "retrieval/test_dense")
_TOGETHER = (_OF_ONE_SERVER, _OF_ONE_SET_OF_RUNS, _OF_ONE_MODEL)
# What takes longest is begun first, longest of all in front: the processes of a session then end together.
_LONG = (
    *_OF_ONE_SERVER,
    "browser/test_trace_explorer",
    "retrieval/test_milvus",
    "browser/test_hostile_text",
    "browser/test_live_sources",
    "browser/test_settings",
    "corpus/test_isolated",
    *_OF_ONE_SET_OF_RUNS,
    "evaluation/test_experiment",
    "question/test_questions",
    "test_patterns",
    *_OF_ONE_MODEL,
    "cli/test_processes",
    "pages/test_trace_explorer",
    "pages/test_evaluation",
    "evaluation/test_on_cluster",
    "service/test_hostile_calls",
    "sources/test_gather",
    "sources/test_live_store",
    "sources/test_live_cli",
    "llm/test_hostile_servers",
    "store/test_store",
)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are cores: whoever drives a browser or waits for a server needs none of them."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files as `--dist loadfile` hands them out, those that share something as if they were one."""
    from xdist.scheduler import LoadFileScheduling

    class BySharing(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            name = file.removesuffix(".py")
            return next((files[0] for files in _TOGETHER if name.endswith(files)), file)

    return BySharing(config, log) if config.option.dist == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first. Each goes to one process (`--dist loadfile`), which makes what its tests share once."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    name = item.nodeid.partition(".py::")[0].removeprefix("tests/")
    return _LONG.index(name) if name in _LONG else len(_LONG)


def pytest_collection_finish() -> None:
    """What five thousand collected tests consist of stays to the end; looking at it again and again costs seconds."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder for the tests alone, so that none sees what a user or another run has stored."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADAQ_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the processes of a test session have in common; write in it under a lock."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def indexed_home(shared_folder: Path, empty_store: Path) -> Path:
    """A home in which the bundled corpus is indexed, with an empty run store; only to be read or copied."""
    home = shared_folder / "indexed"
    with FileLock(f"{home}.lock"):
        CorpusLibrary(home).open("sample")
        if not (home / "runs.duckdb").exists():
            shutil.copy(empty_store, home / "runs.duckdb")
    return home


@pytest.fixture(scope="session")
def empty_store(shared_folder: Path) -> Path:
    """The file of a run store without runs; only to be copied. To make one takes as long as many a test."""
    path = shared_folder / "empty.duckdb"
    with FileLock(f"{path}.lock"):
        if not path.exists():
            write_store(path)
    return path


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    """A run store without runs, in the folder of this test."""
    store = Store(Path(shutil.copy(empty_store, tmp_path / "runs.duckdb")))
    yield store
    store.close()


@pytest.fixture
def indexed(tmp_path: Path, indexed_home: Path) -> Path:
    """The folder of this test as a home in which the bundled corpus is indexed."""
    shutil.copytree(indexed_home / "corpora", tmp_path / "corpora")
    return tmp_path


@pytest.fixture(scope="session")
def sample_index(indexed_home: Path) -> PassageIndex:
    """The bundled corpus."""
    return CorpusLibrary(indexed_home).open("sample")


@pytest.fixture
def sample(sample_index: PassageIndex) -> DocumentRetriever:
    """A lexical retriever over the bundled corpus."""
    return DocumentRetriever(sample_index)


@pytest.fixture(scope="session")
def run_of(sample_index: PassageIndex) -> RunOf:
    """The events of a method with a question on the bundled corpus; the same question is asked once."""
    sample = DocumentRetriever(sample_index)

    @cache
    def run(method: str, question: str) -> tuple[Event, ...]:
        return tuple(execute(method, question, retriever=sample))

    return run
