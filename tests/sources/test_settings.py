from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from adaq_core.errors import InputError
from adaq_core.sources import SourceSettings, read_settings, source


def test_settings_come_from_the_environment_and_are_not_shown() -> None:
    settings = SourceSettings.from_environment({"NEWS_API_KEY": " secret-1 ", "EMPTY": "", "FEED_URLS": "a, b\nc"})
    assert (settings.value("NEWS_API_KEY"), settings.value("EMPTY", "none")) == ("secret-1", "none")
    assert settings.words("FEED_URLS") == ("a", "b", "c")
    assert "secret" not in repr(settings)


def test_a_file_fills_in_what_the_environment_does_not_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("NEWS_API_KEY='from file $HOME'\nSEARCH_API_KEY=from-file\n# REDDIT_API_KEY=x\nFEED_URLS\n")
    monkeypatch.setenv("SEARCH_API_KEY", "from-environment")
    for name in ("NEWS_API_KEY", "REDDIT_API_KEY", "FEED_URLS"):
        monkeypatch.delenv(name, raising=False)
    settings = read_settings(file, urls=("https://a.example",))
    found = [settings.value(name) for name in ("NEWS_API_KEY", "SEARCH_API_KEY", "REDDIT_API_KEY", "FEED_URLS")]
    assert (found, settings.urls) == (["from file $HOME", "from-environment", "", ""], ("https://a.example",))
    assert read_settings(tmp_path / "none").value("NEWS_API_KEY") == ""


def test_private_hosts_are_exact() -> None:
    settings = SourceSettings({"ADAQ_PRIVATE_HOSTS": "127.0.0.1:8888, Searx.Local:80 [::1]:8080"})
    assert settings.private_places == {"127.0.0.1:8888", "searx.local:80", "::1:8080"}


@pytest.mark.parametrize("value", ["127.0.0.1", "localhost", "http://localhost:80", "host:80/x", "10.0.0.0/8", ":80"])
def test_private_hosts_in_another_form_are_refused(value: str) -> None:
    with pytest.raises(InputError, match=r"lists host:port pairs such as 127\.0\.0\.1:8888"):
        _ = SourceSettings({"ADAQ_PRIVATE_HOSTS": value}).private_places


def test_the_time_to_keep_answers() -> None:
    assert SourceSettings().cache_seconds == 86400
    assert SourceSettings({"CACHE_TTL_SECS": "60"}).cache_seconds == 60
    with pytest.raises(InputError, match="CACHE_TTL_SECS is a number of seconds"):
        _ = SourceSettings({"CACHE_TTL_SECS": "a day"}).cache_seconds


def test_every_form_of_a_key_is_hidden() -> None:
    assert set(SourceSettings({"REDDIT_API_KEY": "id-1:secret-2"}).hidden) == {
        "id-1:secret-2", "id-1", "secret-2", "aWQtMTpzZWNyZXQtMg==",
    }  # fmt: skip


def test_a_contact_cannot_smuggle_a_header() -> None:
    assert SourceSettings({"ADAQ_CONTACT": "Ada\r\nX-Evil: 1 ü"}).contact == "AdaX-Evil: 1 "


def test_sources_can_be_sent_to_another_address() -> None:
    settings = SourceSettings(
        {"WIKIPEDIA_URL": "https://de.wikipedia.org/", "SEARCH_API_KEY": "k", "BRAVE_URL": "http://x"}
    )
    assert repr(source("wikipedia", settings)) == "Wikipedia(base='https://de.wikipedia.org')"
    assert "brave='http://x'" in repr(source("web_search", settings))


def test_naming_the_sources_loads_no_http_library() -> None:
    code = (
        "import sys; from adaq_core import sources; sources.names(); print({'httpx', 'trafilatura'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["set()"]
