"""Runs in forms that other programs read."""
