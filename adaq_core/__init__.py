"""ADAQ."""
