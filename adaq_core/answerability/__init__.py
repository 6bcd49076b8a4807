"""Whether an answer may be given: features of the evidence, models of them, abstention."""
