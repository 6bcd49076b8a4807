"""Files to documents to passages to a stored, indexed corpus."""
