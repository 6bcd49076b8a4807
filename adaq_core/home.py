"""The one folder for everything that changes, and who may write to a part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from adaq_core.errors import AdaqError

PACKAGE = Path(__file__).resolve().parent
PROJECT = PACKAGE.parent
IS_CHECKOUT = (PROJECT / "pyproject.toml").is_file()
# A checkout has the sample corpus and questions in `data/`; a wheel carries a copy inside the package.
BUNDLED = PROJECT / "data" if IS_CHECKOUT else PACKAGE / "bundled"
DEFAULT_HOME = (PROJECT if IS_CHECKOUT else Path.home()) / ".adaq"
ENV_FILE = (PROJECT if IS_CHECKOUT else DEFAULT_HOME) / ".env"


def setting(name: str) -> str:
    """Return the environment variable `name` without blanks around it; empty when it is not set.

    The models and the live sources have more settings, in a `.env` file too: `llm.settings`, `sources.read_settings`.
    """
    return os.environ.get(name, "").strip()


def home() -> Path:
    """Return `ADAQ_HOME`, else `.adaq` in the checkout, else `~/.adaq`; whoever writes first makes it."""
    chosen = setting("ADAQ_HOME")
    return Path(chosen).expanduser().resolve() if chosen else DEFAULT_HOME


def private_folder(folder: Path) -> Path:
    """Make `folder` with access for its owner alone and return it; one of ADAQ's that was open to others is closed."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)
    if _is_ours(folder) and folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def _is_ours(folder: Path) -> bool:
    """Whether ADAQ made the folder, as far as its name and content tell, for this very user."""
    is_own = hasattr(os, "geteuid") and folder.stat().st_uid == os.geteuid()
    if not is_own or folder == Path.home():
        return False
    named = folder.name in (".adaq", "corpora")
    return named or (folder / "runs.duckdb").exists() or (folder / "corpora").is_dir()


def private_file(file: Path) -> None:
    """Let only its owner read and write `file`; nothing when it is not there or belongs to somebody else."""
    with suppress(OSError):
        if file.stat().st_mode & 0o077:
            file.chmod(0o600)


def bytes_of(file: Path) -> int:
    """Return the size of `file` in bytes; 0 if it does not exist or cannot be inspected."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


@contextmanager
def writing(path: Path, *, what: str, wait: float, error: type[AdaqError]) -> Iterator[None]:
    """Hold the lock file `path` meanwhile; `error` names the holder if it is not free within `wait` seconds.

    The system frees the lock when its holder dies.
    """
    from filelock import FileLock, Timeout

    holder = path.with_suffix(".holder")
    try:
        private_folder(path.parent)
        lock = FileLock(path, timeout=wait)
        lock.acquire()
    except Timeout as cause:
        raise error(
            f"{what} is being changed by another task ({_read(holder)}); wait until it is done and try again"
        ) from cause
    except OSError as cause:
        raise error(f"{what} cannot be changed: {path.parent} is not writable ({cause})") from cause
    try:
        _note(holder)
        yield
    finally:
        lock.release()


def _note(holder: Path) -> None:
    """Write into the lock file who holds it; on a full disk other processes' messages just say less."""
    try:
        holder.write_text(f"process {os.getpid()}, since {datetime.now():%H:%M:%S}", encoding="utf-8")
    except OSError:
        return


def _read(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8")[:80] or "unknown"
    except OSError:
        return "unknown"
