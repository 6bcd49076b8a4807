"""Compare baselines: one question, ADAQ beside other methods, under the same conditions."""

import streamlit as st

from pages._shared.compare.page import show_group
from pages._shared.compare.start import show_start

# A run is where a comparison begins: its address on the other pages leads here, too.
group = st.query_params.get("group") or st.query_params.get("run")

if group:
    show_group(group)
else:
    show_start()
