"""Whether a passage answers an aspect, and which sentences say so."""
