"""Register a component made of the style and script in the folder of its name, after `dom.js` and `base.css`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


def component(name: str) -> Any:
    """The mounting command of the component made of `name`.js and `name`.css; call once, at import."""
    return st.components.v2.component(f"adaq.{name}", html="<div class='root'></div>", css=style(name), js=script(name))


def script(name: str) -> str:
    """The whole script of a component, parts named `name`_….js included: an ES module with one default export."""
    folder = _HERE / name
    return _joined(_HERE / "dom.js", *sorted(folder.glob(f"{name}_*.js")), folder / f"{name}.js")


def style(name: str) -> str:
    """The whole style of a component; colours come from Streamlit's theme variables."""
    return _joined(_HERE / "base.css", _HERE / name / f"{name}.css")


def _joined(*files: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
