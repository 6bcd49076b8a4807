import subprocess
import sys
from pathlib import Path

import pytest

from adaq_core.errors import InputError
from adaq_core.home import PROJECT
from adaq_core.llm.settings import ModelSettings, read_settings
from adaq_core.model import Budget


def test_defaults_need_no_file():
    settings = read_settings(env_file=None)
    assert (settings.provider, settings.model, settings.writer) == ("ollama", "llama3.2", "llama3.2")
    assert (settings.num_ctx, settings.temperature, settings.budget) == (8192, 0.0, Budget())


def test_environment_goes_before_the_file_and_what_is_given_before_both(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    file.write_text("ADAQ_MODEL=from-file\nADAQ_NUM_CTX=4096\nADAQ_SEED=1\nADAQ_NEWS_API_KEY=other\n")
    monkeypatch.setenv("ADAQ_NUM_CTX", "16384")
    monkeypatch.setenv("ADAQ_SEED", "2")
    settings = read_settings(env_file=file, seed=3)
    assert (settings.model, settings.num_ctx, settings.seed) == ("from-file", 16384, 3)


def test_empty_lines_of_the_example_mean_the_default(tmp_path):
    file = tmp_path / ".env"
    file.write_text("ADAQ_MODEL=\nADAQ_BUDGET_TOKENS=\nADAQ_PRICES=\n")
    assert read_settings(env_file=file) == read_settings(env_file=None)


def test_hosts_and_keys_have_their_usual_names_too(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "box:11434")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567")
    settings = read_settings(env_file=None)
    assert (settings.ollama_host, settings.openai_api_key.get_secret_value()) == ("box:11434", "sk-1234567")


def test_prices_and_budget(monkeypatch):
    monkeypatch.setenv("ADAQ_PRICES", '{"gpt-x": [0.5, 2]}')
    monkeypatch.setenv("ADAQ_BUDGET_TOKENS", "20000")
    monkeypatch.setenv("ADAQ_BUDGET_USD", "0.25")
    settings = read_settings(env_file=None)
    assert settings.prices == {"gpt-x": (0.5, 2.0)}
    assert settings.budget == Budget(max_tokens=20000, max_usd=0.25)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ADAQ_NUM_CTX", "many", "ADAQ_NUM_CTX: Input should be a valid integer"),
        ("ADAQ_NUM_CTX", "3", "ADAQ_NUM_CTX: Input should be greater than or equal to 512"),
        ("ADAQ_PROVIDER", "skynet", "ADAQ_PROVIDER: Input should be 'ollama' or 'openai'"),
        ("ADAQ_PRICES", "cheap", "prices"),
        ("ADAQ_PRICES", '{"m": [-1, 2]}', "ADAQ_PRICES: Input should be greater than or equal to 0"),
        ("ADAQ_PRICES", '{"m": [1e400, 2]}', "ADAQ_PRICES: Input should be a finite number"),
        ("ADAQ_REPLY_SECONDS", "inf", "ADAQ_REPLY_SECONDS: Input should be a finite number"),
        ("ADAQ_SILENCE_SECONDS", "inf", "ADAQ_SILENCE_SECONDS: Input should be a finite number"),
    ],
)
def test_values_that_cannot_be_used_are_named(monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match="A setting cannot be used") as caught:
        read_settings(env_file=None)
    assert words in str(caught.value)


def test_keys_are_never_shown(monkeypatch):
    monkeypatch.setenv("ADAQ_OPENAI_API_KEY", "sk-verysecret")
    settings = read_settings(env_file=None)
    assert "verysecret" not in repr(settings) + str(settings.model_dump()) + settings.model_dump_json()
    monkeypatch.setenv("ADAQ_NUM_CTX", "x")
    with pytest.raises(InputError) as caught:
        read_settings(env_file=None)
    assert "verysecret" not in str(caught.value) + repr(caught.value.__cause__) + repr(caught.value.__context__)


def test_the_example_names_every_setting_and_works_as_it_is(tmp_path):
    example = PROJECT / ".env.example"
    named = {line.removeprefix("#").strip().split("=")[0] for line in example.read_text().splitlines() if "=" in line}
    expected = {f"ADAQ_{name.upper()}" for name in ModelSettings.model_fields} - {"ADAQ_OLLAMA_HOST"} | {"OLLAMA_HOST"}
    assert expected <= named
    copy = tmp_path / ".env"
    copy.write_text(example.read_text())
    assert read_settings(env_file=copy) == read_settings(env_file=None)


def test_importing_the_port_is_light():
    script = (
        "import sys, adaq_core.llm, adaq_core.llm.chats, adaq_core.llm.replies, "
        "adaq_core.answers.citation_guard\n"
        "print([m for m in ('pydantic', 'httpx', 'ollama', 'duckdb', 'torch', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(PROJECT))
    assert done.stdout.strip() == "[]"
