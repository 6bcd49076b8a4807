"""The pages: navigation, the header chip of running runs, the footer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from adaq_core.errors import AdaqError
from pages._shared.common import backend, chrome
from pages._shared.common.chrome import show_trouble
from pages._shared.components.keys import keys
from pages._shared.settings import dialog as settings_dialog

_HERE = Path(__file__).parent
# The pages that exist are shown, so that a page is one file and one line here.
_PAGES = (
    ("ask.py", "Ask", ":material/forum:", "Ask a question of a corpus and watch what each hop adds."),
    ("trace_explorer.py", "Trace explorer", ":material/timeline:", "Every run, hop by hop: why, what, how well."),
    ("compare_baselines.py", "Compare baselines", ":material/compare:", "One question, several methods, side by side."),
    ("corpus.py", "Corpus", ":material/library_books:", "The documents to search: browse, add, try a search, delete."),
    ("evaluation.py", "Evaluation", ":material/monitoring:", "Methods measured on sets of questions."),
)


def _show() -> None:
    """Draw the page in the address, between the chips of running runs and the footer."""
    st.set_page_config(page_title="ADAQ", page_icon="🧭", layout="wide")
    st.logo(str(_HERE / "_shared" / "common" / chrome.logo()), size="medium")
    page = st.navigation(
        [
            st.Page(file, title=title, icon=icon, help=about, default=file == "ask.py")
            for file, title, icon, about in _PAGES
            if (_HERE / file).exists()
        ],
        position="top",
    )
    chrome.forget_objection_of_other_page(page.url_path)
    try:
        chrome.style()
        chrome.running_chip(backend.running(), shown=st.query_params.get("run"))
        settings_dialog.entry(page.url_path)
        if job := backend.preparing():
            from pages._shared.corpus.head import show_preparing  # on a first visit only

            show_preparing(job)
        else:
            page.run()
        chrome.footer()
        keys.listen()
        settings_dialog.show_if_open()
    except AdaqError as error:
        show_trouble(error)


# The worker processes of an experiment that was started from a page load this file under another name.
if __name__ == "__main__":
    with backend.turn():
        _show()
