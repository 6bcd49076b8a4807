"""Runs from start to end: execute, in the background, resumed, forecast."""
