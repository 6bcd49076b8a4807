"""Compare baselines: one question, ADAQ beside other methods, under the same conditions."""

import streamlit as st

from pages._shared.compare.page import show_group
from pages._shared.compare.start import show_start

group = st.query_params.get("group")

if group:
    show_group(group)
else:
    show_start()
