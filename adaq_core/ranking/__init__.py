"""How good a passage is as evidence for a question."""
