"""Register a component made of the style and script in the folder of its name, after `dom.js` and `base.css`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from adaq_core.export.page import FILES, joined

_HERE = Path(__file__).parent


def component(name: str) -> Any:
    """The mounting command of the component made of `name`.js and `name`.css; call once, at import."""
    return mounted(name, style=style(name), script=script(name))


def mounted(name: str, *, style: str, script: str) -> Any:
    """The mounting command of a component with this style and script; call once, at import."""
    return st.components.v2.component(f"adaq.{name}", html="<div class='root'></div>", css=style, js=script)


def script(name: str) -> str:
    """The whole script of a component, parts named `name`_….js included: an ES module with one default export."""
    return joined(*script_parts(name))


def script_parts(name: str) -> tuple[Path, ...]:
    """The files of a component's script, in their order in it."""
    folder = _HERE / name
    return (FILES / "dom.js", *sorted(folder.glob(f"{name}_*.js")), folder / f"{name}.js")


def style(name: str) -> str:
    """The whole style of a component; colours come from Streamlit's theme variables."""
    return joined(FILES / "base.css", _HERE / name / f"{name}.css")
