"""Trace explorer: the list of stored runs, and one run hop by hop at `?run=…&hop=…&aspect=…`."""

import streamlit as st

from pages._shared.trace import page as run_page
from pages._shared.trace import run_list as run_table

run_id = st.query_params.get("run")

if run_id:
    run_page.show(run_id)
else:
    run_table.show()
