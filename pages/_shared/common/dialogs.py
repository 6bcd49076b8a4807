"""Dialogs that stay open over reruns: at most one can be shown in a run of the script."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.errors import StreamlitAPIException


def show_dialog(show: Callable[[], None], *, close: Callable[[], None]) -> None:
    """Show a dialog, or close it where another one is open already."""
    try:
        show()
    except StreamlitAPIException as error:
        if "dialog" not in str(error):
            raise
        close()
