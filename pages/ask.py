"""Ask: a question is split into aspects, searched in hops, and answered with citations."""

import streamlit as st

from pages._shared.ask import compose as ask_compose
from pages._shared.ask import empty as ask_empty
from pages._shared.ask import run_view as ask_run
from pages._shared.ask.start import begin, pending
from pages._shared.common.chrome import show_objection

run_id = st.query_params.get("run")
question = pending()

if run_id:
    over = ask_run.show(run_id)
    if over:
        with st.container():  # not at the bottom of the window: there it would pull the page down to it
            show_objection(at="ask_next")  # above: a long question pushes what is below it out of the window
            st.chat_input("Ask another question", key="ask_next", on_submit=begin, args=("ask_next",))
elif question:
    ask_compose.show(question)
else:
    ask_empty.show()
