"""Outcomes → tables, plots, cards and pages: what a person reads of an experiment."""
