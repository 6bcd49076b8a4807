"""From evidence to an answer: sentences, citations and their guard."""
