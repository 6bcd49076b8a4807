"""Registers a component whose style and script are files beside this one; `dom.js` and `base.css` go before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


def component(name: str) -> Any:
    """The mounting command of the component made of `name`.js and `name`.css; call once, at import."""
    return st.components.v2.component(f"adaq.{name}", html="<div class='root'></div>", css=style(name), js=script(name))


def script(name: str) -> str:
    """The whole script of a component: an ES module with one default export."""
    return _both("dom.js", f"{name}.js")


def style(name: str) -> str:
    """The whole style of a component; colours come from Streamlit's theme variables."""
    return _both("base.css", f"{name}.css")


def _both(shared: str, own: str) -> str:
    return "\n".join((_HERE / file).read_text(encoding="utf-8") for file in (shared, own))
