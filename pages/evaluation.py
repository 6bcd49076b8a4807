"""Evaluation: methods measured on sets of questions; start, watch, stop and resume experiments, read their numbers."""

import streamlit as st

from pages._shared.evaluation.experiments import show_list
from pages._shared.evaluation.page import show_experiment

key = st.query_params.get("experiment")

if key:
    show_experiment(key)
else:
    show_list()
