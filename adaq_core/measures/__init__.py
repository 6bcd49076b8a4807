"""Measures against judgments, and what bounds their error."""
