"""The public surface is what `__all__` says, sorted, and importing it costs next to nothing."""

import subprocess
import sys

import adaq_core


def test_every_public_name_can_be_imported_and_the_list_is_sorted():
    assert adaq_core.__all__ == sorted(adaq_core.__all__)
    for name in adaq_core.__all__:
        assert getattr(adaq_core, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(adaq_core, "nonsense")


def test_importing_the_package_loads_nothing_heavy():
    heavy = "torch pandas duckdb streamlit sentence_transformers scipy sklearn plotly"
    code = f"import sys, adaq_core, adaq_core.runs.execute; print(sorted(set(sys.modules) & set('{heavy}'.split())))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
