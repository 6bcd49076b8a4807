"""Question sets with judgments."""
