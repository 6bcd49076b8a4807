"""Question sets with judgments. Judgments, types and ids stay here and in the evaluation: no method sees them."""
