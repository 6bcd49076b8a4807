"""Retrieval: queries to passages. Lexical, dense, fused, and the graph of who names whom."""
