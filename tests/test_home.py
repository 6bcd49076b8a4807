from __future__ import annotations

from pathlib import Path

from adaq_core.home import PROJECT, home


def test_the_home_is_in_the_project_unless_the_environment_says_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("ADAQ_HOME", raising=False)
    assert home() == PROJECT / ".adaq"
    monkeypatch.setenv("ADAQ_HOME", "  ")
    assert home() == PROJECT / ".adaq"
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "elsewhere"))
    assert home() == tmp_path / "elsewhere"
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.setenv("ADAQ_HOME", "~/adaq")
    assert home() == Path.home().resolve() / "adaq"
