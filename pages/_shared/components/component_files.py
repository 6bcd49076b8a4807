"""Register a component made of the style and script in the folder of its name, after `dom.js` and `base.css`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from adaq_core.export.page import FILES, joined

_HERE = Path(__file__).parent


def component(name: str) -> Any:
    """Return the mounting command of the component with the files `name`.js and `name`.css; call once, at import."""
    return mounted(name, style=style(name), script=script(name))


def mounted(name: str, *, style: str, script: str) -> Any:
    """Return the mounting command of a component with this style and script; call once, at import."""
    return st.components.v2.component(f"adaq.{name}", html="<div class='root'></div>", css=style, js=script)


def script(name: str) -> str:
    """Return a component's script, with its parts `name`_….js: an ES module with one default export."""
    return joined(*script_parts(name))


def script_parts(name: str) -> tuple[Path, ...]:
    """Return the files of a component's script, in their order in it."""
    folder = _HERE / name
    return (FILES / "dom.js", *sorted(folder.glob(f"{name}_*.js")), folder / f"{name}.js")


def style(name: str) -> str:
    """Return a component's style; its colours are Streamlit's theme variables."""
    return joined(FILES / "base.css", _HERE / name / f"{name}.css")
