"""Text: tokens, sentences, passages, entities, dates, near-duplicates."""
