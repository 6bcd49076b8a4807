"""A run as a file for other tools and people."""
