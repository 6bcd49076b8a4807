"""The stages of a hop, one verb each."""
