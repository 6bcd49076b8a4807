"""One reading of a question: clauses, conditions, aspects, query templates."""
